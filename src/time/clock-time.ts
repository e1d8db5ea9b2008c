const YEAR_1_MS = Date.parse('0001-01-01T00:00:00Z');
const YEAR_9999_MS = Date.parse('9999-01-01T00:00:00Z');

/** Can a clock be set to this? Within the years that RFC 3339 can write, with a year to run on at the end. */
export function isClockTime(epochMs: number): boolean {
  return epochMs >= YEAR_1_MS && epochMs < YEAR_9999_MS;
}
