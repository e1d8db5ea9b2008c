/** A moment in UTC as it is written; `month` counts from 1, `second` may be 60. */
interface CalendarTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Tells whether the Gregorian calendar has this day, also before it came into use (RFC 3339 §5.7). */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Milliseconds since 1970-01-01T00:00:00Z; second 60 is the same moment as second 0 of the next minute. */
export function toEpochMs({ year, month, day, hour, minute, second }: CalendarTime): number {
  // `Date.UTC` would take the years 0 to 99 for 1900 to 1999.
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  return midnight + ((hour * 60 + minute) * 60 + second) * 1000;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

const FULL_DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;
const MINUTES_PER_DAY = 1440;

/**
 * Tells whether a text is a `date-time` (RFC 3339 §5.6, §5.7): `T` and `Z` in either case, any number of fraction
 * digits, the offset required. A leap second is 23:59:60 in UTC, on any day: which days had one is not in the text. A
 * space instead of `T` is rejected.
 */
export function isRfc3339DateTime(text: string): boolean {
  return parseRfc3339(text) !== undefined;
}

/** Tells whether a text is a `full-date`: `YYYY-MM-DD` and a day that the calendar has (RFC 3339 §5.6, §5.7). */
export function isRfc3339Date(text: string): boolean {
  const [year, month, day] = (FULL_DATE.exec(text) ?? []).slice(1).map(Number);
  return year !== undefined && month !== undefined && day !== undefined && isCalendarDate(year, month, day);
}

/**
 * The moment that a `date-time` means, see {@link isRfc3339DateTime}.
 *
 * @returns milliseconds since the epoch, with a fraction when the text is finer than a millisecond, so that moments
 *   still sort; a leap second is the same number as the second after it. `undefined` when the text is no `date-time`
 */
export function parseRfc3339(text: string): number | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;

  const local = toLocalTime(match.slice(1, 7).map(Number));
  const [fraction = '0', offset = ''] = match.slice(7);
  const offsetMinutes = parseOffset(offset);
  if (offsetMinutes === undefined || !isTimeOfDay(local, offsetMinutes)) return undefined;
  if (!isCalendarDate(local.year, local.month, local.day)) return undefined;

  return toEpochMs(local) - offsetMinutes * 60_000 + Number(`0.${fraction}`) * 1000;
}

function toLocalTime([
  year = 0,
  month = 0,
  day = 0,
  hour = 0,
  minute = 0,
  second = 0,
]: readonly number[]): CalendarTime {
  return { year, month, day, hour, minute, second };
}

/** Minutes east of UTC for `Z` or `+hh:mm`; `undefined` beyond 23:59. `-00:00` is UTC too (RFC 3339 §4.3). */
function parseOffset(text: string): number | undefined {
  if (text.length === 1) return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4));
  if (hours > 23 || minutes > 59) return undefined;
  return (hours * 60 + minutes) * (text.startsWith('-') ? -1 : 1);
}

function isTimeOfDay({ hour, minute, second }: CalendarTime, offsetMinutes: number): boolean {
  if (hour > 23 || minute > 59 || second > 60) return false;
  return second < 60 || isLastMinuteInUtc(hour * 60 + minute - offsetMinutes);
}

function isLastMinuteInUtc(minuteOfDay: number): boolean {
  return (minuteOfDay + MINUTES_PER_DAY) % MINUTES_PER_DAY === MINUTES_PER_DAY - 1;
}

const YEAR_1_MS = Date.parse('0001-01-01T00:00:00Z');
const YEAR_9999_MS = Date.parse('9999-01-01T00:00:00Z');

/** Can a clock be set to this? Within the years that RFC 3339 can write, with a year to run on at the end. */
export function isClockTime(epochMs: number): boolean {
  return epochMs >= YEAR_1_MS && epochMs < YEAR_9999_MS;
}
