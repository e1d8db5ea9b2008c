import { problem, type Problem } from '../../core/http/problem';
import { ownProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { type CursorScope, readCursor, writeCursor } from '../../lists/cursor';
import type { KeyAnchor } from '../../lists/conventions/list-convention';
import { compareSortValues, type Key, type SortPosition, type SortValue } from '../../lists/sort-values';
import { belongsTo, type Outcome, rejected } from '../calls/call';
import type { ItemSelection } from '../lists/item-filters';
import type { SentAnchor } from '../lists/list-plan';
import type { BehaviourContext } from '../plans/operation-plan';
import type { Collection } from '../state/collection';
import type { Item } from '../state/item';
import { type ListQuery, type Page, sortPositionOf } from '../state/list-query';
import { runListQuery } from '../state/query-runner';
import { keyOf, type Resource } from '../state/prepared-resource';
import { selectionOf, type Source, sourceOf } from './item-selection';
import { refreshCopies } from './related-items';

type PageBoundary = Pick<ListQuery, 'after' | 'before' | 'from'>;

const FIRST_PAGE: PageBoundary = { after: undefined };

/** Where a page begins or ends: by a cursor, or by the key of an item. The rejection where it names no place. */
function readPageBoundary(task: BehaviourContext, order: CursorScope): PageBoundary | Problem {
  const { call, plan } = task;
  const cursor = plan.list.cursor(call);
  const [anchor, ...others] = plan.list.anchors(call);
  const name = plan.list.parameters.cursor?.name ?? 'cursor';
  const second = anchor === undefined ? undefined : cursor === undefined ? others[0]?.parameter.name : name;
  if (anchor !== undefined && second !== undefined) {
    const both = `"${anchor.parameter.name}" and "${second}"`;
    return problem('invalid_cursor', `The query parameters ${both} each say where the page lies; send one of them`);
  }
  if (anchor !== undefined) return boundaryAt(task, anchor, order.sortBy);
  return cursor === undefined ? FIRST_PAGE : boundaryAfter(task, cursor, order);
}

function boundaryAfter({ plan }: BehaviourContext, cursor: string, order: CursorScope): PageBoundary | Problem {
  const { cursor: parameter } = plan.list.parameters;
  const after = readCursor(cursor, order);
  if (after !== undefined) return { after };
  if (parameter !== undefined && plan.list.isStart(parameter, cursor)) return FIRST_PAGE;
  const name = parameter?.name ?? 'cursor';
  const message = `The query parameter "${name}" is not a cursor of this list; take it from the next link`;
  return problem('invalid_cursor', message);
}

const ANCHOR_MEANING: Readonly<Record<KeyAnchor, string>> = {
  after: 'the last item of the page before',
  before: 'the first item of the page behind',
  from: 'the first item of the page',
};

/** Filters the item need not pass: it may have changed since it was listed. */
function boundaryAt(
  task: BehaviourContext,
  { anchor, parameter, value }: SentAnchor,
  sortBy: string,
): PageBoundary | Problem {
  const { plan, resource, scope } = task;
  const key = resource.toKey(value);
  const source = sourceOf(task);
  // A page begins where the item would stand that has gone since.
  if (anchor === 'from' && key !== undefined && sortBy === resource.keyMember)
    return { after: undefined, from: { value: key, key } };
  const item = key === undefined ? undefined : itemWith(key, source, resource, anchor === 'after');
  if (item === undefined || !belongsTo(scope, item)) {
    if (plan.list.isStart(parameter, value)) return FIRST_PAGE;
    return problem(
      'invalid_cursor',
      `The query parameter "${parameter.name}" is the key of an item, and this list has none with the key ` +
        `${JSON.stringify(scalarText(value))}; send the key ("${resource.keyMember}") of ${ANCHOR_MEANING[anchor]}`,
    );
  }
  const place = sortPositionOf(item, resource, { sortBy, collectionOf: source.collectionOf });
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

/** A page of a collection. A page past the end is empty. */
export function list(task: BehaviourContext): Outcome {
  const { problem: rejection, ...selection } = selectionOf(task);
  return rejection === undefined ? pageOf(task, selection) : rejected(rejection);
}

function pageOf(task: BehaviourContext, { filters, tests }: Pick<ItemSelection, 'filters' | 'tests'>): Outcome {
  const { call, plan, resource, scope } = task;
  const [first, ...thenBy] = plan.list.sort(call);
  const defaultOrder = plan.list.defaultOrder(call);
  const { property: sortBy, descending } = first ?? defaultOrder ?? { property: resource.keyMember, descending: false };
  const isByCreation = first === undefined && defaultOrder?.isByCreation === true;
  const edge = readPageBoundary(task, { collection: scope.collection, sortBy, descending, filters });
  if ('code' in edge) return rejected(edge);
  const limit = plan.list.limit(call);
  const { collection, collectionOf } = sourceOf(task);
  const skip = plan.list.skip(call, limit);
  const wanted = { filters, tests, sortBy, descending, thenBy, isByCreation, collectionOf, limit, ...edge, skip };
  const { query, page } = runPage(task, collection, wanted);
  const shown = refreshCopies(task, page.items, collectionOf ?? (() => undefined));
  const asked = call.operation.method === 'GET' && first === undefined && defaultOrder === undefined ? filters : [];
  const items = inRequestedOrder(
    shown,
    asked.find(({ property }) => property === resource.keyMember)?.values,
    resource,
  );
  return {
    kind: 'listed',
    scope,
    query,
    page: items === page.items ? page : { ...page, items },
    isSorted: first !== undefined,
    fields: plan.list.fields(call),
  };
}

/** A page, with the rest of the list where the cursor that leads on cannot be told: what is behind it would be lost. */
function runPage(
  { plan, resource, scope }: BehaviourContext,
  collection: Collection,
  query: ListQuery,
): { readonly query: ListQuery; readonly page: Page } {
  const page = runListQuery(collection, resource, query);
  const { next } = page;
  const cursorOf = (position: SortPosition): string =>
    writeCursor(position, { ...query, collection: scope.collection });
  if (next === undefined || plan.list.admitsCursor(() => cursorOf(next))) return { query, page };
  const whole = { ...query, limit: Infinity };
  return { query: whole, page: runListQuery(collection, resource, whole) };
}

/** What a GET asks for by several keys comes in their order, unless another is asked for. */
function inRequestedOrder(
  items: readonly Item[],
  keys: readonly SortValue[] | undefined,
  resource: Resource,
): readonly Item[] {
  if (keys === undefined || keys.length < 2 || items.length < 2) return items;
  const { keyMember: keyProperty } = resource;
  const toSortValue = resource.sortValues(keyProperty);
  const places = new Map(
    items.map((item) => {
      const own = toSortValue(ownProperty(item, keyProperty));
      return [item, keys.findIndex((key) => compareSortValues(key, own) === 0)];
    }),
  );
  return items.toSorted((left, right) => (places.get(left) ?? 0) - (places.get(right) ?? 0));
}
