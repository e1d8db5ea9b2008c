import { parseQuery } from '../../core/http/request-target';
import { joinPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { foldedName } from '../../core/text/inflection';
import { addToList } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import { templateShape } from '../../openapi/model/route-table';
import { inferResourceModel } from '../../resources/infer-resource-model';
import { keyText } from '../../runner/ownership/item-routes';
import { SECRET_MARK } from '../exchange/recorded-exchange';
import { type Call, isSuccess } from './call';
import { GivenValues } from './given-values';
import { keyOwner } from './key-owner';
import {
  isIdentifyingName,
  isUnguessable,
  keyGiven,
  keyPath,
  leavesOf,
  NEARNESS,
  type Producer,
  producersOf,
} from './producers';

/** A value that a request uses, where something may have given it. */
export interface Consumer {
  readonly call: Call;
  readonly in: 'path' | 'query' | 'header' | 'body';
  /** Name of the parameter or the header; of a property the last name of its path. */
  readonly name: string;
  /** JSON pointer into the body; into a parameter, with its name before it; `undefined` for a whole parameter. */
  readonly pointer: string | undefined;
  /** What it is the property of, the outer one first: `book` for `{ book: { id: 7 } }`. */
  readonly around: readonly string[];
  /** Is it the key that an item gets in place of its own? Then nothing has to be there before. */
  readonly isNew?: boolean;
  readonly value: JsonValue;
  readonly text: string;
  /** Path of the resource whose key it must be, by the description. */
  readonly resource: string | undefined;
}

/** A response gave what a request uses. */
export interface Edge {
  readonly consumer: Consumer;
  readonly producer: Producer;
  /** Why, in words: for the comment beside it. */
  readonly reason: string;
}

/** Several responses could have given it, of different things: it stays as it was sent. */
export interface Ambiguity {
  readonly consumer: Consumer;
  readonly producers: readonly Producer[];
}

export interface Flow {
  readonly edges: readonly Edge[];
  readonly ambiguous: readonly Ambiguity[];
  /** Keys by the description that no response before had shown. */
  readonly unknown: readonly Consumer[];
}

/**
 * Finds which response gave what a request uses: equal value, earlier in time, and an agreeing name, link or path. Works
 * on values with their places, never on texts as a whole; what is not certain stays literal.
 */
export function traceFlow(api: ApiModel, calls: readonly Call[]): Flow {
  const edges: Edge[] = [];
  const ambiguous: Ambiguity[] = [];
  const unknown: Consumer[] = [];
  const given = new GivenValues();
  const waiting: Call[] = [];
  const chosen = new Set<string>();
  const asked = calls.map((call) => consumersOf(api, call));
  const used = new Set(asked.flat().map(({ text }) => text));
  calls.forEach((call, index) => {
    // Only what was complete before this request began can have given it something.
    for (const done of waiting.splice(0).filter((each) => isBefore(each, call) || void waiting.push(each)))
      for (const producer of producersOf(done, (text) => used.has(text))) given.add(producer);
    for (const consumer of asked[index] ?? []) {
      const isChosen = chosen.has(thing(consumer.resource ?? '', consumer.text));
      const found = choose(
        consumer,
        given.of(consumer.text).filter((each) => !isChosen || each.nearness === 'creation'),
      );
      if (found.kind === 'edge') edges.push(found.edge);
      else if (found.kind === 'ambiguous') ambiguous.push({ consumer, producers: found.producers });
      else if (consumer.resource !== undefined && !isChosen && consumer.isNew !== true) unknown.push(consumer);
    }
    for (const key of keyChosen(call)) chosen.add(key);
    waiting.push(call);
  });
  return { edges, ambiguous, unknown };
}

const thing = (resource: string, key: string): string => `${resource} ${key}`;

/** The key that a client gives to what it makes: from then on it knows it, whatever lists it. */
function keyChosen(call: Call): string[] {
  const { binding, requestBody } = call;
  const given = keyGiven(call);
  if (binding !== undefined && given !== undefined) return [thing(binding.resource.path, given)];
  if (binding === undefined || !CREATING.has(binding.behaviour) || !isSuccess(call)) return [];
  const key = keyText(at(requestBody, [...(binding.request?.path ?? []), ...keyPath(binding.resource)]));
  return key === undefined ? [] : [thing(binding.resource.path, key)];
}

const CREATING: ReadonlySet<string> = new Set(['create', 'upsert']);

function isBefore(earlier: Call, later: Call): boolean {
  const [end, start] = [earlier.exchange.endedAt, later.exchange.startedAt];
  return end === undefined || start === undefined || end <= start;
}

type Choice =
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'ambiguous'; readonly producers: readonly Producer[] }
  | { readonly kind: 'none' };

