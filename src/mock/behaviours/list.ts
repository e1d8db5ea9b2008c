import { problem } from '../../checks/problem';
import type { JsonValue } from '../../json/json-value';
import { refused, type Call, type Outcome } from '../call';
import { readCursor } from '../cursor';
import { runListQuery, type Filter } from '../list-query';
import type { Resource } from '../resource';
import type { Draft } from '../draft';
import { limitOf, listParameters } from './list-parameters';

export function list(call: Call, resource: Resource, draft: Draft): Outcome {
  const parameters = listParameters(call.operation, resource);
  const sent = call.parameters.query;
  const filters = parameters.filters.flatMap(({ name }): Filter[] => {
    const value = sent.get(name);
    if (value === undefined) return [];
    const toSortValue = resource.sortValues(name);
    const values: JsonValue[] = Array.isArray(value) ? value : [value];
    return [{ member: name, values: values.map(toSortValue) }];
  });
  const { sortBy, descending } = readSort(
    resource,
    parameters.sort === undefined ? undefined : sent.get(parameters.sort.name),
  );
  const scope = { collection: resource.path, sortBy, descending, filters };
  const cursor = parameters.cursor === undefined ? undefined : sent.get(parameters.cursor.name);
  const after = typeof cursor === 'string' ? readCursor(cursor, scope) : undefined;
  if (cursor !== undefined && after === undefined) {
    const name = parameters.cursor?.name ?? 'cursor';
    return refused(
      problem(
        'invalid_cursor',
        `The query parameter "${name}" is not a cursor of this list; take it from the next link`,
      ),
    );
  }
  const limit = limitOf(parameters.limit, parameters.limit === undefined ? undefined : sent.get(parameters.limit.name));
  const query = { filters, sortBy, descending, limit, after };
  return { kind: 'listed', resource, query, page: runListQuery(draft.collection(resource.path), resource, query) };
}

/** `-name` is descending by name. Without a sort, items come in the order of their keys. */
function readSort(resource: Resource, sort: JsonValue | undefined): { sortBy: string; descending: boolean } {
  const text = typeof sort === 'string' ? sort : '';
  const descending = text.startsWith('-');
  const member = text.replace(/^[+-]/, '');
  return resource.properties.has(member)
    ? { sortBy: member, descending }
    : { sortBy: resource.keyMember, descending: false };
}
