import { joinPointer } from '../../core/json/json-pointer';
import { previewValue } from '../../core/json/stringify-json';
import { type ObservedExchange, type RunCheckFinding, templateOf } from '../observed-exchange';
import { itemBefore, memberOf, nextReads, writerOf } from './around-write';
import type { History, RunCheck } from './history';
import { isSuccessful, pathOfShown, shownItem } from './observed-item';

/** When a thing was made: `createdAt`, `created_on`, `creationTime`. */
const CREATED = /^(?:created?|creation|date_?created|registered|inserted)(?:[_-]?(?:at|on|date|time|timestamp))?$/i;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** A change of a thing does not change when it was made. */
export const creationTime: RunCheck = {
  id: 'creation-time',
  area: 'state',
  source: 'the description, a property of when the thing was created',
  run(history) {
    return history.exchanges.flatMap((write) => (isChange(history, write) ? (movedTime(history, write) ?? []) : []));
  },
};

/** A 201 to a PUT makes something new. */
function isChange(history: History, write: ObservedExchange): boolean {
  return ['PUT', 'PATCH'].includes(write.method) && write.status !== 201 && isSuccessful(history.api, write);
}

function movedTime(history: History, write: ObservedExchange): RunCheckFinding | undefined {
  const { api } = history;
  const before = itemBefore(history, write);
  const { read } = nextReads(history, write);
  const after = read && shownItem(api, read);
  const name = before && Object.keys(before.body).find((each) => CREATED.test(each));
  if (before === undefined || read === undefined || name === undefined || isSent(write, name)) return undefined;
  if (isSameMoment(memberOf(before.body, name), memberOf(after, name))) return undefined;
  return {
    exchange: read,
    earlier: write,
    severity: before.exchange.method === 'GET' ? 'error' : 'warning',
    at: [...pathOfShown(api, read), name].reduce((pointer, each) => joinPointer(pointer, each), '/response/body'),
    message: `${writerOf(write)} changes "${name}" of ${templateOf(api, read)}`,
    expected: previewValue(memberOf(before.body, name) ?? null),
    actual: previewValue(memberOf(after, name) ?? null),
  };
}

function isSent({ requestBody }: ObservedExchange, name: string): boolean {
  return requestBody !== undefined && JSON.stringify(requestBody).includes(`"${name}"`);
}

interface Moment {
  readonly milliseconds: number;
  /** Digits of its seconds behind the point, three at the most. */
  readonly digits: number;
}

function momentOf(value: unknown): Moment | undefined {
  if (typeof value !== 'string' || !MOMENT.test(value)) return undefined;
  const milliseconds = Date.parse(value);
  const digits = Math.min(3, /\.(\d+)/.exec(value)?.[1]?.length ?? 0);
  return Number.isNaN(milliseconds) ? undefined : { milliseconds, digits };
}

/** What is shown at first may have more digits than what is stored, or a last one that is rounded. */
function isSameMoment(earlier: unknown, later: unknown): boolean {
  const [one, other] = [momentOf(earlier), momentOf(later)];
  // Of what is no moment nothing is said.
  if (one === undefined || other === undefined) return true;
  const unit = 10 ** (3 - Math.min(one.digits, other.digits));
  const difference = Math.abs(one.milliseconds - other.milliseconds);
  return one.digits === other.digits ? difference === 0 : difference <= unit;
}
