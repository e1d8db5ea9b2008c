import type { Problem } from '../checks/problem';
import type { HttpResponse } from '../http/message';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { errorContent, errorRole, houseError } from '../openapi/error-schema';
import type { ApiModel, MediaTypeEntry, Operation, Property, Schema } from '../openapi/model';

/** Puts a problem into a member of an error object. */
type Fill = (problem: Problem) => JsonValue;

/**
 * Writes a problem in the shape that the description declares: for this status of this operation, else the shape that
 * most of its errors have, else as `application/problem+json` (RFC 9457).
 */
export class ErrorWriter {
  private readonly api: ApiModel;
  private readonly house: MediaTypeEntry | undefined;
  private readonly plans = new Map<string, readonly (readonly [string, Fill])[]>();

  constructor(api: ApiModel) {
    this.api = api;
    this.house = houseError(api);
  }

  write(problem: Problem, operation: Operation | undefined): HttpResponse {
    const content = errorContent(operation, problem.status, this.house);
    const members = content?.schema === undefined ? undefined : this.plan(content.schema);
    const body =
      members === undefined
        ? stringifyJson(problemDetails(problem))
        : stringifyJson(Object.fromEntries(members.map(([name, fill]) => [name, fill(problem)])));
    const mediaType = content?.mediaType ?? 'application/problem+json';
    return {
      status: problem.status,
      headers: ['Content-Type', mediaType, 'Cache-Control', 'no-store', ...(problem.headers ?? [])],
      body,
    };
  }

  /** Which member gets what, worked out once for each schema. */
  private plan(schema: Schema): readonly (readonly [string, Fill])[] {
    let plan = this.plans.get(schema.pointer);
    if (plan === undefined) {
      plan = [...this.api.propertiesOf(schema).values()].flatMap((property) => {
        const fill = fillFor(property);
        return fill === undefined ? [] : [[property.name, fill] as const];
      });
      this.plans.set(schema.pointer, plan);
    }
    return plan;
  }
}

function fillFor(property: Property): Fill | undefined {
  const { name, required, schema } = property;
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
  const role = errorRole(name);
  if (role === 'status') return ({ status }) => (isNumber ? status : String(status));
  if (role === 'code') return ({ code, status }) => (isNumber ? status : code);
  if (role === 'message' && !isNumber) return ({ message }) => message;
  // What else is required gets the value that the description itself shows, so that the body keeps its shape.
  const shown = schema['example'] ?? schema['default'];
  return required && shown !== undefined ? () => shown : undefined;
}

function problemDetails({ status, code, message, pointer }: Problem): JsonValue {
  const details: Record<string, JsonValue> = { type: 'about:blank', title: code, status, detail: message, code };
  if (pointer !== undefined) details['pointer'] = pointer;
  return details;
}
