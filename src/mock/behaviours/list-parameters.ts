import { isJsonNumber, compareNumbers } from '../../json/exact-number';
import type { JsonValue } from '../../json/json-value';
import type { Operation, Parameter } from '../../openapi/model';
import type { Resource } from '../resource';

/** What a query parameter of a list does. */
export type ListParameterRole = 'limit' | 'cursor' | 'sort' | 'filter';

/** The query parameters that act on a list, by role. Others are accepted and have no effect. */
export interface ListParameters {
  readonly limit: Parameter | undefined;
  readonly cursor: Parameter | undefined;
  readonly sort: Parameter | undefined;
  /** Each has the name of a member. */
  readonly filters: readonly Parameter[];
}

const LIMIT = /^(?:limit|page_?size|per_?page|size|take|max_?results|\$top)$/i;
const CURSOR = /^(?:cursor|after|page_?token)$/i;
const SORT = /^(?:sort|sort_?by|order_?by|\$orderby)$/i;

const known = new WeakMap<Operation, ListParameters>();

/** Reads the roles from names and schemas: a paging parameter is never taken for a filter. */
export function listParameters(operation: Operation, resource: Resource): ListParameters {
  let parameters = known.get(operation);
  if (parameters === undefined) known.set(operation, (parameters = classify(operation, resource)));
  return parameters;
}

function classify(operation: Operation, resource: Resource): ListParameters {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const limit = query.find(({ name, schema }) => LIMIT.test(name) && schema?.value['type'] === 'integer');
  const cursor = query.find(({ name, schema }) => CURSOR.test(name) && schema?.value['type'] === 'string');
  const sort = query.find(({ name }) => SORT.test(name));
  const taken = new Set([limit, cursor, sort]);
  return {
    limit,
    cursor,
    sort,
    filters: query.filter((parameter) => !taken.has(parameter) && resource.properties.has(parameter.name)),
  };
}

/** Items of a page when the description names no default. */
const DEFAULT_LIMIT = 100;

export function limitOf(parameter: Parameter | undefined, sent: JsonValue | undefined): number {
  if (parameter === undefined) return Infinity;
  const schema = parameter.schema?.value ?? {};
  const wanted = sent ?? schema['default'] ?? DEFAULT_LIMIT;
  const highest = schema['maximum'];
  const limit = isJsonNumber(highest) && isJsonNumber(wanted) && compareNumbers(wanted, highest) > 0 ? highest : wanted;
  return Number(limit);
}
