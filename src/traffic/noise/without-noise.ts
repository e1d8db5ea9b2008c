import { counted, printable } from '../../core/text/printable';
import type { CleanExchange } from '../exchange/recorded-exchange';
import {
  addressOf,
  isOfApi,
  NOISE_KINDS,
  type NoiseKind,
  originOf,
  redirectsToPage,
  REQUEST_ALONE,
} from './noise-kinds';
import { withoutRepeats } from './repeats';

/** What was left out, for one reason. */
export interface DroppedTraffic {
  /** Stable id of the reason: `asset`, `preflight`, `duplicate`, … */
  readonly id: string;
  /** What they are, in the number that `count` is: `asset of a page`, `assets of pages`. */
  readonly reason: string;
  readonly count: number;
  /** The first few, `GET https://a.example/app.js (shop.har#/log/entries/3)`, each request once. */
  readonly examples: readonly string[];
  /** All of them, in their order. */
  readonly exchanges: readonly CleanExchange[];
}

/** The traffic of an API, and what of the traffic it is not. */
export interface SiftedTraffic {
  /** In the order in which it was recorded. */
  readonly kept: readonly CleanExchange[];
  /** By reason, in the order of the reasons; together with `kept` all that there was. */
  readonly dropped: readonly DroppedTraffic[];
  /** Scheme, host and port of the API; `undefined` where nothing of the traffic is one. */
  readonly origin: string | undefined;
  /** Kept requests that were made until their response was this one, each with all of those, itself the last. */
  readonly waited: ReadonlyMap<CleanExchange, readonly CleanExchange[]>;
}

type Reason = Pick<NoiseKind, 'id' | 'reason'>;

const EXAMPLES = 3;
const REDIRECT: Reason = { id: 'redirect', reason: ['redirect to a page', 'redirects to pages'] };
const DUPLICATE: Reason = {
  id: 'duplicate',
  reason: [
    'request made again, with the same response and nothing changed between',
    'requests made again, with the same response and nothing changed between',
  ],
};
const POLL: Reason = {
  id: 'poll',
  reason: [
    'request made while the client waited for another response',
    'requests made while the client waited for another response',
  ],
};
const TIMER: Reason = {
  id: 'timer',
  reason: [
    'request that a page makes at the beat of a clock, with the same response as before',
    'requests that a page makes at the beat of a clock, with the same response as before',
  ],
};

/** How traffic is sifted. */
interface SiftOptions {
  /** Of the API, as it was told; the one with most JSON when left out, of several the first. */
  readonly origin?: string | undefined;
  /** Keep requests of files without responses: does a description say what to expect? */
  readonly keepsRequests?: boolean | undefined;
}

/**
 * Takes out of recorded traffic what is not the API: what browsers do by themselves, pages and their files, what
 * these report on their use, other origins, repetitions. Nothing is left out without a count and an example.
 */
export function withoutNoise(
  exchanges: readonly CleanExchange[],
  { origin: told, keepsRequests }: SiftOptions = {},
): SiftedTraffic {
  const kinds = keepsRequests === true ? NOISE_KINDS.filter(({ id }) => id !== REQUEST_ALONE) : NOISE_KINDS;
  const origin = told === undefined ? likeliestOrigin(exchanges) : originOf(told);
  const reasons = new Map<CleanExchange, Reason>();
  for (const exchange of exchanges) {
    const kind = kinds.find(({ is }) => is(exchange, origin));
    if (kind !== undefined) reasons.set(exchange, kind);
  }
  const isPage = (exchange: CleanExchange): boolean => reasons.get(exchange)?.id === 'page';
  const pages = new Set(exchanges.filter(isPage).map((page) => addressOf(page)));
  // The last of several redirects goes to the page; those before it go to one that goes there.
  for (const exchange of [...exchanges].reverse()) {
    if (reasons.has(exchange) || !redirectsToPage(exchange, pages)) continue;
    reasons.set(exchange, REDIRECT);
    pages.add(addressOf(exchange));
  }
  const { kept, duplicates, polls, timed, waited } = withoutRepeats(exchanges.filter((each) => !reasons.has(each)));
  for (const exchange of duplicates) reasons.set(exchange, DUPLICATE);
  for (const exchange of timed) reasons.set(exchange, TIMER);
  for (const exchange of polls) reasons.set(exchange, POLL);
  const order: readonly Reason[] = [...NOISE_KINDS, REDIRECT, DUPLICATE, POLL, TIMER];
  const dropped = order.flatMap((reason): DroppedTraffic[] => {
    const all = exchanges.filter((each) => reasons.get(each)?.id === reason.id);
    return all.length === 0 ? [] : [droppedFor(reason, all)];
  });
  return { kept, dropped, origin, waited };
}

function droppedFor({ id, reason: [one, several] }: Reason, exchanges: readonly CleanExchange[]): DroppedTraffic {
  const examples = new Map<string, string>();
  for (const { request, origin, source } of exchanges) {
    const line = printable(`${request.method} ${origin}${request.target}`);
    if (examples.size < EXAMPLES && !examples.has(line)) examples.set(line, `${line} (${printable(source)})`);
  }
  const count = exchanges.length;
  return { id, reason: count === 1 ? one : several, count, examples: [...examples.values()], exchanges };
}

/** The origin with most exchanges that look like an API's. */
function likeliestOrigin(exchanges: readonly CleanExchange[]): string | undefined {
  const counts = new Map<string, number>();
  for (const exchange of exchanges) {
    const origin = originOf(exchange.origin);
    if (isOfApi(exchange)) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}

/**
 * Why nothing is left, for the one who recorded; `undefined` where something is.
 *
 * @returns a sentence, and what can be done about it
 */
export function nothingLeft(sifted: SiftedTraffic): { readonly message: string; readonly hint: string } | undefined {
  if (sifted.kept.length > 0) return undefined;
  const { dropped, origin } = sifted;
  const all = dropped.reduce((sum, { count }) => sum + count, 0);
  if (all === 0)
    return { message: 'The recording has no exchange', hint: 'Record again, and send requests meanwhile.' };
  const most = dropped.reduce((left, right) => (right.count > left.count ? right : left));
  const parts = dropped.map(({ count, reason }) => `${reason} (${count})`).join(', ');
  const message = `Nothing of ${counted(all, 'exchange')} is traffic of an API${origin === undefined ? '' : ` at ${origin}`}: ${parts}`;
  const hints: Readonly<Record<string, string>> = {
    'other-origin': `Name the origin of the API as the target; the requests went to ${originsOf(most)}.`,
    page: 'What was recorded answers HTML. Expected JSON: record the requests of the pages to their API, or name its origin as the target.',
    [REQUEST_ALONE]: `Give the description of the API with --spec: steps expect what it documents; or send them through \`standin record --target ${origin ?? 'URL'}\`, which keeps the responses.`,
    'no-response': 'Record the responses too: requests alone say nothing of what an API does.',
  };
  return { message, hint: hints[most.id] ?? `For example: ${most.examples[0] ?? ''}` };
}

function originsOf({ exchanges }: DroppedTraffic): string {
  return [...new Set(exchanges.map(({ origin }) => originOf(origin)))].slice(0, EXAMPLES).join(', ');
}
