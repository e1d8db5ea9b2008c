import { SpecError } from '../../core/errors/standin-error';
import type { HttpResponse, RequestHead } from '../../core/http/message';
import { problem, type Problem, type ProblemDetail } from '../../core/http/problem';
import { type RequestTarget, targetOf } from '../../core/http/request-target';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { getOrCreate } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { MediaTypeEntry, Operation, Schema } from '../../openapi/model/operation';
import {
  defaultErrorContent,
  errorContent,
  findResponse,
  jsonContent,
  schemalessErrorContent,
  textErrorContent,
} from '../../openapi/view/responses';
import { type ErrorPlan, planError } from '../../payload/error/error-from-schema';
import { type ErrorCause, errorFromExample, withExampleProperties } from '../../payload/error/error-roles';
import { concreteMediaType } from '../../payload/media-body';
import type { StoreError } from '../state/state-log';
import { samplerOf } from '../../payload/sampler/sampler';

/** A schema of the description that cannot judge lets nothing pass, and says so; the rest is reported in the log alone. */
export function internalErrorProblem(error: unknown): Problem {
  return error instanceof SpecError
    ? problem('schema_unusable', error.message)
    : problem('internal_error', 'The mock met a defect in itself or in its rules; its log says more');
}

/** Nothing is done that cannot be stored. */
export function storeProblem({ message, retrySeconds }: StoreError): Problem {
  return problem('store_unavailable', message, { headers: ['Retry-After', String(retrySeconds)] });
}

const NOT_VALID: readonly number[] = [400, 422];

/**
 * Statuses that fit a rejection, the best one first. A description that speaks of one of them means this (RFC 9110 §15.5:
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

const OF_CREDENTIALS: ReadonlySet<string> = new Set(['missing_api_key', 'malformed_authorization', 'invalid_api_key']);

/**
 * The rejection with the status that the operation documents for it: the usual one, be it by `4XX`, else another of the
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
  return getOrCreate(DOCUMENTING, api, () =>
    api.operations.some((operation) => findResponse(operation, 401) !== undefined),
  );
}

/** What is known of the request that is rejected, for error bodies that repeat it. */
interface RejectedRequest {
  /** Left out where the message could not be read. */
  readonly head?: Pick<RequestHead, 'method' | 'target' | 'parsedTarget'> | undefined;
  readonly target?: RequestTarget | undefined;
  readonly nowMs: number;
  /** See {@link ErrorCause.isAsked}. */
  readonly isAsked?: boolean;
}

/**
 * Writes a problem in the shape that the description declares: for this status of this operation, else the shape that
 * most of its errors have, else as `application/problem+json` (RFC 9457).
 */
export class ErrorWriter {
  private readonly api: ApiModel;
  private readonly house: MediaTypeEntry | undefined;
  private readonly plans = new Map<string, ErrorPlan>();
  private readonly samples = new Map<string, JsonValue | undefined>();

  constructor(api: ApiModel) {
    this.api = api;
    this.house = defaultErrorContent(api);
  }

  write(given: Problem, operation: Operation | undefined, rejected: RejectedRequest): HttpResponse {
    const problem = shortened(given);
    const text = textErrorContent(operation, problem.status);
    if (text !== undefined) return toResponse(problem, text, problem.message);
    const content = errorContent(operation, problem.status, this.house);
    const cause = causeOf(problem, rejected);
    const other = schemalessErrorContent(operation, problem.status);
    const schema = other?.schema ?? content?.schema;
    const example = exampleOf(other ?? ownContent(operation, problem.status));
    const body =
      schema !== undefined
        ? this.filled(schema, this.body(schema, cause), example)
        : isJsonObject(example)
          ? errorFromExample(example, cause)
          : problemDetails(cause);
    const { mediaType = 'application/problem+json' } = other ?? content ?? {};
    return toResponse(problem, concreteMediaType(mediaType, false), stringifyJson(body));
  }

