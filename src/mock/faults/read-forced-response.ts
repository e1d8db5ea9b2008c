import { ConfigError } from '../../core/errors/standin-error';
import { isHeaderName } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import { joinPointer } from '../../core/json/json-pointer';
import { similarName } from '../../core/text/similar-name';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { type Fault, MAX_DELAY_MS } from './fault';
import { parseFaults } from './fault-syntax';
import { AnswerReader, type ResponseReference } from './forced-response-checks';
import {
  type ForcedAnswer,
  type RespondOptions,
  type ResponseAction,
  type ResponseFault,
  toResponseFault,
} from './forced-response-queue';
import { kindOf } from './registry';
import { demandOption, listed, shown, wrongOption } from './wrong-option';

const OPTIONS = ['status', 'example', 'body', 'headers', 'delayMs', 'fault', 'times', 'violates', 'sandbox'];
/** Others set these: they frame the message, or tell what was forced. */
const RESERVED =
  /^(?:content-length|transfer-encoding|connection|keep-alive|proxy-connection|trailer|upgrade|te|x-standin-fault)$/i;

/**
 * The operation of an `operationId`, or of a method and a path: `GET /books/{bookId}`.
 *
 * @throws ConfigError `CONFIG_INVALID` that names the nearest one, or some that there are
 */
export function operationNamed(api: ApiModel, name: unknown): Operation {
  if (typeof name !== 'string')
    throw new ConfigError('CONFIG_INVALID', `The operation is ${shown(name)}; expected a string`, {
      hint: 'Give an operationId, or a method and a path such as "GET /books/{bookId}".',
    });
  const found =
    api.operations.find(({ id }) => id === name) ??
    api.operations.find(({ method, path, written }) => name === `${method} ${path}` || name === `${method} ${written}`);
  if (found !== undefined) return found;
  const ids = api.operations.map(({ id }) => id);
  const near = similarName(name, ids);
  throw new ConfigError('CONFIG_INVALID', `The description has no operation ${shown(name)}`, {
    hint: near === undefined ? `There are ${listed(ids)}.` : `Did you mean "${near}"?`,
  });
}

/**
 * Reads what an operation is to answer next, and holds it against the description.
 *
 * @throws ConfigError `CONFIG_INVALID`: its findings have JSON pointers into the options
 */
export function readForcedResponse(reference: ResponseReference, name: unknown, given: unknown): ResponseFault {
  const operation = operationNamed(reference.api, name);
  const options = readOptions(operation, given);
  const { times, sandbox }: Record<string, unknown> = { ...options };
  const isCount = times === undefined || (Number.isSafeInteger(times) && Number(times) > 0);
  demandOption(operation, 'times', times, isCount, 'a whole number from 1');
  demandOption(operation, 'sandbox', sandbox, sandbox === undefined || sandbox === '*', '"*", for all sandboxes');
  const headers = readHeaders(operation, options);
  const delayMs = readDelay(operation, options);
  const fault = readFault(operation, options);
  const { answer, isViolation } = new AnswerReader(reference, operation, options).read(headers);
  if (answer === undefined && fault === undefined && headers.length === 0 && delayMs === 0) {
    const expected = 'status, example, body, headers, delayMs or fault';
    throw wrongOption(operation, { pointer: '', message: 'nothing says what it is to answer', expected });
  }
  demandTogether(operation, answer, fault);
  return toResponseFault(operation.id, {
    kind: 'respond',
    // What was given may be changed later by who gave it.
    options: answer?.body === undefined ? options : { ...options, body: answer.body.value },
    answer,
    headers,
    delayMs,
    fault,
    isViolation: isViolation || (fault !== undefined && breaksMessages(fault)),
  } satisfies ResponseAction);
}

