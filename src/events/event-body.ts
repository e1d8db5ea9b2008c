import { isJsonMediaType } from '../core/http/media-type';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import { parseJson } from '../core/json/parse-json';
import { stringifyJson } from '../core/json/stringify-json';
import { SpecError } from '../core/errors/standin-error';
import { foldedName } from '../core/text/inflection';
import type { Violation } from '../schema/validator';
import type { BodyShape } from '../lists/body-shape';
import { planFrame } from '../mock/fitting/body-frame';
import { sampleWith, type SampleSchema } from '../mock/fitting/schema-fitting';
import type { Item } from '../mock/state/item';
import { visible } from '../mock/state/item-representation';
import type { Resource } from '../mock/state/prepared-resource';
import type { ApiModel } from '../openapi/model/api-model';
import type { MediaTypeEntry, Property, Schema } from '../openapi/model/operation';
import { isCreationTimeName, isEventTypeName, isMessageIdName } from '../openapi/naming/property-names';
import { typesOf, viewOf } from '../openapi/view/schema-view';
import type { Occurrence } from './event-occurrences';

/** What identifies one message. */
export interface MessageFacts {
  readonly id: string;
  /** Epoch milliseconds of the mock's clock. */
  readonly nowMs: number;
}

/** What is sent; `undefined` for no body. */
export type EventBody =
  | { readonly kind: 'made'; readonly text: string | undefined; readonly mediaType: string | undefined }
  | { readonly kind: 'impossible'; readonly reason: string };

const TIME_NAMES = /^(?:timestamp|time|date|occurredat|senton|sentat|eventtime|occurred)$/;

/** Makes the bodies of events: the item in its place, and around it what says which event it is. */
export class EventBodies {
  private readonly api: ApiModel;
  private readonly sample: SampleSchema;
  private readonly resources: ReadonlyMap<string, Resource>;
  private readonly frames = new Map<BodyShape, ReturnType<typeof planFrame>>();

  constructor(api: ApiModel, resources: ReadonlyMap<string, Resource>, seed: string) {
    this.api = api;
    this.resources = resources;
    this.sample = sampleWith(api, seed);
  }

  make({ plan, item }: Occurrence, facts: MessageFacts): EventBody {
    const content = plan.event.request.requestBody?.content ?? [];
    if (content.length === 0) return { kind: 'made', text: undefined, mediaType: undefined };
    const entry = content.find(({ mediaType }) => isJsonMediaType(mediaType));
    if (entry === undefined)
      return { kind: 'impossible', reason: `it is sent as ${content[0]?.mediaType ?? ''}, and only JSON can be made` };
    const value = this.valueOf(plan, entry, this.shown(plan, item), facts);
    if (value === undefined) return { kind: 'impossible', reason: 'no value of its schema can be made' };
    const [violation] = violationsOf(entry, value);
    if (violation === undefined) return { kind: 'made', text: stringifyJson(value), mediaType: entry.mediaType };
    const place = violation.pointer === '' ? 'its body' : violation.pointer;
    return { kind: 'impossible', reason: `${place} ${violation.message}` };
  }

  private shown({ trigger }: Occurrence['plan'], item: Item | undefined): JsonObject | undefined {
    const resource = trigger && this.resources.get(trigger.resource.path);
    return item === undefined || resource === undefined ? undefined : visible(item, resource);
  }

  private valueOf(
    { shape, type }: Occurrence['plan'],
    { schema, examples }: MediaTypeEntry,
    item: JsonObject | undefined,
    facts: MessageFacts,
  ): JsonValue | undefined {
    if (schema === undefined) return item ?? examples[0]?.value;
    if (shape === undefined || item === undefined)
      return this.enveloped(schema, examples[0]?.value ?? this.sample(schema), [], type, facts);
    const inner = stringifyJson(shape.form === 'item' ? item : [item]);
    const text = this.frameOf(shape).write(inner, () => undefined);
    const value = parseJson(text);
    return shape.path.length === 0 ? value : this.enveloped(shape.body, value, shape.path, type, facts);
  }

  /** Worked out once. */
  private frameOf(shape: BodyShape): ReturnType<typeof planFrame> {
    const frame = this.frames.get(shape) ?? planFrame(this.api, shape, this.sample);
    this.frames.set(shape, frame);
    return frame;
  }

  /** With what stands beside the item: which event it is, its id and its time. */
  private enveloped(
    schema: Schema,
    value: JsonValue | undefined,
    path: readonly string[],
    type: string,
    facts: MessageFacts,
  ): JsonValue | undefined {
    if (!isJsonObject(value)) return value;
    const envelope: Record<string, JsonValue | undefined> = { ...value };
    for (const property of viewOf(this.api).properties(schema).values()) {
      if (property.name === path[0]) continue;
      const told = toldBy(property, type, facts);
      const place = told === undefined ? undefined : this.api.schemaAt(property.pointer);
      if (told !== undefined && place?.accepts(told, 'response') !== false) envelope[property.name] = told;
    }
    return envelope as JsonObject;
  }
}

function toldBy({ name, schema }: Property, type: string, { id, nowMs }: MessageFacts): JsonValue | undefined {
  const folded = foldedName(name);
  const types = typesOf(schema);
  if (isEventTypeName(name)) return typeIn(schema['enum'], type);
  if (isMessageIdName(name) && types.includes('string')) return id;
  if (!TIME_NAMES.test(folded) && !isCreationTimeName(name)) return undefined;
  if (types.includes('integer') || types.includes('number')) return Math.floor(nowMs / 1000);
  return new Date(nowMs).toISOString();
}

/** The word that a body has for an event: its name, or what the name says at its end, `created` of `book.created`. */
function typeIn(words: JsonValue | undefined, type: string): JsonValue | undefined {
  if (!Array.isArray(words)) return type;
  const wanted = foldedName(type);
  return (
    words.find((word) => typeof word === 'string' && foldedName(word) === wanted) ??
    words.find((word) => typeof word === 'string' && wanted.endsWith(foldedName(word)))
  );
}

/** A schema may be one that nobody can check by. */
function violationsOf({ schema }: MediaTypeEntry, value: JsonValue): readonly Pick<Violation, 'pointer' | 'message'>[] {
  try {
    return schema?.validate('response')(value) ?? [];
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return [{ pointer: '', message: `cannot be checked: ${error.message}` }];
  }
}
