import { headerValue } from '../../core/http/headers';
import { parseMediaType } from '../../core/http/media-type';
import { equalJson, valueAlong } from '../../core/json/json-value';
import { addToList } from '../../core/text/memoize';
import { sentencesIn } from '../../lists/page-words';
import type { ApiModel } from '../../openapi/model/api-model';
import {
  isAfter,
  isSuccess,
  type ObservedExchange,
  operationOf,
  type RunCheckFinding,
  targetKey,
  templateOf,
} from '../observed-exchange';
import type { History, RunCheck } from './history';

/** HEAD is GET without the content: the same status, and no header that says something else. */
export const headLikeGet: RunCheck = {
  id: 'head-like-get',
  area: 'http',
  source: 'RFC 9110 §8.6, §9.1, §9.3.2',
  run(history) {
    const gets = new Map<string, ObservedExchange[]>();
    for (const each of history.exchanges)
      if (each.method === 'GET' && each.status !== undefined) addToList(gets, targetKey(each), each);
    return history.exchanges.flatMap((head): RunCheckFinding | readonly RunCheckFinding[] => {
      if (head.method !== 'HEAD' || head.status === undefined || PASSING.has(head.status)) return [];
      const beside = besideOf(history, head, gets.get(targetKey(head)) ?? []);
      return (beside && findDifference(history.api, beside)) ?? [];
    });
  },
};

/** Statuses that say nothing of the resource: too many requests, and failures. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** A HEAD, and what a GET of the same gets. */
interface Beside {
  readonly head: ObservedExchange;
  readonly get: ObservedExchange;
  /** Was the same GET sent before and after, with the same response? Then nobody changed anything in between. */
  readonly isProven: boolean;
}

/** The last GET before and the first one after, with no write of the run in between. */
function besideOf(history: History, head: ObservedExchange, gets: readonly ObservedExchange[]): Beside | undefined {
  const isUntouched = (from: ObservedExchange, to: ObservedExchange): boolean => {
    const item = history.itemOf(from.method === 'GET' ? from : to);
    const writes = item === undefined ? history.anyWritesBetween(from, to) : history.writesBetween(item, from, to);
    return writes.length === 0;
  };
  const usable = gets.filter(({ status }) => status !== undefined && !PASSING.has(status));
  const before = usable.findLast((get) => isAfter(head, get) && isUntouched(get, head));
  const after = usable.find((get) => isAfter(get, head) && isUntouched(head, get));
  const get = after ?? before;
  if (get === undefined) return undefined;
  // What differs from one read to the next, such as how long it took, has another length each time.
  const others = usable.filter((each) => each === before || (isAfter(each, head) && isUntouched(head, each)));
  return {
    head,
    get,
    isProven: before !== undefined && others.every((each) => isSameAnswer(each, get)) && get === after,
  };
}

function isSameAnswer(one: ObservedExchange, other: ObservedExchange): boolean {
  return (
    one.status === other.status &&
    one.bodySize === other.bodySize &&
    equalJson(one.body ?? null, other.body ?? null) &&
    headerValue(one.headers, 'etag') === headerValue(other.headers, 'etag')
  );
}

function findDifference(api: ApiModel, beside: Beside): RunCheckFinding | undefined {
  const { head, get } = beside;
  if (head.status !== get.status) return otherStatus(api, beside);
  if (!isSuccess(head)) return undefined;
  return otherLength(api, beside) ?? otherTag(api, beside) ?? otherType(api, beside);
}

function otherStatus(api: ApiModel, beside: Beside): RunCheckFinding | undefined {
  const { head, get, isProven } = beside;
  if (isSuccess(get) && !isSuccess(head)) return rejection(api, beside);
  const isLetIn = get.status === 401 || get.status === 403 || isProven;
  return {
    ...aboutOf(head, get, '/response/status'),
    severity: isSuccess(head) && !isSuccess(get) && isLetIn ? 'error' : 'warning',
    message: `HEAD ${templateOf(api, get)} has another status than GET`,
  };
}

