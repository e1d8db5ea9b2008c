import type { Operation, Property } from '../openapi/model';
import { roleOf } from './parameter-words';

/** A query parameter, and the member of items that it says. */
export interface QueryMember {
  readonly parameter: string;
  readonly name: string;
}

/** Query parameters of a write that items have as members, and that do nothing else. */
export function membersInQuery(
  { method, parameters }: Pick<Operation, 'method' | 'parameters'>,
  properties: ReadonlyMap<string, Property>,
  keyMember?: string,
): QueryMember[] {
  if (method === 'GET' || method === 'DELETE') return [];
  return parameters.flatMap((parameter) => {
    const property = parameter.in === 'query' ? propertyNamed(properties, parameter.name) : undefined;
    const isMember = property !== undefined && !property.readOnly && roleOf(parameter, true) === undefined;
    return isMember && property.name !== keyMember ? [{ parameter: parameter.name, name: property.name }] : [];
  });
}

/** By its name, whatever the case: `?name=` and `Name`. */
function propertyNamed(properties: ReadonlyMap<string, Property>, name: string): Property | undefined {
  const own = properties.get(name);
  if (own !== undefined) return own;
  const alike = [...properties.values()].filter((each) => each.name.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}
