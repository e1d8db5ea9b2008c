import { headerValue } from '../../core/http/headers';
import { isAfter, type ObservedExchange, type RunCheckFinding } from '../observed-exchange';
import { hasTaken, nextReads, writerOf } from './around-write';
import type { History } from './history';
import { isSuccessful, type ObservedItem, shownItem } from './observed-item';

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