function rejection(api: ApiModel, { head, get, isProven }: Beside): RunCheckFinding | undefined {
  // Who expects nothing but a refusal knows of it.
  if (head.expected?.statuses.every((status) => status >= 400) === true) return undefined;
  const about = aboutOf(head, get, '/response/status');
  if (!promisesHead(api, head, get))
    return { ...about, severity: 'warning', message: 'HEAD is rejected where GET is not' };
  const message = `HEAD ${templateOf(api, get)} is rejected, and GET is not`;
  return { ...about, severity: isCertain(head.status, isProven) ? 'error' : 'warning', message };
}

/** Is a refusal one of the method, or was it seen between two reads that were not refused? */
function isCertain(status: number | undefined, isProven: boolean): boolean {
  return status === 405 || status === 501 || isProven;
}

const EVERY_GET =
  /\b(?:every|each|all|any)(?:\s+\w+)?\s+GETs?\b.*\b(?:as|with|by|supports?|takes?|accepts?)(?:\s+an?)?\s+HEAD\b/i;
const NOT = /\b(?:not|no|never|except|without|unless|but)\b/i;

/** Does the description have HEAD at the path, or say of every GET that it can be sent as HEAD? */
function promisesHead(api: ApiModel, head: ObservedExchange, get: ObservedExchange): boolean {
  const path = templateOf(api, get);
  if (operationOf(api, head)?.method === 'HEAD') return true;
  if (api.operations.some((each) => each.method === 'HEAD' && each.path === path)) return true;
  const text = valueAlong(api.document.root, ['info', 'description']);
  return sentencesIn(text).some((sentence) => EVERY_GET.test(sentence) && !NOT.test(sentence));
}

/** A HEAD may leave the length out, and may not name another one (RFC 9110 §8.6). */
function otherLength(api: ApiModel, { head, get, isProven }: Beside): RunCheckFinding | undefined {
  const told = headerValue(head.headers, 'content-length');
  const size = sizeOf(get);
  if (told === undefined || size === undefined || isCoded(head) || !/^\d+$/.test(told) || Number(told) === size)
    return undefined;
  // Nothing that others write leaves no byte of what is some.
  const isWrong = isProven || Number(told) === 0;
  return {
    ...aboutOf(head, get, '/response/headers/content-length'),
    severity: isWrong ? 'error' : 'warning',
    message: `HEAD ${templateOf(api, get)} has another Content-Length than the body of GET`,
    expected: `${size}, or no header`,
    actual: told,
  };
}

/** Bytes of the body of a GET; `undefined` where they may not be those that were sent. */
function sizeOf(get: ObservedExchange): number | undefined {
  const { bodySize, headers } = get;
  const told = headerValue(headers, 'content-length');
  if (bodySize === undefined || bodySize === 0 || isCoded(get)) return undefined;
  return told === undefined || Number(told) === bodySize ? bodySize : undefined;
}

function isCoded({ headers }: ObservedExchange): boolean {
  const coding = headerValue(headers, 'content-encoding');
  return coding !== undefined && coding.toLowerCase() !== 'identity';
}

function otherTag(api: ApiModel, { head, get, isProven }: Beside): RunCheckFinding | undefined {
  const [told, own] = [headerValue(head.headers, 'etag'), headerValue(get.headers, 'etag')];
  if (told === undefined || own === undefined || told === own || [told, own].some((tag) => tag.startsWith('W/')))
    return undefined;
  return {
    ...aboutOf(head, get, '/response/headers/etag'),
    severity: isProven ? 'error' : 'warning',
    message: `HEAD ${templateOf(api, get)} has another ETag than GET`,
    expected: own,
    actual: told,
  };
}

function otherType(api: ApiModel, { head, get }: Beside): RunCheckFinding | undefined {
  const [told, own] = [head, get].map(({ headers }) => headerValue(headers, 'content-type'));
  const [one, other] = [told, own].map((type) => parseMediaType(type ?? '')?.essence);
  if (told === undefined || own === undefined || one === other) return undefined;
  return {
    ...aboutOf(head, get, '/response/headers/content-type'),
    severity: 'warning',
    message: `HEAD ${templateOf(api, get)} has another Content-Type than GET`,
    expected: own,
    actual: told,
  };
}

function aboutOf(head: ObservedExchange, get: ObservedExchange, at: string) {
  return {
    exchange: head,
    earlier: get,
    at,
    expected: `${get.status ?? 0}, as GET`,
    actual: String(head.status ?? 0),
  } as const;
}
