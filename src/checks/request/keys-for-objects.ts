import { getAtPointer, joinPointer, parsePointer } from '../../json/json-pointer';
import { isJsonObject, type JsonValue } from '../../json/json-value';
import type { Violation } from '../../json-schema/violation';
import type { Schema } from '../../openapi/model';

/** Members by which things are known, the surest first. */
const KEYS = ['id', '_id', 'gid', 'sid', 'uuid', 'guid', 'key', 'code', 'slug', 'login', 'username', 'name'];

/** More of them in one body are not looked for: each costs a look at the whole of it. */
const MOST = 10;

/** A body with objects in the place of their keys. */
export interface WithObjects {
  readonly value: JsonValue;
  /** JSON pointers of what was put in. */
  readonly places: readonly string[];
}

/**
 * A body in which every key that stands for a thing is the thing with that key: `"owner": "7"` becomes
 * `"owner": { "id": "7" }` where the schema has an object that has an `id`.
 *
 * @returns `undefined` where anything else is wrong with the body too
 */
export function withObjectsForKeys(
  schema: Schema | undefined,
  value: JsonValue,
  violations: readonly Violation[],
): WithObjects | undefined {
  const areObjectsMeant = violations.every(({ keyword, message }) => keyword === 'type' && /an object/.test(message));
  if (schema === undefined || !areObjectsMeant) return undefined;
  const places = [...new Set(violations.map(({ pointer }) => pointer))].filter((pointer) => pointer !== '');
  const isPlain = places.every((pointer) =>
    ['string', 'number', 'bigint'].includes(typeof getAtPointer(value, pointer)),
  );
  if (places.length === 0 || places.length > MOST || !isPlain) return undefined;
  // A member that is declared refuses what is nothing that a key can be.
  const probe = Object.fromEntries(KEYS.map((name) => [name, [[]]]));
  const refused = new Set(
    schema
      .validate('request')(places.reduce((body, place) => put(body, place, probe), value))
      .map((each) => each.pointer),
  );
  let whole = value;
  for (const place of places) {
    const key = KEYS.find((name) => refused.has(`${place}/${name}`));
    if (key === undefined) return undefined;
    whole = put(whole, place, { [key]: getAtPointer(value, place) ?? null });
  }
  // What a thing must have beside its key, the key stands for.
  const left = schema.validate('request')(whole);
  const isWhole = left.every(({ pointer, keyword }) => keyword === 'required' && places.includes(pointer));
  return isWhole ? { value: whole, places } : undefined;
}

/** A value with another one in a place that it has. */
export function put(value: JsonValue, pointer: string, inner: JsonValue): JsonValue {
  const [name, ...rest] = parsePointer(pointer);
  if (name === undefined) return inner;
  const below = (part: JsonValue | undefined): JsonValue => put(part ?? null, rest.reduce(joinPointer, ''), inner);
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => (String(index) === name ? below(item) : item));
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([each, part]) => [each, each === name ? below(part) : part]))
    : value;
}
