import type { HttpResponse } from '../../../src/core/http/message';
import { parseJson } from '../../../src/core/json/parse-json';
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import { createMock, type Mock } from '../../../src/mock/create-mock';
import { exportState } from '../../../src/mock/sandbox/state-export';
import { findResponse } from '../../../src/openapi/view/responses';
import type { MockOptions } from '../../../src/mock/context/options';
import type { Rules } from '../../../src/mock/rules/rules';
import type { ApiModel } from '../../../src/openapi/model/api-model';
import type { PayloadSource } from '../../../src/payload/payload-source';
import { loadText } from '../../openapi/load-text';

/** The time that never passes. */
export const NOW = '2026-03-01T12:00:00.000Z';

/** What was answered; the body was held against its schema already. */
export interface Answer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; `undefined` for none. */
  readonly body: JsonValue | undefined;
}

/** A mock of a small description, in this process, without credentials. */
export interface SmallMock {
  readonly api: ApiModel;
  readonly mock: Mock;
  readonly send: (
    method: string,
    path: string,
    body?: JsonValue,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
  /** Everything that is stored, as text to compare. */
  readonly stateText: () => string;
}

export interface SmallMockOptions {
  readonly options?: Partial<MockOptions>;
  readonly rules?: Rules;
  /** Of OpenAPI; 3.0.3 when left out. */
  readonly version?: string;
  /** What answers where there is no state; nothing may when left out. */
  readonly payloads?: (api: ApiModel) => PayloadSource;
}

/** @param paths - `paths` and what follows, as YAML */
export function smallMock(paths: string, { version = '3.0.3', ...options }: SmallMockOptions = {}): SmallMock {
  const { api } = loadText(`openapi: ${version}\ninfo: { title: Small, version: 1.0.0 }\n${paths}`);
  return mockOf(api, options);
}

/** @param document - the whole of a description, as `smallApi` writes it */
export function mockOfDocument(document: string, options: SmallMockOptions = {}): SmallMock {
  return mockOf(loadText(document).api, options);
}

export function stateless(): Promise<never> {
  return Promise.reject(new Error('This operation is to be served from state'));
}

function notStored(): never {
  throw new Error('This operation is to be served from state');
}

function mockOf(api: ApiModel, { options = {}, rules, payloads }: SmallMockOptions = {}): SmallMock {
  const mock = createMock(api, {
    options: { auth: 'off', ...options },
    rules,
    payloads: payloads?.(api) ?? { respond: stateless, originOf: stateless, sample: notStored, withBody: notStored },
    clock: { now: () => Date.parse(NOW) },
    reportDefect(error) {
      throw error;
    },
  });
  return {
    api,
    mock,
    stateText: () => stringifyJson(exportState(mock.engine.sandboxes.main.snapshot())),
    async send(method, path, body, headers = {}) {
      const text = body === undefined ? '' : stringifyJson(body);
      const typed =
        body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(text.length) };
      const all: Record<string, string> = { host: 'localhost', ...typed, ...headers };
      const response = await mock.engine.handle({
        method,
        target: path,
        headers: all,
        rawHeaders: Object.entries(all).flat(),
        body: Buffer.from(text),
      });
      return judged(api, method, path, response);
    },
  };
}

/** Fails where the body is not what the description promises for the status. */
function judged(api: ApiModel, method: string, path: string, response: HttpResponse): Answer {
  const text = response.body === undefined ? '' : Buffer.from(response.body).toString();
  const body = text === '' ? undefined : parseJson(text);
  const operation = api.routes.match(path.split('?')[0] ?? '')?.route.operations.get(method);
  const schema = operation && findResponse(operation, response.status)?.content[0]?.schema;
  const [violation] = body === undefined ? [] : (schema?.validate('response')(body) ?? []);
  if (violation !== undefined) {
    throw new Error(`${method} ${path} ${response.status} ${violation.pointer} ${violation.message}: ${text}`);
  }
  return { status: response.status, headers: headersOf(response), body };
}

function headersOf({ headers }: HttpResponse): Record<string, string> {
  const byName: Record<string, string> = {};
  for (let index = 0; index < headers.length; index += 2) {
    byName[String(headers[index]).toLowerCase()] = String(headers[index + 1]);
  }
  return byName;
}

export function objectOf({ body }: Answer): JsonObject {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error('The answer must be an object');
  return body as JsonObject;
}
