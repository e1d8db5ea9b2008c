import type { ErrorObject } from 'ajv';
import { asList, asObject, type Check, isObject, isSame, type Law, type Verdict } from './checks';
import { type Answer, type Send, showAnswer, showRequest } from './client';
import type { Collection } from './collections';
import { type Body, isJson, nameOf, type Operation, responseFor } from './description';
import { type Maker, makeRequest, type Request, type Wishes } from './request';
import { judgeDeleted, judgeValues } from './values';

export interface Exchange {
  readonly operation: Operation;
  readonly request: Request;
  readonly answer: Answer;
}

/** Talks to a server, judges each answer by itself, and keeps what was found. */
export interface Session extends Maker {
  readonly checks: readonly Check[];
  readonly requests: () => number;
  /** Sends what the description allows; throws `NoValueError` where that cannot be made. */
  readonly ask: (operation: Operation, wishes: Wishes, collection?: Collection) => Promise<Exchange>;
  /** Sends anything: only that the server stays up is judged. */
  readonly disturb: (operation: Operation, request: Request, collection?: Collection) => Promise<void>;
  readonly tell: (law: Law, verdict: Verdict, about: About, expected: string) => void;
  /** Waits for a while between two looks at what takes time. */
  readonly pause: () => Promise<void>;
}

const pauseFor = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

export interface About {
  readonly operation: string;
  readonly collection?: Collection | undefined;
  /** What shows it, the last one last. */
  readonly shown?: readonly Exchange[];
}

export function createSession(maker: Maker, send: Send, pause = pauseFor): Session {
  const checks: Check[] = [];
  const told = new Map<string, number>();
  const sent = new Set<unknown>();
  let requests = 0;

  /** Tells a fact about an operation once: that it is broken, if ever it is. */
  const tellOnce = (
    law: Law,
    what: string,
    isBroken: boolean,
    exchange: Exchange,
    expected: string,
    of?: Collection,
  ): void => {
    const operation = nameOf(exchange.operation);
    const id = `${law} ${operation} ${what}`;
    const at = told.get(id);
    if (at !== undefined && (!isBroken || checks[at]?.verdict === 'violated')) return;
    const check = makeCheck(
      law,
      isBroken ? 'violated' : 'holds',
      { operation, collection: of, shown: [exchange] },
      expected,
    );
    if (at === undefined) told.set(id, checks.push(check) - 1);
    else checks[at] = check;
  };

  /** Whether the description has the very text somewhere: what its authors wrote is not for the server to mend. */
  let written: string | undefined;
  const isWritten = (value: unknown): boolean => {
    written ??= JSON.stringify(maker.description.document);
    return typeof value === 'string' && written.includes(JSON.stringify(value));
  };

  const talk = async (operation: Operation, request: Request, collection?: Collection): Promise<Exchange> => {
    requests += 1;
    collectScalars(request.sent, sent);
    const exchange = { operation, request, answer: await send(request) };
    const { status } = exchange.answer;
    tellOnce('no hang', '', status === 0, exchange, 'an answer in time', collection);
    const documentsFault = operation.responses.every((response) => response.status.startsWith('5'));
    if (!documentsFault) tellOnce('no 5xx', '', status >= 500, exchange, 'no fault of the server', collection);
    return exchange;
  };

  const judge = (exchange: Exchange, collection?: Collection): void => {
    const { answer } = exchange;
    if (answer.status === 0 || answer.status >= 500) return;
    const verdict = judgeAnswer(maker, exchange);
    if (verdict !== undefined) {
      tellOnce('valid', String(answer.status), verdict !== true, exchange, verdict === true ? '' : verdict, collection);
    }
    if (answer.status < 300 && answer.json !== undefined) judgeUse(exchange, collection);
  };

  const judgeUse = (exchange: Exchange, collection?: Collection): void => {
    const { schemas } = maker;
    const schema = bodyFor(exchange)?.schema;
    const { json } = exchange.answer;
    if (schema === undefined) return;
    const deleted = exchange.operation.method === 'DELETE' ? judgeDeleted(schemas, schema, json) : undefined;
    const values = judgeValues(schemas, schema, json, (value) => sent.has(value));
    for (const { place, rule, value, isUsable, expected } of [...values, ...(deleted === undefined ? [] : [deleted])]) {
      if (!isUsable && isWritten(value)) continue;
      const text = `${place}: ${expected}, not ${JSON.stringify(value)}`;
      tellOnce('usable values', `${place} ${rule}`, !isUsable, exchange, text, collection);
    }
  };

  return {
    ...maker,
    checks,
    requests: () => requests,
    pause,
    tell(law, verdict, about, expected) {
      checks.push(makeCheck(law, verdict, about, expected));
    },
    async ask(operation, wishes, collection) {
      const request = makeRequest(maker, operation, wishes);
      for (const key of Object.values(wishes.keys)) sent.add(key);
      const exchange = await talk(operation, request, collection);
      judge(exchange, collection);
      return exchange;
    },
    async disturb(operation, request, collection) {
      await talk(operation, request, collection);
    },
  };
}

