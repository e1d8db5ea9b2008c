import { headerValue } from '../../core/http/headers';
import { equalJson } from '../../core/json/json-value';
import { isAfter, type ObservedExchange, type RunCheckFinding } from '../observed-exchange';
import { hasTaken, nextReads, writerOf } from './around-write';
import type { History } from './history';
import { bindingOf, isSuccessful, type ObservedItem, shownItem } from './observed-item';

/** The entity tag in the response to a change is that of the item after it (RFC 9110 §8.8). */
export function tagsOfChanges(history: History): RunCheckFinding[] {
  return history.exchanges.flatMap((write) => (isChange(history, write) ? (tagOfChange(history, write) ?? []) : []));
}

function isChange(history: History, write: ObservedExchange): boolean {
  if (write.method !== 'PUT' && write.method !== 'PATCH') return false;
  return write.status !== 202 && isSuccessful(history.api, write) && !history.isRepetition(write);
}

function tagOfChange(history: History, write: ObservedExchange): RunCheckFinding | undefined {
  const { item, read } = nextReads(history, write);
  const [told, own] = [strongTag(write), strongTag(read)];
  if (item === undefined || read === undefined || told === undefined || own === undefined) return undefined;
  if (isSameTag(told, own)) return undefined;
  const before = lastRead(history, item, write);
  const [earlier, later] = [before, read].map((each) => each && shownItem(history.api, each));
  const isOld = strongTag(before) === told && hasTaken(history.api, write, earlier, later);
  const how = isOld ? 'the ETag that the item had before' : 'another ETag than the next read';
  return {
    exchange: write,
    earlier: isOld && before !== undefined ? before : read,
    severity: isOld ? 'error' : 'warning',
    at: '/response/headers/etag',
    message: `The response to ${writerOf(write)} has ${how}`,
    expected: own,
    actual: told,
  };
}

/** What an action shows of a thing is not what a read showed under the same strong entity tag (RFC 9110 §8.8.1). */
export function tagsOfActions(history: History): RunCheckFinding[] {
  const said = new Set<string>();
  return history.exchanges.flatMap((action): RunCheckFinding[] => {
    const read =
      action.method === 'POST' && isSuccessful(history.api, action) ? readWithTag(history, action) : undefined;
    const message = `The response to ${writerOf(action)} has the ETag of another state of the item`;
    if (read === undefined || said.has(message)) return [];
    said.add(message);
    const at = '/response/headers/etag';
    return [
      { exchange: action, earlier: read, at, message, expected: 'another tag than before', actual: strongTag(action) },
    ];
  });
}

/** A read of the thing that an action shows, with the tag of the action and another value of a member of both. */
function readWithTag({ api, exchanges }: History, action: ObservedExchange): ObservedExchange | undefined {
  const [tag, shown, schema] = [strongTag(action), shownItem(api, action), bindingOf(api, action)?.response?.item];
  const path = action.path.replace(/\/[^/]+\/?$/, '');
  if (tag === undefined || shown === undefined || schema === undefined) return undefined;
  return exchanges.find((read) => {
    const isRead = read.method === 'GET' && read.status === 200 && read.path === path && read.auth === action.auth;
    if (!isRead || strongTag(read) !== tag || bindingOf(api, read)?.response?.item !== schema) return false;
    const item = shownItem(api, read) ?? {};
    return Object.entries(item).some(
      ([name, value]) => Object.hasOwn(shown, name) && !equalJson(value, shown[name] ?? null),
    );
  });
}

/** The last read of an item before a change, with no other write of it in between. */
function lastRead(history: History, item: ObservedItem, write: ObservedExchange): ObservedExchange | undefined {
  const read = history
    .exchangesOf(item)
    .findLast(
      (each) => each.method === 'GET' && each.status === 200 && each.auth === write.auth && isAfter(write, each),
    );
  return read === undefined || history.writesBetween(item, read, write).length > 0 ? undefined : read;
}

function strongTag(exchange: ObservedExchange | undefined): string | undefined {
  const tag = headerValue(exchange?.headers ?? [], 'etag');
  return tag === undefined || tag.startsWith('W/') ? undefined : tag;
}

/** A tag may say how its body was coded on the way: `"a-gzip"`. */
function isSameTag(one: string, other: string): boolean {
  const [left, right] = [one.replaceAll('"', ''), other.replaceAll('"', '')];
  return left.startsWith(right) || right.startsWith(left);
}
