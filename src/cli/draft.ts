import type { JsonObject, JsonValue } from '../json/json-value';
import type { Operation } from '../openapi/model';

/** A contract that is being drafted. */
export interface Draft {
  readonly title: string;
  /** Names of things that no step makes, with what leads to one at the mock. */
  readonly variables: readonly DraftVariable[];
  readonly steps: readonly DraftStep[];
}

export interface DraftVariable {
  readonly name: string;
  readonly value: JsonValue;
}

/** A step as the file has it. */
export interface DraftStep {
  readonly operation: Operation;
  /** With placeholders. */
  readonly parameters: JsonObject;
  readonly body: JsonValue | undefined;
  readonly status: number;
  readonly capture: { readonly name: string; readonly from: JsonValue } | undefined;
  /** Why it does not pass at the mock. */
  readonly pending: string | undefined;
  /** Why what it makes stays, where the run could not remove it. */
  readonly leaves?: string | undefined;
}

/** The step as a member of `steps`. */
export function stepValue({ operation, parameters, body, status, capture, pending, leaves }: DraftStep): JsonObject {
  return {
    operation: operation.id,
    ...(pending === undefined ? {} : { pending }),
    ...(leaves === undefined ? {} : { leaves }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { body }),
    expect: { status },
    ...(capture === undefined ? {} : { capture: { [capture.name]: capture.from } }),
  };
}

/** A value in which nothing is read as a placeholder. */
export function literal(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(literal);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, literal(member as JsonValue)]));
}
