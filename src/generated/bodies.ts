import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  pickProperties,
  setProperty,
  valueAlong,
  withValueAlong,
} from '../core/json/json-value';
import { scalarText } from '../core/json/stringify-json';
import type { ApiModel } from '../openapi/model/api-model';
import type { Schema } from '../openapi/model/operation';
import type { FlatSchema } from '../payload/sampler/flat-schema';
import { acceptsScalar } from '../payload/sampler/scalar-check';
import { samplerOf } from '../payload/sampler/sampler';
import type { PropertyNode, SchemaNode } from '../payload/sampler/schema-node';
import type { Direction } from '../schema/schema-object';
import type { PropertyReference, ResourceDescription } from '../resources/model/resource';
import { literal } from '../traffic/contract/run-names';
import { RUN_ID } from './run-text';
import type { Binding } from '../resources/model/binding';
import { keyPathOf, requestOf, type Subject } from './subject';

/** A name that no description has. */
export const UNKNOWN = 'standinUnknown';

/** A placeholder at a place of a body, for the value that stands there while it is checked. */
export interface Substitution {
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** Or another value. */
  readonly placeholder: JsonValue;
}

/** One of them stands in the body of a PUT where that says the key of its path once more. */
export const KEYS_OF_PATH: readonly string[] = ['key-of-the-path', '6b657920-6f66-4000-8000-207468652070'];

export function isKeyOfPath(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && KEYS_OF_PATH.includes(value);
}

/** Names of properties that lead to the key in a body; `undefined` where items do not show it. */
export function placeOfKey({ request }: Pick<Binding, 'request'>, resource: ResourceDescription): string[] | undefined {
  const path = keyPathOf(resource);
  return path.length === 0 ? undefined : [...(request?.path ?? []), ...path];
}

/** A step with the key of its path where its body says it once more. */
export function withKeyOfPath(step: JsonObject, key: JsonValue): JsonObject {
  const change = (text: string): string =>
    KEYS_OF_PATH.reduce((changed, each) => changed.replaceAll(each, () => scalarText(key)), text);
  return rewritten(step, change) as JsonObject;
}

/** A body as a contract has it: placeholders where the values that they stand for still are. */
export function written(body: JsonValue, substitutions: readonly Substitution[]): JsonValue {
  const literally = literal(body);
  const result = substitutions.reduce((value, each) => replaceAt(value, each.path, each), literally);
  return withTimes(withRunId(result));
}

function replaceAt(value: JsonValue, path: readonly string[], substitution: Substitution): JsonValue {
  const [name, ...inner] = path;
  if (name === undefined)
    return JSON.stringify(value) === JSON.stringify(literal(substitution.value)) ? substitution.placeholder : value;
  // What stands in a list twice is the same thing twice.
  if (Array.isArray(value))
    return value.map((item, index) =>
      String(index) === name || inner.length === 0 ? replaceAt(item, inner, substitution) : item,
    );
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: replaceAt(value[name] ?? null, inner, substitution) };
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const BEGINS = /^(?:start|begin|from|since|valid_?from|not_?before)/i;
const ENDS = /^(?:end|until|to$|to_|expir|due|deadline|valid_?(?:to|until)|not_?after|finish)/i;

/** A moment, of a day that there is: another one is sent as it is, to be rejected. */
function isMoment(text: string): boolean {
  const day = text.slice(0, 10);
  return MOMENT.test(text) && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
}

/**
 * What begins or ends does so soon: a service may reject what is over, or ends before it begins. What is made is of
 * other days than another one is, as far as its first day is marked so: a room is not booked twice, and an order shows.
 */
function withTimes(value: JsonValue, name = '', day?: number): JsonValue {
  if (typeof value === 'string') return timeFor(value, name, day);
  if (Array.isArray(value)) return value.map((item) => withTimes(item, name));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JsonValue> = {};
  const own = dayOfPair(value);
  for (const [inner, each] of Object.entries(value)) setProperty(copy, inner, withTimes(each, inner, own));
  return copy;
}

function timeFor(text: string, name: string, day: number | undefined): string {
  const isPair = day !== undefined && isDay(text);
  const [begin, end] = isMoment(text) ? momentsFrom(text, day ?? 0) : isPair ? daysFrom(day) : [text, text];
  return BEGINS.test(name) ? begin : ENDS.test(name) ? end : text;
}

/** What is in another zone stays there. */
function momentsFrom(text: string, day: number): readonly [begin: string, end: string] {
  if (!/[+-]\d\d:\d\d$/.test(text)) return [`\${now+${1 + day * 24}h}`, `\${now+${2 + day}d}`];
  return [`\${today+${1 + day}d}${text.slice(10)}`, `\${today+${3 + day}d}${text.slice(10)}`];
}

