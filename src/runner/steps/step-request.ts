import { type Contract, type Expectation, type Step, type StepHeader, stepsOf } from '../../formats/contract/contract';
import { fillMatcher } from '../../formats/contract/matcher';
import { observeRequest } from '../../formats/contract/runtime-expression';
import { fillPlaceholders, replacePlaceholders } from '../../formats/contract/placeholders';
import { scalarText } from '../../core/json/stringify-json';
import { formatSourceLocation } from '../../core/errors/standin-error';
import type { Browser } from '../../core/http/cors';
import { headerValue, withoutHeaders } from '../../core/http/headers';
import type { HttpRequest, RawHeaders } from '../../core/http/message';
import type { JsonValue } from '../../core/json/json-value';
import { encodeParameter } from '../../openapi/parameters/encode-parameter';
import type { Operation } from '../../openapi/model/operation';
import type { SourceDocument } from '../../openapi/read/source-document';
import { credentials, keysWritten, withQuery } from '../exchange/credentials';
import { pathTraversal } from '../exchange/request-guard';
import { acceptOf, findOperation, makeRequest } from '../exchange/request';
import { sentRequest } from '../result/step-result';
import { type Interaction, parentsByVariable } from '../exchange/interaction';
import { markedValues, toRecipe, usedBy } from './recipe';
import type { Run } from '../exchange/run-state';
import { writeBody } from './step-body';

type Values = ReadonlyMap<string, JsonValue>;

/** Where a step stands, as a terminal can open it. */
export function locationOfStep(document: SourceDocument, { pointer }: Step): string {
  return formatSourceLocation({ file: document.file, ...document.locationOf(pointer) });
}

/** The operation that a step calls, before anything is filled in: a placeholder is a segment like any other. */
export function operationOfStep({ api }: Pick<Run, 'api'>, step: Step): Operation | undefined {
  const { request } = step;
  if (request.kind === 'operation') return api.operationById(request.operationId);
  return findOperation(api, request.method, request.path.replace(/\$\{[^{}]*\}/g, '0'), headersOf(step));
}

