import { isJsonObject, type JsonValue } from '../json/json-value';
import { memberOf } from '../json/member';
import type { Parameter } from '../openapi/model';
import type { Call } from './call';

/** What was sent for a query parameter, or for a member of an exploded object; `undefined` for nothing. */
export function sentValue(
  { parameters: { query } }: Call,
  { name, holder }: Pick<Parameter, 'name' | 'holder'>,
): JsonValue | undefined {
  if (holder === undefined) return query.get(name);
  const value = query.get(holder);
  return isJsonObject(value) ? memberOf(value, name) : undefined;
}
