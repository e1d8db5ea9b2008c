import type { Problem } from '../checks/problem';
import type { Operation } from '../openapi/model';

/**
 * Statuses that fit a refusal which only the state can tell, the best one first. A description that speaks of one of
 * them means this (RFC 9110 §15.5: which of them is right is the service's own choice).
 */
const FITTING: Readonly<Record<string, readonly number[]>> = {
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

/**
 * The refusal with the status that the operation documents for it: one of the fitting statuses itself, else a range
 * that has one, else the usual status, which `default` may describe.
 */
export function fitStatus(problem: Problem, { responses }: Operation): Problem {
  const fitting = FITTING[problem.code];
  const [usual] = fitting ?? [];
  if (fitting === undefined || problem.status !== usual || responses.has(String(usual))) return problem;
  const status = fitting.find((candidate) => responses.has(String(candidate)));
  return status === undefined || responses.has('4XX') ? problem : { ...problem, status };
}
