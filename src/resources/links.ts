import type { Operation, Property } from '../openapi/model';
import { nameOf } from './draft';
import type { Evidence } from './resource-model';

/**
 * The member that a link names as the key: `bookId: $response.body#/id` from what made an item to what reads it (OAS
 * 3.0.3 §4.7.20). A link says outright what names only suggest.
 *
 * @param from - operations that answer an item, or a list of them
 * @param to - operations on an item, with the variable that holds its key
 */
export function keyFromLinks(
  from: readonly Operation[],
  to: ReadonlyMap<string, string>,
  members: ReadonlyMap<string, Property>,
): { readonly member: string; readonly evidence: Evidence } | undefined {
  for (const operation of from) {
    for (const response of operation.responses.values()) {
      for (const { name, operationId, parameters } of response.links) {
        const parameter = operationId === undefined ? undefined : to.get(operationId);
        if (parameter === undefined) continue;
        const expression = parameters.get(parameter) ?? parameters.get(`path.${parameter}`);
        const member = typeof expression === 'string' ? memberOf(expression) : undefined;
        if (member === undefined || !members.has(member)) continue;
        const text = `the link "${name}" of ${nameOf(operation)} takes the key from "${member}"`;
        return { member, evidence: { text, pointer: response.pointer } };
      }
    }
  }
  return undefined;
}

/** The last member of `$response.body#/id`, `$response.body#/0/id` or `$response.body#/data/id`. */
function memberOf(expression: string): string | undefined {
  const last = /^\$response\.body#(?:\/[^/]+)*\/([^/]+)$/.exec(expression)?.[1];
  return last?.replaceAll('~1', '/').replaceAll('~0', '~');
}
