import { decodePathSegment, splitPath } from '../http/request-target';
import type { ApiModel, Operation } from '../openapi/model';
import { itemRoutesOf, routeOfItem } from './item-routes';
import type { LedgerEntry } from './ledger';
import { ledgerFault } from './ledger-fault';
import type { LedgerContent } from './read-ledger';

type Pending = Extract<LedgerEntry, { kind: 'pending' }>;

/**
 * Holds a ledger to the description: what it names is removed, so that each line has to name what a run could have
 * made. Every entry is announced once and before anything else is said of it, by an operation that there is, at a path
 * of it; an item is one of that operation's.
 *
 * @throws ConfigError `CONFIG_INVALID` with the place of the first line that does not
 */
export function checkLedger({ entries, placeOf }: LedgerContent, api: ApiModel): void {
  const announced = new Map<number, Pending>();
  for (const entry of entries) {
    if (entry.kind === 'run') continue;
    const place = placeOf(entry);
    const pending = announced.get(entry.entry);
    if (entry.kind === 'pending') {
      if (pending !== undefined) throw ledgerFault(place, 'entry', entry.entry, 'one that no line before it announced');
      operationOf(api, entry, place);
      announced.set(entry.entry, entry);
    } else if (pending === undefined) {
      throw ledgerFault(place, 'entry', entry.entry, 'one that a pending line before it announced');
    } else if (entry.kind === 'created' && entry.item !== undefined) {
      requireItem(api, pending, entry.item, place);
    }
  }
}

/** @throws ConfigError when the description has no such operation, or its path is another one */
function operationOf(api: ApiModel, { operation: id, path }: Pending, place: string): Operation {
  const operation = api.operationById(id);
  if (operation === undefined) {
    const expected = `an operation of ${api.document.file}; --spec names the description of that run`;
    throw ledgerFault(place, 'operation', id, expected);
  }
  if (!isPath(path) || !fitsTemplate(operation.path, path)) {
    throw ledgerFault(place, 'path', path, `a path of ${id}, such as ${operation.path}`);
  }
  return operation;
}

/** An item stands below the collection that made it; what is put stands where it was put. */
function requireItem(api: ApiModel, pending: Pending, item: string, place: string): void {
  const operation = operationOf(api, pending, place);
  const isPost = operation.method === 'POST';
  const templates = isPost ? itemRoutesOf(api, operation).map(({ route }) => route.path) : [operation.path];
  const isItem = isPath(item) && isTidy(item) && templates.some((template) => fitsTemplate(template, item));
  // A literal of another path, such as /books/all, is no item; nor is one below another parent.
  const isThere = isPost || item === pending.path;
  if (isItem && isThere && routeOfItem(api, operation, pending.path, item) !== undefined) return;
  const expected =
    templates.length === 0 ? `none: ${operation.id} makes nothing with a path` : `a path of ${templates.join(' or ')}`;
  throw ledgerFault(place, 'item', item, expected);
}

function fitsTemplate(template: string, path: string): boolean {
  const parts = template.split(/\{[^{}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`).test(path);
}

/** Without a query, and as it may stand in a request. */
function isPath(text: string): boolean {
  return /^\/[!"$->@-~]*$/.test(text);
}

/** Do all segments name something, and none a way up? */
function isTidy(path: string): boolean {
  return splitPath(path).every((segment) => {
    const name = decodePathSegment(segment);
    return name !== undefined && !['', '.', '..'].includes(name);
  });
}
