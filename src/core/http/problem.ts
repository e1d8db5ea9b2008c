import type { RawHeaders } from './message';

/**
 * Machine-readable codes of the rejections that the engine knows, with the status each one has. A rules file adds its
 * own. `docs/reference/errors.md` explains them (a test holds that).
 */
export const PROBLEM_STATUS = {
  bad_request: 400,
  invalid_json: 400,
  invalid_body: 400,
  missing_body: 400,
  missing_content_type: 400,
  missing_field: 400,
  invalid_field: 400,
  missing_parameter: 400,
  invalid_parameter: 400,
  invalid_cursor: 400,
  invalid_sandbox: 400,
  invalid_patch: 400,
  key_mismatch: 400,
  invalid_fault: 400,
  missing_api_key: 401,
  malformed_authorization: 401,
  invalid_api_key: 401,
  forbidden: 403,
  insufficient_scope: 403,
  route_not_found: 404,
  resource_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  id_space_exhausted: 409,
  sandbox_exists: 409,
  nothing_to_undo: 409,
  conflict: 409,
  key_taken: 409,
  patch_conflict: 409,
  operation_sunset: 410,
  sandbox_gone: 410,
  precondition_failed: 412,
  body_too_large: 413,
  item_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  unsupported_content_encoding: 415,
  expectation_failed: 417,
  unknown_reference: 422,
  immutable_field: 422,
  invalid_result: 422,
  idempotency_key_reused: 422,
  precondition_required: 428,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  schema_unusable: 501,
  invalid_response: 500,
  not_implemented: 501,
  unsupported_transfer_coding: 501,
  fault_not_available: 501,
  // The first of a status is what a request gets that only names the status.
  fault_injected: 503,
  still_referenced: 409,
  too_many_listeners: 503,
  store_unavailable: 503,
} as const;

export type ProblemCode = keyof typeof PROBLEM_STATUS;

/** One of the faults of a request, for error bodies that have room for each. */
export interface ProblemDetail {
  /** `body`, or the kind of the parameter. */
  readonly in: string;
  /** JSON pointer into the body. */
  readonly pointer?: string | undefined;
  /** Of the parameter. */
  readonly name?: string | undefined;
  /** Keyword of the schema that was broken, or the code of the problem. */
  readonly code: string;
  readonly message: string;
}

/** Why a request is rejected. Becomes an error response in the shape that the description declares. */
export interface Problem {
  readonly status: number;
  /** Stable and distinct per condition; one of {@link ProblemCode} or a code of the rules file. */
  readonly code: string;
  /** For people: names the field and the rule. Never holds a credential. */
  readonly message: string;
  /** JSON pointer into the request body, when that is where the fault is. */
  readonly pointer?: string | undefined;
  /** Every fault that is known, this one first; may be left out where there is but one and {@link pointer} tells where. */
  readonly details?: readonly ProblemDetail[] | undefined;
  /** Headers that belong to this rejection, for example `Allow`. */
  readonly headers?: RawHeaders | undefined;
}

export function problem(
  code: ProblemCode,
  message: string,
  more: Pick<Problem, 'pointer' | 'headers' | 'details'> = {},
): Problem {
  return { status: PROBLEM_STATUS[code], code, message, ...more };
}

/** What is wrong with a field of the body. @param what - goes on after its name */
export function fieldProblem(code: ProblemCode, pointer: string, what: string): Problem {
  return problem(code, `The field ${pointer} ${what}`, { pointer });
}

/** What a check gives that rejects a request. */
export interface Refused {
  readonly kind: 'refused';
  readonly problem: Problem;
}

export function refused(rejection: Problem): Refused {
  return { kind: 'refused', problem: rejection };
}
