import { getAtPointer, joinPointer, parsePointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import type { Schema } from '../../openapi/model/operation';
import type { TextShape } from '../../openapi/parameters/text-shape';
import type { Violation } from '../../schema/validator';
import type { Warnings } from './warnings';

const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'true', 'y', 'yes', 'on'].map((word): [string, boolean] => [word, true]),
  ...['0', 'f', 'false', 'n', 'no', 'off'].map((word): [string, boolean] => [word, false]),
]);

/**
 * Text where booleans are meant, as real clients write them: `1`, `True`, `yes`.
 *
 * @param value - as it was read; what could not be read as a boolean is still text
 * @returns the same value where nothing of it is such a word
 */
function withBooleans(value: JsonValue, shape: TextShape | undefined): JsonValue {
  if (shape === undefined) return value;
  if (typeof value === 'string')
    return isBooleanOnly(shape) ? (BOOLEAN_WORDS.get(value.toLowerCase()) ?? value) : value;
  if (Array.isArray(value)) {
    const items = value.map((item, index) => withBooleans(item, shape.item(index)));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return isJsonObject(value) ? propertiesWithBooleans(value, shape) : value;
}

function propertiesWithBooleans(value: JsonObject, shape: TextShape): JsonObject {
  // Of properties that nothing is said of there may be any number.
  const names = shape.others === undefined ? shape.names : Object.keys(value);
  const changed = new Map<string, JsonValue>();
  for (const name of names) {
    const property = ownProperty(value, name);
    const read = property === undefined ? undefined : withBooleans(property, shape.property(name));
    if (read !== undefined && read !== property) changed.set(name, read);
  }
  return changed.size === 0 ? value : withChanged(value, changed);
}

function isBooleanOnly({ scalars }: TextShape): boolean {
  return scalars.includes('boolean') && !scalars.includes('string');
}

/** An object with other values of some properties; `undefined` takes one out. */
function withChanged(value: JsonObject, changed: ReadonlyMap<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, property]): [string, JsonValue][] => {
      const own = changed.has(name) ? changed.get(name) : property;
      return own === undefined ? [] : [[name, own]];
    }),
  );
}

/**
 * A value with its words for booleans read, where it is valid so and the reading is allowed.
 *
 * @param what - names it, for the warning
 */
export function readBooleans(
  value: JsonValue,
  shape: TextShape,
  schema: Schema | undefined,
  what: string,
  warnings: Warnings,
): JsonValue | undefined {
  const read = withBooleans(value, shape);
  if (read === value || schema?.accepts(read, 'request') === false) return undefined;
  const message = `${what} has another word for a boolean than true or false`;
  return warnings.allows('boolean_word', message) ? read : undefined;
}

/** A value without properties that are `null`, and the JSON pointers of those that were taken out. */
export interface WithoutUnset {
  readonly value: JsonValue;
  readonly removed: readonly string[];
}

/** Does a body show that its client sends what is not set as well: has it `null` anywhere? */
export function hasNull(value: JsonValue): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(hasNull);
  return isJsonObject(value) && Object.values(value).some(hasNull);
}

/** What clients write whose language has no value that is not set: `null`, an empty text, list or object, -1. */
export function isUnset(value: JsonValue): boolean {
  if (value === null || value === '' || value === -1) return true;
  return typeof value === 'object' && (Array.isArray(value) || isJsonObject(value)) && Object.keys(value).length === 0;
}

/**
 * @param isMeant - says of the pointer of a property whether it is to go
 * @param isNothing - says of the value of a property whether it may go
 */
export function withoutUnset(
  value: JsonValue,
  isMeant: (pointer: string) => boolean,
  isNothing: (property: JsonValue) => boolean = (member) => member === null,
): WithoutUnset {
  const removed: string[] = [];
  // What has no such property in it stays the same value: a large body is gone through, and not made again.
  const prune = (inner: JsonValue, pointer: string): JsonValue => {
    if (Array.isArray(inner)) {
      const items = inner.map((item, index) => pruneBelow(item, pointer, index));
      return items.some((item, index) => item !== inner[index]) ? items : inner;
    }
    if (!isJsonObject(inner)) return inner;
    const changed = new Map<string, JsonValue | undefined>();
    for (const name of Object.keys(inner)) {
      const member = inner[name] ?? null;
      if (isNothing(member) && isMeant(joinPointer(pointer, name))) {
        removed.push(joinPointer(pointer, name));
        changed.set(name, undefined);
        continue;
      }
      const pruned = pruneBelow(member, pointer, name);
      if (pruned !== member) changed.set(name, pruned);
    }
    return changed.size === 0 ? inner : withChanged(inner, changed);
  };
  const pruneBelow = (inner: JsonValue, pointer: string, name: string | number): JsonValue =>
    typeof inner === 'object' && inner !== null ? prune(inner, joinPointer(pointer, name)) : inner;
  return { value: prune(value, ''), removed };
}

/** Properties by which things are known, the surest first. */
const KEY_PROPERTIES = ['id', '_id', 'gid', 'sid', 'uuid', 'guid', 'key', 'code', 'slug', 'login', 'username', 'name'];

/** More of them in one body are not looked for: each costs a look at the whole of it. */
const MAX_KEYS = 10;

