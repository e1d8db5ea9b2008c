import { parseHttpDate } from './http-date';

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
