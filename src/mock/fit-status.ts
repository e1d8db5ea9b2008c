import type { Problem } from '../checks/problem';
import { findResponse } from '../openapi/find-response';
import type { Operation } from '../openapi/model';

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
  invalid_cursor: [400, 422],
  id_space_exhausted: [409, 422, 400],
};

/** Statuses that services answer instead where theirs is not described at all, not even by `default`. */
const LAST_RESORT: Readonly<Record<string, number>> = {
  missing_api_key: 403,
  malformed_authorization: 403,
  invalid_api_key: 403,
};

/**
 * The refusal with the status that the operation documents for it: one of the fitting statuses itself, else a range
 * that has one, else the usual status, which `default` may describe.
 */
export function fitStatus(problem: Problem, operation: Operation): Problem {
  const { responses } = operation;
  const fitting = FITTING[problem.code] ?? [problem.status];
  const [usual] = fitting;
  if (problem.status !== usual || responses.has(String(usual)) || responses.has('4XX')) return problem;
  const status =
    fitting.find((candidate) => responses.has(String(candidate))) ??
    (findResponse(operation, usual) === undefined ? lastResort(problem, operation) : undefined);
  return status === undefined ? problem : { ...problem, status };
}

/** A path whose variable holds what no key can be leads to nothing. */
function lastResort({ code, details }: Problem, { responses }: Operation): number | undefined {
  const isInPath = code === 'invalid_parameter' && details?.[0]?.in === 'path';
  const status = isInPath ? 404 : LAST_RESORT[code];
  return status !== undefined && responses.has(String(status)) ? status : undefined;
}
