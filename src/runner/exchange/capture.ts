import type { Finding } from '../../core/errors/finding';
import { joinedHeader, type ObservedResponse } from '../../checks/response-check';
import type { Capture } from '../../formats/contract/contract';
import {
  evaluateExpression,
  type ObservedValues,
  observeRequest,
  placeOfExpression,
} from '../../formats/contract/runtime-expression';
import { isScalar } from '../../formats/contract/placeholders';
import { scalarText } from '../../core/json/stringify-json';
import { isJsonNumber, toCanonical } from '../../core/json/exact-number';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { CAPTURE } from '../result/runner-checks';
import type { ExchangeContext } from './exchange-stages';
import type { Interaction } from './interaction';
import type { Run } from './run-state';

export interface Captured {
  readonly values: ReadonlyMap<string, JsonValue>;
  /** One for each value that the response should have had. */
  readonly missing: readonly Finding[];
}

const NOTHING: Captured = { values: new Map(), missing: [] };

/** Values are taken out of every response that has them: the cleanup needs them after a failure most of all. */
export function capture({ run, interaction, observed, isLast }: ExchangeContext): Captured {
  const { captures, expected } = interaction;
  if (captures.length === 0 || !isLast) return NOTHING;
  const source = observedValues(run, interaction, observed);
  const values = new Map<string, JsonValue>();
  const missing: Finding[] = [];
  for (const wanted of captures) {
    const found = captureValue(wanted, source);
    if (found !== undefined) {
      values.set(wanted.name, found);
      learnCredential(run, interaction, wanted.name, found);
    } else if (expected.statuses.includes(observed.status)) {
      missing.push({
        check: CAPTURE.id,
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

/** What is sent as a credential later on is one already: no report shows it, this response's first of all. */
function learnCredential({ redact }: Run, { credentialNames }: Interaction, name: string, value: JsonValue): void {
  if (credentialNames?.has(name) === true && isScalar(value)) redact.learn({ name, key: scalarText(value) });
}

function captureValue({ expression, pattern }: Capture, source: ObservedValues): JsonValue | undefined {
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
    header: (name) => joinedHeader({ headers }, name),
    status,
    request: observeRequest(request, new URL(run.baseUrl).origin, template),
  };
}
