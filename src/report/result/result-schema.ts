import { getAtPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { formatSchema } from '../../formats/decode';
import { localPointer } from '../../openapi/read/references';

/** A result as JSON: its properties in the order of `docs/result.schema.json`, without those that it does not have. */
export function inSchemaOrder(value: JsonValue): JsonValue {
  const root = formatSchema('result');
  return ordered(value, root, root);
}

function ordered(value: JsonValue, schema: JsonValue | undefined, root: JsonObject): JsonValue {
  if (!isJsonObject(schema)) return value;
  const { $ref: reference, items } = schema;
  if (typeof reference === 'string') return ordered(value, getAtPointer(root, localPointer(reference) ?? ''), root);
  if (Array.isArray(value)) return value.map((item) => ordered(item, items, root));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(propertiesOf(schema)).flatMap(([name, property]): [string, JsonValue][] => {
    const member = value[name];
    return member === undefined ? [] : [[name, ordered(member, property, root)]];
  });
  return Object.fromEntries(entries);
}

/** With those of its conditions, which say what the other properties are for each `kind`. */
function propertiesOf({ properties, allOf }: JsonObject): JsonObject {
  const conditions = Array.isArray(allOf) ? allOf.filter(isJsonObject) : [];
  const thens = conditions.map(({ then }) => (isJsonObject(then) ? propertiesOf(then) : {}));
  return Object.assign({}, isJsonObject(properties) ? properties : {}, ...thens) as JsonObject;
}
