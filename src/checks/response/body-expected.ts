import { mismatches } from './expected-parts';
import type { ResponseCheck } from './response-check';
import { shownValue } from './shown';

/** The body has the members that the contract expects, with their values. */
export const bodyExpected: ResponseCheck = {
  id: 'body-expected',
  source: 'the contract, expect.body',
  run(observed) {
    const { expected, body } = observed;
    // Where the status is another one, the body is another one too: one cause, one finding.
    if (expected?.body === undefined || !expected.statuses.includes(observed.status)) return undefined;
    const actual = body.kind === 'json' ? body.value : undefined;
    return mismatches(expected.body, actual).map((mismatch) => ({
      check: 'body-expected',
      severity: 'error',
      at: `/response/body${mismatch.pointer}`,
      message: `${mismatch.pointer === '' ? 'The body' : `The value ${mismatch.pointer}`} ${mismatch.message}`,
      expected: mismatch.expected === undefined ? undefined : shownValue(mismatch.expected),
      actual: body.kind === 'not-json' ? 'no JSON' : shownValue(mismatch.actual),
      spec: observed.documented?.pointer,
    }));
  },
};
