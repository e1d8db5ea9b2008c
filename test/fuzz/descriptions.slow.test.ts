import { join } from 'node:path';
import fc from 'fast-check';
import { createServerParts, type ServerParts } from '../../src/library/create-mock-server';
import { checkResponse } from '../../src/checks/response/registry';
import { observeResponse } from '../../src/checks/response-check';
import type { HttpRequest, HttpResponse } from '../../src/core/http/message';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { exportState } from '../../src/mock/sandbox/state-export';
import type { Operation } from '../../src/openapi/model/operation';
import { findDocuments } from '../corpus/find-documents';
import { valueMaker } from '../corpus/make-value';
import { requestFor } from '../corpus/request-for';
import { jsonValue } from '../core/json/arbitrary-json';
import { textOf, toHttpRequest } from './fresh-mock';
import { times } from './seed';
import { countCalls } from '../support/count-calls';

const DOCUMENTS = join(__dirname, '..', 'corpus', 'documents');
/** Far more calls than a response takes on average. */
const MAX_CALLS = 6000;

/** What is done to a request that was good before; most of them do one thing. */
interface Twist {
  readonly method: string | undefined;
  readonly segment: string | undefined;
  readonly query: string | undefined;
  readonly header: readonly [string, string] | undefined;
  readonly body: string | undefined;
}

const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 4 });
const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const twist: fc.Arbitrary<Twist> = fc.record({
  method: rarely(fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST', 'QUERY', 'PROPFIND', 'x')),
  segment: rarely(
    fc.constantFrom(
      '',
      '1',
      '-1',
      'x',
      '%00',
      '%zz',
      '..',
      '__proto__',
      'constructor',
      '%F0%9F%98%80',
      '9'.repeat(300),
    ),
  ),
  query: rarely(
    fc.constantFrom(
      'limit=-1',
      'limit=x',
      'page=0',
      'a[b]=c',
      'a[__proto__]=c',
      '__proto__=1',
      '%',
      '&&=',
      'sort=',
      '__code=500',
      '__example=none',
      '__dynamic=true',
      'x=%ED%A0%80',
    ),
  ),
  header: rarely(
    fc.constantFrom<readonly [string, string]>(
      ['Accept', 'image/png'],
      ['Accept', ';q='],
      ['Content-Type', 'multipart/form-data'],
      ['Content-Type', 'x'],
      ['If-Match', '"x"'],
      ['If-None-Match', '*'],
      ['Prefer', 'code=404'],
      ['Prefer', 'dynamic=true'],
      ['Prefer', 'code=99, example=, ,'],
      ['X-Standin-Sandbox', 'a'],
      ['Cookie', '=;;a'],
      ['__proto__', 'x'],
    ),
  ),
  body: rarely(
    fc.oneof(
      fc.constantFrom('', '{', '[]', 'null', '{"__proto__":{"a":1}}', '1e400'),
      jsonValue.map((value) => stringifyJson(value)),
    ),
  ),
});

const step = fc.record({
  choice: fc.nat(1000),
  seed: fc.nat(20),
  key: sometimes(fc.integer({ min: 1, max: 3 })),
  twist,
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function twisted(request: HttpRequest, { method, segment, query, header, body }: Twist): HttpRequest {
  let { target } = request;
  if (segment !== undefined) target = target.replace(/[^/?]*(?=\?|$)/, segment);
  if (query !== undefined) target = `${target}${target.includes('?') ? '&' : '?'}${query}`;
  const raw = header === undefined ? request.rawHeaders : [...request.rawHeaders, ...header];
  const headers = Array.from({ length: raw.length / 2 }, (_, at): [string, string] => [raw[2 * at]!, raw[2 * at + 1]!]);
  const bytes = body === undefined ? request.body : Buffer.from(body);
  return toHttpRequest({ method: method ?? request.method, target, headers, body: bytes });
}

describe.each(findDocuments(DOCUMENTS))('%s', (file) => {
  let parts: ServerParts;
  const defects: unknown[] = [];
  beforeAll(async () => {
    const reportDefect = (error: unknown): void => void defects.push(error);
    parts = await createServerParts({ description: file, auth: 'any', strict: true }, { reportDefect });
  });

  function made(operation: Operation, { seed, key }: Step): HttpRequest | undefined {
    const { api } = parts;
    const base = `http://mock.example${parts.mock.context.basePath}`;
    const names = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name);
    const path = key === undefined ? {} : Object.fromEntries(names.map((name) => [name, key]));
    const request = requestFor(api, operation, base, valueMaker(api), { seed: String(seed), path });
    return request.kind === 'made' ? request.request : undefined;
  }

  function faultsOf(operation: Operation, request: HttpRequest, response: HttpResponse): string[] {
    if (response.status >= 400) return [];
    const observed = observeResponse(parts.api, { operation, method: request.method, response, expected: undefined });
    return checkResponse(observed)
      .findings.filter(({ severity }) => severity === 'error')
      .map(({ check, at, message }) => `${check} ${at} ${message}`);
  }

  test('odd requests take a bounded number of calls', async () => {
    parts.mock.reset();
    const requests = fc.sample(step, 50).flatMap((each) => {
      const operation = parts.api.operations[each.choice % parts.api.operations.length];
      const good = operation === undefined ? undefined : made(operation, each);
      return good === undefined ? [] : [twisted(good, each.twist)];
    });
    const calls = await countCalls(async () => {
      for (const request of requests) await parts.mock.engine.handle(request);
    });
    expect(calls).toBeLessThan(MAX_CALLS * (requests.length + 1));
  });

  test('odd requests get valid responses, and a rejected one changes nothing', async () => {
    const stateText = (): string => stringifyJson(exportState(parts.mock.engine.sandboxes.main.snapshot()));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        parts.mock.reset();
        for (const each of steps) {
          const operation = parts.api.operations[each.choice % parts.api.operations.length];
          const good = operation === undefined ? undefined : made(operation, each);
          if (operation === undefined || good === undefined) continue;
          const request = twisted(good, each.twist);
          const before = stateText();
          const response = await parts.mock.engine.handle(request);
          const shown = `${request.method} ${request.target}: ${response.status} ${textOf(response).slice(0, 500)}`;
          expect({ shown, defects }).toStrictEqual({ shown, defects: [] });
          // Of its own will the mock answers 501 alone, where no body can be made, and says so.
          const isForced = /__code|Prefer/.test(`${request.target} ${request.rawHeaders.join(' ')}`);
          if (!isForced && response.status !== 501)
            expect({ shown, isFault: response.status >= 500 }).toStrictEqual({ shown, isFault: false });
          if (response.status >= 400) expect({ shown, state: stateText() }).toStrictEqual({ shown, state: before });
          const isPlain = each.twist.method === undefined && each.twist.segment === undefined;
          if (isPlain && !isForced)
            expect({ shown, faults: faultsOf(operation, request, response) }).toStrictEqual({ shown, faults: [] });
        }
      }),
      times(60),
    );
  });
});
