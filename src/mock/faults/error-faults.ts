import type { ActiveFault } from './fault';
import { expected, type FaultKind, readDuration, readStatus, readWhole } from './fault-kind';

const UNAVAILABLE = 503;
/** When nothing is known of the end of a fault, in milliseconds. */
export const RETRY_MS = 1000;

export const status: FaultKind<{ readonly kind: 'status'; readonly status: number }> = {
  kind: 'status',
  syntax: 'status:503',
  read: (argument, text) => ({ kind: 'status', status: readStatus(argument ?? '', text) }),
  force: (action) => ({ status: action.status, retryMs: RETRY_MS }),
};

export const errorRate: FaultKind<{ readonly kind: 'error-rate'; readonly share: number; readonly status: number }> = {
  kind: 'error-rate',
  syntax: 'error-rate:0.2 or error-rate:0.2:500',
  read(argument, text) {
    const [share = '', code = String(UNAVAILABLE)] = (argument ?? '').split(':');
    if (!/^(?:0?\.\d+|[01](?:\.0*)?)$/.test(share)) throw expected(text, 'error-rate:SHARE, from 0 to 1, such as 0.2');
    return { kind: 'error-rate', share: Number(share), status: readStatus(code, text) };
  },
  force: (action, _fault, { random }) =>
    random.next() < action.share ? { status: action.status, retryMs: RETRY_MS } : undefined,
};

export const outage: FaultKind<{
  readonly kind: 'outage';
  readonly fromMs: number;
  readonly untilMs: number;
  readonly status: number;
}> = {
  kind: 'outage',
  syntax: 'outage, or outage:5s..35s counted from when it was set',
  read(argument, text) {
    if (argument === undefined) return { kind: 'outage', fromMs: 0, untilMs: Infinity, status: UNAVAILABLE };
    const [from = '', to = ''] = argument.split('..');
    const [fromMs, untilMs] = [readDuration(from, text, Infinity), readDuration(to, text, Infinity)];
    if (untilMs <= fromMs) throw expected(text, 'the beginning before the end');
    return { kind: 'outage', fromMs, untilMs, status: UNAVAILABLE };
  },
  force(action, { fault, sinceMs }, { nowMs }) {
    const ageMs = nowMs - sinceMs;
    const endMs = Math.min(action.untilMs, fault.forMs ?? Infinity);
    if (ageMs < action.fromMs || ageMs >= endMs) return undefined;
    return { status: action.status, retryMs: Number.isFinite(endMs) ? endMs - ageMs : RETRY_MS };
  },
};

export const fail: FaultKind<{ readonly kind: 'fail'; readonly count: number; readonly status: number }> = {
  kind: 'fail',
  syntax: 'fail:2 or fail:2:500',
  read(argument, text) {
    const [count = '', code = String(UNAVAILABLE)] = (argument ?? '').split(':');
    return { kind: 'fail', count: readWhole(count, text), status: readStatus(code, text) };
  },
  force: (action, { seen }) => (seen <= action.count ? { status: action.status, retryMs: RETRY_MS } : undefined),
};

export const rateLimit: FaultKind<{ readonly kind: 'rate-limit'; readonly requests: number; readonly perMs: number }> =
  {
    kind: 'rate-limit',
    syntax: 'rate-limit:5/s or rate-limit:100/1m',
    read(argument, text) {
      const [, requests, time = ''] = /^(\d+)\/(.*)$/.exec(argument ?? '') ?? [];
      if (requests === undefined)
        throw expected(text, 'rate-limit:N/TIME, such as rate-limit:5/s or rate-limit:100/1m');
      const perMs = readDuration(/^\d/.test(time) ? time : `1${time}`, text, Infinity);
      return { kind: 'rate-limit', requests: readWhole(requests, text), perMs: Math.max(1, perMs) };
    },
    force({ requests, perMs }, { passedAt }: ActiveFault, { nowMs }) {
      const [oldest = nowMs] = passedAt;
      if (passedAt.length >= requests && nowMs - oldest < perMs)
        return { status: 429, retryMs: perMs - (nowMs - oldest) };
      if (passedAt.push(nowMs) > requests) passedAt.shift();
      return undefined;
    },
  };

export const commitThenFail: FaultKind<{ readonly kind: 'commit-then-fail'; readonly status: number | undefined }> = {
  kind: 'commit-then-fail',
  syntax: 'commit-then-fail or commit-then-fail:500',
  read: (argument, text) => ({
    kind: 'commit-then-fail',
    status: argument === undefined ? undefined : readStatus(argument, text),
  }),
  needsConnection: (action) => action.status === undefined,
  lose: (action) => (action.status === undefined ? 'reset' : { status: action.status }),
};
