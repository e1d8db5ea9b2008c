import { getAtPointer, joinPointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import { participles, singular, wordsOf } from '../core/text/inflection';
import { type BodyShape, shapeContaining } from '../lists/body-shape';
import type { ApiModel } from '../openapi/model/api-model';
import type { DocumentedEvent } from '../openapi/model/documented-events';
import type { Operation, Schema } from '../openapi/model/operation';
import { isEventTypeName } from '../openapi/naming/property-names';
import { type SchemaView, viewOf } from '../openapi/view/schema-view';
import {
  eventStatement,
  type EventStatement,
  type Happening,
  HAPPENINGS,
  HINT,
  NO_OVERRIDES,
  type Overrides,
} from '../resources/overrides/statements';
import type { Binding, ResourceModel } from '../resources/model/binding';
import type { Evidence, ResourceDescription } from '../resources/model/resource';
import { CHANGED, HAPPENING_WORDS, NOISE, nounsOf, pathWords, placeOf, propertyNamed, stateOf } from './event-words';

/** When an event is sent. */
export interface EventTrigger {
  readonly resource: ResourceDescription;
  readonly on: Happening;
  /** Of `changed`: only where this property came to be another one. */
  readonly property?: string;
  /** Of the property: only where it came to be this, also when the item is created. */
  readonly value?: JsonValue;
  /** Only where this operation did it. */
  readonly by?: Operation;
}

/** An event of the description, with when it is sent and what speaks for that. */
export interface EventPlan {
  readonly event: DocumentedEvent;
  /** What subscribers call it: its name, or one of several words that its body says which event it is with. */
  readonly type: string;
  /** The operation that says where it is sent; `undefined` for a webhook. */
  readonly registeredBy: Operation | undefined;
  /** `undefined`: it is not sent, and the evidence says why. */
  readonly trigger: EventTrigger | undefined;
  /** Where the item stands in its body; `undefined` where it has none, or none of that resource. */
  readonly shape: BodyShape | undefined;
  readonly evidence: readonly Evidence[];
}

/** For people: `status of an item of /orders becomes "delivered"`. */
export function triggerText({ resource, on, property, value, by }: EventTrigger): string {
  if (by !== undefined) return `${by.method} ${by.written} has succeeded`;
  const item = resource.kind === 'singleton' ? resource.path : `an item of ${resource.path}`;
  if (property === undefined) return `${item} is ${on}`;
  return value === undefined
    ? `${property} of ${item} changes`
    : `${property} of ${item} becomes ${stringifyJson(value)}`;
}

/** When each event of a description is sent: as the overrides or `x-standin` say, else by its name, its prose and its body. */
export function planEvents(api: ApiModel, model: ResourceModel, overrides: Overrides = NO_OVERRIDES): EventPlan[] {
  const planner = new EventPlanner(api, model, overrides);
  return api.events().flatMap((event) => planner.plan(event));
}

type Found = Pick<EventPlan, 'trigger' | 'evidence'>;

/** Does a name say when it is sent, something else, or nothing? */
type Inferred = Found & { readonly says: 'when' | 'else' | 'nothing' };

class EventPlanner {
  private readonly api: ApiModel;
  private readonly model: ResourceModel;
  private readonly view: SchemaView;
  private readonly bindings: readonly Binding[];

  private readonly overrides: Overrides;

  constructor(api: ApiModel, model: ResourceModel, overrides: Overrides) {
    this.api = api;
    this.overrides = overrides;
    this.model = model;
    this.view = viewOf(api);
    this.bindings = [...model.bindings.values()];
  }

  plan(event: DocumentedEvent): EventPlan[] {
    const registeredBy = this.api.operations.find(({ pointer }) => pointer === event.registeredAt);
    const planned = (type: string, { trigger, evidence }: Found): EventPlan => {
      const shape = trigger && this.shapeIn(event, trigger.resource);
      return { event, type, registeredBy, trigger, shape, evidence };
    };
    const hinted = this.hinted(event);
    if (hinted !== undefined) return [planned(event.name, hinted)];
    const named = this.inferred(event, event.name, registeredBy);
    if (named.says !== 'nothing') return [planned(event.name, named)];
    // One request for many events: `onEvent`, whose body says which it is.
    const types = this.typesIn(event).map((type) => ({ type, found: this.inferred(event, type, registeredBy) }));
    if (types.some(({ found }) => found.says === 'when')) return types.map(({ type, found }) => planned(type, found));
    return [planned(event.name, named)];
  }

  private typesIn(event: DocumentedEvent): string[] {
    const body = this.view.unwrap(bodyOf(event));
    const properties = body === undefined ? [] : [...this.view.properties(body).values()];
    return properties.flatMap(({ name, schema }) => {
      const words = isEventTypeName(name) ? schema['enum'] : undefined;
      return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
    });
  }

  /** @returns `undefined` where nothing is said outright */
  private hinted(event: DocumentedEvent): Found | undefined {
    const stated = this.overrides.events?.get(event.name) ?? this.hint(event);
    if (stated === undefined) return undefined;
    const { when, evidence } = stated;
    const said = { ...evidence, text: when === undefined ? `${evidence.text}: it is not sent` : evidence.text };
    if (when === undefined) return { trigger: undefined, evidence: [said] };
    const trigger = this.statedTrigger(when);
    const text = typeof trigger === 'string' ? `${evidence.text}, and ${trigger}` : said.text;
    return { trigger: typeof trigger === 'string' ? undefined : trigger, evidence: [{ ...evidence, text }] };
  }

  /** @returns why nothing can be made of it */
  private statedTrigger({
    resource: path,
    sent,
    property,
    value,
  }: NonNullable<EventStatement['when']>): EventTrigger | string {
    const resource = this.model.resources.find((each) => each.path === path);
    const on = HAPPENINGS.find((each) => each === sent);
    if (resource === undefined || on === undefined)
      return `names neither a resource of the description nor one of sent: ${HAPPENINGS.join(', ')}`;
    if (property === undefined) return { resource, on };
    if (resource.properties.size > 0 && !resource.properties.has(property))
      return `items of ${resource.path} have no property "${property}"`;
    return { resource, on, property, ...(value === undefined ? {} : { value }) };
  }

  private hint(event: DocumentedEvent): EventStatement | undefined {
    for (const at of event.hintedAt) {
      const owner = getAtPointer(this.api.document.root, at);
      const said = isJsonObject(owner) ? owner[HINT] : undefined;
      const statement = eventStatement(said, { text: `${HINT} says so`, pointer: joinPointer(at, HINT) });
      if (statement !== undefined) return statement;
    }
    return undefined;
  }

  /** @param type - its name, or a word of its body */
  private inferred(event: DocumentedEvent, type: string, registeredBy: Operation | undefined): Inferred {
    const words = wordsOf(type).filter((word) => !NOISE.test(word));
    const about = this.resourceOf(event, words, registeredBy);
    if (about === undefined) {
      const text = `neither its name nor its body is that of something that the mock keeps; ${HINT}: { sent: created, resource: /… } says when it is sent`;
      return {
        says: words.length === 0 ? 'nothing' : 'else',
        trigger: undefined,
        evidence: [{ text, pointer: event.pointer }],
      };
    }
    const { resource, rest, evidence } = about;
    const isNamed = evidence.text.startsWith('its name');
    // Words of the name that mean nothing here may make it another thing: `deployment.status.created`.
    const by =
      this.happeningOf(resource, rest, event.pointer) ??
      (isNamed && rest.length > 0 ? undefined : this.byProse(resource, event));
    if (by !== undefined) return { says: 'when', trigger: { resource, ...by.what }, evidence: [evidence, by.evidence] };
    if (registeredBy !== undefined && rest.length === 0) {
      const text = `nothing says when, so it is sent after ${registeredBy.method} ${registeredBy.written}`;
      return {
        says: 'nothing',
        trigger: { resource, on: 'created', by: registeredBy },
        evidence: [evidence, { text, pointer: event.pointer }],
      };
    }
    const text = `no word of "${type}" says what happens to ${resource.name}; ${HINT}: { sent: changed, resource: ${resource.path} } does`;
    return {
      says: rest.length === 0 ? 'nothing' : 'else',
      trigger: undefined,
      evidence: [evidence, { text, pointer: event.pointer }],
    };
  }

  /** What it is about, with the words of its name that are left then. */
  private resourceOf(
    event: DocumentedEvent,
    words: readonly string[],
    registeredBy: Operation | undefined,
  ): { resource: ResourceDescription; rest: readonly string[]; evidence: Evidence } | undefined {
    const named = this.model.resources.flatMap((resource) => {
      const places = nounsOf(resource).flatMap((noun) => placeOf(noun, words) ?? []);
      const [at] = places.sort((one, other) => other.length - one.length);
      if (at === undefined) return [];
      const noun = words.slice(at.start, at.start + at.length);
      const around = pathWords(resource.path);
      const [before, after] = [words.slice(0, at.start), words.slice(at.start + at.length)];
      // Of `issue.comment.created` the comments of issues are meant, and not others.
      const rest = [...before, ...after].filter((word) => !around.has(singular(word)));
      return [{ resource, noun, rest, isInBody: this.shapeIn(event, resource) !== undefined }];
    });
    const [best] = named.sort(
      (one, other) =>
        one.rest.length - other.rest.length ||
        other.noun.length - one.noun.length ||
        Number(other.isInBody) - Number(one.isInBody) ||
        one.resource.path.length - other.resource.path.length,
    );
    if (best !== undefined) {
      const { resource, noun, rest } = best;
      return { resource, rest, evidence: { text: `its name says "${noun.join(' ')}"`, pointer: event.pointer } };
    }
    const shown = this.model.resources.filter((resource) => this.shapeIn(event, resource) !== undefined);
    const [only, ...more] = shown.filter(
      ({ scope }) => scope.length === Math.min(...shown.map((each) => each.scope.length)),
    );
    if (only !== undefined && more.length === 0)
      return {
        resource: only,
        rest: words,
        evidence: { text: `its body has an item of ${only.path}`, pointer: event.pointer },
      };
    const bound = registeredBy && this.model.bindings.get(registeredBy);
    if (bound === undefined) return undefined;
    const text = `${registeredBy?.method ?? ''} ${registeredBy?.written ?? ''} says where it is sent, and makes an item of ${bound.resource.path}`;
    return { resource: bound.resource, rest: words, evidence: { text, pointer: event.pointer } };
  }

  /** @param words - all of them have to say it: one more may make it something else */
  private happeningOf(resource: ResourceDescription, words: readonly string[], pointer: string): Said | undefined {
    const said = (text: string, what: What): Said => ({ what, evidence: { text, pointer } });
    const [first = ''] = words;
    const usual = words.length === 1 ? HAPPENING_WORDS.find(([among]) => among.has(first))?.[1] : undefined;
    const state = usual === undefined ? stateOf(resource, words) : undefined;
    if (state !== undefined) {
      const { text, ...what } = state;
      return said(text, { on: 'changed', ...what });
    }
    if (usual !== undefined) return said(`and "${first}"`, { on: usual });
    const others = words.filter((word) => !CHANGED.has(word));
    const property = others.length < words.length ? propertyNamed(resource, others) : undefined;
    if (property !== undefined) return said(`and that ${property} is another one`, { on: 'changed', property });
    const by = this.actionOf(resource, words);
    return by && said(`and "${words.join(' ')}", which is something that can be done with it`, { on: 'changed', by });
  }

  private actionOf(resource: ResourceDescription, words: readonly string[]): Operation | undefined {
    return this.bindings.find(
      ({ resource: of, action }) =>
        of === resource && action !== undefined && participles(wordsOf(action.verb).join('')).includes(words.join('')),
    )?.operation;
  }

  /** "Sent when an order has been completed": of the words behind the first "when", what a name could say. */
  private byProse(resource: ResourceDescription, { request, pointer }: DocumentedEvent): Said | undefined {
    const noun = wordsOf(resource.name);
    for (const text of [request.summary, request.description]) {
      const [, told] = WHEN.exec(text) ?? [];
      if (told === undefined) continue;
      const words = wordsOf(told).filter((word) => !NOISE.test(word) && !noun.includes(singular(word)));
      const pieces = words.flatMap((word, index) => [words.slice(index, index + 2), [word]]);
      for (const piece of pieces) {
        const found = this.happeningOf(resource, piece, pointer);
        if (found !== undefined)
          return { ...found, evidence: { text: `its prose says "when${told.trimEnd()}"`, pointer } };
      }
    }
    return undefined;
  }

  private shapeIn(event: DocumentedEvent, { schema, name }: ResourceDescription): BodyShape | undefined {
    const body = bodyOf(event);
    return body && shapeContaining(this.view, body, schema, name);
  }
}

const WHEN = /\b(?:when|whenever|after|once|if|as soon as|every time)\b([^.;\n]{0,160})/i;

type What = Omit<EventTrigger, 'resource'>;

interface Said {
  readonly what: What;
  readonly evidence: Evidence;
}

/** Schema of what is sent; `undefined` for nothing, or anything. */
function bodyOf({ request }: DocumentedEvent): Schema | undefined {
  return request.requestBody?.content.find(({ schema }) => schema !== undefined)?.schema;
}
