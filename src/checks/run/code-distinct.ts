import { houseError } from '../../openapi/error-schema';
import { errorCode } from './error-code';
import type { ObservedExchange } from './observed-exchange';
import { runFinding, type RunCheck, type RunFinding } from './run-check';

/**
 * One code stands for one condition, and one condition has one status. That two conditions share a code is for
 * `code-expected` where a contract knows both.
 */
export const codeDistinct: RunCheck = {
  id: 'code-distinct',
  source: "the description's error schema; compare RFC 9457 §3.1.1, §3.1.2",
  run(exchanges, api) {
    const first = new Map<string, ObservedExchange>();
    const said = new Set<string>();
    return exchanges.flatMap((exchange): RunFinding[] => {
      const code = errorCode(api, exchange);
      if (code === undefined) return [];
      const earlier = first.get(code);
      if (earlier === undefined) first.set(code, exchange);
      if (earlier === undefined || earlier.status === exchange.status || said.has(code)) return [];
      // A contract that asks for this code with both statuses knows why.
      if (isAskedFor(earlier, code) && isAskedFor(exchange, code)) return [];
      said.add(code);
      return [
        runFinding(exchanges, exchange, earlier, {
          check: 'code-distinct',
          severity: 'error',
          at: '/response/body',
          message: `The code ${code} stands for two statuses`,
          expected: `${earlier.status ?? 0}, as it was with ${earlier.method} ${earlier.path}`,
          actual: `${exchange.status ?? 0} ${code}`,
          spec: houseError(api)?.schema?.pointer,
        }),
      ];
    });
  },
};

function isAskedFor({ expected, status }: ObservedExchange, code: string): boolean {
  if (expected === undefined || status === undefined) return false;
  return expected.statuses.includes(status) && expected.codes.includes(code);
}
