import { previewStatus, type ResponseCheck } from '../../response-check';

/** The status is the one, or one of those, that the contract expects. */
export const statusExpected: ResponseCheck = {
  id: 'status-expected',
  source: 'the contract, expect.status',
  basis: 'contract',
  run(observed) {
    const { expected, status } = observed;
    // Who looks at something and expects nothing of it names no status.
    if (expected === undefined || expected.statuses.length === 0) return undefined;
    if (expected.statuses.includes(status)) return [];
    const wanted = expected.statuses.join(' or ');
    return [
      {
        at: '/response/status',
        message: `Expected status ${wanted}, got ${status}`,
        expected: wanted,
        statuses: expected.statuses,
        actual: previewStatus(observed),
        spec: observed.documented?.pointer ?? observed.operation?.pointer,
        hint: hintFor(expected.statuses, status),
      },
    ];
  },
};

function hintFor(wanted: readonly number[], status: number): string | undefined {
  if (status === 304) return 'The request had a condition: was the tag that it names the one of before?';
  if (status >= 300 && status < 400) return 'Redirects are not followed: name the final base URL.';
  const isRejectionWanted = wanted.length === 1 && wanted[0] === 401;
  if (isRejectionWanted && status < 300) return 'The operation is open to callers without a valid key.';
  if (isRejectionWanted && status === 403) return '403 is for a caller who is known; without a valid key it is 401.';
  if (isRejectionWanted) return 'Check credentials before the rest of the request.';
  if (status === 401) return 'Is the API key one that this deployment accepts?';
  return undefined;
}
