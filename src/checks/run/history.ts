import { isJsonObject, type JsonValue } from '../../json/json-value';
import type { ApiModel } from '../../openapi/model';
import { createdItem, itemOf, keyText, type Item } from './item';
import { isAfter, isSafe, isSuccess, type ObservedExchange } from './observed-exchange';

/** Names of members that hold the key of another resource. */
const REFERENCE = /(?:^|_)ids?$|Ids?$/;

/** A representation of an item that some answer held. */
export interface Reading {
  readonly exchange: ObservedExchange;
  readonly body: JsonValue;
}

/**
 * What a run knows of its items, and which of its writes may have changed which of them. It would rather take two
 * resources for related than not: then a check keeps silent.
 */
export class History {
  readonly exchanges: readonly ObservedExchange[];
  readonly api: ApiModel;
  private readonly items = new Map<ObservedExchange, Item | undefined>();
  private readonly atPath = new Map<string, ObservedExchange[]>();
  private readonly values = new Map<string, ItemValues>();
  /** In the order in which they were sent. */
  private readonly writes: readonly ObservedExchange[];
  /** For each write the moment when it and all before it were over. */
  private readonly overBy: readonly number[];

  constructor(exchanges: readonly ObservedExchange[], api: ApiModel) {
    this.exchanges = exchanges;
    this.api = api;
    this.writes = exchanges
      .filter((exchange) => !isSafe(exchange) && !isRefused(exchange))
      .sort((one, other) => one.sentAt - other.sentAt);
    let over = 0;
    this.overBy = this.writes.map((write) => (over = Math.max(over, endOf(write))));
    for (const exchange of exchanges) {
      const item = createdItem(api, exchange) ?? itemOf(api, exchange);
      this.items.set(exchange, item);
      if (item !== undefined) this.atPath.set(item.path, [...(this.atPath.get(item.path) ?? []), exchange]);
    }
  }

  /** The item that a request names, or that it made. */
  itemOf(exchange: ObservedExchange): Item | undefined {
    return this.items.get(exchange);
  }

  /** Exchanges that name the item or made it. */
  of(item: Item): readonly ObservedExchange[] {
    return this.atPath.get(item.path) ?? [];
  }

  /** Reads of the item itself by the same caller that could see what an exchange did. */
  readsAfter(item: Item, exchange: ObservedExchange): ObservedExchange[] {
    return this.of(item).filter(
      (read) => read.method === 'GET' && read.query === '' && read.auth === exchange.auth && isAfter(read, exchange),
    );
  }

  /** Writes that may have changed the item while the two exchanges and what is between them took place. */
  writesBetween(item: Item, from: ObservedExchange, to: ObservedExchange): ObservedExchange[] {
    return this.anyWritesBetween(from, to).filter((write) => this.mayTouch(write, item));
  }

  /** All writes that were under way in that time, whatever they are about. */
  anyWritesBetween(from: ObservedExchange, to: ObservedExchange): ObservedExchange[] {
    const found: ObservedExchange[] = [];
    for (let index = this.firstSentFrom(to.answeredAt) - 1; index >= 0; index--) {
      // All that was sent before this one was over as well.
      if ((this.overBy[index] ?? 0) < from.sentAt) break;
      const write = this.writes[index];
      if (write !== undefined && write !== from && write !== to && endOf(write) >= from.sentAt) found.push(write);
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

  private mayTouch(write: ObservedExchange, item: Item): boolean {
    const target = this.items.get(write);
    // What is neither about one item nor the creation of one may be about all of them.
    if (target === undefined) return true;
    if (target.path === item.path || segmentsOf(write.path).includes(item.key)) return true;
    return this.valuesOf(target).all.has(item.key) || this.valuesOf(item).references.has(target.key);
  }

  /** Every value that the run sent or got about an item, gathered once. */
  private valuesOf(item: Item): ItemValues {
    let values = this.values.get(item.path);
    if (values === undefined) {
      values = { all: new Set(), references: new Set() };
      for (const { requestBody, body } of this.of(item)) for (const value of [requestBody, body]) gather(value, values);
      this.values.set(item.path, values);
    }
    return values;
  }
}

/** Scalars as text, from all members and from those that hold keys. */
interface ItemValues {
  readonly all: Set<string>;
  readonly references: Set<string>;
}

/** The items of a list count under the name of the list. */
function gather(value: JsonValue | undefined, values: ItemValues, name = ''): void {
  if (Array.isArray(value)) for (const item of value) gather(item, values, name);
  else if (isJsonObject(value)) for (const [member, part] of Object.entries(value)) gather(part, values, member);
  else {
    const text = keyText(value);
    if (text === undefined) return;
    values.all.add(text);
    if (REFERENCE.test(name)) values.references.add(text);
  }
}

const HISTORIES = new WeakMap<readonly ObservedExchange[], History>();

/** Gathered once for the exchanges of a run, whoever asks. */
export function historyOf(exchanges: readonly ObservedExchange[], api: ApiModel): History {
  const known = HISTORIES.get(exchanges);
  const history = known?.api === api ? known : new History(exchanges, api);
  HISTORIES.set(exchanges, history);
  return history;
}

/** What was never answered may still be under way. */
function endOf({ status, answeredAt }: ObservedExchange): number {
  return status === undefined ? Infinity : answeredAt;
}

/** A refused request changes nothing; one that failed may have. */
function isRefused({ status }: ObservedExchange): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 408;
}

/** The representations of an item that answers about it held. */
export function readingsOf(history: History, item: Item): Reading[] {
  return history.of(item).flatMap((exchange): Reading[] => {
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
