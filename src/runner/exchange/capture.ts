import { parsePointer } from '../../core/json/json-pointer';
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
import { isJsonNumber, numberFromLexeme, toCanonical } from '../../core/json/exact-number';
import type { JsonValue } from '../../core/json/json-value';
import { findResponse, jsonContent } from '../../openapi/view/responses';
import type { Creation } from '../ownership/creation';
import { bindingOf, lastVariable, routeOf } from '../ownership/item-routes';
import { CAPTURE } from '../result/runner-checks';
import type { ExchangeContext } from './exchange-stages';
import type { Interaction } from './interaction';
import type { Run } from './run-state';

interface Captured {
  readonly values: ReadonlyMap<string, JsonValue>;
  /** One for each value that the response should have had. */
  readonly missing: readonly Finding[];
}

/**
 * Values are taken out of every response that has them: the cleanup needs them after a failure most of all. A refusal in
 * place of a success has none of them: the `status` of its problem is not that of the item.
 */
export function capture({
  run,
  interaction,
  observed,
  isLast,
  creation,
}: Pick<ExchangeContext, 'run' | 'interaction' | 'observed' | 'isLast'> &
  Partial<Pick<ExchangeContext, 'creation'>>): Captured {
  const { captures, expected, credentialNames } = interaction;
  const values = new Map<string, JsonValue>();
  const missing: Finding[] = [];
  if (captures.length === 0 || !isLast || isRefusal(expected.statuses, observed.status)) return { values, missing };
  const source = observedValues(run, interaction, observed);
  for (const wanted of captures) {
    const shown = captureValue(wanted, source);
    const found =
      shown === undefined ? keyOfMade(run, interaction, wanted, creation) : asKey(run, interaction, wanted, shown);
    if (found !== undefined) {
      values.set(wanted.name, found);
      // What is sent as a credential later on is one already: no report shows it, this response's first of all.
      if (credentialNames?.has(wanted.name) === true && isScalar(found))
        run.redact.learn({ name: wanted.name, key: scalarText(found) });
    } else if (isToBeCaptured(expected.statuses, observed.status) && isPromised(run, interaction, wanted, observed)) {
      missing.push(missingValue(wanted));
    }
  }
  return { values, missing };
}

function missingValue({ name, expression, pattern, text }: Capture): Finding {
  return {
    check: CAPTURE.id,
    severity: 'error',
    at: placeOfExpression(expression),
    message: `There is nothing to capture as ${name}`,
    expected: pattern === undefined ? text : `${text} that matches ${pattern}`,
    actual: 'nothing',
  };
}

/**
 * The key of what a generated creation made, where its response does not show it: the run found it by Location or in the
 * list.
 */
function keyOfMade(
  { api }: Run,
  { isWritten }: Interaction,
  { expression }: Capture,
  creation: Creation | undefined,
): JsonValue | undefined {
  if (isWritten === true || expression.kind !== 'body' || creation?.item === undefined) return undefined;
  const match = routeOf(api, creation.item);
  const variable = match && lastVariable(match.route);
  if (match === undefined || variable === undefined) return undefined;
  const parameters = [...match.route.operations.values()].flatMap((operation) => operation.parameters);
  const isNumber = parameters.some(({ name, schema }) => name === variable && schema?.value['type'] === 'integer');
  const text = match.pathParameters[variable];
  return isNumber && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** The key of what a generated creation made, which a response may show as a text and the item as a number. */
function asKey(
  { api }: Run,
  { isWritten, operation }: Interaction,
  { expression }: Capture,
  shown: JsonValue,
): JsonValue {
  const made = isWritten === true || operation?.method !== 'POST' ? undefined : bindingOf(api, operation);
  if (made === undefined || expression.kind !== 'body' || typeof shown !== 'string' || !/^\d+$/.test(shown))
    return shown;
  const { key, properties } = made.resource;
  const isKey = ['0', key.name].includes(parsePointer(expression.pointer).at(-1) ?? '');
  return isKey && properties.get(key.name)?.schema['type'] === 'integer' ? toCanonical(numberFromLexeme(shown)) : shown;
}

/** Does the description say that a response has what a generated step takes out of it? What a person wrote is expected. */
function isPromised(
  { api }: Run,
  { isWritten, operation }: Interaction,
  { expression }: Capture,
  { status }: ObservedResponse,
): boolean {
  if (isWritten === true || expression.kind !== 'body') return true;
  const schema = operation && jsonContent(findResponse(operation, status))?.schema;
  const [name] = parsePointer(expression.pointer);
  if (schema === undefined) return false;
  const properties = api.propertiesOf(schema);
  return name === undefined || properties.size === 0 || properties.has(name);
}

function isRefusal(expected: readonly number[], status: number): boolean {
  return status >= 400 && status < 500 && expected.some((each) => each < 400);
}

/** Where a refusal is as right as a success, only the success has what is captured. */
function isToBeCaptured(expected: readonly number[], status: number): boolean {
  return expected.includes(status) && (status < 400 || expected.every((each) => each >= 400));
}

function captureValue({ expression, pattern }: Capture, source: ObservedValues): JsonValue | undefined {
  const value = evaluateExpression(expression, source);
  if (value === undefined) return undefined;
  // A server may write the id 1 as 1.0; in a path only its digits name the item.
  if (pattern === undefined) return isJsonNumber(value) ? toCanonical(value) : value;
  return isScalar(value) ? new RegExp(pattern, 'u').exec(scalarText(value))?.[1] : undefined;
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
