import type { Problem } from '../checks/problem';
import type { HttpResponse } from '../http/message';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { findResponse } from '../openapi/find-response';
import type { ApiModel, Operation, Property, Schema } from '../openapi/model';

/** Puts a problem into a member of an error object. */
type Fill = (problem: Problem) => JsonValue;

const STATUS = /^(?:status|status_?code|http_?status)$/i;
const CODE = /^(?:code|error_?code|reason|type)$/i;
const MESSAGE = /^(?:message|detail|title|error|error_?message|description)$/i;

/**
 * Writes a problem in the shape that the description declares: for this status of this operation, else the shape that
 * most of its errors have, else as `application/problem+json` (RFC 9457).
 */
export class ErrorWriter {
  private readonly api: ApiModel;
  private readonly house: Schema | undefined;
  private readonly plans = new Map<string, readonly (readonly [string, Fill])[]>();

  constructor(api: ApiModel) {
    this.api = api;
    this.house = houseSchema(api);
  }

  write(problem: Problem, operation: Operation | undefined): HttpResponse {
    const schema = this.declaredSchema(problem, operation) ?? this.house;
    const body =
      schema === undefined
        ? stringifyJson(problemDetails(problem))
        : stringifyJson(Object.fromEntries(this.plan(schema).map(([name, fill]) => [name, fill(problem)])));
    const mediaType = schema === undefined ? 'application/problem+json' : 'application/json';
    return {
      status: problem.status,
      headers: ['Content-Type', mediaType, 'Cache-Control', 'no-store', ...(problem.headers ?? [])],
      body,
    };
  }

  private declaredSchema(problem: Problem, operation: Operation | undefined): Schema | undefined {
    const response = operation === undefined ? undefined : findResponse(operation, problem.status);
    return response?.content.find(({ mediaType }) => mediaType === 'application/json')?.schema;
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
  if (STATUS.test(name)) return ({ status }) => (isNumber ? status : String(status));
  if (CODE.test(name)) return ({ code, status }) => (isNumber ? status : code);
  if (MESSAGE.test(name) && !isNumber) return ({ message }) => message;
  // What else is required gets the value that the description itself shows, so that the body keeps its shape.
  const shown = schema['example'] ?? schema['default'];
  return required && shown !== undefined ? () => shown : undefined;
}

function problemDetails({ status, code, message, pointer }: Problem): JsonValue {
  const details: Record<string, JsonValue> = { type: 'about:blank', title: code, status, detail: message, code };
  if (pointer !== undefined) details['pointer'] = pointer;
  return details;
}

/** The schema that most documented errors share: an answer outside any operation takes it too. */
function houseSchema(api: ApiModel): Schema | undefined {
  const counts = new Map<Schema, number>();
  for (const operation of api.operations) {
    for (const response of operation.responses.values()) {
      if (!/^[45]/.test(response.status) && response.status !== 'default') continue;
      const schema = response.content.find(({ mediaType }) => mediaType === 'application/json')?.schema;
      if (schema !== undefined) counts.set(schema, (counts.get(schema) ?? 0) + 1);
    }
  }
  let house: Schema | undefined;
  for (const [schema, count] of counts) if (house === undefined || count > (counts.get(house) ?? 0)) house = schema;
  return house;
}
