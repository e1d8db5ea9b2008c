import type { ParameterValues } from '../checks/request/parameter-values';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { memberOf } from '../json/member';
import type { Binding } from '../resources/resource-model';

/**
 * The parameters of a request with the variables of its place that stand in its query or its body, see
 * {@link Binding.elsewhere}, and with what a list is asked for in a body, see {@link Binding.inBody}.
 */
export function withElsewhere(
  binding: Binding | undefined,
  parameters: ParameterValues,
  body: JsonValue | undefined,
): ParameterValues {
  if (binding === undefined) return parameters;
  const asked =
    binding.inBody.size === 0 ? parameters : { ...parameters, query: withMembers(binding, parameters, body) };
  if (binding.elsewhere.size === 0) return asked;
  const path = new Map(parameters.path);
  for (const [variable, place] of binding.elsewhere) {
    // Who asks is told by what is stored.
    if (place.in === 'caller') continue;
    const members = isJsonObject(body) ? body : {};
    const value = place.in === 'query' ? parameters.query.get(place.name) : memberOf(members, place.name);
    if (value !== undefined) path.set(variable, value);
  }
  const { query, header, cookie, querystring } = asked;
  return { path, query, header, cookie, querystring };
}

function withMembers(
  { inBody }: Binding,
  { query }: ParameterValues,
  body: JsonValue | undefined,
): ParameterValues['query'] {
  const values = new Map(query);
  for (const [name, path] of inBody) {
    let value: JsonValue | undefined = body;
    for (const member of path) value = isJsonObject(value) ? memberOf(value, member) : undefined;
    if (value !== undefined && value !== null) values.set(name, value);
  }
  return values;
}
