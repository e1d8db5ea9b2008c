import type { Contract } from '../formats/contract';
import type { Operation } from '../openapi/model';
import { operationOf } from './prepare-step';
import type { Run } from './run';
import { selectSteps } from './selection';

/** Operations that the chosen steps of contracts call, in the order of the description. */
export function operationsOf(
  { api, selection }: Pick<Run, 'api' | 'selection'>,
  contracts: readonly Contract[],
): Operation[] {
  const steps = contracts.flatMap((contract) => [...selectSteps(api, contract, selection)]);
  const used = new Set(steps.map((step) => operationOf({ api }, step)));
  return api.operations.filter((operation) => used.has(operation));
}
