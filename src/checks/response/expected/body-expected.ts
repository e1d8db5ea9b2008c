import { type CheckFinding, limitFindings } from '../../../core/errors/finding';
import { notEvaluated } from '../../matchers/mismatch';
import { matchValue } from '../../matchers/match-value';
import type { ResponseCheck } from '../../response-check';
import { previewText, previewValue } from '../../../core/json/value-preview';

/** Every item is compared; so many mismatches are listed. */
const MAX_LISTED = 10;

/** The body is what the contract expects; what nothing could be compared with is a warning. */
export const bodyExpected: ResponseCheck = {
  id: 'body-expected',
  source: 'the contract, expect.body',
  scope: 'contract',
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
    const findings = limitFindings(mismatches, MAX_LISTED, ({ pointer, message, ...mismatch }): CheckFinding => {
      return {
        at: `/response/body${pointer}`,
        message: `${pointer === '' ? 'The body' : `The value ${pointer}`} ${message}`,
        expected: mismatch.expected === undefined ? undefined : previewText(mismatch.expected),
        actual: previewValue(mismatch.actual),
        spec,
      };
    });
    return [...findings, ...unevaluated.map((part) => notEvaluated(part, '/response/body', spec))];
  },
};
