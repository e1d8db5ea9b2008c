import { groupBy } from '../../core/text/group-by';
import type { ApiModel } from '../../openapi/model/api-model';
import { allowComplete } from './allowed-methods';
import { creationTime } from './creation-times';
import { codeDistinct, codeStable } from './error-codes';
import { createdReadable, deletedGone } from './existence';
import { echo } from './echo';
import { etagChanges, putIdempotent, readRepeatable } from './repetitions';
import { headLikeGet } from './heads';
import { identity } from './identity';
import { listLikeItem } from './list-items';
import { putCreates } from './put-creates';
import { removedValues } from './removed-values';
import { saidRules } from './said-rules';
import { History, type RunCheck } from './history';
import { lists } from './lists';
import { type ObservedExchange, operationOf, type RunCheckFinding, type RunFinding } from '../observed-exchange';

/** Every check over a whole run, in the order that findings are read. */
export const RUN_CHECKS: readonly RunCheck[] = [
  deletedGone,
  createdReadable,
  echo,
  identity,
  codeStable,
  codeDistinct,
  etagChanges,
  putIdempotent,
  readRepeatable,
  lists,
  headLikeGet,
  listLikeItem,
  creationTime,
  putCreates,
  allowComplete,
  removedValues,
  saidRules,
];

/**
 * What the exchanges of a run say together.
 *
 * @returns the findings, and the indexes of the exchanges that were compared with others
 * @param exchanges - in the order in which they were sent, those of all contracts and the probes
 * @throws SpecError when a schema does not compile
 */
export function checkRun(
  exchanges: readonly ObservedExchange[],
  api: ApiModel,
): { readonly findings: RunFinding[]; readonly compared: readonly number[] } {
  // The list of the caller may go on growing.
  const history = new History([...exchanges], api);
  const indexes = new Map(history.exchanges.map((exchange, index) => [exchange, index]));
  const indexOf = (exchange: ObservedExchange): number => indexes.get(exchange) ?? -1;
  const findings = RUN_CHECKS.flatMap(({ id, isPerItem, run }) =>
    (isPerItem === true ? run(history) : onePerMessage(run(history))).map(
      ({ exchange, earlier, ...finding }): RunFinding => ({
        check: id,
        severity: 'error',
        spec: operationOf(api, exchange)?.pointer,
        ...finding,
        exchange: indexOf(exchange),
        earlier: indexOf(earlier),
      }),
    ),
  );
  return { findings, compared: [...history.compared].map(indexOf) };
}

/** What is said several times in the same words is one finding, its first; a warning is none of an error. */
function onePerMessage(findings: readonly RunCheckFinding[]): RunCheckFinding[] {
  return groupBy(findings, ({ message, severity = 'error' }) => `${severity} ${message}`).map(([first]) => first);
}