/** A body with objects in the place of their keys. */
interface ExpandedKeys {
  readonly value: JsonValue;
  /** JSON pointers of what was put in. */
  readonly pointers: readonly string[];
}

/**
 * A body in which every key that stands for a thing is the thing with that key: `"owner": "7"` becomes
 * `"owner": { "id": "7" }` where the schema has an object that has an `id`.
 *
 * @returns `undefined` where anything else is wrong with the body too
 */
export function expandKeys(
  schema: Schema | undefined,
  value: JsonValue,
  violations: readonly Violation[],
): ExpandedKeys | undefined {
  const areObjectsMeant = violations.every(({ keyword, message }) => keyword === 'type' && /an object/.test(message));
  if (schema === undefined || !areObjectsMeant) return undefined;
  const pointers = [...new Set(violations.map(({ pointer }) => pointer))].filter((pointer) => pointer !== '');
  const isPlain = pointers.every((pointer) =>
    ['string', 'number', 'bigint'].includes(typeof getAtPointer(value, pointer)),
  );
  if (pointers.length === 0 || pointers.length > MAX_KEYS || !isPlain) return undefined;
  // A property that is declared rejects what is nothing that a key can be.
  const probe = Object.fromEntries(KEY_PROPERTIES.map((name) => [name, [[]]]));
  const rejected = new Set(
    schema
      .validate('request')(pointers.reduce((body, place) => replaceAt(body, place, probe), value))
      .map((each) => each.pointer),
  );
  let whole = value;
  for (const place of pointers) {
    const key = KEY_PROPERTIES.find((name) => rejected.has(`${place}/${name}`));
    if (key === undefined) return undefined;
    whole = replaceAt(whole, place, { [key]: getAtPointer(value, place) ?? null });
  }
  // What a thing must have beside its key, the key stands for.
  const left = schema.validate('request')(whole);
  const isWhole = left.every(({ pointer, keyword }) => keyword === 'required' && pointers.includes(pointer));
  return isWhole ? { value: whole, pointers } : undefined;
}

/** A value with another one in a place that it has. */
function replaceAt(value: JsonValue, pointer: string, inner: JsonValue): JsonValue {
  const [name, ...rest] = parsePointer(pointer);
  if (name === undefined) return inner;
  const below = (part: JsonValue | undefined): JsonValue =>
    replaceAt(part ?? null, rest.reduce(joinPointer, ''), inner);
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => (String(index) === name ? below(item) : item));
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([each, part]) => [each, each === name ? below(part) : part]))
    : value;
}

/** A time of day without the offset, and perhaps the seconds, that RFC 3339 §5.6 asks for. */
const LOCAL_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(:[0-5]\d(?:\.\d+)?)?$/;

/** More of them in one value are not looked for. */
const MAX_LOCAL_TIMES = 100;

/**
 * A value whose times of day are in UTC where they say no offset: `09:00:00` is `09:00:00Z`.
 *
 * @param what - names the value, for the warning
 * @returns the value and what is still wrong with it; `undefined` where no such time is in it, or it is not allowed
 */
export function readLocalTimes(
  schema: Schema | undefined,
  value: JsonValue,
  violations: readonly Violation[],
  what: string,
  warnings: Warnings,
): { readonly value: JsonValue; readonly violations: readonly Violation[] } | undefined {
  const places = violations.flatMap(({ keyword, message, pointer }) => {
    const text = keyword === 'format' && message === 'must be a valid time' ? getAtPointer(value, pointer) : undefined;
    const [time, seconds] = typeof text === 'string' ? (LOCAL_TIME.exec(text) ?? []) : [];
    return time === undefined ? [] : [{ pointer, whole: `${time}${seconds === undefined ? ':00' : ''}Z` }];
  });
  if (schema === undefined || places.length === 0 || places.length > MAX_LOCAL_TIMES) return undefined;
  const message = `${what} has a time without an offset, which RFC 3339 asks for: it was taken as UTC`;
  if (!warnings.allows('local_time', message)) return undefined;
  const read = places.reduce<JsonValue>((known, { pointer, whole }) => replaceAt(known, pointer, whole), value);
  return { value: read, violations: schema.validate('request')(read) };
}

/** The object that is meant by a list of plain values, where one property of it, and no other, takes such a list. */
export function wrapBareList(schema: Schema | undefined, value: JsonValue, warnings: Warnings): JsonValue | undefined {
  const properties = schema?.value['properties'];
  if (schema === undefined || !Array.isArray(value) || value.some(isObjectOrArray) || !isJsonObject(properties))
    return undefined;
  const [name, ...more] = Object.keys(properties).filter(
    (each) => isArraySchema(properties[each]) && schema.accepts({ [each]: value }, 'request'),
  );
  if (name === undefined || more.length > 0) return undefined;
  const message = `The list that is the body was taken for its member "${name}"`;
  return warnings.allows('bare_list', message) ? { [name]: value } : undefined;
}

function isObjectOrArray(value: JsonValue): boolean {
  return typeof value === 'object' && (Array.isArray(value) || isJsonObject(value));
}

function isArraySchema(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && schema['type'] === 'array';
}
