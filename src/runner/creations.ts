import { ConfigError } from '../errors/harness-error';
import { headerValue } from '../http/headers';
import type { HttpResponse } from '../http/message';
import { isJsonNumber, toLexeme } from '../json/exact-number';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Operation } from '../openapi/model';
import { itemRouteOf, routeOf } from './item-routes';
import type { Ledger, LedgerEntry } from './ledger';

/** Something that a run made, or may have made. */
export interface Creation {
  readonly entry: number;
  readonly operation: Operation;
  /** Where the creation was sent, below the base URL. */
  readonly path: string;
  /** Path of what was made, below the base URL; `undefined` when that is not known. */
  item: string | undefined;
  /** `pending` until an answer came; after a broken connection for ever. */
  state: 'pending' | 'there' | 'refused' | 'removed';
  /** Why it stays, as the contract says; `undefined` when it can be removed. */
  readonly leaves: string | undefined;
}

/**
 * What a run made, in the order of making. Each creation is in the ledger before it is sent, so that a crash leaves
 * enough to clean up.
 */
export class Creations {
  private readonly api: ApiModel;
  private readonly ledger: Ledger;
  private readonly all: Creation[] = [];
  /** Values of path variables that stand for what the run made: `bookId` and `17`. */
  private readonly owned = new Set<string>();

  constructor(api: ApiModel, ledger: Ledger) {
    this.api = api;
    this.ledger = ledger;
  }

  /** To be called before a creation is sent. @param path - below the base URL, without its query */
  announce(operation: Operation, path: string, leaves?: string): Creation {
    const entry = this.all.length + 1;
    const creation: Creation = { entry, operation, path, item: undefined, state: 'pending', leaves };
    this.all.push(creation);
    this.ledger.append({ kind: 'pending', entry: creation.entry, operation: operation.id, path });
    return creation;
  }

  /** To be called with the answer. A 5xx says nothing about what happened before it. */
  settle(creation: Creation, response: HttpResponse, body: JsonValue | undefined, basePath: string): void {
    const { entry } = creation;
    if (response.status < 200 || response.status >= 500) return;
    if (response.status >= 300) {
      creation.state = 'refused';
      this.ledger.append({ kind: 'refused', entry });
      return;
    }
    creation.state = 'there';
    creation.item = itemPath(this.api, creation, headerValue(response.headers, 'location'), body, basePath);
    if (creation.item !== undefined) this.own(creation.item);
    this.ledger.append({ kind: 'created', entry, item: creation.item });
  }

  /** Something stands where the run put it with PUT, or was found there. */
  own(item: string): void {
    for (const [name, value] of Object.entries(routeOf(this.api, item)?.pathParameters ?? {})) {
      this.owned.add(`${name}=${value}`);
    }
  }

  /** Does a path variable name something that the run made? */
  owns(variable: string, value: string): boolean {
    return this.owned.has(`${variable}=${value}`);
  }

  /** What was made at a path is gone. */
  markRemoved(item: string): void {
    for (const creation of this.all) {
      if (creation.item !== item || creation.state !== 'there') continue;
      creation.state = 'removed';
      this.ledger.append({ kind: 'removed', entry: creation.entry });
    }
  }

  /** What a removal answered to be gone is not. */
  markThere(item: string): void {
    for (const creation of this.all) {
      if (creation.item !== item || creation.state !== 'removed') continue;
      creation.state = 'there';
      this.ledger.append({ kind: 'created', entry: creation.entry, item });
    }
  }

  /** Paths of everything that was made. */
  places(): string[] {
    return this.all.flatMap(({ item }) => item ?? []);
  }

  /** What was pending never happened. */
  markRefused(creation: Creation): void {
    creation.state = 'refused';
    this.ledger.append({ kind: 'refused', entry: creation.entry });
  }

  /** What was pending was found. */
  markFound(creation: Creation, item: string): void {
    creation.item = item;
    creation.state = 'there';
    this.own(item);
    this.ledger.append({ kind: 'created', entry: creation.entry, item });
  }

  /** Takes up what an earlier run wrote down. The ledger already has it, and gets only what happens from now on. */
  restore(entries: readonly LedgerEntry[]): void {
    for (const entry of entries) {
      if (entry.kind === 'run') continue;
      if (entry.kind === 'pending') this.restorePending(entry);
      else this.restoreEnd(entry);
    }
  }

  /** What is still there, or may be: the latest first. */
  remaining(): Creation[] {
    return this.all.filter(({ state }) => state === 'there' || state === 'pending').toReversed();
  }

  private restorePending({ entry, operation: id, path }: Extract<LedgerEntry, { kind: 'pending' }>): void {
    const operation = this.api.operationById(id);
    if (operation === undefined) {
      throw new ConfigError('CONFIG_INVALID', `The description has no operation ${id}, which the ledger names`, {
        hint: 'Name the description of that run with --spec.',
      });
    }
    this.all.push({ entry, operation, path, item: undefined, state: 'pending', leaves: undefined });
  }

  private restoreEnd(ended: Exclude<LedgerEntry, { kind: 'run' | 'pending' }>): void {
    const creation = this.all.find(({ entry }) => entry === ended.entry);
    if (creation === undefined) return;
    if (ended.kind === 'created') {
      creation.state = 'there';
      creation.item = ended.item;
      if (ended.item !== undefined) this.own(ended.item);
    } else creation.state = ended.kind;
  }
}

/**
 * By the member of the body that the item's path is made with, else by Location. Not the other way round: what is
 * believed to be the run's own may be removed, and a Location that is wrong may lead to somebody else's.
 */
function itemPath(
  api: ApiModel,
  { operation, path }: Creation,
  location: string | undefined,
  body: JsonValue | undefined,
  basePath: string,
): string | undefined {
  if (operation.method !== 'POST') return path;
  const item = body === undefined || !isJsonObject(body) ? undefined : itemOf(api, operation, path, body);
  if (item !== undefined) return item;
  const named = location === undefined ? undefined : pathOfLocation(location, basePath);
  return named === undefined || routeOf(api, named) === undefined ? undefined : named;
}

/** The path of an item of a collection, by the member that the description makes such paths with. */
export function itemOf(
  api: ApiModel,
  operation: Operation,
  path: string,
  item: Readonly<Record<string, JsonValue>>,
): string | undefined {
  const route = itemRouteOf(api, operation);
  const key = route === undefined ? undefined : keyOf(operation, route.variable, item);
  return key === undefined ? undefined : `${path}/${encodeURIComponent(key)}`;
}

/** The path of a Location below the base URL (RFC 9110 §10.2.2 allows a relative reference). */
export function pathOfLocation(location: string, basePath: string): string | undefined {
  const base = 'http://base.invalid';
  if (!URL.canParse(location, base)) return undefined;
  const { pathname } = new URL(location, base);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
}

/** The links of the 201 say which member is the key (OAS 3.0.3 §4.7.20); else one of the variable's name, or `id`. */
function keyOf(operation: Operation, variable: string, body: Readonly<Record<string, JsonValue>>): string | undefined {
  const links = operation.responses.get('201')?.links ?? [];
  const expressions = links.map(({ parameters }) => parameters.get(variable) ?? parameters.get(`path.${variable}`));
  const linked = expressions.flatMap((text) =>
    typeof text === 'string' ? (/^\$response\.body#\/([^/]+)$/.exec(text)?.[1] ?? []) : [],
  );
  for (const name of [...linked, variable, 'id']) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (typeof value === 'string') return value;
    if (value !== undefined && isJsonNumber(value)) return toLexeme(value);
  }
  return undefined;
}
