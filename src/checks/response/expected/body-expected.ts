import { type CheckFinding, limitFindings } from '../../../core/errors/finding';
import { mismatchMessage, notEvaluated } from '../../matchers/mismatch';
import { matchValue } from '../../matchers/match-value';
import type { ResponseCheck } from '../../response-check';
import { previewText, previewValue } from '../../../core/json/value-preview';

/** Every item is compared; so many mismatches are listed. */
const MAX_LISTED = 10;

/** The body is what the contract expects; what nothing could be compared with is a warning. */
export const bodyExpected: ResponseCheck = {
  id: 'body-expected',
  source: 'the contract, expect.body',
  basis: 'contract',
  priority: -3,
  run(observed) {
    const { expected, body } = observed;
    // Where the status is another one, the body is another one too: one cause, one finding.
    if (expected?.body === undefined || !expected.statuses.includes(observed.status)) return undefined;
    const spec = observed.documented?.pointer;
    if (body.kind === 'not-json') {
      const message = 'The body must be JSON';
      return [{ at: '/response/body', message, expected: 'JSON', actual: body.reason, spec }];
    }
    const { mismatches, unevaluated } = matchValue(expected.body, body.kind === 'json' ? body.value : undefined);
    const findings = limitFindings(mismatches, MAX_LISTED, ({ pointer, rule, message, ...mismatch }): CheckFinding => {
      const wanted = mismatch.expected === undefined ? undefined : previewText(mismatch.expected);
      const actual = previewValue(mismatch.actual);
      const isRoot = pointer === '';
      return {
        at: `/response/body${pointer}`,
        message: mismatchMessage(isRoot ? 'The body' : pointer, message, wanted, actual),
        expected: wanted,
        actual,
        spec,
        identity: {
          subject: isRoot ? 'The body' : `The value ${pointer}`,
          rule,
          // What is not there at all is so whichever value it should have.
          expected: mismatch.actual === undefined ? '' : undefined,
        },
      };
    });
    return [...findings, ...unevaluated.map((part) => notEvaluated(part, '/response/body', spec))];
  },
};
