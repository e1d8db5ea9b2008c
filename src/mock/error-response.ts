import type { Problem, ProblemDetail } from '../checks/problem';
import type { HttpResponse, RequestHead } from '../http/message';
import { parseTarget } from '../http/request-target';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { errorContent, houseError, jsonContent, otherContent, textContent } from '../openapi/error-schema';
import { findResponse } from '../openapi/find-response';
import type { ApiModel, MediaTypeEntry, Operation, Schema } from '../openapi/model';
import { besideCause, errorByExample } from '../payload/error/error-by-example';
import type { ErrorCause } from '../payload/error/error-cause';
import { planError, type ErrorPlan } from '../payload/error/error-plan';
import { samplerOf } from '../payload/sampler/sampler';

/** What is known of the request that is refused, for error bodies that repeat it. */
export interface Refused {
  /** Left out where the message could not be read. */
  readonly head?: Pick<RequestHead, 'method' | 'target'> | undefined;
  /** Epoch milliseconds by the mock's clock. */
  readonly nowMs: number;
}

/**
 * Writes a problem in the shape that the description declares: for this status of this operation, else the shape that
 * most of its errors have, else as `application/problem+json` (RFC 9457).
 */
export class ErrorWriter {
  private readonly api: ApiModel;
  private readonly house: MediaTypeEntry | undefined;
  private readonly plans = new Map<string, ErrorPlan>();

  constructor(api: ApiModel) {
    this.api = api;
    this.house = houseError(api);
  }

  write(given: Problem, operation: Operation | undefined, refused: Refused): HttpResponse {
    const problem = shortened(given);
    const text = textContent(operation, problem.status);
    if (text !== undefined) return toResponse(problem, text, problem.message);
    const content = errorContent(operation, problem.status, this.house);
    const cause = causeOf(problem, refused);
    const other = otherContent(operation, problem.status);
    const schema = other?.schema ?? content?.schema;
    const example = exampleOf(other ?? ownContent(operation, problem.status));
    const body =
      schema !== undefined
        ? this.filled(schema, this.body(schema, cause), example)
        : isJsonObject(example)
          ? errorByExample(example, cause)
          : problemDetails(cause);
    const { mediaType = 'application/problem+json' } = other ?? content ?? {};
    return toResponse(problem, mediaType, stringifyJson(body));
  }

  /** With what the documented example has beside the cause, such as a link to the documentation. */
  private filled(schema: Schema, body: JsonValue, example: JsonValue | undefined): JsonValue {
    if (!isJsonObject(example) || !isJsonObject(body)) return body;
    const filled = besideCause(example, body);
    return filled !== body && isValid(schema, filled) ? filled : body;
  }

  /** The fullest body that the schema allows. */
  private body(schema: Schema, cause: ErrorCause): JsonValue {
    const plan = this.plan(schema);
    const full = plan.write(cause, true);
    if (full !== undefined && isValid(schema, full)) return full;
    const bare = plan.write(cause, false);
    if (bare !== undefined && isValid(schema, bare)) return bare;
    const details = problemDetails(cause);
    if (full === undefined && isValid(schema, details)) return details;
    const sample = samplerOf(this.api).sample(schema, { seed: cause.code, direction: 'response' });
    // A schema that nothing satisfies: then at least the cause is told.
    return sample.kind === 'made' ? sample.value : (full ?? details);
  }

  /** Which member gets what, worked out once for each schema. */
  private plan(schema: Schema): ErrorPlan {
    let plan = this.plans.get(schema.pointer);
    if (plan === undefined) {
      plan = planError(samplerOf(this.api).nodeOf(schema, 'response'));
      this.plans.set(schema.pointer, plan);
    }
    return plan;
  }
}

/** What another operation shows is no example of this error. */
function ownContent(operation: Operation | undefined, status: number): MediaTypeEntry | undefined {
  return operation === undefined ? undefined : jsonContent(findResponse(operation, status));
}

function exampleOf(content: MediaTypeEntry | undefined): JsonValue | undefined {
  return content?.examples.find(({ value }) => isJsonObject(value))?.value;
}

function toResponse({ status, headers = [] }: Problem, mediaType: string, body: string): HttpResponse {
  return { status, headers: ['Content-Type', mediaType, 'Cache-Control', 'no-store', ...headers], body };
}

/** A refusal is written whatever the schemas of the description are worth. */
function isValid(schema: Schema, value: JsonValue): boolean {
  try {
    return schema.validate('response')(value).length === 0;
  } catch {
    return false;
  }
}

/** Names of members are as long as a client likes, and an error names them several times. */
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

function causeOf({ status, code, message, pointer, details }: Problem, { head, nowMs }: Refused): ErrorCause {
  const only: ProblemDetail[] = pointer === undefined ? [] : [{ in: 'body', pointer, code, message }];
  return {
    status,
    code,
    message,
    details: details ?? only,
    method: head?.method ?? '',
    path: head === undefined ? '' : (parseTarget(head.target)?.path ?? ''),
    nowMs,
  };
}

function problemDetails({ status, code, message, details }: ErrorCause): JsonValue {
  const body: Record<string, JsonValue> = { type: 'about:blank', title: code, status, detail: message, code };
  const [first] = details;
  if (first?.pointer !== undefined) body['pointer'] = first.pointer;
  if (details.length > 1) body['errors'] = details.map(toError);
  return body;
}

function toError({ pointer, name, message, code }: ProblemDetail): JsonValue {
  const place: Record<string, JsonValue> = pointer === undefined ? { parameter: name ?? '' } : { pointer };
  return { ...place, detail: message, code };
}
