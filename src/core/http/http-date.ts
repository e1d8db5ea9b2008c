import { isCalendarDate, toEpochMs } from '../time/date-time';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const LONG_DAY = `(?<dayName>${DAYS.join('|')})`;
const SHORT_DAY = `(?<dayName>${DAYS.map((name) => name.slice(0, 3)).join('|')})`;
const MONTH = `(?<month>${MONTHS.join('|')})`;
const DAY = String.raw`(?<day>\d\d)`;
const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`;
const YEAR = String.raw`(?<year>\d{4})`;

const FORMS = [
  new RegExp(`^${SHORT_DAY}, ${DAY} ${MONTH} ${YEAR} ${TIME} GMT$`), // IMF-fixdate
  new RegExp(String.raw`^${LONG_DAY}, ${DAY}-${MONTH}-(?<year>\d\d) ${TIME} GMT$`), // RFC 850
  new RegExp(String.raw`^${SHORT_DAY} ${MONTH} (?<day>\d\d| \d) ${TIME} ${YEAR}$`), // asctime
];

const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Writes an IMF-fixdate, such as `Thu, 05 Dec 2030 00:00:00 GMT` (RFC 9110 §5.6.7). Milliseconds are cut off.
 *
 * @throws RangeError outside the years 0 to 9999, which four digits cannot tell
 */
export function formatHttpDate(epochMs: number): string {
  if (!(epochMs >= FIRST_MS && epochMs <= LAST_MS)) throw new RangeError(`No HTTP date for ${epochMs} ms`);
  return new Date(epochMs).toUTCString();
}

/**
 * Reads an HTTP-date in any of its three forms: IMF-fixdate, RFC 850, asctime (RFC 9110 §5.6.7). Strict: letter case,
 * zone, digits, the calendar and the name of the day must all be right; second 60 only as 23:59:60.
 *
 * @param nowMs - places the two-digit year of an RFC 850 date at most 50 years after this moment; without it, from
 *   1970 to 2069
 * @returns milliseconds since the epoch
 */
export function parseHttpDate(text: string, nowMs?: number): number | undefined {
  for (const form of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups !== undefined) return toTime(groups, nowMs);
  }
  return undefined;
}

/**
 * Tells whether a value is an IMF-fixdate, the one form of a date that may still be sent (RFC 9110 §5.6.7). The other
 * two are read for the sake of old senders.
 */
export function isFixdate(text: string): boolean {
  return /^[A-Z][a-z]{2}, /.test(text) && parseHttpDate(text) !== undefined;
}

function toTime(groups: Readonly<Record<string, string>>, nowMs: number | undefined): number | undefined {
  const { year = '', month = '', day, hour, minute, second, dayName = '' } = groups;
  const time = {
    year: year.length === 2 ? fullYear(Number(year), nowMs) : Number(year),
    month: MONTHS.indexOf(month) + 1,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
  if (!isCalendarDate(time.year, time.month, time.day) || !isTimeOfDay(time)) return undefined;

  const weekday = new Date(toEpochMs({ ...time, hour: 0, minute: 0, second: 0 })).getUTCDay();
  return DAYS[weekday]?.startsWith(dayName) === true ? toEpochMs(time) : undefined;
}

function isTimeOfDay({ hour, minute, second }: { hour: number; minute: number; second: number }): boolean {
  if (hour > 23 || minute > 59) return false;
  return second < 60 || (second === 60 && hour === 23 && minute === 59);
}

function fullYear(twoDigits: number, nowMs: number | undefined): number {
  const lastYear = nowMs === undefined ? 2069 : new Date(nowMs).getUTCFullYear() + 50;
  const century = lastYear - (lastYear % 100);
  return century + twoDigits > lastYear ? century - 100 + twoDigits : century + twoDigits;
}

const LARGEST_SECONDS = 999_999_999_999_999;

/**
 * Writes a Date of Structured Fields, such as `@1767225600`: whole seconds since the epoch (RFC 9651 §3.3.7).
 *
 * @throws RangeError beyond fifteen digits
 */
export function formatStructuredDate(epochMs: number): string {
  const seconds = Math.floor(epochMs / 1000);
  if (!(Math.abs(seconds) <= LARGEST_SECONDS)) throw new RangeError(`No structured date for ${epochMs} ms`);
  return `@${seconds}`;
}

/**
 * Reads an Item that is a Date (RFC 9651 §3.3.7, §4.2). Parameters behind it are passed over: no header that has such
 * a Date defines any.
 *
 * @returns milliseconds since the epoch; `undefined` for anything else, such as `true` or an HTTP-date
 */
export function parseStructuredDate(text: string): number | undefined {
  const seconds = /^ *@(-?\d{1,15})(?: *$|;)/.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/**
 * How long a `Retry-After` value asks to wait (RFC 9110 §10.2.3): delay-seconds or an HTTP-date.
 *
 * @param value - raw header value
 * @param nowMs - milliseconds since the epoch; a date in the past gives 0
 * @returns milliseconds, a safe integer; `undefined` when it is neither
 */
export function parseRetryAfter(value: string, nowMs: number): number | undefined {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const dateMs = parseHttpDate(text, nowMs);
  return dateMs === undefined ? undefined : Math.max(dateMs - nowMs, 0);
}
