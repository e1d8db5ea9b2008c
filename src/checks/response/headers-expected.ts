import type { Expectation } from '../../formats/contract';
import { scalarText } from '../../json/scalar-text';
import { headerValues } from '../../http/headers';
import type { Finding } from '../finding';
import { notEvaluated } from '../matchers/match-findings';
import { matchValue } from '../matchers/match-value';
import type { ObservedResponse, ResponseCheck } from './response-check';
import { shownText } from './shown';

/** The headers are what the contract expects; several lines of one name are joined with a comma. */
export const headersExpected: ResponseCheck = {
  id: 'headers-expected',
  source: 'the contract, expect.headers',
  run(observed) {
    const { expected, status } = observed;
    // Where the status is another one, the headers are other ones too: one cause, one finding.
    if (expected === undefined || expected.headers.length === 0 || !expected.statuses.includes(status))
      return undefined;
    return expected.headers.flatMap((header) => judgeHeader(observed, header));
  },
};

function judgeHeader(
  { headers, documented }: ObservedResponse,
  { name, matcher }: Expectation['headers'][number],
): Finding[] {
  const lines = headerValues(headers, name);
  const text = lines.length === 0 ? undefined : lines.join(', ');
  const at = `/response/headers/${name.toLowerCase()}`;
  const spec = documented?.headers.get(name.toLowerCase())?.pointer ?? documented?.pointer;
  const { mismatches, unevaluated } = matchValue(matcher, text);
  return [
    ...mismatches.map(({ message, expected }): Finding => {
      return {
        check: 'headers-expected',
        severity: 'error',
        at,
        message: `The header ${name} ${message}`,
        expected: shownText(matcher.kind === 'value' ? scalarText(matcher.value) : (expected ?? '')),
        actual: text === undefined ? 'no header' : shownText(text),
        spec,
      };
    }),
    ...unevaluated.map((part) => notEvaluated(part, at, spec)),
  ];
}
