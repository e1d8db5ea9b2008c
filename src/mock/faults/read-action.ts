import { parsePointer } from '../../json/json-pointer';
import { MAX_DELAY_MS, type Breach, type Delay, type FaultAction } from './fault';

/** Something in the text of a fault cannot be read; the message says what, and what may stand there. */
export class BadFault extends Error {}

/** @param argument - what stands behind the first colon @param text - the whole, to be quoted */
type ReadAction = (argument: string | undefined, text: string) => FaultAction;

const UNAVAILABLE = 503;

/** How each kind of fault reads its arguments. */
export const actionReaders: ReadonlyMap<string, ReadAction> = new Map<string, ReadAction>([
  ['latency', (argument, text) => ({ kind: 'latency', delay: readDelay(argument ?? '', text) })],
  ['dribble', readDribble],
  ...(['reset', 'empty', 'truncate', 'malformed-json'] as const).map((kind) => [kind, bare(kind)] as const),
  ['wrong-content-type', readContentType],
  ['status', (argument, text) => ({ kind: 'status', status: readStatus(argument ?? '', text) })],
  ['error-rate', readErrorRate],
  ['outage', readOutage],
  ['fail', readFail],
  ['rate-limit', readRateLimit],
  [
    'commit-then-fail',
    (argument, text) => ({
      kind: 'commit-then-fail',
      status: argument === undefined ? undefined : readStatus(argument, text),
    }),
  ],
  ['violate', readViolate],
]);

function bare(kind: 'reset' | 'empty' | 'truncate' | 'malformed-json'): ReadAction {
  return (argument, text) => {
    if (argument !== undefined) throw expected(text, `${kind} alone`);
    return { kind };
  };
}

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds, unless it says s, m or h. @param text - to be quoted */
export function readDuration(duration: string, text: string, maxMs: number): number {
  const [, amount, unit = 'ms'] = DURATION.exec(duration) ?? [];
  if (amount === undefined) throw expected(text, 'a time such as 200ms, 1.5s or 2m');
  const ms = Number(amount) * (UNIT_MS[unit] ?? 1);
  if (ms > maxMs) throw expected(text, `at most ${maxMs / 1000}s`);
  return ms;
}

/** @param text - to be quoted */
export function readWhole(value: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw expected(text, 'a whole number from 1');
  return Number(value);
}

const DELAYS = 'latency:200ms, latency:100ms..500ms, latency:normal:MEAN:DEVIATION or latency:lognormal:MEDIAN:SIGMA';

function readDelay(argument: string, text: string): Delay {
  const ms = (duration: string): number => readDuration(duration, text, MAX_DELAY_MS);
  const parts = argument.split(':');
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 1 && first !== '') return readRange(first, text);
  if (parts.length !== 3 || (first !== 'normal' && first !== 'lognormal')) throw expected(text, DELAYS);
  if (first === 'normal') return { kind: 'normal', meanMs: ms(second), deviationMs: ms(third) };
  if (!/^\d+(?:\.\d+)?$/.test(third)) throw expected(text, DELAYS);
  return { kind: 'lognormal', medianMs: ms(second), sigma: Number(third) };
}

function readRange(range: string, text: string): Delay {
  const [from = '', to = from] = range.split('..');
  const [fromMs, toMs] = [from, to].map((duration) => readDuration(duration, text, MAX_DELAY_MS)) as [number, number];
  if (toMs < fromMs) throw expected(text, 'the shorter time before the longer one');
  return { kind: 'uniform', fromMs, toMs };
}

function readDribble(argument: string | undefined, text: string): FaultAction {
  const [bytes = '', interval = ''] = (argument ?? '').split('/');
  if (interval === '') throw expected(text, 'dribble:BYTES/TIME, such as dribble:10/100ms');
  const everyMs = readDuration(interval, text, MAX_DELAY_MS);
  return { kind: 'dribble', bytes: readWhole(bytes, text), everyMs: Math.max(1, everyMs) };
}

function readContentType(argument: string | undefined, text: string): FaultAction {
  const mediaType = argument ?? 'text/html';
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mediaType)) throw expected(text, 'a media type such as text/html');
  return { kind: 'wrong-content-type', mediaType };
}

function readStatus(value: string, text: string): number {
  if (!/^[45]\d\d$/.test(value)) throw expected(text, 'a status from 400 to 599');
  return Number(value);
}

function readErrorRate(argument: string | undefined, text: string): FaultAction {
  const [share = '', status = String(UNAVAILABLE)] = (argument ?? '').split(':');
  if (!/^(?:0?\.\d+|[01](?:\.0*)?)$/.test(share)) throw expected(text, 'error-rate:SHARE, from 0 to 1, such as 0.2');
  return { kind: 'error-rate', share: Number(share), status: readStatus(status, text) };
}

/** `outage`, or `outage:5s..35s`, counted from when it was set. */
function readOutage(argument: string | undefined, text: string): FaultAction {
  const all: FaultAction = { kind: 'outage', fromMs: 0, untilMs: Infinity, status: UNAVAILABLE };
  if (argument === undefined) return all;
  const [from = '', to = ''] = argument.split('..');
  const [fromMs, untilMs] = [readDuration(from, text, Infinity), readDuration(to, text, Infinity)];
  if (untilMs <= fromMs) throw expected(text, 'the beginning before the end');
  return { kind: 'outage', fromMs, untilMs, status: UNAVAILABLE };
}

function readFail(argument: string | undefined, text: string): FaultAction {
  const [count = '', status = String(UNAVAILABLE)] = (argument ?? '').split(':');
  return { kind: 'fail', count: readWhole(count, text), status: readStatus(status, text) };
}

function readRateLimit(argument: string | undefined, text: string): FaultAction {
  const [, requests, time = ''] = /^(\d+)\/(.*)$/.exec(argument ?? '') ?? [];
  if (requests === undefined) throw expected(text, 'rate-limit:N/TIME, such as rate-limit:5/s or rate-limit:100/1m');
  const perMs = readDuration(/^\d/.test(time) ? time : `1${time}`, text, Infinity);
  return { kind: 'rate-limit', requests: readWhole(requests, text), perMs: Math.max(1, perMs) };
}

const BREACHES: readonly Breach[] = ['missing', 'type', 'enum', 'extra'];

/** `violate:/items/-/id:type`: the pointer may hold colons. */
function readViolate(argument: string | undefined, text: string): FaultAction {
  const at = (argument ?? '').lastIndexOf(':');
  const pointer = (argument ?? '').slice(0, at);
  const breach = BREACHES.find((known) => known === argument?.slice(at + 1));
  if (at === -1 || breach === undefined) throw expected(text, `violate:POINTER:${BREACHES.join('|')}`);
  try {
    return { kind: 'violate', pointer, path: parsePointer(pointer), breach };
  } catch (error) {
    throw new BadFault(error instanceof Error ? error.message : String(error));
  }
}

function expected(text: string, what: string): BadFault {
  return new BadFault(`The fault "${text.slice(0, 120)}" cannot be read: expected ${what}`);
}
