import type { Finding } from '../checks/finding';
import { fieldValue, type ObservedResponse } from '../checks/response/response-check';
import type { Capture } from '../formats/contract';
import { observeRequest } from '../formats/observed-request';
import { isScalar } from '../formats/placeholders';
import { scalarText } from '../json/scalar-text';
import { evaluateExpression, placeOfExpression, type ObservedValues } from '../formats/runtime-expression';
import { isJsonNumber, toCanonical } from '../json/exact-number';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { Interaction } from './interaction';
import type { Run } from './run';

export interface Captured {
  readonly values: ReadonlyMap<string, JsonValue>;
  /** One for each value that the answer should have had. */
  readonly missing: readonly Finding[];
}

const NOTHING: Captured = { values: new Map(), missing: [] };

/** Values are taken out of every answer that has them: the cleanup needs them after a failure most of all. */
export function capture(run: Run, interaction: Interaction, observed: ObservedResponse): Captured {
  const { captures, expected } = interaction;
  if (captures.length === 0) return NOTHING;
  const source = observedValues(run, interaction, observed);
  const values = new Map<string, JsonValue>();
  const missing: Finding[] = [];
  for (const wanted of captures) {
    const found = take(wanted, source);
    if (found !== undefined) {
      values.set(wanted.name, found);
      learnKey(run, interaction, wanted.name, found);
    } else if (expected.statuses.includes(observed.status)) {
      missing.push({
        check: 'capture',
        severity: 'error',
        at: placeOfExpression(wanted.expression),
        message: `There is nothing to capture as ${wanted.name}`,
        expected: wanted.pattern === undefined ? wanted.text : `${wanted.text} that matches ${wanted.pattern}`,
        actual: 'nothing',
      });
    }
  }
  return { values, missing };
}

/** What is sent as a credential later on is one already: no report shows it, this answer's first of all. */
function learnKey({ redact }: Run, { keys }: Interaction, name: string, value: JsonValue): void {
  if (keys?.has(name) === true && isScalar(value)) redact.learn({ name, key: scalarText(value) });
}

function take({ expression, pattern }: Capture, source: ObservedValues): JsonValue | undefined {
  const value = evaluateExpression(expression, source);
  if (value === undefined) return undefined;
  // A server may write the id 1 as 1.0; in a path only its digits name the item.
  if (pattern === undefined) return isJsonNumber(value) ? toCanonical(value) : value;
  const isText = value !== null && !Array.isArray(value) && !isJsonObject(value);
  return isText ? new RegExp(pattern, 'u').exec(scalarText(value))?.[1] : undefined;
}

function observedValues(
  run: Run,
  interaction: Interaction,
  { body, headers, status }: Pick<ObservedResponse, 'body' | 'headers' | 'status'>,
): ObservedValues {
  const { request, operation } = interaction;
  const template = operation === undefined ? undefined : `${run.basePath}${operation.path}`;
  return {
    body: body.kind === 'json' ? body.value : undefined,
    // As for `expect.headers`: several lines are one value (RFC 9110 §5.3).
    header: (name) => fieldValue({ headers }, name),
    status,
    request: observeRequest(request, new URL(run.baseUrl).origin, template),
  };
}
