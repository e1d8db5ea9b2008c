import { headerValue } from '../../../core/http/headers';
import { parseRetryAfter } from '../../../core/http/http-date';
import { type ObservedResponse, previewStatus, type ResponseCheck } from '../../response-check';

/**
 * No request makes the server fail, documented or not: a description lists 500 to say what a failure looks like, not
 * that it is one of the right answers. A 503 that says when to come back is a server that takes care of itself.
 */
export const noServerError: ResponseCheck = {
  id: 'no-server-error',
  source: 'RFC 9110 §15.6; WFC 100, 963',
  basis: 'http',
  run(observed) {
    const { status, expected, operation, documented } = observed;
    if (expected?.statuses.includes(status) === true) return undefined;
    if (status < 500 || status > 599) return [];
    const isPause = status === 503 && hasRetryAfter(observed);
    return [
      {
        severity: isPause ? 'warning' : 'error',
        at: '/response/status',
        message: isPause ? 'The server was not ready' : `The server failed with ${status}`,
        expected: 'a status below 500',
        actual: previewStatus(observed),
        spec: documented?.pointer ?? operation?.pointer,
        hint: hintFor(observed),
      },
    ];
  },
};

function hasRetryAfter({ headers }: ObservedResponse): boolean {
  return parseRetryAfter(headerValue(headers, 'retry-after') ?? '', 0) !== undefined;
}

function hintFor({ status, operation }: ObservedResponse): string | undefined {
  if (status === 501 && operation !== undefined) return 'The description has this operation, and the server does not.';
  if (status === 502 || status === 504) return 'A gateway responded in place of the service.';
  if (status === 503) return 'A 503 that has Retry-After is a warning only.';
  return 'A request that cannot be used is rejected with a status from 400 to 499.';
}
