import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { loadApi } from '../../src/files/load-api';
import { checkResponse } from '../../src/checks/response/registry';
import { observeResponse } from '../../src/checks/response-check';
import { checkRun } from '../../src/checks/run/registry';
import type { ObservedExchange } from '../../src/checks/observed-exchange';
import type { HttpResponse } from '../../src/core/http/message';
import type { JsonValue } from '../../src/core/json/json-value';
import { parseJson } from '../../src/core/json/parse-json';
import { buildModel } from '../../src/openapi/model/api-model';
import { readSource } from '../../src/openapi/read/read-source';
import { ROOT } from '../project/source-files';

const { api } = loadApi();
const TEXT = readFileSync(join(ROOT, 'spec', 'petstore.yaml'), 'utf8');
const KEY = 'test-key';

/** A request to send, `GET /pets`, with the right key unless it has another one. */
export interface Said {
  readonly to: string;
  readonly send?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request and what came back. */
export interface Heard extends Said {
  readonly answer: HttpResponse;
}

function headersOf({ send, key = KEY, headers }: Said): Record<string, string> {
  const type: Record<string, string> = send === undefined ? {} : { 'Content-Type': 'application/json' };
  return { Authorization: `Bearer ${key}`, Accept: 'application/json', ...type, ...headers };
}

function splitOf({ to }: Said): { method: string; path: string; query: string } {
  const [method = '', target = ''] = to.split(' ');
  const [path = '', query = ''] = target.split('?');
  return { method, path, query };
}

/** Sends one request to a server that listens. */
export function say(url: string, said: Said): Promise<Heard> {
  const { method } = splitOf(said);
  return new Promise((resolve, reject) => {
    const outgoing = request(url + (said.to.split(' ')[1] ?? ''), { method, headers: headersOf(said) }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const answer = { status: incoming.statusCode ?? 0, headers: incoming.rawHeaders, body: Buffer.concat(chunks) };
        resolve({ ...said, answer });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(said.send);
  });
}

function operationOf(said: Said): ReturnType<typeof api.operationById> {
  const { method, path } = splitOf(said);
  return api.routes.match(path)?.route.operations.get(method);
}

/**
 * What every check says of an answer: `error internals`.
 *
 * @param describedAs - changes the text of the description before it is read
 */
export function judge({ answer, ...said }: Heard, describedAs?: (text: string) => string): string[] {
  const model = describedAs === undefined ? api : buildModel(readSource(describedAs(TEXT), 'petstore.yaml'));
  const { findings } = checkResponse(
    observeResponse(model, {
      operation: model.operationById(operationOf(said)?.id ?? ''),
      method: splitOf(said).method,
      response: answer,
      expected: undefined,
      requestHeaders: Object.entries(headersOf(said)).flat(),
      requestBodyLength: said.send?.length ?? 0,
      isAuthenticated: said.key === undefined,
      secrets: [said.key ?? KEY],
    }),
  );
  return findings.map(({ severity, check }) => `${severity} ${check}`);
}

const jsonIn = (text: string): JsonValue | undefined => (/^[[{]/.test(text) ? parseJson(text) : undefined);

/** What the checks over a run say of what was said one after the other: `error echo 1`. */
export function judgeRun(heard: readonly Heard[], describedAs?: (text: string) => string): string[] {
  const model = describedAs === undefined ? api : buildModel(readSource(describedAs(TEXT), 'petstore.yaml'));
  const exchanges = heard.map(({ answer, ...said }, index): ObservedExchange => {
    return {
      ...splitOf(said),
      operation: operationOf(said)?.id,
      auth: said.key === undefined ? 'valid' : 'invalid',
      requestHeaders: Object.entries(headersOf(said)).flat(),
      requestText: said.send ?? '',
      requestBody: jsonIn(said.send ?? ''),
      expected: undefined,
      status: answer.status,
      headers: answer.headers,
      body: jsonIn((answer.body ?? '').toString()),
      bodySize: answer.body?.length ?? 0,
      sentAt: 2 * index,
      respondedAt: 2 * index + 1,
    };
  });
  return checkRun(exchanges, model).findings.map(({ severity, check, exchange }) => `${severity} ${check} ${exchange}`);
}
