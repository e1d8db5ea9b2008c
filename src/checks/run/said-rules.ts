import { equalJson, isJsonObject } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import { isAfter, isExpected, type ObservedExchange, type RunCheckFinding } from '../observed-exchange';
import { writerOf } from './around-write';
import type { History, RunCheck } from './history';
import { bindingOf, isSuccessful, itemAbove, shownItem } from './observed-item';

/** What the words of an operation say: in which states of a thing it is refused. */
export const saidRules: RunCheck = {
  id: 'said-rules',
  area: 'state',
  source: 'the description',
  run: (history) => history.exchanges.flatMap((write) => doneInClosedState(history, write) ?? []),
};

function doneInClosedState(history: History, write: ObservedExchange): RunCheckFinding | undefined {
  const { closed } = bindingOf(history.api, write)?.said ?? {};
  if (closed?.isCertain !== true || !isDone(history, write, closed.property)) return undefined;
  const read = readBefore(history, write);
  const value = (read && shownItem(history.api, read)?.[closed.property]) ?? null;
  if (read === undefined || !closed.values.some((each) => equalJson(each, value))) return undefined;
  return {
    exchange: write,
    earlier: read,
    at: '/response/status',
    message: `${writerOf(write)} is done in a state in which the description says that it is refused`,
    expected: `409, as "${closed.property}" is ${previewValue(value)}`,
    actual: String(write.status ?? 0),
  };
}

/** Was it done, not as its contract expects, and without a state of its own? */
function isDone(history: History, write: ObservedExchange, state: string): boolean {
  const { requestBody: body } = write;
  if (isJsonObject(body) && Object.hasOwn(body, state)) return false;
  return isSuccessful(history.api, write) && !isExpected(write) && !history.isRepetition(write);
}

/** The last read of the item that a write is about, with no other write of it in between. */
function readBefore(history: History, write: ObservedExchange): ObservedExchange | undefined {
  const item = history.itemOf(write) ?? itemAbove(history.api, write);
  if (item === undefined) return undefined;
  const read = history
    .exchangesOf(item)
    .findLast((each) => each.method === 'GET' && each.auth === write.auth && isAfter(write, each));
  return read === undefined || history.writesBetween(item, read, write).length > 0 ? undefined : read;
}
