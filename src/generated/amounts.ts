import { isJsonNumber } from '../core/json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue, setProperty } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import { samplerOf } from '../payload/sampler/sampler';
import type { Binding } from '../resources/model/binding';
import { mapped } from './bodies';
import { requestOf } from './subject';

/** More than anything that is made takes. */
export const PLENTY = 100;

/** A body whose numbers are so large, as far as they may be; `undefined` where it has none. */
export function amountBody(api: ApiModel, binding: Pick<Binding, 'operation'>, amount: number): JsonObject | undefined {
  const schema = requestOf(binding);
  if (schema === undefined) return undefined;
  const { properties } = samplerOf(api).nodeOf(schema, 'request');
  const body: Record<string, JsonValue> = {};
  for (const { name, node } of properties) {
    const { types, maximum, values } = node.flat;
    if (values !== undefined || types === undefined || !(types.has('integer') || types.has('number'))) continue;
    setProperty(body, name, typeof maximum === 'number' ? Math.min(amount, maximum) : amount);
  }
  return Object.keys(body).length > 0 && schema.accepts(body, 'request') ? body : undefined;
}

/** A body with 1 in the place of each number, where the schema lets it. */
export function leastBody(binding: Binding, body: JsonObject): JsonObject {
  const least = mapped(body, (value) => (isJsonNumber(value) ? 1 : value));
  return isJsonObject(least) && requestOf(binding)?.accepts(least, 'request') === true ? least : body;
}
