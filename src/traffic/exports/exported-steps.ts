import { ConfigError } from '../../core/errors/standin-error';
import { headerValue } from '../../core/http/headers';
import type { Transport } from '../../core/http/message';
import type { JsonValue } from '../../core/json/json-value';
import { type Contract, type Phase, placeholdersOf, RUN_ID, type Step, stepsOf } from '../../formats/contract/contract';
import type { Matcher } from '../../formats/contract/matcher';
import {
  evaluateExpression,
  type ObservedRequest,
  observeRequest,
  type RuntimeExpression,
} from '../../formats/contract/runtime-expression';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { codeProperty, commonErrorContent, documentedErrors } from '../../openapi/view/responses';
import { identityVariable, KEY_VARIABLE } from '../../redaction/key-redactor';
import { type Run, startRun } from '../../runner/exchange/run-state';
import { sentRequest } from '../../runner/result/step-result';
import { prepareStep } from '../../runner/steps/step-request';
import type { ExportContext, Losses } from './export-kind';
import { markOf, type Template, toTemplate, usesOf } from './template';

/** Name of the value that has the key of the service. */
export const API_KEY = KEY_VARIABLE.slice(1);

/** A step with its request as the runner would send it, values that only a run knows left open. */
export interface ExportedStep {
  readonly name: string;
  readonly phase: Phase;
  readonly step: Step;
  readonly operation: Operation | undefined;
  readonly method: string;
  /** With marks in it. */
  readonly observed: ObservedRequest;
  /** Behind the base URL: path and query. */
  readonly target: Template;
  readonly headers: readonly { readonly name: string; readonly value: Template }[];
  /** `undefined` when there is none, and when it is no text. */
  readonly body: Template | undefined;
  /** Why a body is not shown, in words. */
  readonly omitted: string | undefined;
  readonly statuses: readonly number[];
  /** What the body must be, the error code of `expect` included; placeholders stand in it. */
  readonly expectedBody: Matcher | undefined;
  readonly expectedHeaders: Step['expect']['headers'];
  readonly captures: readonly ExportedCapture[];
  /** Names of the values that the step cannot do without. */
  readonly needs: readonly string[];
}

export interface ExportedCapture {
  readonly name: string;
  /** The group of a regular expression that is taken; `undefined` for all of it. */
  readonly pattern: string | undefined;
  readonly expression: RuntimeExpression;
  /** What is captured of the request is known before it is sent: with marks in it. `undefined` for a part of the response. */
  readonly known: JsonValue | undefined;
}

export interface ExportedContract {
  /** In the order of the run: setup, steps, and the cleanup with its last step first. */
  readonly steps: readonly ExportedStep[];
  /** Names of values that are given from outside: keys and secret variables; the id of the run is not among them. */
  readonly given: readonly string[];
  readonly usesRunId: boolean;
}

const NEVER: Transport = { send: () => Promise.reject(new Error('An export sends nothing')) };

/**
 * Makes the requests of all steps as the runner does, with marks in the place of values that only a run knows.
 *
 * @param losses - gets what no format can say
 */
export function exportSteps(
  contract: Contract,
  api: ApiModel,
  context: ExportContext,
  losses: Losses,
): ExportedContract {
  const { setup, steps, cleanup } = contract;
  const run = startRun({
    version: context.version,
    api,
    transport: NEVER,
    baseUrl: context.baseUrl,
    apiKey: markOf(API_KEY),
    identities: new Map(identitiesOf(contract).map((name) => [name, markOf(identityVariable(name))])),
    runId: 'export',
    mode: 'full',
  });
  const exported = [...setup, ...steps, ...cleanup.toReversed()].map((step) => {
    addLosses(step, losses);
    return exportStep(run, contract, step, losses);
  });
  if (contract.browser !== undefined) losses.add(undefined, 'browser: no preflight is sent, and CORS is not checked');
  if (contract.timesFrom !== undefined)
    losses.add(
      undefined,
      `times are counted from ${new Date(contract.timesFrom).toISOString()}, when this was exported`,
    );
  const captured = new Set(stepsOf(contract).flatMap(({ captures }) => captures.map(({ name }) => name)));
  const used = [...new Set(exported.flatMap(namesIn))];
  return {
    steps: exported,
    given: used.filter((name) => name !== RUN_ID && !captured.has(name)),
    usesRunId: used.includes(RUN_ID),
  };
}

