import { getAtPointer, parsePointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';

/** The runtime expressions that can be captured (OAS 3.0.3 §4.7.20.4): a part of a response. */
export type RuntimeExpression =
  { readonly kind: 'body'; readonly pointer: string } | { readonly kind: 'header'; readonly name: string };

/** What {@link evaluateExpression} looks at. */
export interface ObservedValues {
  /** The parsed body; `undefined` when there is none or it is no JSON. */
  readonly body: JsonValue | undefined;
  header(name: string): string | undefined;
}

const HEADER = /^\$response\.header\.([A-Za-z0-9!#$%&'*+\-.^_`|~]+)$/;
const BODY = /^\$response\.body(?:#(.*))?$/s;

/** @returns `undefined` for any text that is no such expression */
export function parseRuntimeExpression(text: string): RuntimeExpression | undefined {
  const [, name] = HEADER.exec(text) ?? [];
  if (name !== undefined) return { kind: 'header', name };
  const body = BODY.exec(text);
  if (body === null) return undefined;
  const [, pointer = ''] = body;
  try {
    parsePointer(pointer);
    return { kind: 'body', pointer };
  } catch {
    return undefined;
  }
}

/** @returns `undefined` when the response has no such part */
export function evaluateExpression(expression: RuntimeExpression, observed: ObservedValues): JsonValue | undefined {
  if (expression.kind === 'header') return observed.header(expression.name);
  return observed.body === undefined ? undefined : getAtPointer(observed.body, expression.pointer);
}
