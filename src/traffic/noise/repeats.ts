import { headerValue } from '../../core/http/headers';
import { isSafe } from '../../core/http/message';
import { parseTarget, splitPath } from '../../core/http/request-target';
import { groupBy } from '../../core/text/group-by';
import { singularOf } from '../../core/text/inflection';
import { isJsonObject } from '../../core/json/json-value';
import { addToList } from '../../core/text/memoize';
import { isStateName } from '../../openapi/naming/states';
import { isSensitiveHeader } from '../../security/credential-locations';
import { jsonInText } from '../exchange/json-text';
import type { CleanExchange, RecordedBody } from '../exchange/recorded-exchange';
import { namedValue } from '../secrets/value-names';

/** Requests that say nothing new, and those that waited for something. */
export interface Repeats {
  readonly kept: readonly CleanExchange[];
  /** The same safe request with the same response again, and nothing that it is about changed between them. */
  readonly duplicates: readonly CleanExchange[];
  /** Requests whose response was not yet what was waited for. */
  readonly polls: readonly CleanExchange[];
  /** Requests that are made at the beat of a clock, with the same response as before. */
  readonly timed: readonly CleanExchange[];
  /** Those of `kept` whose response changed by itself, each with all requests up to it, itself the last. */
  readonly waited: ReadonlyMap<CleanExchange, readonly CleanExchange[]>;
}

/** So many that differ, with nothing sent between them, are no chance. */
const SURE = 3;

/**
 * Takes repetitions out. A safe request that is made again with nothing written between is the same once more where its
 * response is the same; where the response changed, the service changed by itself, and the client waited for the last.
 * Two that differ in something other than status and state are both kept: time passed.
 */
export function withoutRepeats(all: readonly CleanExchange[]): Repeats {
  const timed = timedRepeats(all);
  const exchanges = all.filter((each) => !timed.has(each));
  const duplicates = new Set<CleanExchange>();
  const polls = new Set<CleanExchange>();
  const waited = new Map<CleanExchange, readonly CleanExchange[]>();
  for (const all of runsOf(exchanges)) {
    const run = answeredOf(all);
    for (const each of all) if (!run.includes(each)) duplicates.add(each);
    const changes = run.filter((each, index) => index === 0 || !isSameResponse(run[index - 1], each));
    const last = changes.at(-1);
    if (last === undefined || !isWaiting(changes)) {
      for (const each of run) if (!changes.includes(each)) duplicates.add(each);
      continue;
    }
    waited.set(last, run.slice(0, run.indexOf(last) + 1));
    for (const [index, each] of run.entries()) {
      if (each === last) continue;
      (index < run.indexOf(last) ? polls : duplicates).add(each);
    }
  }
  const rest = exchanges.filter((each) => !duplicates.has(each) && !polls.has(each));
  for (const each of askedInPassing(rest, waited)) duplicates.add(each);
  return {
    kept: exchanges.filter((each) => !duplicates.has(each) && !polls.has(each)),
    duplicates: exchanges.filter((each) => duplicates.has(each)),
    polls: exchanges.filter((each) => polls.has(each)),
    timed: all.filter((each) => timed.has(each)),
    waited,
  };
}

/** Those of the same requests that have a response; all where none has. */
function answeredOf(run: readonly CleanExchange[]): readonly CleanExchange[] {
  const answered = run.filter(({ response }) => response !== undefined);
  return answered.length === 0 ? run : answered;
}

/** So often a page has asked again by itself, so quick none does, and so much a beat may be off. */
const BEATS = 5;
const QUICKEST_MS = 100;
const OFF_BEAT = 0.5;
/** Of ten pauses so many are as long as the others: a page that is busy misses a beat. */
const ON_TIME = 0.8;
/** Of what a clock asks so much says nothing new. */
const SAME_AGAIN = 0.5;

/**
 * What a clock of a page asks for, whatever is written meanwhile: all with the response that the one before had. A person
 * may ask at a beat too, by chance: a list is read again behind each write, and most of what is read then is new.
 */
function timedRepeats(exchanges: readonly CleanExchange[]): Set<CleanExchange> {
  const asked = new Map<string, CleanExchange[]>();
  const writesBefore = new Map<CleanExchange, number>();
  let writes = 0;
  for (const exchange of exchanges) {
    writesBefore.set(exchange, writes);
    if (isSafe(exchange.request.method)) addToList(asked, requestKey(exchange), exchange);
    else writes += 1;
  }
  const repeats = [...asked.values()].filter(hasBeat).flatMap((run) => {
    const again = run.filter((each, index) => index > 0 && isSameResponse(run[index - 1], each));
    // Where nothing was written between, it is the same once more, whoever asked.
    const isAcrossWrites = new Set(run.map((each) => writesBefore.get(each))).size > 1;
    return isAcrossWrites && again.length >= (run.length - 1) * SAME_AGAIN ? again : [];
  });
  return new Set(repeats);
}