function headersOf({ headers }: Step): Record<string, string> {
  return Object.fromEntries(
    headers.flatMap(({ name, value }) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  );
}

/** The method of a step; GET where its operation is not known. */
export function methodOfStep({ request }: Step, operation: Operation | undefined): string {
  return request.kind === 'raw' ? request.method : (operation?.method ?? 'GET');
}

/** The same once the values are known: a placeholder may also hold a query, or a link as a whole. */
function operationAsSent(run: Run, step: Step, values: Values): Operation | undefined {
  const { request } = step;
  const operation = operationOfStep(run, step);
  if (operation !== undefined || request.kind === 'operation') return operation;
  return findOperation(run.api, request.method, writtenPath(request.path, values), headersOf(step));
}

/**
 * Makes the request of a step.
 *
 * @param values - has every placeholder of the step
 * @throws ConfigError when the step cannot authenticate
 */
export function prepareStep(run: Run, contract: Contract, step: Step, values: Values): Interaction {
  const operation = operationAsSent(run, step, values);
  const request = makeStepRequest(run, step, operation, values, contract.browser);
  const auth = authOf(contract, step);
  const filled = filledAuth(step, values);
  if (typeof filled === 'object' && !('identity' in filled)) run.sessions.set(auth, filled);
  const isAsSent = usedBy(step).length === 0;
  const marked = isAsSent
    ? request
    : makeStepRequest(run, step, operation, markedValues(step, values), contract.browser);
  return {
    name: step.name,
    phase: step.phase,
    together: step.together,
    place: locationOfStep(contract.document, step),
    operation,
    request,
    isWritten: contract.isGenerated !== true,
    writesPathTraversal: writesPathTraversal(step),
    auth,
    recipe: toRecipe(step, sentRequest(run, marked), values, (name) => {
      const template = operation === undefined ? undefined : `${run.basePath}${operation.path}`;
      return observeRequest(marked, new URL(run.baseUrl).origin, template).pathParameter(name);
    }),
    expected: fillExpectation(step.expect, values),
    captures: step.captures,
    // A step that writes the header itself is not sent for the page of the contract.
    browser: headerValue(request.rawHeaders, 'origin') === contract.browser?.origin ? contract.browser : undefined,
    maxDurationMs: step.maxDurationMs,
    repeat: step.repeat && { ...step.repeat, until: fillExpectation(step.repeat.until, values) },
    ...annotationsOfStep(contract, step),
    within: parentsByVariable(run.within ?? [], contract.within),
  };
}

/** With a harmless value in the place of each placeholder. */
function writesPathTraversal({ request }: Step): boolean {
  const written = (text: string): string => replacePlaceholders(text, () => '0');
  if (request.kind === 'raw') return pathTraversal(written(request.path).split('?')[0] ?? '') !== undefined;
  return request.parameters.some(
    ({ in: place, value }) =>
      place === 'path' &&
      typeof value === 'string' &&
      pathTraversal(`/${encodeURIComponent(written(value))}`) !== undefined,
  );
}

/** What a contract says of a step beside its request. */
export function annotationsOfStep(
  contract: Contract,
  step: Step,
): Pick<Interaction, 'leaves' | 'creates' | 'touches' | 'removes' | 'step'> {
  const { leaves, touches, name, pointer } = step;
  const made = step.removes === undefined ? undefined : stepsOf(contract).find((other) => other.name === step.removes);
  return {
    leaves,
    creates: leaves !== undefined || removingStep(contract, name) !== undefined,
    touches: touches ?? (step.removes === undefined ? undefined : 'own'),
    step: `${contract.document.file}#${pointer}`,
    removes: made === undefined ? undefined : `${contract.document.file}#${made.pointer}`,
  };
}

/** The step that says that it removes what a step made. */
export function removingStep(contract: Contract, name: string): Step | undefined {
  let known = REMOVALS.get(contract);
  if (known === undefined) {
    known = new Map();
    for (const step of stepsOf(contract).toReversed()) if (step.removes !== undefined) known.set(step.removes, step);
    REMOVALS.set(contract, known);
  }
  return known.get(name);
}

/** The first step that removes what a step of a name made: for each contract once. */
const REMOVALS = new WeakMap<Contract, Map<string, Step>>();

/** A step that writes the header itself authenticates in a way of its own. No identity has a name with a blank. */
function authOf({ document }: Contract, { auth, headers, pointer }: Step): string {
  if (headers.some(({ name }) => name.toLowerCase() === 'authorization')) return `as written at ${pointer}`;
  if (typeof auth === 'string') return auth;
  return 'identity' in auth ? auth.identity : `the key ${keysWritten(auth).join(', ')} of ${document.file}`;
}

function keyText(key: string, values: Values): string {
  return replacePlaceholders(key, (name) => scalarText(values.get(name) ?? ''));
}

/** With the key that is sent in the place of the one that is written. */
function filledAuth({ auth }: Step, values: Values): Step['auth'] {
  if (typeof auth !== 'object' || 'identity' in auth) return auth;
  if ('key' in auth) return { key: keyText(auth.key, values) };
  return { keys: Object.fromEntries(Object.entries(auth.keys).map(([name, key]) => [name, keyText(key, values)])) };
}

function makeStepRequest(
  run: Run,
  step: Step,
  operation: Operation | undefined,
  values: Values,
  browser: Browser | undefined,
): HttpRequest {
  const { method, path, headers } = requestLine(step, operation, values);
  const keys = credentials(run, operation, filledAuth(step, values));
  const body = step.body === undefined ? undefined : writeBody(step.body, operation, values, run.runId);
  const all = [
    ...['Accept', acceptOf(run.api, operation)],
    ...(body === undefined ? [] : ['Content-Type', body.contentType]),
    ...(browser === undefined ? [] : ['Origin', browser.origin]),
    ...headers,
    ...keys.headers,
  ];
  return makeRequest(run, method, withQuery(path, keys.query), override(all, step.headers, values), body?.bytes);
}

/**
 * A path as it is sent. A captured value may be a whole link, so that nothing of it is encoded but what no request line
 * can carry (RFC 9112 §3, RFC 3986 §2.1).
 */
function writtenPath(path: string, values: Values): string {
  const encoder = new TextEncoder();
  return scalarText(fillPlaceholders(path, values)).replace(/[^\u0021-\u007e]+/g, (part) =>
    [...encoder.encode(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** @returns with the header parameters of the operation */
function requestLine(
  { request }: Step,
  operation: Operation | undefined,
  values: Values,
): { readonly method: string; readonly path: string; readonly headers: RawHeaders } {
  if (request.kind === 'raw') {
    return { method: request.method, path: writtenPath(request.path, values), headers: [] };
  }
  if (operation === undefined)
    throw new Error(`The operation ${request.operationId} was there when the contract loaded`);
  // What stands behind `#` in a template is never sent; what stands behind `?` is.
  let path = operation.query === '' ? operation.path : `${operation.path}?${operation.query}`;
  const pairs: string[] = [];
  const headers: string[] = [];
  for (const { name, in: location, value } of request.parameters) {
    const parameter = operation.parameters.find((candidate) => candidate.name === name && candidate.in === location);
    if (parameter === undefined) continue;
    const filled = fillPlaceholders(value, values);
    const texts = encodeParameter(parameter, filled);
    if (location === 'query') pairs.push(...texts);
    else if (location === 'path') path = path.replace(`{${name}}`, () => texts.join(''));
    else if (location === 'header') headers.push(name, texts.join(''));
    else if (texts.length > 0) headers.push('Cookie', texts.join('; '));
  }
  const query = pairs.length === 0 ? '' : `${operation.query === '' ? '?' : '&'}${pairs.join('&')}`;
  return { method: operation.method, path: `${path}${query}`, headers };
}

/** The step has the last word: its lines replace those of the same name, and `null` takes them away. */
function override(headers: RawHeaders, own: readonly StepHeader[], values: Values): string[] {
  const stored = withoutHeaders(headers, new Set(own.map(({ name }) => name.toLowerCase())));
  const added = own.flatMap(({ name, value }) =>
    value === null ? [] : [name, scalarText(fillPlaceholders(value, values))],
  );
  return [...stored, ...added];
}

/** With values in the place of the placeholders. */
export function fillExpectation<E extends Pick<Expectation, 'body' | 'headers'>>(expected: E, values: Values): E {
  const { body, headers } = expected;
  return {
    ...expected,
    body: body === undefined ? undefined : fillMatcher(body, (value) => fillPlaceholders(value, values)),
    headers: headers.map(({ name, matcher }) => {
      return { name, matcher: fillMatcher(matcher, (value) => scalarText(fillPlaceholders(value, values))) };
    }),
  };
}