function readOptions(operation: Operation, given: unknown): RespondOptions {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrongOption(operation, {
      pointer: '',
      message: `what it is to answer is ${Array.isArray(given) ? 'a list' : shown(given)}`,
      expected: 'an object such as { status: 503 }',
    });
  // As a forced response is shown, null stands for what there is not; a body may be null.
  const entries = Object.entries(given).filter(
    ([name, value]: [string, unknown]) => value !== undefined && (value !== null || name === 'body'),
  );
  for (const [name] of entries) {
    if (OPTIONS.includes(name)) continue;
    const near = similarName(name, OPTIONS);
    const hint = near === undefined ? `There are ${OPTIONS.join(', ')}.` : `Did you mean "${near}"?`;
    const message = `there is no option ${shown(name)}`;
    throw wrongOption(operation, { pointer: joinPointer('', name), message }, hint);
  }
  return Object.fromEntries(entries);
}

function readHeaders(operation: Operation, { headers = {} }: RespondOptions): RawHeaders {
  const isObject = typeof headers === 'object' && !Array.isArray(headers);
  demandOption(operation, 'headers', headers, isObject, 'an object of values by name');
  const names = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]: [string, unknown]) => {
    const wrong = wrongHeader(name, value, names);
    if (wrong !== undefined) throw wrongOption(operation, { pointer: joinPointer('/headers', name), ...wrong });
    names.add(name.toLowerCase());
    return [name, String(value).trim()];
  });
}

function wrongHeader(
  name: string,
  value: unknown,
  others: ReadonlySet<string>,
): { readonly message: string; readonly expected: string } | undefined {
  const header = `the header ${shown(name)}`;
  if (!isHeaderName(name))
    return { message: `${shown(name)} is not the name of a header`, expected: 'letters, digits and hyphens' };
  if (RESERVED.test(name)) return { message: `${header} is set by the mock itself`, expected: 'another one' };
  if (others.has(name.toLowerCase())) return { message: `${header} stands there twice`, expected: 'each name once' };
  // Visible ASCII, spaces and tabs (RFC 9110 §5.5).
  const isText = typeof value === 'string' ? /^[\t\x20-\x7e]*$/.test(value) : Number.isFinite(value);
  if (isText) return undefined;
  return { message: `${header} is ${shown(value)}`, expected: 'a text of visible ASCII characters' };
}

function readDelay(operation: Operation, { delayMs = 0 }: RespondOptions): number {
  const isDelay = Number.isFinite(delayMs) && delayMs >= 0 && delayMs <= MAX_DELAY_MS;
  demandOption(operation, 'delayMs', delayMs, isDelay, `milliseconds from 0 to ${MAX_DELAY_MS}`);
  return delayMs;
}

function readFault(operation: Operation, { fault: text }: RespondOptions): Fault | undefined {
  if (text === undefined) return undefined;
  demandOption(operation, 'fault', text, typeof text === 'string', 'a fault such as reset');
  const wrong = (message: string, expected: string): ConfigError =>
    wrongOption(operation, { pointer: '/fault', message, expected });
  const parsed = parseFaults(text);
  if (parsed.kind === 'malformed') throw wrong(parsed.message, 'a fault such as reset');
  const [fault] = parsed.faults;
  if (fault === undefined || parsed.faults.length > 1)
    throw wrong(`fault is ${shown(text)}`, 'one fault, such as reset');
  const { method, path, forMs, times } = fault;
  if ([fault.operation, method, path, forMs, times].some((setting) => setting !== undefined))
    throw wrong(`the fault ${shown(text)} has settings`, 'the fault alone; how often is said by the option times');
  return fault;
}

/** A fault that answers by itself leaves nothing to another response. */
function demandTogether(operation: Operation, answer: ForcedAnswer | undefined, fault: Fault | undefined): void {
  if (answer === undefined || fault === undefined) return;
  const kind = kindOf(fault);
  if (kind.force === undefined && kind.lose === undefined) return;
  throw wrongOption(operation, {
    pointer: '/fault',
    message: `the fault ${fault.text} answers in place of the status ${answer.status}`,
    expected: 'a fault of the way it is sent, such as reset or truncate',
  });
}

/** Does it change the message itself, rather than the way in which it is sent? */
function breaksMessages(fault: Fault): boolean {
  const kind = kindOf(fault);
  return kind.deform !== undefined && kind.needsConnection === undefined;
}
