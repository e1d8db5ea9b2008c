import { isRfc3339Date, parseRfc3339 } from '../../core/time/date-time';
import { timeOffset } from '../../formats/contract/relative-times';
import type { Call } from '../flow/call';
import { leavesOf } from '../flow/producers';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** What lies further ahead is no time of the session, but one that stands for ever: the year 2100. */
const FURTHEST_MS = 5 * 365 * DAY_MS;
/** So much before the request a clock that was read for it may have shown. */
const JUST_NOW_MS = 90_000;
/** A client reads the clock a moment before it sends. */
const ROUND_MS = 2000;

/**
 * Times that requests sent and that lie ahead, or that are the time of the request: at another time they would have passed.
 * By what was recorded, with what counts them from the beginning of the run.
 */
export function findSessionTimes(calls: readonly Call[]): Map<string, string> {
  const times = new Map<string, string>();
  for (const call of calls) {
    const { startedAt } = call.exchange;
    if (startedAt === undefined) continue;
    for (const text of textsSent(call)) {
      const relative = times.has(text) ? undefined : relativeTime(text, startedAt);
      if (relative !== undefined) times.set(text, relative);
    }
  }
  return times;
}

function textsSent({ requestBody, parameters }: Call): string[] {
  const values = [...parameters.map(({ value }) => value), ...(requestBody === undefined ? [] : [requestBody])];
  return values.flatMap((value) => leavesOf(value).flatMap(({ text, isText }) => (isText ? [text] : [])));
}

function relativeTime(text: string, sentAt: number): string | undefined {
  if (isRfc3339Date(text)) {
    const days = daysAhead(Date.parse(`${text}T00:00:00Z`), sentAt);
    return days < 0 || days * DAY_MS > FURTHEST_MS ? undefined : `\${today+${days}d}`;
  }
  const moment = parseRfc3339(text);
  if (moment === undefined) return undefined;
  const distance = moment - sentAt;
  if (distance < -JUST_NOW_MS || distance > FURTHEST_MS) return undefined;
  if (Math.abs(distance) <= JUST_NOW_MS) return '${now+0s}';
  return wallClockTime(text, moment, sentAt) ?? `\${now${timeOffset(rounded(distance))}}`;
}

/** Nine o'clock of a day is one of another day as well. */
function wallClockTime(text: string, moment: number, sentAt: number): string | undefined {
  const days = daysAhead(moment, sentAt);
  const [, time] = /T(\d\d:\d\d:00(?:\.0+)?Z)$/.exec(text) ?? [];
  return time === undefined || days < 1 || isRound(moment - sentAt) ? undefined : `\${today+${days}d}T${time}`;
}

function daysAhead(moment: number, sentAt: number): number {
  return Math.floor(moment / DAY_MS) - Math.floor(sentAt / DAY_MS);
}

function rounded(distance: number): number {
  return isRound(distance) ? Math.round(distance / MINUTE_MS) * MINUTE_MS : distance;
}

function isRound(distance: number): boolean {
  return Math.abs(distance - Math.round(distance / MINUTE_MS) * MINUTE_MS) <= ROUND_MS;
}
