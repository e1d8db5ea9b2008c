import type { ApiModel } from '../openapi/model';
import type { OperationCoverage, StepResult } from './run-result';

/** Which operations were called, and what they answered with. */
export function coverageOf({ operations }: ApiModel, steps: readonly StepResult[]): OperationCoverage[] {
  return operations.map(({ id, method, path }) => {
    const own = steps.filter(({ operation }) => operation === id);
    const statuses = own.flatMap(({ status }) => (status === undefined ? [] : [status]));
    const distinct = [...new Set(statuses)].sort((left, right) => left - right);
    return { operation: id, method, path, steps: own.length, statuses: distinct };
  });
}
