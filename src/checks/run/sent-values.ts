import { isJsonNumber, type JsonNumber, toLexeme } from '../../core/json/exact-number';
import {
  canonicalKey,
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAlong,
} from '../../core/json/json-value';
import { parseRfc3339 } from '../../core/time/date-time';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Property, Schema } from '../../openapi/model/operation';
import type { LocatedObject } from '../../openapi/read/references';
import { findResponse, jsonContent } from '../../openapi/view/responses';
import { EVERY_COMPOSITION, partsOf, type SchemaShape, shapeOf } from '../../openapi/view/schema-shape';
import type { Behaviour } from '../../resources/model/binding';
import type { SchemaObject } from '../../schema/schema-object';
import { type ObservedExchange, operationOf } from '../observed-exchange';
import { bindingOf, pathOfShown } from './observed-item';

/** A property of a request body that answers hold as well. */
export interface SentProperty {
  readonly name: string;
  readonly value: JsonValue;
  /** As the response documents it. */
  readonly shown: Property;
  /** Properties that lead from the body of the response to what has it. */
  readonly path: readonly string[];
  /** Do request and response take it from one place of the description? Else they have the name and the type in common. */
  readonly isShared: boolean;
  /** Is it a list of which the description of requests says that its order counts? */
  readonly isOrdered: boolean;
}

/**
 * The properties that a request sent and that the response to another one documents as well: both schemas take them from
 * one place, or items of one kind have them by one name, in the request and in the response, and of one type and format.
 *
 * @param response - the exchange itself, or a read of what it wrote
 */
export function sentProperties(api: ApiModel, exchange: ObservedExchange, response: ObservedExchange): SentProperty[] {
  const isOfKind = isWriteOfKind(api, exchange, response);
  const from = isOfKind ? (bindingOf(api, exchange)?.request?.path ?? []) : [];
  const path = isOfKind ? pathOfShown(api, response) : [];
  const came = responseProperties(api, response, path);
  const item = valueAlong(exchange.requestBody, from);
  if (came === undefined || !isJsonObject(item)) return [];
  return requestProperties(api, exchange, from).flatMap((property): SentProperty[] => {
    const { name } = property;
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    const shown = came.get(name);
    if (value === undefined || shown === undefined) return [];
    const isShared = shown.pointer === property.pointer;
    const paired = isShared || isOfKind ? pairedValue(api, property, shown, value) : undefined;
    const isOrdered = Array.isArray(paired) && saysOrder(property);
    return paired === undefined ? [] : [{ name, value: paired, shown, path, isShared, isOrdered }];
  });
}

/** What is done with the items of a list one after the other; by when they come a service may sort them itself. */
const IN_ORDER =
  /\bin the order (?:in which|that) (?:they|these|it|each) (?:is|are|was|were|will be) (?!(?:add|creat|updat|register|publish)ed|due)(?:\w+ed|run|done|sent|given|drawn|taken|read|shown|put|worn)\b|\b(?:the|their|its) order (?:counts|matters|is (?:kept|preserved|significant))\b/i;

function saysOrder({ schema }: Property): boolean {
  const text = schema['description'];
  return typeof text === 'string' && schema['uniqueItems'] !== true && IN_ORDER.test(text);
}

/** What a request may send, but for what is not for the client to choose, or never shown. */
export function requestProperties(api: ApiModel, exchange: ObservedExchange, path: readonly string[]): Property[] {
  const content = operationOf(api, exchange)?.requestBody?.content;
  const schema = content?.find((each) => each.schema !== undefined && /json/.test(each.mediaType))?.schema;
  const properties = schema && propertiesAlong(api, schema, path);
  return [...(properties?.values() ?? [])].filter(({ readOnly, writeOnly }) => !readOnly && !writeOnly);
}

/** Does a request write an item, whole or in part, and a response show one of the same kind? */
function isWriteOfKind(api: ApiModel, exchange: ObservedExchange, response: ObservedExchange): boolean {
  const [write, shown] = [bindingOf(api, exchange), bindingOf(api, response)];
  const isPlain = [write?.request, shown?.response].every(
    (shape) => shape?.form === 'item' && shape.layout === 'plain',
  );
  return isPlain && write?.resource === shown?.resource && WRITES.has(write?.behaviour);
}

const WRITES: ReadonlySet<Behaviour | undefined> = new Set(['create', 'replace', 'update', 'upsert']);

/** What of a value comes back, by the descriptions of a request and of a response; `undefined` where nothing need. */
function pairedValue(api: ApiModel, sent: Property, shown: Property, value: JsonValue): JsonValue | undefined {
  const [one, other] = [sent, shown].map(({ schema, pointer }) => [{ value: schema, pointer }]);
  if (one === undefined || other === undefined) return undefined;
  if (sent.pointer === shown.pointer) return withoutReadOrWriteOnly(api, one, value);
  return shown.readOnly || shown.writeOnly ? undefined : commonValue(api, one, other, value);
}

