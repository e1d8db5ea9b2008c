import { problem } from '../../checks/problem';
import { refused, type Outcome } from '../call';
import { readCursor } from '../cursor';
import { runListQuery } from '../list-query';
import type { Task } from './task';
import { wanted } from './wanted-items';

/** A page of a collection. A page past the end is empty. */
export function list(task: Task): Outcome {
  const { call, plan, resource, scope, draft } = task;
  const { filters, tests } = wanted(task);
  const [first, ...thenBy] = plan.list.sort(call);
  const { member: sortBy, descending } = first ?? { member: resource.keyMember, descending: false };
  const cursor = plan.list.cursor(call);
  const after =
    cursor === undefined
      ? undefined
      : readCursor(cursor, { collection: scope.collection, sortBy, descending, filters });
  if (cursor !== undefined && after === undefined) {
    const name = plan.list.parameters.cursor?.name ?? 'cursor';
    return refused(
      problem(
        'invalid_cursor',
        `The query parameter "${name}" is not a cursor of this list; take it from the next link`,
      ),
    );
  }
  const limit = plan.list.limit(call);
  const query = { filters, tests, sortBy, descending, thenBy, limit, after, skip: plan.list.skip(call, limit) };
  const page = runListQuery(draft.collection(scope.collection), resource, query);
  return { kind: 'listed', scope, query, page, isSorted: first !== undefined, fields: plan.list.fields(call) };
}
