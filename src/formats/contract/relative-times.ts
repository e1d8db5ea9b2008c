import { isJsonObject, type JsonValue } from '../../core/json/json-value';

/** `${now+2h}` is a moment, `${today-7d}` a day; both in UTC, counted from when the contract is read. */
const RELATIVE = /\$\$\{|\$\{(now|today)([+-]\d{1,9})([smhd])\}/g;
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNIT_MS;

/** Does a text have a time in it that is counted from the beginning of a run? */
export function hasRelativeTime(text: string): boolean {
  return [...text.matchAll(RELATIVE)].some(([, word]) => word !== undefined);
}

/**
 * Puts times in the place of those that are counted from `nowMs` (RFC 3339 §5.6). One beyond the calendar stays as it is
 * written, and is rejected as a name that nothing gives.
 */
export function fillRelativeTimes(value: JsonValue, nowMs: number): JsonValue {
  if (typeof value === 'string') return fillText(value, nowMs);
  if (Array.isArray(value)) return value.map((item) => fillRelativeTimes(item, nowMs));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [name, fillRelativeTimes(property, nowMs)]),
  );
}

function fillText(text: string, nowMs: number): string {
  return text.replace(RELATIVE, (all, word: string | undefined, count: string, unit: Unit) => {
    if (word === undefined) return all;
    const moment = new Date(nowMs + Number(count) * UNIT_MS[unit]);
    const year = Number.isNaN(moment.getTime()) ? -1 : moment.getUTCFullYear();
    if (year < 0 || year > 9999) return all;
    const written = moment.toISOString();
    return word === 'today' ? written.slice(0, 'yyyy-mm-dd'.length) : `${written.slice(0, -'.000Z'.length)}Z`;
  });
}

/** The largest unit that counts a distance: `+2h`, `-90s`; it is rounded to seconds. */
export function timeOffset(distanceMs: number): string {
  const seconds = Math.round(distanceMs / 1000);
  const unit =
    (['d', 'h', 'm'] as const).find((each) => seconds !== 0 && (seconds * 1000) % UNIT_MS[each] === 0) ?? 's';
  const count = (seconds * 1000) / UNIT_MS[unit];
  return `${count < 0 ? '-' : '+'}${Math.abs(count)}${unit}`;
}
