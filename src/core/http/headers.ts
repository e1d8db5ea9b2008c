import type { RawHeaders, RequestHead } from './message';

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

/** What is true of one body alone: to be taken out where it becomes another. */
export const BODY_HEADERS: ReadonlySet<string> = new Set(['content-length', 'etag']);

/** The lines that have none of the names. @param lowerCaseNames - in lower case */
export function withoutHeaders(headers: RawHeaders, lowerCaseNames: ReadonlySet<string>): RawHeaders {
  return headers.filter((_, index) => !lowerCaseNames.has((headers[index - (index % 2)] ?? '').toLowerCase()));
}

function isNamed(candidate: string | undefined, lowerCaseName: string): boolean {
  // Lengths first: nearly every line differs there, and then no lower-case copy is made.
  if (candidate?.length !== lowerCaseName.length) return false;
  return candidate === lowerCaseName || candidate.toLowerCase() === lowerCaseName;
}

/** A text as the value of a field: what is no visible ASCII is percent-encoded (RFC 9110 §5.5). */
export function toHeaderText(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, (other) => encodeURIComponent(other.toWellFormed()));
}

/** A header by which a service names one request in its own logs. */
export interface RequestId {
  /** As it was sent. */
  readonly name: string;
  readonly value: string;
}

/**
 * What ends in an id of a request, a trace or a correlation, who sends it: `X-Request-Id`, `x-amzn-RequestId`,
 * `X-Correlation-ID`; and the headers of tracing, `traceparent` (W3C Trace Context §3.2) and those that hold one.
 */
const NAME =
  /(?:^|-)(?:request|correlation|trace|transaction|operation|invocation|activity|exchange)-?id$|trace-?(?:parent|context)$/i;
const MOST_IDS = 5;
const LONGEST_VALUE = 200;

/** The request ids of a response, the first five, each at most 200 characters. */
export function requestIdsOf(headers: RawHeaders): RequestId[] {
  const ids: RequestId[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (NAME.test(name) && value !== '') ids.push({ name, value: value.slice(0, LONGEST_VALUE) });
  }
  return ids.slice(0, MOST_IDS);
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

/** Can a header have this name? It is a token (RFC 9110 §5.1). */
export function isHeaderName(name: string): boolean {
  return HEADER_NAME.test(name);
}

/** Headers of which Node keeps the first line; of all others it joins the lines. */
const SINGLE = new Set(['authorization', 'content-length', 'content-type', 'host', 'user-agent']);

/** By lower-case name, the lines of one name joined as Node does. */
export function joinedHeaders(rawHeaders: RawHeaders): Record<string, string> {
  const joined: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const earlier = Object.hasOwn(joined, name) ? joined[name] : undefined;
    if (earlier === undefined) joined[name] = value;
    else if (!SINGLE.has(name)) joined[name] = `${earlier}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  return joined;
}

/**
 * Returns the value of a header of a request, which may be called as properties of every object are: `constructor`.
 *
 * @param key - name in lower case
 */
export function sentHeader({ headers }: Pick<RequestHead, 'headers'>, key: string): string | undefined {
  const value = Object.hasOwn(headers, key) ? headers[key] : undefined;
  return typeof value === 'object' ? value.join(', ') : value;
}
