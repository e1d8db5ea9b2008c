import type { Expectation } from '../../../formats/contract/contract';
import { scalarText } from '../../../core/json/stringify-json';
import { headerValues } from '../../../core/http/headers';
import type { CheckFinding } from '../../../core/errors/finding';
import { mismatchMessage, notEvaluated } from '../../matchers/mismatch';
import { matchValue } from '../../matchers/match-value';
import type { ObservedResponse, ResponseCheck } from '../../response-check';
import { previewText } from '../../../core/json/value-preview';

/** The headers are what the contract expects; several lines of one name are joined with a comma. */
export const headersExpected: ResponseCheck = {
  id: 'headers-expected',
  source: 'the contract, expect.headers',
  basis: 'contract',
  priority: -4,
  run(observed) {
    const { expected, status } = observed;
    // Where the status is another one, the headers are other ones too: one cause, one finding.
    if (expected === undefined || expected.headers.length === 0 || !expected.statuses.includes(status))
      return undefined;
    return expected.headers.flatMap((header) => checkHeader(observed, header));
  },
};

function checkHeader(
  { headers, documented }: ObservedResponse,
  { name, matcher }: Expectation['headers'][number],
): CheckFinding[] {
  const lines = headerValues(headers, name);
  const text = lines.length === 0 ? undefined : lines.join(', ');
  const at = `/response/headers/${name.toLowerCase()}`;
  const spec = documented?.headers.get(name.toLowerCase())?.pointer ?? documented?.pointer;
  const { mismatches, unevaluated } = matchValue(matcher, text);
  return [
    ...mismatches.map(({ rule, message, ...mismatch }): CheckFinding => {
      const expected = previewText(matcher.kind === 'value' ? scalarText(matcher.value) : (mismatch.expected ?? ''));
      const actual = text === undefined ? 'no header' : previewText(text);
      return {
        at,
        message: mismatchMessage(text === undefined ? `The header ${name}` : name, message, expected, actual),
        expected,
        actual,
        spec,
        identity: { subject: `The header ${name}`, rule },
      };
    }),
    ...unevaluated.map((part) => notEvaluated(part, at, spec)),
  ];
}
