import type { RawHeaders } from './message';

/** The value of the first line named `name`, compared without case (RFC 9110 §5.1); `undefined` when there is none. */
export function headerValue(headers: RawHeaders, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (let index = 0; index < headers.length; index += 2) {
    if (isNamed(headers[index], wanted)) return headers[index + 1];
  }
  return undefined;
}

/** The values of all lines named `name`, compared without case, in the order of the lines (RFC 9110 §5.3). */
export function headerValues(headers: RawHeaders, name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter((_, index) => index % 2 === 1 && isNamed(headers[index - 1], wanted));
}

/**
 * How many lines have this name. Node joins repeated lines of some headers and keeps the first of others, so only the
 * raw lines show that a header was sent twice.
 *
 * @param lowerCaseName - already in lower case, because this runs for each request
 */
export function countHeader(rawHeaders: RawHeaders, lowerCaseName: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (isNamed(rawHeaders[index], lowerCaseName)) count += 1;
  }
  return count;
}

function isNamed(candidate: string | undefined, lowerCaseName: string): boolean {
  // Lengths first: nearly every line differs there, and then no lower-case copy is made.
  if (candidate?.length !== lowerCaseName.length) return false;
  return candidate === lowerCaseName || candidate.toLowerCase() === lowerCaseName;
}
