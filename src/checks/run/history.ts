import type { CheckDefinition } from '../../core/errors/finding';
import { headerValue } from '../../core/http/headers';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { foldedName } from '../../core/text/inflection';
import type { ApiModel } from '../../openapi/model/api-model';
import { createdItem, itemAbove, itemOf, keyText, type ObservedItem } from './observed-item';
import { isAfter, isSafe, isSuccess, type ObservedExchange, type RunCheckFinding } from '../observed-exchange';

/** Names of properties that hold the key of another resource. */
const REFERENCE_NAME = /(?:^|_)ids?$|Ids?$/;

/** A representation of an item that some answer held. */
export interface ItemReading {
  readonly exchange: ObservedExchange;
  readonly body: JsonValue;
}

/** A named rule about all exchanges of a run. */
export interface RunCheck extends CheckDefinition {
  /** Where the rule comes from. */
  readonly source: string;
  /** Is it told of each item? Else what has one message is told once. */
  readonly isPerItem?: true;
  /** @returns the disagreements */
  readonly run: (history: History) => RunCheckFinding[];
}

/**
 * What a run knows of its items, and which of its writes may have changed which of them. It would rather take two
 * resources for related than not: then a check keeps silent.
 */
export class History {
  /** In the order in which they were sent. */
  readonly exchanges: readonly ObservedExchange[];
  readonly api: ApiModel;
  /** Those that were compared with another one: what is in it was looked at, whatever was found. */
  readonly compared = new Set<ObservedExchange>();
  private readonly items = new Map<ObservedExchange, ObservedItem | undefined>();
  private readonly byPath = new Map<string, ObservedExchange[]>();
  private readonly values = new Map<string, ItemValues>();
  /** Of writes that are about no item and no creation: the item that they stand below. */
  private readonly above = new Map<ObservedExchange, ObservedItem>();
  /** What was sent to them, and what came back, by the path of that item. */
  private readonly valuesBelow = new Map<string, ItemValues>();
  /** In the order in which they were sent. */
  private readonly writes: readonly ObservedExchange[];
  /** For each write the moment when it and all before it were over. */
  private readonly finishedBy: readonly number[];

  constructor(exchanges: readonly ObservedExchange[], api: ApiModel) {
    this.exchanges = exchanges;
    this.api = api;
    this.writes = exchanges
      .filter((exchange) => !isSafe(exchange) && !isRejected(exchange))
      .sort((one, other) => one.sentAt - other.sentAt);
    let over = 0;
    this.finishedBy = this.writes.map((write) => (over = Math.max(over, finishedAt(write))));
    for (const exchange of exchanges) {
      const item = createdItem(api, exchange) ?? itemOf(api, exchange);
      this.items.set(exchange, item);
      if (item !== undefined) this.byPath.set(item.path, [...(this.byPath.get(item.path) ?? []), exchange]);
      const above = itemAbove(api, exchange);
      if (above === undefined) continue;
      const values = this.valuesBelow.get(above.path) ?? newValues();
      collectValues([exchange.requestBody ?? null, exchange.body ?? null], values);
      this.valuesBelow.set(above.path, values);
      if (item === undefined) this.above.set(exchange, above);
    }
  }

  /** The item that a request names, or that it made. */
  itemOf(exchange: ObservedExchange): ObservedItem | undefined {
    return this.items.get(exchange);
  }

  /**
   * Was the request sent before with the same `Idempotency-Key`? Then the answer is that of the first time, and nothing is
   * done (draft-ietf-httpapi-idempotency-key-header §2).
   */
  isRepetition(exchange: ObservedExchange): boolean {
    const key = headerValue(exchange.requestHeaders, 'idempotency-key');
    if (key === undefined) return false;
    return this.exchanges.some(
      (earlier) =>
        earlier.sentAt < exchange.sentAt &&
        isSuccess(earlier) &&
        earlier.operation === exchange.operation &&
        earlier.path === exchange.path &&
        headerValue(earlier.requestHeaders, 'idempotency-key') === key,
    );
  }

  /** Exchanges that name the item or made it. */
  exchangesOf(item: ObservedItem): readonly ObservedExchange[] {
    return this.byPath.get(item.path) ?? [];
  }

  /** Reads of the item itself by the same caller that could see what an exchange did. */
  readsAfter(item: ObservedItem, exchange: ObservedExchange): ObservedExchange[] {
    const reads = this.exchangesOf(item).filter(
      (read) => read.method === 'GET' && read.query === '' && read.auth === exchange.auth && isAfter(read, exchange),
    );
    if (reads.length > 0) for (const each of [exchange, ...reads]) this.compared.add(each);
    return reads;
  }

