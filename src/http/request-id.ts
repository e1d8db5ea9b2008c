import type { RawHeaders } from './message';

/** A header by which a service names one request in its own logs. */
export interface RequestId {
  /** As it was sent. */
  readonly name: string;
  readonly value: string;
}

/**
 * What ends in an id of a request, a trace or a correlation, whoever sends it: `X-Request-Id`, `x-amzn-RequestId`,
 * `X-Correlation-ID`; and the headers of tracing, `traceparent` (W3C Trace Context §3.2) and those that hold one.
 */
const NAME =
  /(?:^|-)(?:request|correlation|trace|transaction|operation|invocation|activity|exchange)-?id$|trace-?(?:parent|context)$/i;
const MOST_IDS = 5;
const LONGEST_VALUE = 200;

/** The request ids of an answer, the first five, each at most 200 characters. */
export function requestIdsOf(headers: RawHeaders): RequestId[] {
  const ids: RequestId[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (NAME.test(name) && value !== '') ids.push({ name, value: value.slice(0, LONGEST_VALUE) });
  }
  return ids.slice(0, MOST_IDS);
}