function daysFrom(day: number): readonly [begin: string, end: string] {
  return [`\${today+${1 + day}d}`, `\${today+${2 + day}d}`];
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

function textAt(value: JsonObject, name: string): string {
  const text = value[name];
  return typeof text === 'string' ? text : '';
}

/** The day that stands for the first one. */
const FIRST_DAY = Date.UTC(2040, 0, 1);
const DAY = 24 * 60 * 60 * 1000;
/** So many days are between two that are made beside each other. */
const APART = 3;

/** Where what begins and what ends stand in an object: both as times, or both as days, or one of them alone as a time. */
function pairIn(value: JsonObject): readonly [first: string, second?: string] | undefined {
  const isTime = (each: JsonValue | undefined): each is string =>
    typeof each === 'string' && (isMoment(each) || isDay(each));
  const names = Object.keys(value).filter((each) => isTime(value[each]));
  const [first, second] = [BEGINS, ENDS].flatMap((pattern) => names.find((each) => pattern.test(each)) ?? []);
  if (first === undefined) return undefined;
  if (second === undefined) return isMoment(textAt(value, first)) ? [first] : undefined;
  return textAt(value, first).length > 10 === textAt(value, second).length > 10 ? [first, second] : undefined;
}

function dayOfPair(value: JsonObject): number | undefined {
  const [begin = ''] = pairIn(value) ?? [];
  const day = (Date.parse(textAt(value, begin).slice(0, 10)) - FIRST_DAY) / DAY;
  return day >= 0 && day < 3650 ? day : undefined;
}

/** A body with days of its own where it begins and ends, for the so-manieth of a kind. */
export function withOwnDays(body: JsonObject, path: readonly string[], ordinal: number): JsonObject {
  const item = valueAlong(body, path);
  const pair = isJsonObject(item) ? pairIn(item) : undefined;
  if (pair === undefined || !isJsonObject(item)) return body;
  const dayAfter = (days: number): string =>
    new Date(FIRST_DAY + (ordinal * APART + days) * DAY).toISOString().slice(0, 10);
  const times = pair.map((name = '', at): [string, JsonValue] => [
    name,
    `${dayAfter(at)}${textAt(item, name).slice(10)}`,
  ]);
  return withValueAlong(body, path, { ...item, ...Object.fromEntries(times) });
}

function withRunId(value: JsonValue): JsonValue {
  return rewritten(value, (text) => text.replaceAll(RUN_ID, () => '${runId}'));
}

/** The same with other texts. */
function rewritten(value: JsonValue, change: (text: string) => string): JsonValue {
  return mapped(value, (scalar) => (typeof scalar === 'string' ? change(scalar) : scalar));
}

/** The same with other values in the place of what is no list and no object. */
export function mapped(value: JsonValue, change: (scalar: JsonValue) => JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (!isJsonObject(value)) return change(value);
  const copy: Record<string, JsonValue> = {};
  for (const [name, inner] of Object.entries(value)) setProperty(copy, name, mapped(inner, change));
  return copy;
}

/** Where a body refers to something else, and what stands there; `undefined` where it does not. */
export function placeIn(
  body: JsonObject,
  path: readonly string[],
  { form }: Pick<PropertyReference, 'form'>,
): Pick<Substitution, 'path' | 'value'> | undefined {
  const value = path.reduce<JsonValue | undefined>(
    (at, name) => (at !== null && typeof at === 'object' && !Array.isArray(at) ? (at as JsonObject)[name] : undefined),
    body,
  );
  if (value === undefined || value === null) return undefined;
  if (form === 'key' && typeof value !== 'object') return { path, value };
  if (form === 'keys' && Array.isArray(value) && value.length > 0)
    return { path: [...path, '0'], value: value[0] ?? null };
  return undefined;
}

/** What of a sent item a response shows again: texts without a format, numbers and booleans. */
export function echoed(
  api: ApiModel,
  { properties, schema }: ResourceDescription,
  sent: JsonObject,
  written: JsonObject,
): JsonObject {
  const shown: Record<string, JsonValue> = {};
  const nodes = samplerOf(api).nodeOf(schema, 'response').properties;
  for (const [name, value] of Object.entries(sent)) {
    const property = properties.get(name);
    const flat = nodes.find((each) => each.name === name)?.node.flat;
    if (property === undefined || property.writeOnly || property.readOnly || !isScalar(value)) continue;
    // A service may show it in another way than it takes it: an object for a name.
    if (flat === undefined || !acceptsScalar(flat, value)) continue;
    // A time or an address may come back in another form of it.
    const hasForm = typeof property.schema['format'] === 'string' && typeof value === 'string';
    setProperty(shown, name, hasForm ? { $present: true } : (written[name] ?? value));
  }
  return shown;
}

/** What a thing is made with. */
interface Sent {
  readonly subject: Subject;
  readonly plain: JsonObject;
  readonly substitutions: readonly Substitution[];
}

/** What was sent of a thing and is shown again, and what the description gives it where that was not sent. */
export function shownOf(api: ApiModel, { subject, plain, substitutions }: Sent): JsonObject {
  if (subject.comesWith !== undefined) return {};
  const root = subject.create.request?.path ?? [];
  const sent = valueAlong(plain, root);
  const text = valueAlong(written(plain, substitutions), root);
  if (!isJsonObject(sent) || !isJsonObject(text)) return {};
  const shown = { ...defaultsOf(api, subject, sent), ...echoed(api, subject.resource, sent, text) };
  return pickProperties(shown, (_, value) => !isKeyOfPath(value));
}

/** What the receiver assumes where nothing is sent (OAS 3.0.3 §4.7.24, `default`). */
function defaultsOf(api: ApiModel, { resource, create }: Subject, sent: JsonObject): JsonObject {
  const schema = requestOf(create);
  const taken = schema && nodeAt(api, schema, create.request?.path ?? [])?.properties;
  const shown = samplerOf(api).nodeOf(resource.schema, 'response').properties;
  const assumed: Record<string, JsonValue> = {};
  for (const { name } of taken ?? []) {
    const property = resource.properties.get(name);
    const value = property?.schema['default'];
    if (property?.writeOnly === false && !Object.hasOwn(sent, name) && mayShow(shown, name, value))
      setProperty(assumed, name, literal(value));
  }
  return assumed;
}

/** Some values break the schema that they stand in: an empty text as the default of an address. */
function mayShow(
  shown: readonly PropertyNode[],
  name: string,
  value: JsonValue | undefined,
): value is string | number | boolean {
  if (!isScalar(value)) return false;
  const flat = shown.find((each) => each.name === name)?.node.flat;
  return flat === undefined || acceptsScalar(flat, value);
}

function isScalar(value: JsonValue | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** The same with a name of its own, where the schema lets it have one: a text that is full stays. */
export function withOwnName(schema: Schema, body: JsonObject, ordinal: number): JsonObject {
  const renamed = rewritten(body, (text) => text.replaceAll(RUN_ID, `${RUN_ID}-${ordinal}`));
  if (!isJsonObject(renamed)) return body;
  if (schema.accepts(renamed, 'request')) return renamed;
  return Object.entries(renamed).reduce((before, [name, value]) => {
    const after = { ...before, [name]: value };
    return schema.accepts(after, 'request') ? after : before;
  }, body);
}

const LARGEST_INT32 = 2_147_483_647;

/**
 * A key that nobody has, by the schema of a body or of a parameter.
 *
 * @param path - where in the body it stands
 * @returns `undefined` where none can be had
 */
export function absentKey(
  api: ApiModel,
  schema: Schema | undefined,
  path: readonly string[] = [],
  direction: Direction = 'request',
): JsonValue | undefined {
  const flat = schema && nodeAt(api, schema, path, direction)?.flat;
  const key = flat === undefined ? undefined : absentOf(flat);
  const isWhole = path.length === 0;
  return isWhole && key === ABSENT && schema?.accepts('standin-absent', direction) !== true ? undefined : key;
}

const ABSENT = 'standin-absent-${runId}';

function absentOf({ types = new Set(), maximum = LARGEST_INT32 - 1, formats }: FlatSchema): JsonValue | undefined {
  if (!types.has('string')) return types.has('integer') ? maximum : undefined;
  return formats.has('uuid') ? '7f000000-0000-4000-8000-000000000000' : ABSENT;
}

/** What a schema says at the end of a path of properties. */
export function nodeAt(
  api: ApiModel,
  schema: Schema,
  path: readonly string[],
  direction: Direction = 'request',
): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>(
    (at, name) => at?.properties.find((each) => each.name === name)?.node,
    samplerOf(api).nodeOf(schema, direction),
  );
}

/** What a description says of a property in words. */
export function descriptionsOf(node: SchemaNode | undefined): string[] {
  const said = node?.places.map(({ value }) => (isJsonObject(value) ? value['description'] : undefined)) ?? [];
  return said.filter((text): text is string => typeof text === 'string');
}

/** `Set to "Cryptokey"`, as all that is said of a text. */
const TOLD = /^\s*(?:(?:is )?(?:always )?set to|always)\s+["'“`]([^"'”`]+)["'”`]\s*\.?\s*$/i;

/** The only value of a property that a description tells in words; `undefined` where it tells none. */
export function toldValue(node: SchemaNode): string | undefined {
  return descriptionsOf(node).flatMap((text) => TOLD.exec(text)?.[1] ?? [])[0];
}
