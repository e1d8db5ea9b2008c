import { ConfigError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import { CONTRACT_FORMAT, type Contract } from '../formats/contract';
import { readContract } from '../formats/read-contract';
import { isNeeded } from '../checks/request/parameters';
import type { ApiModel, Operation } from '../openapi/model';

/**
 * What can be asked of a service that nobody wrote a contract for: every GET that needs no parameter answers with a
 * success that it documents. Beside it the run judges each answer by the description, and calls these operations
 * without a good key.
 *
 * @throws ConfigError where there is no such operation
 */
export function availabilityContract(api: ApiModel): Contract {
  const steps = api.operations.filter(isPlainRead).map((operation) => {
    return { operation: operation.id, expect: { status: successesOf(operation) } };
  });
  if (steps.length === 0) {
    throw new ConfigError(
      'CONFIG_INVALID',
      'No contracts were named, and no GET of the description needs no parameter',
      {
        hint: 'There is nothing to be asked for: standin init writes a first contract.',
      },
    );
  }
  const { file } = api.document;
  const root = { standin: CONTRACT_FORMAT, name: 'Availability: no contract was named', steps };
  const findings: SourceFinding[] = [];
  const contract = readContract({ file, root, placeOf: () => undefined }, api.operations, findings);
  if (contract === undefined)
    throw new Error(`The contract of the runner cannot be read: ${findings[0]?.message ?? ''}`);
  return contract;
}

function isPlainRead({ method, path, parameters }: Operation): boolean {
  return method === 'GET' && !path.includes('{') && !parameters.some((parameter) => isNeeded(parameter));
}

function successesOf({ responses }: Operation): number[] {
  const statuses = [...responses.keys()].map(Number).filter((status) => status >= 200 && status < 400);
  return statuses.length === 0 ? [200] : statuses;
}
