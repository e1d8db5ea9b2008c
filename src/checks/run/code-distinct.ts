import { houseError } from '../../openapi/error-schema';
import { findResponse } from '../../openapi/find-response';
import type { ApiModel } from '../../openapi/model';
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
    const said = new Map<string, 'warning' | 'error'>();
    const refusals = exchanges.flatMap((exchange) => {
      const code = errorCode(api, exchange);
      return code === undefined ? [] : [{ code, exchange }];
    });
    return refusals.flatMap(({ code, exchange }): RunFinding[] => {
      const earlier = first.get(code) ?? exchange;
      first.set(code, earlier);
      if (areOneCondition(code, earlier, exchange)) return [];
      const severity = isOfOneKind(api, earlier, exchange) ? 'warning' : 'error';
      // Once for each code, and once more where it turns out to be worse.
      if (said.has(code) && (severity === 'warning' || said.get(code) === 'error')) return [];
      said.set(code, severity);
      return [
        runFinding(exchanges, exchange, earlier, {
          check: 'code-distinct',
          severity,
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

/**
 * Are both refusals of the same kind, as 400 and 422 for what is not valid are, and does the description have both? A
 * 401 is of no other kind: whether to ask for a key must be told by its code.
 */
function isOfOneKind(api: ApiModel, ...exchanges: readonly ObservedExchange[]): boolean {
  const [first, second] = exchanges.map(({ status = 0 }) => status);
  if (first === 401 || second === 401 || Math.floor((first ?? 0) / 100) !== Math.floor((second ?? 0) / 100)) {
    return false;
  }
  return exchanges.every(({ operation: id, status = 0 }) => {
    const operation = id === undefined ? undefined : api.operationById(id);
    return operation !== undefined && findResponse(operation, status) !== undefined;
  });
}

/** A contract that asks for this code with both statuses knows why. */
function areOneCondition(code: string, earlier: ObservedExchange, exchange: ObservedExchange): boolean {
  return earlier.status === exchange.status || (isAskedFor(earlier, code) && isAskedFor(exchange, code));
}

function isAskedFor({ expected, status }: ObservedExchange, code: string): boolean {
  if (expected === undefined || status === undefined) return false;
  return expected.statuses.includes(status) && expected.codes.includes(code);
}
