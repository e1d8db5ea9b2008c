import { memberOf } from '../../json/member';
import { refused, type Outcome } from '../call';
import type { Item } from '../item';
import { runListQuery } from '../list-query';
import { compareSortValues, type SortValue } from '../order';
import type { Resource } from '../resource';
import type { Task } from './task';
import { readEdge } from './page-edge';
import { shownNow } from './shown-items';
import { sourceOf, wanted } from './wanted-items';

/** A page of a collection. A page past the end is empty. */
export function list(task: Task): Outcome {
  const { call, plan, resource, scope } = task;
  const { filters, tests } = wanted(task);
  const [first, ...thenBy] = plan.list.sort(call);
  const { usual } = plan.list;
  const { member: sortBy, descending } = first ?? usual ?? { member: resource.keyMember, descending: false };
  const isByMaking = first === undefined && usual?.isByMaking === true;
  const edge = readEdge(task, { collection: scope.collection, sortBy, descending, filters });
  if ('code' in edge) return refused(edge);
  const limit = plan.list.limit(call);
  const { collection, collectionOf } = sourceOf(task);
  const skip = plan.list.skip(call, limit);
  const query = { filters, tests, sortBy, descending, thenBy, isByMaking, collectionOf, limit, ...edge, skip };
  const page = runListQuery(collection, resource, query);
  const shown = shownNow(task, page.items, collectionOf ?? (() => undefined));
  const asked = call.operation.method === 'GET' && first === undefined && usual === undefined ? filters : [];
  const items = inAskedOrder(shown, asked.find(({ member }) => member === resource.keyMember)?.values, resource);
  return {
    kind: 'listed',
    scope,
    query,
    page: { ...page, items },
    isSorted: first !== undefined,
    fields: plan.list.fields(call),
  };
}

/** What a GET asks for by several keys comes in their order, unless another is asked for. */
function inAskedOrder(
  items: readonly Item[],
  keys: readonly SortValue[] | undefined,
  resource: Resource,
): readonly Item[] {
  if (keys === undefined || keys.length < 2 || items.length < 2) return items;
  const { keyMember } = resource;
  const toSortValue = resource.sortValues(keyMember);
  const places = new Map(
    items.map((item) => {
      const own = toSortValue(memberOf(item, keyMember));
      return [item, keys.findIndex((key) => compareSortValues(key, own) === 0)];
    }),
  );
  return items.toSorted((left, right) => (places.get(left) ?? 0) - (places.get(right) ?? 0));
}
