import { loadApi } from '../../src/files/load-api';
import { checkRun, RUN_CHECKS } from '../../src/checks/run/registry';
import type { ObservedExchange } from '../../src/checks/observed-exchange';
import type { JsonValue } from '../../src/core/json/json-value';
import { parseJson } from '../../src/core/json/parse-json';
import type { ApiModel } from '../../src/openapi/model/api-model';

const { api: PETSTORE } = loadApi();

/** An exchange in short: `GET /pets/1` answered with 200 and a body. */
export interface Sent {
  /** Method and target. */
  readonly to: string;
  readonly send?: string;
  readonly status: number | undefined;
  readonly body?: string | undefined;
  readonly headers?: readonly string[];
  readonly requestHeaders?: readonly string[];
  readonly auth?: string;
  readonly expects?: readonly number[];
  readonly codes?: readonly string[];
  /** Sent together with the one before. */
  readonly overlaps?: true;
}

/** Exchanges one after the other, unless they say otherwise. */
export function observeRun(sent: readonly Sent[], api: ApiModel = PETSTORE): ObservedExchange[] {
  return sent.map((exchange, index): ObservedExchange => {
    const { status, auth = 'valid', headers = [], requestHeaders = [], send = '', body = '' } = exchange;
    const [method = '', target = ''] = exchange.to.split(' ');
    const [path = '', query = ''] = target.split('?');
    return {
      operation: api.routes.match(path)?.route.operations.get(method)?.id,
      method,
      path,
      query,
      auth,
      requestHeaders,
      requestText: send,
      requestBody: jsonIn(send),
      expected: expectationOf(exchange),
      status,
      headers,
      body: jsonIn(body),
      bodySize: Buffer.byteLength(body),
      ...timesOf(exchange, index),
    };
  });
}

function jsonIn(text: string): JsonValue | undefined {
  return text === '' ? undefined : parseJson(text);
}

function expectationOf({ expects, codes = [] }: Sent): ObservedExchange['expected'] {
  return expects === undefined ? undefined : { statuses: expects, codes };
}

/** Ten moments for each exchange; one that overlaps is sent before the answer to the one before it has arrived. */
function timesOf({ overlaps }: Sent, index: number): Pick<ObservedExchange, 'sentAt' | 'respondedAt'> {
  return { sentAt: 10 * index - (overlaps === true ? 7 : 0), respondedAt: 10 * index + 5 };
}

/** What one check says of a run: `error 2<0 /response/body/name: …`, the exchange it speaks of and the one before. */
export function runCheck(id: string, sent: readonly Sent[], api: ApiModel = PETSTORE): string[] {
  if (!RUN_CHECKS.some((check) => check.id === id)) throw new Error(`no check ${id}`);
  const findings = checkRun(observeRun(sent, api), api).findings.filter(({ check }) => check === id);
  return findings.map(({ severity, exchange, earlier, at, message }) => {
    return `${severity} ${exchange}<${earlier} ${at}: ${message}`;
  });
}

/** The description with a PUT that may make a pet. */
export const withPutThatMakes = (text: string): string =>
  text.replace(
    /(operationId: replacePet\n *tags[^]*?responses:\n)( *)/,
    "$1$2'201': { description: It was made. }\n$2",
  );

export const withSoldKept = (text: string): string =>
  text.replace('Removes the pet and its inventory item.', '$& A sold pet cannot be deleted.');

export const PET = '{"id":1,"name":"Zoë","categoryId":5,"status":"available"}';
export const NEW_PET = '{"name":"Zoë","categoryId":5}';
export const GONE = '{"code":"resource_not_found","message":"none","status":404}';

export const added: Sent = { to: 'POST /pets', send: NEW_PET, status: 201, body: PET };
export const read: Sent = { to: 'GET /pets/1', status: 200, body: PET };
export const missing: Sent = { to: 'GET /pets/1', status: 404, body: GONE };
export const removed: Sent = { to: 'DELETE /pets/1', status: 204 };