  /** Writes that may have changed the item while the two exchanges and what is between them took place. */
  writesBetween(item: ObservedItem, from: ObservedExchange, to: ObservedExchange): ObservedExchange[] {
    return this.anyWritesBetween(from, to).filter((write) => this.mayTouch(write, item));
  }

  /** May a write have changed an item that it is not about, or is? */
  mayTouch(write: ObservedExchange, item: ObservedItem): boolean {
    const target = this.items.get(write) ?? this.itemAbove(write, item);
    // What is neither about one item nor the creation of one may be about all of them.
    if (target === undefined) return true;
    if (target.path === item.path || segmentsOf(write.path).includes(item.key)) return true;
    // What lies below something goes with it.
    if (write.method === 'DELETE' && item.path.startsWith(`${target.path}/`)) return true;
    const { references, named } = this.valuesOf(item);
    const isNamed = namesFor(target).some((name) => named.has(`${name} ${target.key}`));
    return this.valuesOf(target).all.has(item.key) || references.has(target.key) || isNamed;
  }

  /**
   * The item that an action is about, `/loans/7/return`: nothing that is known of it, or of what is below it, names the
   * other one. `undefined` where that may not be all.
   */
  private itemAbove(write: ObservedExchange, other: ObservedItem): ObservedItem | undefined {
    const above = this.above.get(write);
    if (above === undefined || other.path.startsWith(`${above.path}/`) || !this.byPath.has(above.path))
      return undefined;
    const values = this.valuesBelow.get(above.path);
    return values?.all.has(other.key) === true ? undefined : above;
  }

  /** All writes that were under way in that time, whatever they are about. */
  anyWritesBetween(from: ObservedExchange, to: ObservedExchange): ObservedExchange[] {
    const found: ObservedExchange[] = [];
    for (let index = this.firstSentFrom(to.respondedAt) - 1; index >= 0; index--) {
      // All that was sent before this one was over as well.
      if ((this.finishedBy[index] ?? 0) < from.sentAt) break;
      const write = this.writes[index];
      if (write !== undefined && write !== from && write !== to && finishedAt(write) >= from.sentAt) found.push(write);
    }
    return found;
  }

  /** Index of the first write that was not sent before a moment. */
  private firstSentFrom(moment: number): number {
    let [low, high] = [0, this.writes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.writes[middle]?.sentAt ?? Infinity) < moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Every value that the run sent or got about an item, gathered once. */
  private valuesOf(item: ObservedItem): ItemValues {
    let values = this.values.get(item.path);
    if (values === undefined) {
      values = newValues();
      for (const { requestBody, body } of this.exchangesOf(item))
        for (const value of [requestBody, body]) collectValues(value, values);
      this.values.set(item.path, values);
    }
    return values;
  }
}

function newValues(): ItemValues {
  return { all: new Set(), references: new Set(), named: new Set() };
}

/** Scalars as text, from all properties and from those that hold keys, and behind the names of their properties. */
interface ItemValues {
  readonly all: Set<string>;
  readonly references: Set<string>;
  readonly named: Set<string>;
}

/** What a property that holds the key of an item may be called: of `/depots/{code}` `depot`, `code` and `depotCode`. */
function namesFor({ template }: ObservedItem): string[] {
  const [, collection = '', variable = ''] = /([^/{}]+)\/\{([^{}]+)\}\/?$/.exec(template) ?? [];
  const [noun, key] = [foldedName(collection), foldedName(variable)];
  return noun === '' ? [] : [noun, key, noun + key];
}

/** The items of a list count under the name of the list. */
function collectValues(value: JsonValue | undefined, values: ItemValues, name = ''): void {
  if (Array.isArray(value)) for (const item of value) collectValues(item, values, name);
  else if (isJsonObject(value))
    for (const [property, part] of Object.entries(value)) collectValues(part, values, property);
  else {
    const text = keyText(value);
    if (text === undefined) return;
    values.all.add(text);
    values.named.add(`${foldedName(name)} ${text}`);
    if (REFERENCE_NAME.test(name)) values.references.add(text);
  }
}

/** What was never answered may still be under way. */
function finishedAt({ status, respondedAt }: ObservedExchange): number {
  return status === undefined ? Infinity : respondedAt;
}

/** A rejected request changes nothing; one that failed may have. */
function isRejected({ status }: ObservedExchange): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 408;
}

/** The representations of an item that answers about it held. */
export function itemReadingsOf(history: History, item: ObservedItem): ItemReading[] {
  return history.exchangesOf(item).flatMap((exchange): ItemReading[] => {
    const { body, method } = exchange;
    const isRepresentation = isSuccess(exchange) && method !== 'DELETE' && isJsonObject(body);
    return isRepresentation ? [{ exchange, body }] : [];
  });
}

function segmentsOf(path: string): string[] {
  return path.split('/').map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
}
