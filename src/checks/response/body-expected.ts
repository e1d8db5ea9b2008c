import type { Finding } from '../finding';
import { notEvaluated } from '../matchers/match-findings';
import { matchValue } from '../matchers/match-value';
import { remainderMessage } from '../remainder';
import type { ResponseCheck } from './response-check';
import { shownText, shownValue } from './shown';

/** Every item is compared; so many disagreements are listed. */
const MOST_FINDINGS = 10;

/** The body is what the contract expects; what nothing could be compared with is a warning. */
export const bodyExpected: ResponseCheck = {
  id: 'body-expected',
  source: 'the contract, expect.body',
  run(observed) {
    const { expected, body } = observed;
    // Where the status is another one, the body is another one too: one cause, one finding.
    if (expected?.body === undefined || !expected.statuses.includes(observed.status)) return undefined;
    const spec = observed.documented?.pointer;
    const about = { check: 'body-expected', severity: 'error', spec } as const;
    if (body.kind === 'not-json') {
      return [
        { ...about, at: '/response/body', message: 'The body is no JSON', expected: 'JSON', actual: body.reason },
      ];
    }
    const { mismatches, unevaluated } = matchValue(expected.body, body.kind === 'json' ? body.value : undefined);
    const findings = mismatches.slice(0, MOST_FINDINGS).map(({ pointer, message, ...mismatch }): Finding => {
      return {
        ...about,
        at: `/response/body${pointer}`,
        message: `${pointer === '' ? 'The body' : `The value ${pointer}`} ${message}`,
        expected: mismatch.expected === undefined ? undefined : shownText(mismatch.expected),
        actual: shownValue(mismatch.actual),
      };
    });
    const more = mismatches.length - findings.length;
    if (more > 0) findings.push({ ...about, at: '/response/body', message: remainderMessage(more) });
    return [...findings, ...unevaluated.map((part) => notEvaluated(part, '/response/body', spec))];
  },
};
