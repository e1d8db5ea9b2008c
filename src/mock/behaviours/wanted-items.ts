import { fillTemplate, namePattern } from '../../resources/collection-name';
import { Collection } from '../collection';
import type { Filter, ListQuery } from '../list-query';
import { runListQuery } from '../list-query';
import type { Item } from '../item';
import { belongsTo } from './target';
import type { Task } from './task';

/** What the path and the query of a request choose among the items of a collection. */
export function wanted({ call, plan, resource, scope, ruled }: Task): Pick<Required<ListQuery>, 'filters' | 'tests'> {
  const inferred = plan.list.filters(call, ruled?.parameters);
  const { filters } = inferred;
  const tests = ruled === undefined ? inferred.tests : [...inferred.tests, ...ruled.tests];
  if (scope.restrictions.length === 0) return { filters, tests };
  const fixed = scope.restrictions.flatMap(({ member, value, shownIn }): Filter[] =>
    shownIn === undefined && !resource.places.has(member)
      ? [{ member, values: [resource.sortValues(member)(value)] }]
      : [],
  );
  const isShown = scope.restrictions.some(
    ({ member, shownIn }) => shownIn !== undefined || resource.places.has(member),
  );
  return {
    filters: [...fixed, ...filters],
    tests: isShown ? [...tests, (item) => belongsTo(scope, item)] : tests,
  };
}

/** What a request reads items from. */
export interface Source extends Pick<ListQuery, 'collectionOf'> {
  readonly collection: Collection;
}

/** Its collection, or all of those that it means, put together. */
export function sourceOf({ draft, resource, scope }: Task): Source {
  if (!scope.isAcross) return { collection: draft.collection(scope.collection) };
  const all = Collection.empty();
  const places = new Map<Item, string>();
  const pattern = namePattern(resource.path);
  const beginning = fillTemplate(resource.path, scope.values).split('{', 1)[0] ?? '';
  for (const name of new Set([...draft.namesBegun(resource), ...draft.names()])) {
    if (!name.startsWith(beginning) || !pattern.test(name)) continue;
    for (const [key, item] of draft.collection(name).entries()) {
      // Items of two places may have one key.
      all.set(`${name} ${key}`, item);
      places.set(item, name);
    }
  }
  return { collection: all, collectionOf: (item) => places.get(item) };
}

/** All of those items, in the order of their keys. */
export function wantedItems(task: Task): readonly Item[] {
  const { resource } = task;
  const { collection, collectionOf } = sourceOf(task);
  const order = { sortBy: resource.keyMember, descending: false, collectionOf };
  return runListQuery(collection, resource, { ...wanted(task), ...order, limit: Infinity, after: undefined }).items;
}
