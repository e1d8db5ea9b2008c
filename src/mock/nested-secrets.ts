import { once } from '../http/memo';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { setMember } from '../json/member';
import type { ApiModel, Schema } from '../openapi/model';
import { choicesOf, innerSchema, schemasWithin, wholeOf } from '../openapi/inner-schemas';

/** The write-only members that lie deeper in items than their own (OAS 3.0.3 §4.7.24). */
export interface NestedSecrets {
  /** Has the schema of the items any? Looked up when it is first asked. */
  readonly areThere: () => boolean;
  /** An item without them; itself where there are none. */
  readonly without: (item: JsonObject) => JsonObject;
}

/** @param schema - of the items */
export function nestedSecrets(api: ApiModel, schema: Schema): NestedSecrets {
  const areThere = once(() => leadsToSecrets(api, schema));
  return {
    areThere,
    without: (item) => (areThere() ? (inside(api, schema, item) as JsonObject) : item),
  };
}

function leadsToSecrets(api: ApiModel, from: Schema): boolean {
  for (const schema of schemasWithin(api, [from]))
    if (schema !== from && [...api.propertiesOf(schema).values()].some(({ writeOnly }) => writeOnly)) return true;
  return false;
}

/** @param above - pointers of the schemas that were looked at for this very value: a branch may lead back to one */
function inside(api: ApiModel, schema: Schema | undefined, value: JsonValue, above: readonly string[] = []): JsonValue {
  if (schema === undefined || above.includes(schema.pointer)) return value;
  const whole = wholeOf(api, schema);
  const places = (keyword: 'items' | 'additionalProperties'): Schema[] =>
    whole.flatMap((part) => innerSchema(api, part, keyword) ?? []);
  let shown: JsonValue;
  if (Array.isArray(value)) shown = value.map((item: JsonValue) => insideAll(api, places('items'), item));
  else if (isJsonObject(value)) shown = membersShown(api, schema, places('additionalProperties'), value);
  else return value;
  for (const branch of whole.flatMap((part) => branchesFor(api, part, value)))
    shown = inside(api, branch, shown, [...above, schema.pointer]);
  return shown;
}

function insideAll(api: ApiModel, schemas: readonly Schema[], value: JsonValue): JsonValue {
  return schemas.reduce((shown, schema) => inside(api, schema, shown), value);
}

/** @param others - of members without a name of their own */
function membersShown(api: ApiModel, schema: Schema, others: readonly Schema[], value: JsonObject): JsonValue {
  const shown: Record<string, JsonValue> = {};
  const properties = api.propertiesOf(schema);
  for (const [name, member] of Object.entries(value)) {
    const property = properties.get(name);
    if (property?.writeOnly === true) continue;
    const inner =
      property === undefined ? insideAll(api, others, member) : inside(api, api.schemaAt(property.pointer), member);
    setMember(shown, name, inner);
  }
  return shown;
}

/** Of a choice the branches that a value is of; all of them where it is of none, so that nothing is shown by mistake. */
function branchesFor(api: ApiModel, schema: Schema, value: JsonValue): Schema[] {
  const choices = choicesOf(api, schema);
  const fitting = choices.filter((branch) => takes(branch, value));
  return fitting.length > 0 ? fitting : choices;
}

/** A schema that does not compile takes nothing. */
function takes(schema: Schema, value: JsonValue): boolean {
  try {
    return schema.validate('request')(value).length === 0;
  } catch {
    return false;
  }
}
