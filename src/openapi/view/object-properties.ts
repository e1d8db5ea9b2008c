import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { once } from '../../core/text/memoize';
import { stringItems } from '../../schema/schema-object';
import type { ApiModel } from '../model/api-model';
import type { Schema } from '../model/operation';
import type { LocatedObject } from '../read/references';
import { branchSchemas, nestedSchemas, partsOf } from './schema-shape';

const NONE: ReadonlySet<string> = new Set();

/** Keywords beside which properties may be declared that `properties` does not list. */
const ELSEWHERE = ['oneOf', 'anyOf', 'if', 'patternProperties', 'unevaluatedProperties'];

/**
 * The properties that an object schema requires and nowhere declares, mostly by a slip in a name: they must be there, and may
 * be anything.
 */
export function undeclaredRequired(api: ApiModel, schema: Schema): ReadonlySet<string> {
  const declared = api.propertiesOf(schema);
  const parts = partsOf(api, [schema]);
  const isElsewhere = ({ value }: LocatedObject): boolean =>
    (value['additionalProperties'] ?? true) !== true || ELSEWHERE.some((keyword) => value[keyword] !== undefined);
  if (declared.size === 0 || parts.some(isElsewhere)) return NONE;
  const required = parts.flatMap(({ value }) => stringItems(value['required']));
  return new Set(required.filter((name) => !declared.has(name)));
}

/**
 * Tells whether what the properties of an object schema list is not all that a value may have: the schema says so
 * outright, chooses between branches, or lists nothing at all.
 */
export function isOpenSchema(api: ApiModel, schema: Schema): boolean {
  if (api.propertiesOf(schema).size === 0) return true;
  return partsOf(api, [schema]).some(
    ({ value: { oneOf, anyOf, patternProperties, additionalProperties = false } }) =>
      [oneOf, anyOf, patternProperties].some((keyword) => keyword !== undefined) || additionalProperties !== false,
  );
}

/** The write-only properties that lie deeper in items than their own (OAS 3.0.3 §4.7.24). */
export interface NestedWriteOnly {
  /** Has the schema of the items any? Looked up when it is first asked. */
  readonly exist: () => boolean;
  /** An item without them; itself where there are none. */
  readonly without: (item: JsonObject) => JsonObject;
}

/** @param schema - of the items */
export function nestedWriteOnly(api: ApiModel, schema: Schema): NestedWriteOnly {
  const exist = once(() => hasNestedWriteOnly(api, schema));
  return {
    exist,
    without: (item) => (exist() ? (inside(api, schema, item) as JsonObject) : item),
  };
}

function hasNestedWriteOnly(api: ApiModel, from: Schema): boolean {
  for (const schema of nestedSchemas(api, [from]))
    if (schema !== from && [...api.propertiesOf(schema).values()].some(({ writeOnly }) => writeOnly)) return true;
  return false;
}

/** @param above - pointers of the schemas that were looked at for this very value: a branch may lead back to one */
function inside(api: ApiModel, schema: Schema | undefined, value: JsonValue, above: readonly string[] = []): JsonValue {
  if (schema === undefined || above.includes(schema.pointer)) return value;
  const whole = partsOf(api, [schema]).map((part) => api.schemaOf(part));
  const places: Places = (...path) =>
    whole.flatMap(({ pointer }) => api.schemaAt(path.reduce(joinPointer, pointer)) ?? []);
  let shown: JsonValue;
  if (Array.isArray(value)) {
    const items = places('items');
    shown = value.map((item: JsonValue) => insideAll(api, items, item));
  } else if (isJsonObject(value)) shown = propertiesShown(api, schema, places, value);
  else return value;
  for (const branch of whole.flatMap((part) => branchesFor(api, part, value)))
    shown = inside(api, branch, shown, [...above, schema.pointer]);
  return shown;
}

/** The schemas below a path that each part of a schema has there. */
type Places = (...path: string[]) => Schema[];

function insideAll(api: ApiModel, schemas: readonly Schema[], value: JsonValue): JsonValue {
  return schemas.reduce((shown, schema) => inside(api, schema, shown), value);
}

function propertiesShown(api: ApiModel, schema: Schema, places: Places, value: JsonObject): JsonValue {
  const others = places('additionalProperties');
  const shown: Record<string, JsonValue> = {};
  const properties = api.propertiesOf(schema);
  for (const [name, member] of Object.entries(value)) {
    const property = properties.get(name);
    if (property?.writeOnly === true) continue;
    const schemas = property === undefined ? others : places('properties', name);
    setProperty(shown, name, insideAll(api, schemas, member));
  }
  return shown;
}

/** Of a choice the branches that a value is of; all of them where it is of none, so that nothing is shown by mistake. */
function branchesFor(api: ApiModel, schema: Schema, value: JsonValue): Schema[] {
  const choices = branchSchemas(api, schema);
  const fitting = choices.filter((branch) => accepts(branch, value));
  return fitting.length > 0 ? fitting : choices;
}

/** A schema that does not compile takes nothing. */
function accepts(schema: Schema, value: JsonValue): boolean {
  try {
    return schema.accepts(value, 'request');
  } catch {
    return false;
  }
}
