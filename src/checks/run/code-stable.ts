import { type Group, groupBy } from '../../core/text/group-by';
import { codeProperty, commonErrorContent } from '../../openapi/view/responses';
import {
  errorCode,
  isSafe,
  type ObservedExchange,
  repeatedRequests,
  type RunCheckFinding,
  templateOf,
} from '../run-check';
import type { History, RunCheck } from './history';

/** The same rejection has the same code each time: programs decide by it. */
export const codeStable: RunCheck = {
  id: 'code-stable',
  source: "the description's error schema; compare RFC 9457 §3.1.1",
  run(history) {
    const { exchanges, api } = history;
    const schema = commonErrorContent(api)?.schema;
    const groups = [...repeatedRequests(exchanges), ...sameInvalidCredentials(exchanges)];
    const said = new Set<ObservedExchange>();
    return groups.flatMap((group): RunCheckFinding[] => {
      const pair = firstChange(history, group);
      if (pair === undefined || said.has(pair.later)) return [];
      said.add(pair.later);
      const { earlier, later } = pair;
      const [what, how] = [
        `${later.method} ${templateOf(api, later)}`,
        `with ${later.status ?? 0} for the same reason, under another code`,
      ];
      return [
        {
          exchange: later,
          earlier,
          at: `/response/body/${codeProperty(api, schema) ?? 'code'}`,
          message: `${what} is rejected ${how}`,
          identity: { rule: `${what} is refused ${how}` },
          expected: errorCode(api, earlier),
          actual: errorCode(api, later),
          spec: schema?.pointer,
        },
      ];
    });
  },
};

/** Credentials are checked before everything else, so that it does not matter what the request is about. */
function sameInvalidCredentials(exchanges: readonly ObservedExchange[]): Group<ObservedExchange>[] {
  const rejected = exchanges.filter(
    ({ status, auth, operation }) => status === 401 && auth !== 'valid' && operation !== undefined,
  );
  return groupBy(rejected, ({ operation, auth }) => `${operation} ${auth}`);
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
