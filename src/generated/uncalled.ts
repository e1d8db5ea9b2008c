import { isSafe } from '../core/http/message';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import { inferResourceModel } from '../resources/infer-resource-model';
import { isCreation } from '../runner/ownership/item-routes';
import { allSteps } from '../runner/result/outcome';
import type { RunResult, UncalledOperation } from '../runner/result/run-result';
import { findKinds, isBulk, isSubject } from './subject';

/** A result with the operations that gave no response, and why. */
export function withUncalled(api: ApiModel, result: RunResult): RunResult {
  const skipped = allSteps(result).filter(({ verdict }) => verdict.kind === 'skipped');
  const uncalled = result.coverage.flatMap(({ operation: id, statuses }): UncalledOperation[] => {
    const operation = api.operationById(id);
    const verdict = skipped.find((step) => step.operation === id)?.verdict;
    if (statuses.length > 0 || operation === undefined) return [];
    const reason = verdict?.kind === 'skipped' ? `was not sent: ${verdict.reason}` : whyUncalled(api, operation);
    return [{ operation: id, reason }];
  });
  return uncalled.length === 0 ? result : { ...result, uncalled };
}

/** Does an operation switch to another protocol (RFC 6455 §1.3, OAS has no form for it)? */
export function opensWebSocket({ method, responses, summary, description }: Operation): boolean {
  if (method !== 'GET') return false;
  const hasBody = [...responses.values()].some(({ status, content }) => status.startsWith('2') && content.length > 0);
  return responses.has('101') || (!hasBody && /\bweb-?sockets?\b/i.test(`${summary} ${description}`));
}

/** Why no generated interaction calls an operation, as the end of a sentence about it. */
export function whyUncalled(api: ApiModel, operation: Operation): string {
  if (opensWebSocket(operation)) return 'opens a WebSocket, which is not spoken here';
  const binding = inferResourceModel(api).bindings.get(operation);
  const kind = findKinds(api).find(({ resource }) => resource === binding?.resource);
  if (binding !== undefined && isBulk(binding)) return 'could change all rows: its path names no single one';
  if (isSafe(operation.method)) {
    return operation.path.includes('{')
      ? 'is about something that the run neither made nor found in a list'
      : 'needs parameters that the description gives no value for';
  }
  const makes = isCreation(api, operation) || binding?.behaviour === 'create';
  if (kind !== undefined && !isSubject(kind))
    return makes ? 'makes something that no operation removes' : 'changes what the run has no way to make itself';
  return makes ? 'makes something that no operation removes' : 'does what the description does not tell';
}
