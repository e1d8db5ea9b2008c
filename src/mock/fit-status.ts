import type { Problem } from '../checks/problem';
import { findResponse } from '../openapi/find-response';
import type { ApiModel, Operation } from '../openapi/model';

const NOT_VALID: readonly number[] = [400, 422];

/**
 * Statuses that fit a refusal, the best one first. A description that speaks of one of them means this (RFC 9110 §15.5:
 * which of them is right is the service's own choice).
 */
const FITTING: Readonly<Record<string, readonly number[]>> = {
  bad_request: NOT_VALID,
  invalid_json: NOT_VALID,
  invalid_body: NOT_VALID,
  missing_body: NOT_VALID,
  missing_content_type: NOT_VALID,
  // Where 415 is documented, it has that status already.
  unsupported_media_type: NOT_VALID,
  missing_field: NOT_VALID,
  invalid_field: NOT_VALID,
  missing_parameter: NOT_VALID,
  invalid_parameter: NOT_VALID,
  unknown_reference: [422, 400, 409, 404],
  immutable_field: [422, 400, 409, 403],
  invalid_result: [422, 400, 409],
  key_taken: [409, 422, 400],
  key_mismatch: [400, 409, 422],
  patch_conflict: [409, 422, 400],
  invalid_patch: [400, 422],
  item_too_large: [413, 422, 400, 409],
  invalid_cursor: [400, 422],
  id_space_exhausted: [409, 422, 400],
};

/** Refusals of credentials. */
const OF_CREDENTIALS: ReadonlySet<string> = new Set(['missing_api_key', 'malformed_authorization', 'invalid_api_key']);

/**
 * The refusal with the status that the operation documents for it: the usual one, be it by `4XX`, else another of the
 * fitting statuses, else the usual one, which `default` may describe.
 *
 * @param api - that the operation is one of: what others of it document tells what the service does
 */
export function fitStatus(problem: Problem, operation: Operation, api: ApiModel): Problem {
  const { responses } = operation;
  const fitting = FITTING[problem.code] ?? [problem.status];
  const [usual] = fitting;
  if (problem.status !== usual || responses.has(String(usual)) || responses.has('4XX')) return problem;
  const status =
    fitting.find((candidate) => responses.has(String(candidate))) ??
    (findResponse(operation, usual) === undefined ? lastResort(problem, operation, api) : undefined);
  return status === undefined ? problem : { ...problem, status };
}

/** What services answer instead where the usual status is not described at all, not even by `default`. */
function lastResort({ code, details }: Problem, { responses }: Operation, api: ApiModel): number | undefined {
  // A path whose variable holds what no key can be leads to nothing.
  if (code === 'invalid_parameter' && details?.[0]?.in === 'path') return responses.has('404') ? 404 : undefined;
  // Clients log in again upon 401: a service that has it anywhere has it everywhere.
  const isForbidden = OF_CREDENTIALS.has(code) && responses.has('403') && !documentsUnauthorized(api);
  return isForbidden ? 403 : undefined;
}

const DOCUMENTING = new WeakMap<ApiModel, boolean>();

function documentsUnauthorized(api: ApiModel): boolean {
  let isSo = DOCUMENTING.get(api);
  if (isSo === undefined)
    DOCUMENTING.set(api, (isSo = api.operations.some((operation) => findResponse(operation, 401) !== undefined)));
  return isSo;
}
