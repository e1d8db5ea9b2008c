import type { SourceFinding } from '../errors/source-finding';
import { findResponse } from '../openapi/find-response';
import type { ApiModel, Operation } from '../openapi/model';
import { findingAt } from '../openapi/source-document';
import type { Binding, ResourceModel } from '../resources/resource-model';
import { successStatusOf } from './success';

const CHANGES: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Does If-Match act on an operation? Where it documents the header, and on every change of an item whose read sends
 * the ETag to put there: whoever was given one may send it back (RFC 9110 §13.1.1), and few descriptions list it.
 *
 * @param bindings - of the whole description
 */
export function takesIfMatch({ operation, resource, behaviour }: Binding, bindings: Iterable<Binding>): boolean {
  if (documentsHeader(operation, 'if-match')) return true;
  // A DELETE of a whole collection changes no item of which the caller could know the tag.
  if (!CHANGES.has(operation.method) || behaviour === 'clear') return false;
  for (const other of bindings) {
    if (other.resource === resource && other.behaviour === 'read' && sendsTag(other.operation)) return true;
  }
  return false;
}

/** @param header - lower case */
export function documentsHeader({ parameters }: Operation, header: string): boolean {
  return parameters.some(({ in: place, key }) => place === 'header' && key === header);
}

/** For a mock that is asked to require If-Match where nothing takes it: it would wait for a refusal that never comes. */
export function unconditionalWrites(api: ApiModel, { bindings }: ResourceModel): SourceFinding[] {
  const all = [...bindings.values()];
  if (all.some((binding) => takesIfMatch(binding, all))) return [];
  return [
    findingAt(api.document, '/paths', {
      rule: 'if-match-nowhere',
      severity: 'warning',
      message: 'If-Match is required, but no operation takes it: nothing will be refused for the lack of it',
      expected: 'a header ETag in the response of a read, or a header parameter If-Match',
      hint: 'Declare the header ETag where an item is read: it acts on PUT, PATCH and DELETE of that item.',
    }),
  ];
}

function sendsTag(operation: Operation): boolean {
  return findResponse(operation, successStatusOf(operation, 'read'))?.headers.has('etag') === true;
}
