import type { ResponseCheck } from './response-check';
import { shownStatus } from './shown';

/** The status is the one, or one of those, that the contract expects. */
export const statusExpected: ResponseCheck = {
  id: 'status-expected',
  source: 'the contract, expect.status',
  run(observed) {
    const { expected, status } = observed;
    // Whoever looks at something and expects nothing of it names no status.
    if (expected === undefined || expected.statuses.length === 0) return undefined;
    if (expected.statuses.includes(status)) return [];
    const wanted = expected.statuses.join(' or ');
    return [
      {
        check: 'status-expected',
        severity: 'error',
        at: '/response/status',
        message: `The status is ${status}, not ${wanted}`,
        expected: wanted,
        actual: shownStatus(observed),
        spec: observed.documented?.pointer ?? observed.operation?.pointer,
        hint: hintFor(expected.statuses, status),
      },
    ];
  },
};

function hintFor(wanted: readonly number[], status: number): string | undefined {
  if (status === 304) return 'The request had a condition: was the tag that it names the one of before?';
  if (status >= 300 && status < 400) return 'Redirects are not followed: name the final base URL.';
  const isRefusalWanted = wanted.length === 1 && wanted[0] === 401;
  if (isRefusalWanted && status < 300) return 'The operation is open to callers without a valid key.';
  if (isRefusalWanted && status === 403) return '403 is for a caller who is known; without a valid key it is 401.';
  if (isRefusalWanted) return 'Judge the credentials before the rest of the request.';
  if (status === 401) return 'Is the API key one that this deployment accepts?';
  return undefined;
}
