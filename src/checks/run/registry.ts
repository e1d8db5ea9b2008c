import type { ApiModel } from '../../openapi/model/api-model';
import { codeDistinct, codeStable } from './error-codes';
import { createdReadable, deletedGone } from './existence';
import { echo } from './echo';
import { etagChanges, putIdempotent, readRepeatable } from './repetitions';
import { identity } from './identity';
import { History, type RunCheck } from './history';
import { type ObservedExchange, operationOf, type RunFinding } from '../run-check';

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
];

/**
 * What the exchanges of a run say together.
 *
 * @param exchanges - in the order in which they were sent, those of all contracts and the probes
 * @throws SpecError when a schema does not compile
 */
export function checkRun(exchanges: readonly ObservedExchange[], api: ApiModel): RunFinding[] {
  // The list of the caller may go on growing.
  const history = new History([...exchanges], api);
  return RUN_CHECKS.flatMap(({ id, run }) =>
    run(history).map(({ exchange, earlier, ...finding }) => ({
      check: id,
      severity: 'error',
      spec: operationOf(api, exchange)?.pointer,
      ...finding,
      exchange: exchanges.indexOf(exchange),
      earlier: exchanges.indexOf(earlier),
    })),
  );
}
