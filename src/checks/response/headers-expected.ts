import { headerValues } from '../../http/headers';
import type { ResponseCheck } from './response-check';

/** The headers that the contract expects are there, with their values. */
export const headersExpected: ResponseCheck = {
  id: 'headers-expected',
  source: 'the contract, expect.headers',
  run({ expected, status, headers, documented }) {
    // Where the status is another one, the headers are other ones too: one cause, one finding.
    if (expected === undefined || expected.headers.length === 0 || !expected.statuses.includes(status))
      return undefined;
    return expected.headers.flatMap(({ name, value }) => {
      const lines = headerValues(headers, name);
      if (lines.join(', ') === value) return [];
      return [
        {
          check: 'headers-expected',
          severity: 'error' as const,
          at: `/response/headers/${name.toLowerCase()}`,
          message: lines.length === 0 ? `The header ${name} is missing` : `The header ${name} is another one`,
          expected: value,
          actual: lines.length === 0 ? 'no header' : lines.join(', '),
          spec: documented?.headers.get(name.toLowerCase())?.pointer ?? documented?.pointer,
        },
      ];
    });
  },
};
