import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import type { ApiModel } from '../../openapi/model/api-model';
import { isAfter, type ObservedExchange } from '../observed-exchange';
import type { History } from './history';
import { bindingOf, type ObservedItem, returnsItem, shownItem } from './observed-item';
import { isSameValue } from './sent-values';

/** The item as it was last shown before a change, with no other write of it in between; `undefined` where nobody saw it. */
export function itemBefore(
  history: History,
  write: ObservedExchange,
): { readonly exchange: ObservedExchange; readonly body: JsonObject } | undefined {
  const item = history.itemOf(write);
  if (item === undefined || write.method === 'POST') return undefined;
  const exchange = history
    .exchangesOf(item)
    .findLast(
      (each) =>
        each.auth === write.auth && each.method !== 'DELETE' && isAfter(write, each) && returnsItem(history.api, each),
    );
  const body = exchange && shownItem(history.api, exchange);
  if (exchange === undefined || body === undefined) return undefined;
  return history.writesBetween(item, exchange, write).length > 0 ? undefined : { exchange, body };
}

/** The first read that shows a write and nothing else, and all such reads. */
export function nextReads(
  history: History,
  write: ObservedExchange,
): {
  readonly item: ObservedItem | undefined;
  readonly read: ObservedExchange | undefined;
  readonly reads: readonly ObservedExchange[];
} {
  const item = history.itemOf(write);
  const reads = item === undefined ? [] : history.readsAfter(item, write);
  const shown = reads.filter((read) => {
    return (
      item !== undefined &&
      read.status === 200 &&
      returnsItem(history.api, read) &&
      history.writesBetween(item, write, read).length === 0
    );
  });
  return { item, read: shown[0], reads: shown };
}

/** Does one state of an item have something that was sent, and another one does not? */
export function hasTaken(
  api: ApiModel,
  write: ObservedExchange,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): boolean {
  const sent = valueAlong(write.requestBody, bindingOf(api, write)?.request?.path ?? []);
  return Object.entries(isJsonObject(sent) ? sent : {}).some(
    ([name, value]) =>
      value !== null && isSameValue(value, memberOf(after, name)) && !isSameValue(value, memberOf(before, name)),
  );
}

export function memberOf(item: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(item) && Object.hasOwn(item, name) ? item[name] : undefined;
}

export function writerOf({ operation, method, path }: ObservedExchange): string {
  return operation ?? `${method} ${path}`;
}

export function joinPath(start: string, path: readonly string[]): string {
  return path.reduce((pointer, name) => joinPointer(pointer, name), start);
}
