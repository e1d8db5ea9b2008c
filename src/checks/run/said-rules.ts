import { isJsonNumber, toCanonical, toLexeme } from '../../core/json/exact-number';
import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import {
  isAfter,
  isExpected,
  isSuccess,
  type ObservedExchange,
  type RunCheckFinding,
  templateOf,
} from '../observed-exchange';
import type { AmountRule } from '../../resources/model/binding';
import { writerOf } from './around-write';
import type { History, RunCheck } from './history';
import { bindingOf, isSuccessful, itemAbove, shownItem } from './observed-item';

/** What the words of an operation say: in which states of a thing it is refused, and which numbers change with it. */
export const saidRules: RunCheck = {
  id: 'said-rules',
  area: 'state',
  source: 'the description',
  run: (history) =>
    history.exchanges.flatMap((write) => [
      ...(doneInClosedState(history, write) ?? []),
      ...amountsBeside(history, write),
    ]),
};

function doneInClosedState(history: History, write: ObservedExchange): RunCheckFinding[] | undefined {
  const { closed } = bindingOf(history.api, write)?.said ?? {};
  if (closed?.isCertain !== true || !isDone(history, write, closed.property)) return undefined;
  const read = readBefore(history, write);
  const value = (read && shownItem(history.api, read)?.[closed.property]) ?? null;
  if (read === undefined || !closed.values.some((each) => equalJson(each, value))) return undefined;
  const message = `${writerOf(write)} is done in a state in which the description says that it is refused`;
  const expected = `409, as "${closed.property}" is ${previewValue(value)}`;
  return [
    { exchange: write, earlier: read, at: '/response/status', message, expected, actual: String(write.status ?? 0) },
  ];
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

/** The numbers of what a new or changed item names, in the reads just before and after. */
function amountsBeside(history: History, write: ObservedExchange): RunCheckFinding[] {
  const { amounts = [] } = bindingOf(history.api, write)?.said ?? {};
  const shown = amounts.length > 0 && isFirst(history, write) ? shownItem(history.api, write) : undefined;
  return amounts.flatMap((rule) => (shown === undefined ? [] : (otherAmount(history, write, rule, shown) ?? [])));
}

/** Was something made, or done with a thing for the first time? What is done once more may change nothing. */
function isFirst(history: History, write: ObservedExchange): boolean {
  const isMade = bindingOf(history.api, write)?.behaviour === 'create';
  const isDone = isMade ? write.status === 201 : write.status !== 202 && isSuccessful(history.api, write);
  const above = isMade ? undefined : `${itemAbove(history.api, write)?.path ?? ''}/`;
  const isLater = history.exchanges.some(
    (each) =>
      each !== write &&
      above !== undefined &&
      each.path.startsWith(above) &&
      !isAfter(each, write) &&
      each.method !== 'GET' &&
      isSuccess(each),
  );
  return isDone && !isLater && !history.isRepetition(write);
}

function otherAmount(
  history: History,
  write: ObservedExchange,
  { of, property, sign, by, refusal }: AmountRule,
  shown: JsonObject,
): RunCheckFinding | undefined {
  const [before, after] = readsBeside(history, write, of, Object.values(shown));
  if (before === undefined || after === undefined) return undefined;
  const [from = 0, to = 0] = [before, after].map((read) => numberOf(shownItem(history.api, read)?.[property]));
  const due = from + sign * (by === undefined ? 1 : numberOf(shown[by]));
  // Where there was not enough, and no words have a status for it, nobody knows.
  const isKnown = due >= (refusal === undefined ? 0 : -Infinity) && !Number.isNaN(to);
  if (!isKnown || Math.abs(to - due) < 1e-6) return undefined;
  const message = `${writerOf(write)} does not change "${property}" of ${templateOf(history.api, after)} as the description says`;
  const expected = due >= 0 ? String(due) : `${refusal ?? 409}, as there is not enough`;
  return { exchange: write, earlier: before, at: '/response/body', message, expected, actual: String(to) };
}

const numberOf = (value: JsonValue | undefined): number =>
  isJsonNumber(value) ? Number(toLexeme(toCanonical(value))) : Number.NaN;

/** The last read before a write and the first one after it of the thing of a kind that an item names, and nothing between. */
function readsBeside(
  history: History,
  write: ObservedExchange,
  of: string,
  named: readonly JsonValue[],
): (ObservedExchange | undefined)[] {
  const isRead = (each: ObservedExchange): boolean => {
    const binding = bindingOf(history.api, each);
    const key = history.itemOf(each)?.key;
    const isOf =
      binding?.resource.path === of && binding.behaviour === 'read' && key !== undefined && named.includes(key);
    return isOf && each.status === 200 && each.query === '' && each.auth === write.auth;
  };
  const reads = history.exchanges.filter((each) => each.method === 'GET' && isRead(each));
  const before = reads.findLast((each) => isAfter(write, each));
  const after = reads.find((each) => isAfter(each, write) && each.path === before?.path);
  const item = before && history.itemOf(before);
  // Of what the run has not made others may take as well.
  const isOwn = item !== undefined && history.exchangesOf(item).some(({ status }) => status === 201);
  if (item === undefined || before === undefined || after === undefined || !isOwn) return [];
  const between = [...history.writesBetween(item, before, write), ...history.writesBetween(item, write, after)];
  return between.some((each) => each !== write) ? [] : [before, after];
}