  /** With what the documented example has beside the cause, such as a link to the documentation, then with a sample. */
  private filled(schema: Schema, body: JsonValue, example: JsonValue | undefined): JsonValue {
    let filled = body;
    for (const shown of [example, this.sample(schema)]) {
      const more = isJsonObject(shown) && isJsonObject(filled) ? withExampleProperties(shown, filled) : filled;
      if (more !== filled && isValid(schema, more)) filled = more;
    }
    return filled;
  }

  /** A value of the schema, made once; `undefined` where none can be made. */
  private sample(schema: Schema): JsonValue | undefined {
    if (this.samples.has(schema.pointer)) return this.samples.get(schema.pointer);
    const sample = samplerOf(this.api).sample(schema, { seed: schema.pointer, direction: 'response' });
    const value = sample.kind === 'made' ? sample.value : undefined;
    this.samples.set(schema.pointer, value);
    return value;
  }

  private body(schema: Schema, cause: ErrorCause): JsonValue {
    const plan = this.plan(schema);
    const full = plan.write(cause, true);
    if (full !== undefined && isValid(schema, full)) return full;
    const bare = plan.write(cause, false);
    if (bare !== undefined && isValid(schema, bare)) return bare;
    const details = problemDetails(cause);
    if (full === undefined && isValid(schema, details)) return details;
    // A schema that nothing satisfies: then at least the cause is reported.
    return this.sample(schema) ?? full ?? details;
  }

  /** Which property gets what, worked out once for each schema. */
  private plan(schema: Schema): ErrorPlan {
    return getOrCreate(this.plans, schema.pointer, () => planError(samplerOf(this.api).nodeOf(schema, 'response')));
  }
}

/** What another operation shows is not an example of this error. */
function ownContent(operation: Operation | undefined, status: number): MediaTypeEntry | undefined {
  return operation === undefined ? undefined : jsonContent(findResponse(operation, status));
}

function exampleOf(content: MediaTypeEntry | undefined): JsonValue | undefined {
  return content?.examples.find(({ value }) => isJsonObject(value))?.value;
}

function toResponse({ status, headers = [] }: Problem, mediaType: string, body: string): HttpResponse {
  return { status, headers: ['Content-Type', mediaType, 'Cache-Control', 'no-store', ...headers], body };
}

/** A rejection is written whatever the schemas of the description are worth. */
function isValid(schema: Schema, value: JsonValue): boolean {
  try {
    return schema.accepts(value, 'response');
  } catch {
    return false;
  }
}

/** Names of properties are as long as a client likes, and an error names them several times. */
const LONGEST = 1000;

function shortened(problem: Problem): Problem {
  const { message, pointer, details } = problem;
  return {
    ...problem,
    message: cut(message),
    pointer: pointer === undefined ? undefined : cut(pointer),
    details: details?.map((detail) => ({
      ...detail,
      message: cut(detail.message),
      pointer: detail.pointer === undefined ? undefined : cut(detail.pointer),
    })),
  };
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function causeOf(
  { status, code, message, pointer, details }: Problem,
  { head, target, nowMs, isAsked = false }: RejectedRequest,
): ErrorCause {
  const only: ProblemDetail[] = pointer === undefined ? [] : [{ in: 'body', pointer, code, message }];
  return {
    status,
    code,
    message,
    details: details ?? only,
    method: head?.method ?? '',
    path: head === undefined ? '' : ((target ?? targetOf(head))?.path ?? ''),
    nowMs,
    isAsked,
  };
}

function problemDetails({ status, code, message, details }: ErrorCause): JsonValue {
  // Most clients read `message`, where nothing says what an error looks like.
  const body: Record<string, JsonValue> = { type: 'about:blank', title: code, status, detail: message, message, code };
  const [first] = details;
  if (first?.pointer !== undefined) body['pointer'] = first.pointer;
  if (details.length > 1) body['errors'] = details.map(toError);
  return body;
}

function toError({ pointer, name, message, code }: ProblemDetail): JsonValue {
  const place: Record<string, JsonValue> = pointer === undefined ? { parameter: name ?? '' } : { pointer };
  return { ...place, detail: message, code };
}
