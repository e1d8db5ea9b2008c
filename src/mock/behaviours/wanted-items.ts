import type { Filter, ListQuery } from '../list-query';
import { runListQuery } from '../list-query';
import type { Item } from '../item';
import type { Task } from './task';

/** What the path and the query of a request choose among the items of a collection. */
export function wanted({ call, plan, resource, scope }: Task): Pick<Required<ListQuery>, 'filters' | 'tests'> {
  const { filters, tests } = plan.list.filters(call);
  if (scope.restrictions.length === 0) return { filters, tests };
  const fixed = scope.restrictions.map(({ member, value }): Filter => ({
    member,
    values: [resource.sortValues(member)(value)],
  }));
  return { filters: [...fixed, ...filters], tests };
}

/** All of those items, in the order of their keys. */
export function wantedItems(task: Task): readonly Item[] {
  const { draft, resource, scope } = task;
  const query = { ...wanted(task), sortBy: resource.keyMember, descending: false, limit: Infinity, after: undefined };
  return runListQuery(draft.collection(scope.collection), resource, query).items;
}