interface Candidate {
  readonly producer: Producer;
  readonly strength: number;
  readonly why: string;
}

/** Of several that agree equally well the nearest to the making, then the earliest; of what changes with time the latest. */
function choose(consumer: Consumer, producers: readonly Producer[]): Choice {
  const candidates = producers.flatMap((producer) => agreement(consumer, producer) ?? []);
  const most = Math.max(...candidates.map(({ strength }) => strength));
  const best = candidates.filter(({ strength }) => strength === most);
  const [first] = best;
  if (first === undefined) return { kind: 'none' };
  const origins = new Set(best.map(({ producer }) => producer.resource ?? producer.call.operation?.id ?? ''));
  // The same unguessable value is the same thing, whoever shows it.
  if (origins.size > 1 && most < 3 && !isUnguessable(consumer.text) && !isMoment(consumer.text))
    return { kind: 'ambiguous', producers: best.map(({ producer }) => producer) };
  const isLatest = changesWithTime(consumer);
  const sorted = best.toSorted((one, other) => {
    const near = NEARNESS.indexOf(one.producer.nearness) - NEARNESS.indexOf(other.producer.nearness);
    const time = one.producer.call.index - other.producer.call.index;
    return isLatest ? -time || near : near || time;
  });
  const { producer, why } = sorted[0] ?? first;
  return { kind: 'edge', edge: { consumer, producer, reason: why } };
}

/** A time that is finer than a second: two clocks never show the same. */
function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d*[1-9]/.test(text);
}

function changesWithTime({ name, text }: Consumer): boolean {
  if (isMoment(text)) return true;
  return /^(?:if-match|if-none-match)$/i.test(name) || /(?:cursor|token|version|revision|rev|etag)$/i.test(name);
}

/** @returns `undefined` where nothing but the value agrees, and that could be chance */
function agreement(consumer: Consumer, producer: Producer): Candidate | undefined {
  // A captured text stays one, and a body may need a number.
  if (consumer.in === 'body' && typeof consumer.value !== 'string' && producer.isText) return undefined;
  const { resource } = consumer;
  if (resource !== undefined && producer.resource !== undefined) {
    if (resource !== producer.resource) return undefined;
    return { producer, strength: 3, why: `the key of ${resource}` };
  }
  return agreementByName(consumer, producer);
}

function agreementByName({ around, name: sent, text, in: place }: Consumer, producer: Producer): Candidate | undefined {
  const name = place === 'header' ? sent.replace(/^x-/i, '') : sent;
  const isNamed = producer.names.has(foldedName(name));
  const strength = nounStrength(name, isNamed ? around : [], producer);
  if (strength > 0) return { producer, strength, why: `the key of ${String(producer.resource)}` };
  if (/^if-(?:none-)?match$/i.test(name)) return isNamed ? { producer, strength: 3, why: 'the entity tag' } : undefined;
  if (isNamed && isIdentifyingName(name)) return { producer, strength: 2, why: `the same value, and ${name} names it` };
  if (isNamed && isMoment(text)) return { producer, strength: 1, why: `the same moment, and ${name} names it` };
  return isUnguessable(text)
    ? { producer, strength: 1, why: 'the same value, which no other has by chance' }
    : undefined;
}

/** How sure it is that a value is the key of what the noun says: `book: 7`, `book: { id: 7 }`; 0 where no noun says it. */
function nounStrength(name: string, around: readonly string[], { resource = '' }: Producer): number {
  const noun = foldedName(resource.split('/').findLast((segment) => /^\w/.test(segment)) ?? '');
  if (noun === '') return 0;
  return around.some((each) => foldedName(each) === noun) ? 2.5 : foldedName(name) === noun ? 2 : 0;
}

/** What a request sends that may come from elsewhere; secrets are found by their marks, and are not among it. */
function consumersOf(api: ApiModel, call: Call): Consumer[] {
  const all = [...parameterConsumers(api, call), ...conditionConsumers(call), ...bodyConsumers(api, call)];
  return all.flatMap((each) => {
    const text = keyText(each.value);
    return text === undefined || text === '' || text.match(SECRET_MARK) !== null ? [] : [{ ...each, call, text }];
  });
}

type FoundConsumer = Omit<Consumer, 'call' | 'text'>;

