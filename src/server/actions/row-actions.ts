import { problem } from '../../core/http/problem';
import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { NO_VERSION } from '../../mock/sandbox/item-page';
import {
  type Action,
  action,
  type ActionResult,
  type AdminControls,
  type Input,
  NO_CONTENT,
  ok,
  type Rejection,
  shown,
} from './action';
import type { Row } from './shapes';

const ROWS = 50;
const MAX_ROWS = 500;

const COLLECTION = {
  in: 'query',
  type: 'string',
  about: 'the collection, as a fixture names it',
  required: true,
  example: '/books&key=7',
} as const satisfies Input;
const KEY = { in: 'query', type: 'string', about: 'the key of the item; a single record has none' } as const;
const VERSION = {
  in: 'query',
  type: 'name',
  about: 'the version that the item has to have, as GET /rows tells it; "none" for one that is not there',
} as const;

/** Single items, and tables of them. */
export const ROW_ACTIONS: readonly Action[] = [
  action({
    name: 'collections',
    method: 'GET',
    path: '/collections',
    about: 'every collection with its columns, how many items it has, and how many changed',
    input: {},
    run: ({ controls }) => shown(controls.collections()),
  }),
  action({
    name: 'rows',
    method: 'GET',
    path: '/rows',
    about:
      'the items of a collection, in pages: ?collection=/books&search=emma&sort=-title&limit=50; the one with ?key=7',
    input: {
      collection: { ...COLLECTION, example: '/books' },
      key: { in: 'query', type: 'string', about: 'the row with this key alone, also one that was removed' },
      search: { in: 'query', type: 'string', about: 'text that a value has somewhere' },
      sort: { in: 'query', type: 'string', about: 'a property; with - before it the highest first' },
      offset: { in: 'query', type: 'integer', about: 'so many rows are passed over' },
      limit: { in: 'query', type: 'integer', most: MAX_ROWS, about: `rows of a page, ${ROWS} without it` },
      changed: { in: 'query', type: 'boolean', about: 'only what differs from the start, removed items too' },
    },
    run: ({ controls, input: { collection, key, search, sort, offset = 0, limit = ROWS, changed = false } }) =>
      shown(
        key === undefined
          ? controls.rows(collection, { search, sort, offset, limit, isChanged: changed })
          : controls.rowsWith(collection, key),
      ),
  }),
  action({
    name: 'row',
    method: 'GET',
    path: '/row',
    about: 'one item: ?collection=/books&key=7',
    input: { collection: COLLECTION, key: KEY },
    library: 'row',
    run: ({ controls, input: { collection, key } }) => itemResult(collection, key, controls.row(collection, key)),
  }),
  action({
    name: 'putRow',
    method: 'PUT',
    path: '/row',
    about: 'stores the item of the body: ?collection=/books',
    input: {
      collection: COLLECTION,
      version: VERSION,
      item: { in: 'document', type: 'object', about: 'the item', required: true },
    },
    library: 'putRow',
    changes: 'state',
    run: ({ controls, input: { collection, version, item } }) =>
      conflictOf(controls, collection, item, version) ?? ok(controls.putRow(collection, item)),
  }),
  action({
    name: 'patchRow',
    method: 'PATCH',
    path: '/row',
    about: 'changes properties of an item: ?collection=/books&key=7',
    input: {
      collection: COLLECTION,
      key: KEY,
      version: VERSION,
      properties: { in: 'document', type: 'object', about: 'what changes; null takes one away', required: true },
    },
    library: 'patchRow',
    changes: 'state',
    run: ({ controls, input: { collection, key, version, properties } }) =>
      conflictOf(controls, collection, key, version) ??
      itemResult(collection, key, controls.patchRow(collection, key, properties)),
  }),
  action({
    name: 'removeRow',
    method: 'DELETE',
    path: '/row',
    about: 'removes an item: ?collection=/books&key=7',
    input: {
      collection: COLLECTION,
      key: KEY,
      version: VERSION,
      unreferenced: { in: 'query', type: 'boolean', about: 'only where no other item refers to it; else 409' },
    },
    library: 'removeRow',
    changes: 'state',
    mayBeGone: true,
    run: ({ controls, input: { collection, key, version, unreferenced = false } }) =>
      conflictOf(controls, collection, key, version) ??
      (unreferenced ? referenceConflict(controls.referrers(collection, key)) : undefined) ??
      (controls.removeRow(collection, key) ? NO_CONTENT : itemNotFound(collection, key)),
  }),
];

/** Has somebody else written to the item since its version was told? @param at - its key, or an item under the same key */
function conflictOf(
  controls: AdminControls,
  collection: string,
  at: string | JsonObject | undefined,
  version: string | undefined,
): Rejection | undefined {
  if (version === undefined) return undefined;
  const row = controls.storedRow(collection, at);
  if ((row?.version ?? NO_VERSION) === version) return undefined;
  const message =
    row === undefined
      ? `The item is not in ${collection} any more; to store it anew, send version=${NO_VERSION}`
      : version === NO_VERSION
        ? `There is an item under this key in ${collection} already; to replace it, send version=${row.version}`
        : `The item in ${collection} was changed meanwhile; look at "current", and send its version=${row.version}`;
  return { ...problem('conflict', message), current: (row as Row | undefined) ?? null };
}

function referenceConflict(referrers: readonly string[]): Rejection | undefined {
  return referrers.length === 0 ? undefined : problem('still_referenced', referrers.join('; '));
}

function itemResult(collection: string, key: string | undefined, item: JsonValue | undefined): ActionResult {
  return item === undefined ? itemNotFound(collection, key) : ok(item);
}

function itemNotFound(collection: string, key: string | undefined): Rejection {
  return problem('resource_not_found', `There is no item ${key === undefined ? '' : `"${key}" `}in ${collection}`);
}