function makeCheck(law: Law, verdict: Verdict, { operation, collection, shown = [] }: About, expected: string): Check {
  // What holds needs no evidence.
  const evidence = verdict === 'holds' ? [] : shown;
  const request = evidence.map((exchange) => showRequest(exchange.request)).join(' → ');
  const answer = evidence.map((exchange) => showAnswer(exchange.answer)).join(' → ');
  return { law, verdict, operation, collection: collection?.path, request, answer, expected };
}

function collectScalars(value: unknown, into: Set<unknown>): void {
  if (Array.isArray(value)) for (const one of value) collectScalars(one, into);
  else if (isObject(value)) for (const one of Object.values(value)) collectScalars(one, into);
  else into.add(value);
}

/** The body that the description has for an answer, by its media type. */
function bodyFor({ operation, answer }: Exchange): Body | undefined {
  const bodies = responseFor(operation, answer.status)?.bodies ?? [];
  const type = typeIn(answer);
  return (
    bodies.find(({ mediaType }) => isMediaType(mediaType, type)) ??
    bodies.find(({ mediaType }) => mediaType.includes('*'))
  );
}

function typeIn({ headers }: Answer): string {
  return (headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

function isMediaType(documented: string, type: string): boolean {
  const plain = documented.split(';')[0]!.trim();
  return plain === type || (isJson(plain) && type === 'application/json');
}

/** `true` when an answer is as documented, what is wrong with it, or `undefined` when that cannot be said. */
function judgeAnswer(maker: Maker, exchange: Exchange): string | true | undefined {
  const { operation, answer } = exchange;
  const response = responseFor(operation, answer.status);
  // An error that nobody described, or in a form of its own, is no fault.
  const isGood = answer.status < 300;
  const statuses = operation.responses.map(({ status }) => status).join(', ');
  // Where errors alone are documented, the success was forgotten: OAS 3.0.3 §4.7.16 wants one. The law of creation asks for it.
  const documentsErrorsAlone = operation.responses.every(({ status }) => /^[45]/.test(status));
  if (response === undefined)
    return answer.status >= 400 || documentsErrorsAlone ? undefined : `a documented status: ${statuses}`;
  if (response.bodies.length === 0 || answer.status === 204) return true;
  if (answer.text === '') return isGood ? 'a body' : undefined;
  const body = bodyFor(exchange);
  if (body !== undefined) return judgeBody(maker, answer, body);
  const types = response.bodies.map(({ mediaType }) => mediaType).join(', ');
  return isGood ? `a documented media type: ${types}, not ${typeIn(answer)}` : undefined;
}

function judgeBody(maker: Maker, { json }: Answer, body: Body): string | true | undefined {
  if (!isJson(body.mediaType)) return true;
  if (json === undefined) return 'a body of JSON';
  const judge = maker.schemas.judge(body.schema, 'response');
  const error = judge?.(json);
  if (judge === undefined) return undefined;
  if (error === undefined) return true;
  return isShownInDescription(error, body) ? undefined : `the schema: ${error.instancePath || '/'} ${error.message}`;
}

function stepInto(value: unknown, name: string): unknown {
  return Array.isArray(value) ? (value as unknown[])[Number(name)] : asObject(value)[name];
}

/** Whether the description itself shows the wrong value. */
function isShownInDescription(
  { keyword, params, data, parentSchema, instancePath }: ErrorObject,
  { examples }: Body,
): boolean {
  // Alternatives that do not exclude each other: nothing that fits one can fit one alone.
  if (keyword === 'oneOf' && params['passingSchemas'] !== null) return true;
  const schema = asObject(parentSchema);
  const own = [schema['example'], schema['default'], ...asList(schema['examples'])];
  const names = instancePath.split('/').slice(1);
  const inExamples = examples.map((example) => names.reduce<unknown>(stepInto, example));
  return [...own, ...inExamples].some((shown) => shown !== undefined && isSame(shown, data));
}