/** What of a value both schemas describe, and in the same way; `undefined` for nothing of it. */
function commonValue(
  api: ApiModel,
  sent: readonly LocatedObject[],
  shown: readonly LocatedObject[],
  value: JsonValue,
): JsonValue | undefined {
  if (!isAlike(api, sent, shown)) return undefined;
  if (Array.isArray(value)) return commonItems(api, shapeOf(api, sent).items, shapeOf(api, shown).items, value);
  if (isJsonObject(value)) return commonMembers(api, shapeOf(api, sent), shapeOf(api, shown), value);
  // Null may have a default in its place, and what responses cannot show comes back in another form.
  const isShown = shown.every((each) => api.schemaOf(each).accepts(value, 'response'));
  return value === null || !isShown ? undefined : value;
}

function commonItems(
  api: ApiModel,
  sent: readonly LocatedObject[],
  shown: readonly LocatedObject[],
  list: readonly JsonValue[],
): JsonValue | undefined {
  if (sent.length === 0 || shown.length === 0) return undefined;
  const items = list.flatMap((item) => commonValue(api, sent, shown, item) ?? []);
  return list.length > 0 && items.length === list.length ? items : undefined;
}

function commonMembers(api: ApiModel, sent: SchemaShape, shown: SchemaShape, value: JsonObject): JsonValue | undefined {
  const members = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    const [one, other] = [sent, shown].map(({ properties, others }) => properties.get(name) ?? others);
    if (one === undefined || other === undefined || one.length === 0 || other.length === 0) return [];
    if ([...one, ...other].some((each) => each.value['readOnly'] === true || each.value['writeOnly'] === true))
      return [];
    const common = commonValue(api, one, other, member);
    return common === undefined ? [] : [[name, common]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** Have two schemas the same types and formats, or one of them none? */
export function isAlike(api: ApiModel, one: readonly LocatedObject[], other: readonly LocatedObject[]): boolean {
  return ['type', 'format'].every((keyword) => {
    const [left, right] = [one, other].map((schemas) => wordsAt(api, schemas, keyword));
    return left === undefined || right === undefined || left === '' || right === '' || left === right;
  });
}

/** The values of a keyword in all parts of schemas, in order. */
function wordsAt(api: ApiModel, schemas: readonly LocatedObject[], keyword: string): string {
  const words = partsOf(api, schemas, EVERY_COMPOSITION).flatMap(({ value }) => value[keyword] ?? []);
  const named = words.filter((word): word is string => typeof word === 'string' && word !== 'null');
  return [...new Set(named)].sort().join();
}

/** Has a list the same items in another order? */
export function isReordered(sent: JsonValue, got: JsonValue | undefined): boolean {
  return Array.isArray(sent) && Array.isArray(got) && !sent.every((item, index) => isSameValue(item, got[index]));
}

/** A value without what in it is never shown, or not for the client to choose (OAS 3.0.3 §4.7.24). */
function withoutReadOrWriteOnly(api: ApiModel, schemas: readonly LocatedObject[], value: JsonValue): JsonValue {
  if (schemas.length === 0 || value === null || typeof value !== 'object') return value;
  const { properties, items, others } = shapeOf(api, schemas);
  if (Array.isArray(value)) return value.map((item) => withoutReadOrWriteOnly(api, items, item));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, property]): [string, JsonValue][] => {
    const own = properties.get(name) ?? others;
    const isHidden = own.some(({ value: schema }) => schema['readOnly'] === true || schema['writeOnly'] === true);
    return isHidden ? [] : [[name, withoutReadOrWriteOnly(api, own, property)]];
  });
  return Object.fromEntries(members);
}

/** What the response to an exchange documents, at the end of a path; `undefined` when that is not an object. */
export function responseProperties(
  api: ApiModel,
  response: ObservedExchange,
  path: readonly string[] = [],
): ReadonlyMap<string, Property> | undefined {
  const operation = operationOf(api, response);
  if (operation === undefined || response.status === undefined) return undefined;
  const schema = jsonContent(findResponse(operation, response.status))?.schema;
  return schema && propertiesAlong(api, schema, path);
}

function propertiesAlong(
  api: ApiModel,
  schema: Schema,
  path: readonly string[],
): ReadonlyMap<string, Property> | undefined {
  return path.reduce<ReadonlyMap<string, Property> | undefined>((properties, name) => {
    const inner = api.schemaAt(properties?.get(name)?.pointer ?? '');
    return inner && api.propertiesOf(inner);
  }, api.propertiesOf(schema));
}

