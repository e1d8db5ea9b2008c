import { problem, type Problem } from '../../checks/problem';
import { scalarText } from '../../json/scalar-text';
import { readCursor, type CursorScope } from '../cursor';
import type { Anchor } from '../../resources/list-anchors';
import type { Item } from '../item';
import type { SentAnchor } from '../list-plan';
import { placeOf } from '../list-order';
import type { ListQuery } from '../list-query';
import type { Key } from '../order';
import { keyOf, type Resource } from '../resource';
import { belongsTo } from './target';
import type { Task } from './task';
import { sourceOf, type Source } from './wanted-items';

type Edge = Pick<ListQuery, 'after' | 'before' | 'from'>;

/** Where a page begins or ends: by a cursor, or by the key of an item. The refusal where it names no place. */
export function readEdge(task: Task, order: CursorScope): Edge | Problem {
  const { call, plan } = task;
  const cursor = plan.list.cursor(call);
  const [anchor, ...others] = plan.list.anchors(call);
  const name = plan.list.parameters.cursor?.name ?? 'cursor';
  const second = anchor === undefined ? undefined : cursor === undefined ? others[0]?.parameter.name : name;
  if (anchor !== undefined && second !== undefined) {
    const both = `"${anchor.parameter.name}" and "${second}"`;
    return problem('invalid_cursor', `The query parameters ${both} each say where the page lies; send one of them`);
  }
  if (anchor !== undefined) return edgeAt(task, anchor, order.sortBy);
  if (cursor === undefined) return { after: undefined };
  const after = readCursor(cursor, order);
  if (after !== undefined) return { after };
  const message = `The query parameter "${name}" is not a cursor of this list; take it from the next link`;
  return problem('invalid_cursor', message);
}

const MEANT: Readonly<Record<Anchor, string>> = {
  after: 'the last item of the page before',
  before: 'the first item of the page behind',
  from: 'the first item of the page',
};

/** Filters the item need not pass: it may have changed since it was listed. */
function edgeAt(task: Task, { anchor, parameter, value }: SentAnchor, sortBy: string): Edge | Problem {
  const { resource, scope } = task;
  const key = resource.toKey(value);
  const source = sourceOf(task);
  // A page begins where the item would stand that has gone since.
  if (anchor === 'from' && key !== undefined && sortBy === resource.keyMember)
    return { after: undefined, from: { value: key, key } };
  const item = key === undefined ? undefined : itemWith(key, source, resource, anchor === 'after');
  if (item === undefined || !belongsTo(scope, item)) {
    return problem(
      'invalid_cursor',
      `The query parameter "${parameter.name}" is the key of an item, and this list has none with the key ` +
        `${JSON.stringify(scalarText(value))}; send the key ("${resource.keyMember}") of ${MEANT[anchor]}`,
    );
  }
  const place = placeOf(item, resource, { sortBy, collectionOf: source.collectionOf });
  if (anchor === 'after') return { after: place };
  return { after: undefined, [anchor]: place };
}

/** The item with a key. Of several of one key the outermost: a page that followed another one would bring it once more. */
function itemWith(
  key: Key,
  { collection, collectionOf }: Source,
  resource: Resource,
  isLast: boolean,
): Item | undefined {
  if (collectionOf === undefined) return collection.get(key);
  const isMeant = (item: Item): boolean => keyOf(resource, item) === key;
  const items = [...collection.byKey()];
  return isLast ? items.findLast(isMeant) : items.find(isMeant);
}
