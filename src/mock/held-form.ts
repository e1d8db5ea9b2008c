import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import type { ApiModel, Schema } from '../openapi/model';
import { readScalar } from '../openapi/scalar-value';
import { choicesOf } from '../openapi/inner-schemas';

const MAX_DEPTH = 20;

/** Members by which an object is named, the surest first. */
const NAMING = ['id', '_id', 'gid', 'sid', 'uuid', 'guid', 'key', 'code', 'slug', 'value', 'login', 'username', 'name'];

/**
 * A value in the form in which a schema for reading has it, where one for writing takes another: a text for a number and
 * the other way round, the key of an object for the object, `owner: 5` for `owner: { id: 5 }`. Required members of such
 * an object are not filled in here. What has no such form stays as it is.
 *
 * @param key - member by which the object is known, where that is known
 */
export function heldForm(api: ApiModel, schema: Schema, value: JsonValue, key?: string, depth = 0): JsonValue {
  if (value === null || depth > MAX_DEPTH || isValid(schema, value)) return value;
  const inner = (place: Schema | undefined, part: JsonValue): JsonValue =>
    place === undefined ? part : heldForm(api, place, part, key, depth + 1);
  if (Array.isArray(value)) {
    const items = api.schemaAt(`${schema.pointer}/items`);
    return items === undefined ? value : value.map((item) => inner(items, item));
  }
  if (isJsonObject(value)) return ofMembers(api, schema, value, inner);
  const plain = spellings(value).find((spelling) => isValid(schema, spelling));
  return plain ?? objectNamed(api, schema, value, key) ?? value;
}

function ofMembers(
  api: ApiModel,
  schema: Schema,
  value: JsonObject,
  inner: (place: Schema | undefined, part: JsonValue) => JsonValue,
): JsonObject {
  const properties = api.propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const pointer = properties.get(name)?.pointer;
      return [name, pointer === undefined ? member : inner(api.schemaAt(pointer), member)];
    }),
  );
}

/** The object of a schema, or of the first of its branches, that is named by a value. */
function objectNamed(api: ApiModel, schema: Schema, value: JsonValue, key: string | undefined): JsonObject | undefined {
  if (typeof value === 'boolean') return undefined;
  const properties = api.propertiesOf(schema);
  for (const name of key === undefined ? NAMING : [key, ...NAMING]) {
    const property = properties.get(name);
    const place = property === undefined || property.writeOnly ? undefined : api.schemaAt(property.pointer);
    const fit = place && spellings(value).find((spelling) => isValid(place, spelling));
    if (fit !== undefined) return { [name]: fit };
  }
  for (const branch of choicesOf(api, schema)) {
    const found = objectNamed(api, branch, value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text as the number or the truth value that it spells, and the other way round. */
function spellings(value: JsonValue): JsonValue[] {
  const text = scalarText(value);
  return [value, text, readScalar(text, ['integer', 'number', 'boolean'])];
}

function isValid(schema: Schema, value: JsonValue): boolean {
  return schema.validate('response')(value).length === 0;
}
