import { getAtPointer, joinPointer, parsePointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import type { Schema } from '../../openapi/model/operation';
import type { TextShape } from '../../openapi/parameters/text-shape';
import type { Violation } from '../../schema/validator';
import type { Warnings } from './warnings';

/** A value that breaks its schema. */
export interface InvalidValue {
  readonly value: JsonValue;
  readonly violations: readonly Violation[];
  readonly schema: Schema | undefined;
  readonly shape?: TextShape;
  /** How messages name it: `The body`. */
  readonly title: string;
}

/** What such a value is taken for. */
interface LenientValue {
  readonly value: JsonValue;
  /** What the warning names; `undefined` where a standard has it so, and nothing is to be warned of. */
  readonly named: string | undefined;
}

/** One way in which a value that breaks its schema is read more kindly, see `LENIENT_READINGS`. */
export interface ValueReading {
  readonly code:
    | 'boolean_word'
    | 'local_time'
    | 'json_patch_schema'
    | 'bare_list'
    | 'key_for_object'
    | 'fits_several'
    | 'null_member';
  /** @returns `undefined` where it does not help */
  readonly read: (invalid: InvalidValue) => LenientValue | undefined;
}

/** What a value is taken for by the first of the readings that applies and is allowed. */
export function readLeniently(
  readings: readonly ValueReading[],
  invalid: InvalidValue,
  warnings: Warnings,
): JsonValue | undefined {
  for (const { code, read } of readings) {
    const found = read(invalid);
    if (found !== undefined && (found.named === undefined || warnings.allows(code, found.named))) return found.value;
  }
  return undefined;
}

export function violationsOf(schema: Schema | undefined, value: JsonValue): readonly Violation[] {
  return schema?.validate('request')(value) ?? [];
}

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
export function withChanged(value: JsonObject, changed: ReadonlyMap<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, property]): [string, JsonValue][] => {
      const own = changed.has(name) ? changed.get(name) : property;
      return own === undefined ? [] : [[name, own]];
    }),
  );
}

/** A value with its words for booleans read, where it is valid so. */
export const BOOLEAN_WORD: ValueReading = {
  code: 'boolean_word',
  read({ value, shape, schema, title }) {
    const read = withBooleans(value, shape);
    return read === value || schema?.accepts(read, 'request') === false ? undefined : { value: read, named: title };
  },
};

/** Properties by which things are known, the surest first. */
const KEY_PROPERTIES = ['id', '_id', 'gid', 'sid', 'uuid', 'guid', 'key', 'code', 'slug', 'login', 'username', 'name'];

/** A name that no description has. */
const UNDECLARED = 'standinUndeclared';

/** More of them in one body are not looked for: each costs a look at the whole of it. */
const MAX_KEYS = 10;

/** The values of a body that can be the keys of the objects which its schema has in their places, by their pointers. */
function keysForObjects({ value, violations }: InvalidValue): ReadonlyMap<string, JsonValue> | undefined {
  const keys = new Map<string, JsonValue>();
  for (const { keyword, expected, pointer } of violations) {
    const key = getAtPointer(value, pointer);
    const isKey = key !== undefined && ['string', 'number', 'bigint'].includes(typeof key);
    if (keyword !== 'type' || expected?.includes('object') !== true || (pointer !== '' && !isKey)) return undefined;
    if (pointer !== '' && isKey) keys.set(pointer, key);
  }
  return keys.size === 0 || keys.size > MAX_KEYS ? undefined : keys;
}

/**
 * A body in which every key that stands for a thing is the thing with that key: `"owner": "7"` becomes
 * `"owner": { "id": "7" }` where the schema has an object that has an `id`, and nothing else is wrong with the body.
 */
export const KEY_FOR_OBJECT: ValueReading = {
  code: 'key_for_object',
  read(invalid) {
    const { schema, value } = invalid;
    const keys = keysForObjects(invalid);
    if (schema === undefined || keys === undefined) return undefined;
    const pointers = [...keys.keys()];
    // A property that is declared rejects what is nothing that a key can be.
    const probe = Object.fromEntries([...KEY_PROPERTIES, UNDECLARED].map((name) => [name, [[]]]));
    const probed = pointers.reduce((body, place) => replaceAt(body, place, probe), value);
    const rejected = new Set(violationsOf(schema, probed).map((each) => each.pointer));
    let whole = value;
    for (const [place, key] of keys) {
      // A map rejects it under any name: it has no key, and is no thing.
      const isMap = rejected.has(`${place}/${UNDECLARED}`);
      const property = isMap ? undefined : KEY_PROPERTIES.find((name) => rejected.has(`${place}/${name}`));
      if (property === undefined) return undefined;
      whole = replaceAt(whole, place, { [property]: key });
    }
    // What a thing must have beside its key, the key stands for.
    const left = violationsOf(schema, whole);
    const isWhole = left.every(({ pointer, keyword }) => keyword === 'required' && keys.has(pointer));
    return isWhole ? { value: whole, named: pointers.join(', ') } : undefined;
  },
};

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
 * A value whose times of day are in UTC where they say no offset: `09:00:00` is `09:00:00Z`. Something else may still be
 * wrong with it.
 */
export const LOCAL_TIMES: ValueReading = {
  code: 'local_time',
  read({ schema, value, violations, title }) {
    const places = violations.flatMap(({ keyword, expected, pointer }) => {
      const isTime = keyword === 'format' && expected?.includes('time') === true;
      const text = isTime ? getAtPointer(value, pointer) : undefined;
      const [time, seconds] = typeof text === 'string' ? (LOCAL_TIME.exec(text) ?? []) : [];
      return time === undefined ? [] : [{ pointer, whole: `${time}${seconds === undefined ? ':00' : ''}Z` }];
    });
    if (schema === undefined || places.length === 0 || places.length > MAX_LOCAL_TIMES) return undefined;
    const read = places.reduce<JsonValue>((known, { pointer, whole }) => replaceAt(known, pointer, whole), value);
    return { value: read, named: title };
  },
};

/** The object that is meant by a list of plain values, where one property of it, and no other, takes such a list. */
export const BARE_LIST: ValueReading = {
  code: 'bare_list',
  read({ schema, shape, value }) {
    if (!Array.isArray(value) || value.some(isObjectOrArray) || shape === undefined) return undefined;
    const [name, ...more] = shape.names.filter(
      (each) => shape.property(each)?.kind === 'array' && schema?.accepts({ [each]: value }, 'request') !== false,
    );
    return name === undefined || more.length > 0 ? undefined : { value: { [name]: value }, named: name };
  },
};

function isObjectOrArray(value: JsonValue): boolean {
  return typeof value === 'object' && (Array.isArray(value) || isJsonObject(value));
}

/** A body that fits several branches of a `oneOf`, which the description does not distinguish. */
export const FITS_SEVERAL: ValueReading = {
  code: 'fits_several',
  read({ schema, value, violations }) {
    const union = violations.find(({ keyword }) => keyword === 'oneOf');
    if (schema === undefined || union === undefined || schema.validateLoosely(value).length > 0) return undefined;
    return { value, named: union.pointer };
  },
};