function parameterConsumers(api: ApiModel, call: Call): FoundConsumer[] {
  const declared = call.parameters.flatMap(({ parameter: { name, in: place }, value }) => {
    if (place !== 'path' && place !== 'query' && place !== 'header') return [];
    const resource = place === 'path' ? resourceOfVariable(api, call, name) : referred(call, name);
    return valuesIn(place, name, value, resource);
  });
  const { operation, query, undeclared } = call;
  const others = new Map<string, string[]>();
  for (const { name, value } of parseQuery(query))
    if (name !== undefined && value !== undefined && (operation === undefined || undeclared.includes(name)))
      addToList(others, name, value);
  const undeclaredOnes = [...others].flatMap(([name, values]) => {
    const [first = '', ...more] = values;
    return valuesIn('query', name, more.length === 0 ? first : values, undefined);
  });
  return [...declared, ...undeclaredOnes];
}

/** A parameter that is one value, or each value of a list or an object: `bookIds=7,8`, `filter[bookId]=7`. */
function valuesIn(
  place: 'path' | 'query' | 'header',
  parameter: string,
  value: JsonValue,
  resource: string | undefined,
): FoundConsumer[] {
  return leavesOf(value).map(({ pointer, path }) => {
    const last = path.findLast((segment) => !/^\d+$/.test(segment)) ?? parameter;
    const name = last.replace(/^.*\[(\w+)\]$/, '$1');
    const isWhole = path.length === 0;
    return {
      in: place,
      name,
      pointer: isWhole && name === parameter ? undefined : `${parameter}${pointer}`,
      value: at(value, path) ?? null,
      resource: isWhole ? resource : undefined,
      around: [],
    };
  });
}

/** Conditions of HTTP that the description does not declare (RFC 9110 §13.1). */
function conditionConsumers({ exchange, parameters }: Call): FoundConsumer[] {
  const { headers } = exchange.request;
  return headers.flatMap((name, index) => {
    const isDeclared = parameters.some(
      ({ parameter }) => parameter.in === 'header' && parameter.key === name.toLowerCase(),
    );
    if (index % 2 === 1 || isDeclared || !/^if-(?:none-)?match$/i.test(name)) return [];
    return [
      {
        in: 'header' as const,
        name,
        pointer: undefined,
        value: headers[index + 1] ?? '',
        resource: undefined,
        around: [],
      },
    ];
  });
}

function bodyConsumers(api: ApiModel, call: Call): FoundConsumer[] {
  const { requestBody, binding } = call;
  if (requestBody === undefined) return [];
  const root = (binding?.request?.path ?? []).reduce<string>(joinPointer, '');
  return leavesOf(requestBody).flatMap(({ pointer, path }) => {
    const name = path.findLast((segment) => !/^\d+$/.test(segment));
    const value = at(requestBody, path);
    if (name === undefined || value === undefined) return [];
    const own = pointer === joinPointer(root, name) ? ownKey(api, call, name) : undefined;
    const resource = pointer.startsWith(root) ? (own ?? referred(call, name)) : undefined;
    const around = path.filter((segment) => !/^\d+$/.test(segment)).slice(-3, -1);
    const isNew = own !== undefined && keyGiven(call) !== undefined;
    return [{ in: 'body' as const, name, pointer, value, resource, around, isNew }];
  });
}

function at(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((inner, name) => {
    return typeof inner === 'object' && inner !== null ? (inner as Record<string, JsonValue>)[name] : undefined;
  }, value);
}

/** The key of the item itself, as a replacement sends it along. */
function ownKey(api: ApiModel, { binding }: Call, name: string): string | undefined {
  const isOnItem = binding !== undefined && binding.behaviour !== 'create' && binding.keyParameter !== undefined;
  return isOnItem && binding.resource.key.name === name ? keyOwner(api, binding.resource.path) : undefined;
}

function referred({ binding }: Call, name: string): string | undefined {
  return binding?.resource.references.find(({ property, form }) => property === name && form.startsWith('key'))?.to;
}

/** The resource whose key a variable of the path is. */
export function resourceOfVariable(api: ApiModel, { operation, binding }: Call, name: string): string | undefined {
  if (operation === undefined) return undefined;
  if (binding !== undefined) {
    const { resource, keyParameter, scopeParameters, restrictions } = binding;
    if (name === keyParameter) return keyOwner(api, resource.path);
    const index = scopeParameters.indexOf(name);
    const parent =
      index < 0 ? restrictions.find(({ parameter }) => parameter === name)?.parent : resource.scope[index]?.parent;
    if (parent !== undefined) return parent;
  }
  const end = operation.path.indexOf(`{${name}}`);
  const prefix = end === -1 ? '' : templateShape(operation.path.slice(0, end + name.length + 2));
  return inferResourceModel(api).resources.find(
    ({ itemPath }) => itemPath !== undefined && templateShape(itemPath) === prefix,
  )?.path;
}

/** Is what a request asks for by its path not there? */
export function findsNothing(call: Call): boolean {
  return !isSuccess(call) && (call.status === 404 || call.status === 410);
}
