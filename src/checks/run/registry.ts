import type { ApiModel } from '../../openapi/model/api-model';
import { codeDistinct } from './code-distinct';
import { codeStable } from './code-stable';
import { createdReadable } from './created-readable';
import { deletedGone } from './deleted-gone';
import { echo } from './echo';
import { etagChanges } from './etag-changes';
import { identity } from './identity';
import { History, type RunCheck } from './history';
import { type ObservedExchange, operationOf, type RunFinding } from '../run-check';
import { putIdempotent } from './put-idempotent';
import { readRepeatable } from './read-repeatable';

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
