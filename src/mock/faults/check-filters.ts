import { ConfigError } from '../../errors/harness-error';
import { similarName } from '../../errors/similar-name';
import type { ApiModel } from '../../openapi/model';
import type { Fault } from './fault';

type Filter = 'operation' | 'method' | 'path';

/** A longer list would bury what was wrong. */
const MAX_LISTED = 10;

/**
 * Do faults name operations, methods and paths that the description has? One that does not touches nothing, for ever,
 * and whoever set it would think that his client had passed.
 *
 * @returns what is wrong with the first that does not; `undefined` when all do
 */
export function unknownFilter(faults: readonly Fault[], api: ApiModel): string | undefined {
  for (const fault of faults) {
    for (const filter of ['operation', 'method', 'path'] as const) {
      const value = fault[filter];
      if (value === undefined) continue;
      const known = [...new Set(api.operations.map((operation) => valueOf(operation, filter)))];
      if (!known.includes(value)) return `${fault.text}: ${unknown(filter, value, known)}`;
    }
  }
  return undefined;
}

/** @throws ConfigError `CONFIG_INVALID` that names the first one which {@link unknownFilter} finds */
export function demandKnownFilters(faults: readonly Fault[], api: ApiModel): void {
  const message = unknownFilter(faults, api);
  if (message === undefined) return;
  throw new ConfigError('CONFIG_INVALID', `The fault ${message}`, {
    hint: 'A fault names an operationId, a method, or a path template of the description.',
  });
}

function valueOf(operation: ApiModel['operations'][number], filter: Filter): string {
  return filter === 'operation' ? operation.id : operation[filter];
}

function unknown(filter: Filter, value: string, known: readonly string[]): string {
  const near = similarName(value, known);
  const more = known.length > MAX_LISTED ? ` and ${known.length - MAX_LISTED} more` : '';
  const help =
    near === undefined ? `there are ${known.slice(0, MAX_LISTED).join(', ')}${more}` : `did you mean ${near}?`;
  return `the description has no ${filter} "${value.slice(0, 80)}"; ${help}`;
}
