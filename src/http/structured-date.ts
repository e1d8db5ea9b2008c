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
