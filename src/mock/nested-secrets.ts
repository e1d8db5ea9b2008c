import { once } from '../http/memo';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { setMember } from '../json/member';
import type { ApiModel, Schema } from '../openapi/model';

/** The write-only members that lie deeper in items than their own (OAS 3.0.3 §4.7.24). */
export interface NestedSecrets {
  /** Has the schema of the items any? Looked up when it is first asked. */
  readonly areThere: () => boolean;
  /** An item without them; itself where there are none. */
  readonly without: (item: JsonObject) => JsonObject;
}

/** A schema that leads to more others than this is not looked through to its end. */
const MOST_SCHEMAS = 2000;

/** @param schema - of the items */
export function nestedSecrets(api: ApiModel, schema: Schema): NestedSecrets {
  const areThere = once(() => leadsToSecrets(api, schema));
  return {
    areThere,
    without: (item) => (areThere() ? withoutSecrets(api, schema, item) : item),
  };
}

function leadsToSecrets(api: ApiModel, from: Schema): boolean {
  const seen = new Set([from.pointer]);
  const waiting = [from];
  for (let schema = waiting.pop(); schema !== undefined && seen.size < MOST_SCHEMAS; schema = waiting.pop()) {
    for (const { pointer, writeOnly } of api.propertiesOf(schema).values()) {
      if (writeOnly && schema !== from) return true;
      for (const inner of [api.schemaAt(pointer), itemsOf(api, api.schemaAt(pointer))]) {
        if (inner === undefined || seen.has(inner.pointer)) continue;
        seen.add(inner.pointer);
        waiting.push(inner);
      }
    }
  }
  return false;
}

function withoutSecrets(api: ApiModel, schema: Schema, value: JsonObject): JsonObject {
  const shown: Record<string, JsonValue> = {};
  const properties = api.propertiesOf(schema);
  for (const [name, member] of Object.entries(value)) {
    const property = properties.get(name);
    if (property?.writeOnly === true) continue;
    setMember(shown, name, property === undefined ? member : inside(api, api.schemaAt(property.pointer), member));
  }
  return shown;
}

function inside(api: ApiModel, schema: Schema | undefined, value: JsonValue): JsonValue {
  if (schema === undefined || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = itemsOf(api, schema);
    return value.map((item: JsonValue) => inside(api, items, item));
  }
  return isJsonObject(value) ? withoutSecrets(api, schema, value) : value;
}

function itemsOf(api: ApiModel, schema: Schema | undefined): Schema | undefined {
  return schema?.value['items'] === undefined ? undefined : api.schemaAt(`${schema.pointer}/items`);
}