/**
 * Is a value that came back the one that was sent? Texts character for character, but date-times by instant and UUIDs
 * without their case (RFC 3339 §5.8, RFC 9562 §4): a server may store the value and not its spelling. Numbers by value,
 * those of binary formats as far as these can tell (OAS 3.0.3 §4.4); an object may have got more properties; an absent
 * property is as good as null.
 *
 * @param schema - of the value; `undefined` when it is not known
 */
export function isSameValue(sent: JsonValue, got: JsonValue | undefined, schema?: SchemaObject): boolean {
  if (got === undefined || sent === null) return sent === null && (got === undefined || got === null);
  if (isJsonNumber(sent)) return isJsonNumber(got) && isSameNumber(sent, got, schema);
  if (Array.isArray(sent)) return Array.isArray(got) && isSameList(sent, got);
  if (isJsonObject(sent)) return isJsonObject(got) && containsProperties(sent, got);
  return equalJson(sent, got) || isSameText(sent, got, schema);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** @param schema - `undefined` for a text inside of something: what looks like such a value is one */
function isSameText(sent: JsonValue, got: JsonValue, schema: SchemaObject | undefined): boolean {
  if (typeof sent !== 'string' || typeof got !== 'string') return false;
  const format = schema?.['format'];
  if (schema === undefined || format === 'date-time') {
    const instant = parseRfc3339(sent);
    if (instant !== undefined && instant === parseRfc3339(got)) return true;
  }
  if (schema !== undefined && format !== 'uuid') return false;
  return UUID.test(sent) && sent.toLowerCase() === got.toLowerCase();
}

/**
 * Is a text that came back another spelling of the one that was sent, which its format allows: another case or form of
 * an address, a host or a URI (RFC 5321 §2.3.11, RFC 4343 §2, RFC 3986 §6.2)? Some write such texts as they came, and
 * some do not.
 */
export function isEquivalentText(sent: JsonValue, got: JsonValue | undefined, schema: SchemaObject): boolean {
  if (typeof sent !== 'string' || typeof got !== 'string') return false;
  switch (schema['format']) {
    case 'email':
    case 'idn-email':
    case 'hostname':
    case 'idn-hostname':
      return normalizedText(sent) === normalizedText(got);
    case 'uri':
    case 'uri-reference':
    case 'iri':
      return normalizedUri(sent) === normalizedUri(got);
    default:
      return false;
  }
}

function normalizedText(text: string): string {
  return text.trim().toLowerCase().replace(/\.$/, '');
}

function normalizedUri(text: string): string {
  const form = URL.canParse(text) ? new URL(text).href : text;
  return form.replace(/\/$/, '');
}

function isSameNumber(sent: JsonNumber, got: JsonNumber, schema: SchemaObject | undefined): boolean {
  if (equalJson(sent, got)) return true;
  const [a, b] = [Number(toLexeme(sent)), Number(toLexeme(got))];
  switch (schema?.['format']) {
    case 'float':
      return Math.fround(a) === Math.fround(b);
    case 'double':
      return a === b;
    default:
      // What a double cannot hold may be rounded, unless an integer was promised.
      return schema?.['type'] !== 'integer' && !Number.isInteger(a) && a === b;
  }
}

const MOST_COMPARED = 500;

/** What of a list is not in another one in the very same form, and what of that one is not in it. */
function differingItems(
  sent: readonly JsonValue[],
  got: readonly JsonValue[],
): { readonly missing: readonly JsonValue[]; readonly left: JsonValue[] } {
  const counts = new Map<string, number>();
  for (const item of sent) counts.set(canonicalKey(item), (counts.get(canonicalKey(item)) ?? 0) + 1);
  const takeOne = (item: JsonValue): boolean => {
    const key = canonicalKey(item);
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return count > 0;
  };
  const left = got.filter((item) => !takeOne(item));
  // What was not taken is what is left of each count.
  const missing = sent.filter((item) => {
    const key = canonicalKey(item);
    const count = counts.get(key) ?? 0;
    if (count <= 0) return false;
    counts.set(key, count - 1);
    return true;
  });
  return { missing, left };
}

function isSameList(sent: readonly JsonValue[], got: readonly JsonValue[]): boolean {
  if (sent.length !== got.length) return false;
  if (sent.every((item, index) => isSameValue(item, got[index]))) return true;
  // A set may come back in another order: most of its items as they were sent, which are counted first.
  const { missing, left } = differingItems(sent, got);
  // Each of these is held against each of those; of so many that differ nothing is said.
  if (missing.length > MOST_COMPARED) return true;
  return missing.every((item) => {
    const index = left.findIndex((candidate) => isSameValue(item, candidate));
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

function containsProperties(sent: JsonObject, got: JsonObject): boolean {
  return Object.entries(sent).every(([name, value]) =>
    isSameValue(value, Object.hasOwn(got, name) ? got[name] : undefined),
  );
}