function hasBeat(run: readonly CleanExchange[]): boolean {
  const times = run.flatMap(({ startedAt }) => startedAt ?? []);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const usual = pauses.toSorted((one, other) => one - other)[Math.floor(pauses.length / 2)] ?? 0;
  if (run.length < BEATS || times.length < run.length || usual < QUICKEST_MS) return false;
  const onTime = pauses.filter((pause) => Math.abs(pause - usual) <= usual * OFF_BEAT);
  return onTime.length >= pauses.length * ON_TIME;
}

/**
 * What a client asks before whatever it does, such as the version of a service: the same request at least three times,
 * always with the same response, at a place of its own, apart from all that was written to.
 *
 * @returns all but the first of each
 */
function askedInPassing(exchanges: readonly CleanExchange[], waited: Repeats['waited']): CleanExchange[] {
  const shared = sharedSegments(exchanges);
  const written = new Set(
    exchanges.filter(({ request }) => !isSafe(request.method)).map((each) => placeOf(each, shared)),
  );
  const asked = exchanges.filter(
    (each) => isSafe(each.request.method) && !waited.has(each) && !written.has(placeOf(each, shared)),
  );
  return groupBy(asked, requestKey).flatMap((group) => {
    const [first, ...again] = group;
    return again.length + 1 >= SURE && again.every((each) => isSameResponse(first, each)) ? again : [];
  });
}

function segmentsOf({ request }: CleanExchange): string[] {
  return splitPath(parseTarget(request.target)?.path ?? request.target);
}

/** With how many segments all paths begin. */
function sharedSegments(exchanges: readonly CleanExchange[]): number {
  const [first = [], ...others] = exchanges.map(segmentsOf);
  const end = first.findIndex((segment, index) => others.some((each) => each[index] !== segment));
  return end === -1 ? 0 : end;
}

/** What a path is about: `thing` of `/v2/things/7`, where all of them begin with `/v2`. */
function placeOf(exchange: CleanExchange, shared: number): string {
  return singularOf(segmentsOf(exchange)[shared] ?? '');
}

/** Safe requests that are the same, with nothing between them that changes something. */
function runsOf(exchanges: readonly CleanExchange[]): CleanExchange[][] {
  const runs: CleanExchange[][] = [];
  let open = new Map<string, CleanExchange[]>();
  for (const exchange of exchanges) {
    if (!isSafe(exchange.request.method)) {
      open = new Map();
      continue;
    }
    const key = requestKey(exchange);
    const run = open.get(key);
    if (run !== undefined) run.push(exchange);
    else {
      const begun = [exchange];
      open.set(key, begun);
      runs.push(begun);
    }
  }
  return runs;
}

/** Headers that change what is asked for, or who asks; others that are called keys do so too. */
const ASKING = [
  'authorization',
  'cookie',
  'accept',
  'accept-language',
  'range',
  'if-none-match',
  'if-modified-since',
  'prefer',
];

function requestKey({ origin, request }: CleanExchange): string {
  const asked = ASKING.map((name) => headerValue(request.headers, name) ?? '');
  const keys = request.headers.filter((_, index) => index % 2 === 1 && isKey(request.headers[index - 1] ?? ''));
  return JSON.stringify([origin, request.method, request.target, ...asked, ...keys]);
}

function isKey(header: string): boolean {
  return isSensitiveHeader(header) && namedValue(header) !== 'forgery-token';
}

function isSameResponse(left: CleanExchange | undefined, right: CleanExchange): boolean {
  const [before, after] = [left?.response, right.response];
  return before?.status === after?.status && isSameBody(before?.body, after?.body);
}

/** Without a copy of either: many are large. */
function isSameBody(left: RecordedBody | undefined, right: RecordedBody | undefined): boolean {
  if (left?.kind === 'text' && right?.kind === 'text') return left.text === right.text;
  return JSON.stringify(left) === JSON.stringify(right);
}

function isWaiting(changes: readonly CleanExchange[]): boolean {
  const states = new Set(changes.map(stateOf));
  return states.size > 1 || changes.length >= SURE;
}

/** Status, and the state that the thing shown is in. */
function stateOf(exchange: CleanExchange): string {
  return JSON.stringify([exchange.response?.status, ...shownStates(exchange).map(({ value }) => value)]);
}

/** A state that a response shows. */
export interface ShownState {
  /** Names of properties from the body. */
  readonly path: readonly string[];
  readonly value: string;
}

/** The states of the thing that a response shows, and of what it is wrapped in. */
export function shownStates({ response }: CleanExchange): ShownState[] {
  const body = response?.body?.kind === 'text' ? jsonInText(response.body.text) : undefined;
  if (!isJsonObject(body)) return [];
  const inner = Object.entries(body).flatMap(([name, value]) => (isJsonObject(value) ? [{ path: [name], value }] : []));
  return [{ path: [], value: body }, ...inner].flatMap(({ path, value: object }) =>
    Object.entries(object).flatMap(([name, value]) =>
      isStateName(name) && typeof value === 'string' ? [{ path: [...path, name], value }] : [],
    ),
  );
}
