import { refused, type Outcome } from '../call';
import { runListQuery } from '../list-query';
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
  const items = shownNow(task, page.items, collectionOf ?? (() => undefined));
  return {
    kind: 'listed',
    scope,
    query,
    page: { ...page, items },
    isSorted: first !== undefined,
    fields: plan.list.fields(call),
  };
}
