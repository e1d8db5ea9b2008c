import { errorRole, commonErrorContent } from '../../openapi/view/responses';
import {
  errorCode,
  isSafe,
  type ObservedExchange,
  repeatedRequests,
  type RunCheck,
  runFinding,
  type RunFinding,
  templateOf,
} from '../run-check';
import { historyOf, type History } from './history';

/** The same rejection has the same code each time: programs decide by it. */
export const codeStable: RunCheck = {
  id: 'code-stable',
  source: "the description's error schema; compare RFC 9457 §3.1.1",
  run(exchanges, api) {
    const history = historyOf(exchanges, api);
    const groups = [...repeatedRequests(exchanges), ...sameInvalidCredentials(exchanges)];
    const said = new Set<ObservedExchange>();
    return groups.flatMap((group): RunFinding[] => {
      const pair = firstChange(history, group);
      if (pair === undefined || said.has(pair.later)) return [];
      said.add(pair.later);
      const [before, after] = [errorCode(api, pair.earlier), errorCode(api, pair.later)];
      return [
        runFinding(exchanges, pair.later, pair.earlier, {
          check: 'code-stable',
          severity: 'error',
          at: `/response/body/${codeProperty(history)}`,
          message: `${pair.later.method} ${templateOf(api, pair.later)} is rejected with ${pair.later.status ?? 0} for the same reason, under another code`,
          expected: before,
          actual: after,
          spec: commonErrorContent(api)?.schema?.pointer,
        }),
      ];
    });
  },
};

/** Credentials are checked before everything else, so that it does not matter what the request is about. */
function sameInvalidCredentials(exchanges: readonly ObservedExchange[]): ObservedExchange[][] {
  const groups = new Map<string, ObservedExchange[]>();
  for (const exchange of exchanges) {
    if (exchange.status !== 401 || exchange.auth === 'valid' || exchange.operation === undefined) continue;
    const key = `${exchange.operation} ${exchange.auth}`;
    groups.set(key, [...(groups.get(key) ?? []), exchange]);
  }
  return [...groups.values()];
}

/** Two neighbours of a group with one status and two codes, when nothing was written in between that may be the reason. */
function firstChange(
  history: History,
  group: readonly ObservedExchange[],
): { readonly earlier: ObservedExchange; readonly later: ObservedExchange } | undefined {
  for (const [index, later] of group.entries()) {
    const earlier = group[index - 1];
    if (earlier === undefined || earlier.status !== later.status || later.status === 429) continue;
    const codes = [errorCode(history.api, earlier), errorCode(history.api, later)];
    if (codes.includes(undefined) || codes[0] === codes[1]) continue;
    if (later.status !== 401 && mayHaveChanged(history, earlier, later)) continue;
    return { earlier, later };
  }
  return undefined;
}

/** What a read finds depends on its item; what a write meets depends on others as well. */
function mayHaveChanged(history: History, earlier: ObservedExchange, later: ObservedExchange): boolean {
  const item = isSafe(later) ? history.itemOf(later) : undefined;
  const writes =
    item === undefined ? history.anyWritesBetween(earlier, later) : history.writesBetween(item, earlier, later);
  return writes.length > 0;
}

function codeProperty({ api }: History): string {
  const schema = commonErrorContent(api)?.schema;
  const names = schema === undefined ? [] : [...api.propertiesOf(schema).keys()];
  return names.find((name) => errorRole(name) === 'code') ?? 'code';
}
