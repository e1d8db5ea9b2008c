import type { Delivery } from '../../server/actions/shapes';

/** `1 request`, `2 requests`, `1,234 requests`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `812 bytes`, `1.2 kB`, `5.0 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `0.4 ms`, `12 ms`, `1.5 s`; a dash where it is not known. */
export function durationText(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** What a client sees of the way that a response is sent, in sentences; none where it is sent as usual. */
export function deliveryTexts(delivery: Delivery | null): string[] {
  const { delayMs = 0, dribble = null, end = null } = delivery ?? {};
  const late = delayMs > 0 ? [`It is sent ${durationText(delayMs)} late.`] : [];
  if (end === 'reset')
    return [
      ...late,
      'The connection is reset before the first byte: a client sees no status, no header fields and no body.',
    ];
  return [
    ...late,
    ...(dribble === null
      ? []
      : [`Its body comes in pieces: ${counted(dribble.bytes, 'byte')} every ${durationText(dribble.everyMs)}.`]),
    ...(end === 'truncate' ? ['The connection ends in the middle of its body.'] : []),
  ];
}

/** The time of day of an RFC 3339 timestamp, as its clock shows it here: `14:03:07.120`. */
export function timeText(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${day}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Date and time of day, without parts of a second: `2026-11-24 14:03:07`. */
export function dateTimeText(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join('-');
  return `${day} ${timeText(timestamp).slice(0, 8)}`;
}

/** Class of a status for colours: `ok`, `moved`, `bad`, `broken`. */
export function statusClass(status: number): string {
  if (status >= 500) return 'status-broken';
  if (status >= 400) return 'status-bad';
  return status >= 300 ? 'status-moved' : 'status-ok';
}
