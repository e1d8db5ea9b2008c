import { fillTemplate, namePattern } from '../../resources/collection-name';
import { Collection } from '../collection';
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

/** What a request reads items from: its collection, or all of those that it means, put together. */
export function itemsOf({ draft, resource, scope }: Task): Collection {
  if (!scope.isAcross) return draft.collection(scope.collection);
  const all = Collection.empty();
  const pattern = namePattern(resource.path);
  const beginning = fillTemplate(resource.path, scope.values).split('{', 1)[0] ?? '';
  for (const name of new Set([...draft.namesBegun(resource), ...draft.names()])) {
    if (!name.startsWith(beginning) || !pattern.test(name)) continue;
    // Items of two places may have one key.
    for (const [key, item] of draft.collection(name).entries())
      all.set(all.get(key) === undefined ? key : `${key} ${name}`, item);
  }
  return all;
}

/** All of those items, in the order of their keys. */
export function wantedItems(task: Task): readonly Item[] {
  const { resource } = task;
  const query = { ...wanted(task), sortBy: resource.keyMember, descending: false, limit: Infinity, after: undefined };
  return runListQuery(itemsOf(task), resource, query).items;
}
