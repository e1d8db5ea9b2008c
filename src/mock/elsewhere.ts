import type { ParameterValues } from '../checks/request/parameter-values';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { memberOf } from '../json/member';
import type { Binding } from '../resources/resource-model';

/** The parameters of a request with the variables of its place that stand in its query or its body: see {@link Binding.elsewhere}. */
export function withElsewhere(
  binding: Binding | undefined,
  parameters: ParameterValues,
  body: JsonValue | undefined,
): ParameterValues {
  if (binding === undefined || binding.elsewhere.size === 0) return parameters;
  const path = new Map(parameters.path);
  for (const [variable, place] of binding.elsewhere) {
    // Who asks is told by what is stored.
    if (place.in === 'caller') continue;
    const members = isJsonObject(body) ? body : {};
    const value = place.in === 'query' ? parameters.query.get(place.name) : memberOf(members, place.name);
    if (value !== undefined) path.set(variable, value);
  }
  const { query, header, cookie, querystring } = parameters;
  return { path, query, header, cookie, querystring };
}
