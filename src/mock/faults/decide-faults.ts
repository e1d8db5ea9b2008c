import type { Problem } from '../../checks/problem';
import type { RandomStream } from '../random-stream';
import { MAX_DELAY_MS, type Delay, type FaultAction } from './fault';
import type { SetFault } from './fault-book';

/** What will go wrong with one request. */
export interface FaultPlan {
  /** The answer in place of the one that the request would get; the state stays as it is. */
  readonly forced: Problem | undefined;
  /** Whatever was done is done, and the answer is lost: this comes in its place; `reset` is a connection that ends. */
  readonly lost: Problem | 'reset' | undefined;
  readonly delayMs: number;
  /** Everything that is done to the response or to the way it is sent. */
  readonly deformations: readonly SetFault[];
  /** Those that happen whatever the response is. */
  readonly names: readonly string[];
}

type Decision = {
  -readonly [Name in 'forced' | 'lost' | 'delayMs']: FaultPlan[Name];
} & { readonly deformations: SetFault[]; readonly names: string[] };

/** @param nowMs - by the clock of the sandbox @param random - its stream: each draw moves it on */
export function decideFaults(faults: readonly SetFault[], nowMs: number, random: RandomStream): FaultPlan | undefined {
  const plan: Decision = { forced: undefined, lost: undefined, delayMs: 0, deformations: [], names: [] };
  for (const each of faults) {
    each.seen += 1;
    if (!decide(each, plan, nowMs, random)) continue;
    each.happened += 1;
    plan.names.push(each.fault.text);
  }
  return plan.names.length + plan.deformations.length === 0 ? undefined : plan;
}

/** @returns whether it happens; of a deformation only the response will tell */
function decide(each: SetFault, plan: Decision, nowMs: number, random: RandomStream): boolean {
  const { action } = each.fault;
  switch (action.kind) {
    case 'latency':
      plan.delayMs = Math.min(MAX_DELAY_MS, plan.delayMs + drawDelay(action.delay, random));
      return true;
    case 'commit-then-fail':
      plan.lost = action.status === undefined ? 'reset' : toProblem(action.status, each, undefined);
      return true;
    case 'status':
    case 'error-rate':
    case 'outage':
    case 'fail':
    case 'rate-limit':
      return force(each, action, plan, nowMs, random);
    default:
      plan.deformations.push(each);
      return false;
  }
}

type Forcing = Extract<FaultAction, { kind: 'status' | 'error-rate' | 'outage' | 'fail' | 'rate-limit' }>;

function force(each: SetFault, action: Forcing, plan: Decision, nowMs: number, random: RandomStream): boolean {
  const retryMs = forcedFor(each, action, nowMs, random);
  if (retryMs === undefined || plan.forced !== undefined) return false;
  plan.forced = toProblem(action.kind === 'rate-limit' ? 429 : action.status, each, retryMs);
  return true;
}

/** @returns after how many milliseconds trying again may help, a second when nothing is known; `undefined`: not now */
function forcedFor(each: SetFault, action: Forcing, nowMs: number, random: RandomStream): number | undefined {
  const { sinceMs, seen, passedAt } = each;
  switch (action.kind) {
    case 'status':
      return 1000;
    case 'error-rate':
      return random.next() < action.share ? 1000 : undefined;
    case 'fail':
      return seen <= action.count ? 1000 : undefined;
    case 'outage':
      return outageLeft(each, action, nowMs - sinceMs);
    case 'rate-limit':
      return rateLeft(passedAt, action, nowMs);
  }
}

function outageLeft(
  { fault }: SetFault,
  action: Extract<Forcing, { kind: 'outage' }>,
  ageMs: number,
): number | undefined {
  const endMs = Math.min(action.untilMs, fault.forMs ?? Infinity);
  if (ageMs < action.fromMs || ageMs >= endMs) return undefined;
  return Number.isFinite(endMs) ? endMs - ageMs : 1000;
}

/** Lets a request through, and remembers it; or tells how long to wait. */
function rateLeft(
  passedAt: number[],
  { requests, perMs }: Extract<Forcing, { kind: 'rate-limit' }>,
  nowMs: number,
): number | undefined {
  const [oldest = nowMs] = passedAt;
  if (passedAt.length >= requests && nowMs - oldest < perMs) return perMs - (nowMs - oldest);
  if (passedAt.push(nowMs) > requests) passedAt.shift();
  return undefined;
}

function toProblem(status: number, { fault }: SetFault, retryMs: number | undefined): Problem {
  const mayRetry = (status === 503 || status === 429) && retryMs !== undefined;
  return {
    status,
    code: 'fault_injected',
    message: `The fault ${fault.text} was asked for`,
    ...(mayRetry ? { headers: ['Retry-After', String(Math.max(1, Math.ceil(retryMs / 1000)))] } : {}),
  };
}

function drawDelay(delay: Delay, random: RandomStream): number {
  switch (delay.kind) {
    case 'uniform':
      return delay.fromMs === delay.toMs ? delay.fromMs : delay.fromMs + random.next() * (delay.toMs - delay.fromMs);
    case 'normal':
      return clamp(delay.meanMs + delay.deviationMs * drawNormal(random));
    case 'lognormal':
      return clamp(delay.medianMs * Math.exp(delay.sigma * drawNormal(random)));
  }
}

/** From the standard normal distribution, by the method of Box and Muller. */
function drawNormal(random: RandomStream): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

function clamp(ms: number): number {
  return Math.min(MAX_DELAY_MS, Math.max(0, ms));
}