function identitiesOf(contract: Contract): string[] {
  return stepsOf(contract).flatMap(({ auth }) =>
    typeof auth === 'object' && 'identity' in auth ? [auth.identity] : [],
  );
}

/** Names in its request and in what it expects. */
function namesIn({ target, headers, body = [], step }: ExportedStep): string[] {
  const templates = [target, body, ...headers.map(({ value }) => value)];
  return [...usesOf(templates).map(({ name }) => name), ...placeholdersOf(step).map(({ name }) => name)];
}

/** What a run does beside a request and a comparison. */
function addLosses({ name, repeat, maxDurationMs, pending, together, successes, events }: Step, losses: Losses): void {
  if (repeat !== undefined) losses.add(name, 'repeat: the request is sent once');
  if (maxDurationMs !== undefined) losses.add(name, 'maxDurationMs');
  if (events.length > 0) losses.add(name, 'expectEvent: nobody listens for what the service sends');
  if (together !== undefined) losses.add(name, 'together: the request is sent alone, in its turn');
  if (successes !== undefined) losses.add(name, 'successes: how many of the group succeed is not counted');
  if (pending !== undefined) losses.add(name, 'pending: what is found fails the run');
}

function exportStep(run: Run, contract: Contract, step: Step, losses: Losses): ExportedStep {
  const values = new Map(placeholdersOf(step).map(({ name }) => [name, markOf(name)]));
  const { request, operation } = prepare(run, contract, step, values, losses);
  const { method, url, headers, body, omitted } = sentRequest(run, request);
  const template = operation === undefined ? undefined : `${run.basePath}${operation.path}`;
  const observed = observeRequest(request, new URL(run.baseUrl).origin, template);
  const ofResponse = { body: undefined, header: () => undefined, request: observed };
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: headers[index + 1] ?? '' }] : []));
  return {
    name: step.name,
    phase: step.phase,
    step,
    operation,
    method,
    observed,
    target: toTemplate(url.slice(run.baseUrl.length)),
    headers: lines.map(({ name, value }) => ({ name, value: toTemplate(value) })),
    body: body === undefined ? undefined : toTemplate(body),
    omitted,
    statuses: step.expect.statuses,
    expectedBody: withCode(run.api, operation, step),
    expectedHeaders: step.expect.headers,
    captures: step.captures.map(({ name, pattern, expression }) => {
      return { name, pattern, expression, known: evaluateExpression(expression, ofResponse) };
    }),
    needs: [...values.keys()].filter((name) => name !== RUN_ID),
  };
}

/** A step that cannot authenticate is written without credentials. */
function prepare(
  run: Run,
  contract: Contract,
  step: Step,
  values: ReadonlyMap<string, string>,
  losses: Losses,
): ReturnType<typeof prepareStep> {
  try {
    return prepareStep(run, contract, step, values);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    losses.add(step.name, `credentials: ${error.message}`);
    return prepareStep(run, contract, { ...step, auth: 'none' }, values);
  }
}

/** With the error code, in the property where errors of the operation have it. */
function withCode(api: ApiModel, operation: Operation | undefined, { expect, pointer }: Step): Matcher | undefined {
  const { codes, body, statuses } = expect;
  if (codes.length === 0) return body;
  const [error] = documentedErrors(operation, statuses[0] ?? 0, commonErrorContent(api));
  const name = codeProperty(api, error?.schema) ?? 'code';
  const code: Matcher = {
    kind: 'object',
    members: [{ name, matcher: { kind: 'enum', values: codes, pointer: `${pointer}/expect/code` } }],
  };
  return body === undefined ? code : { kind: 'all', matchers: [code, body] };
}

/** The Content-Type of the body; `undefined` when there is none. */
export function mediaTypeOf({ headers }: ExportedStep): string | undefined {
  const lines = headers.flatMap(({ name, value }) => [
    name,
    value.filter((piece) => typeof piece === 'string').join(''),
  ]);
  return headerValue(lines, 'content-type');
}
