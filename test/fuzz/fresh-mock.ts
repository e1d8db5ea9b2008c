import { createServerParts } from '../../src/library/create-mock-server';
import type { HttpRequest, HttpResponse } from '../../src/core/http/message';
import { parseJson } from '../../src/core/json/parse-json';
import { stringifyJson } from '../../src/core/json/stringify-json';
import type { JsonValue } from '../../src/core/json/json-value';
import { createMock, type Mock } from '../../src/mock/create-mock';
import { exportState } from '../../src/mock/sandbox/state-export';
import type { MockOptions } from '../../src/mock/context/options';
import type { Item } from '../../src/mock/state/item';
import type { RuleReader } from '../../src/mock/rules/rules';
import type { ApiModel } from '../../src/openapi/model/api-model';

/** The time that never passes. */
export const NOW = Date.parse('2026-03-01T12:00:00Z');

/** A request as a client would write it; the rest is worked out when it is sent. */
export interface PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Uint8Array;
}

/** One Petstore with its fixtures, in this process and out of time. */
export interface FreshMock {
  readonly mock: Mock;
  readonly send: (request: PlainRequest) => HttpResponse;
  /** Everything that is stored, as text to compare. */
  readonly stateText: () => string;
  /** What the rules of the Petstore find broken. */
  readonly brokenInvariants: () => string[];
}

export interface Bench {
  readonly api: ApiModel;
  create(options?: Partial<MockOptions>): FreshMock;
}

export async function createBench(): Promise<Bench> {
  const { api, mock: parent } = await createServerParts({});
  const { rules, payloads } = parent.context;
  return {
    api,
    create(options = {}) {
      const mock = createMock(api, {
        options,
        rules,
        payloads,
        clock: { now: () => NOW },
        docsPath: '/__standin/docs',
        reportDefect(error) {
          throw error;
        },
      });
      mock.engine.sandboxes.main.restore(parent.initial);
      return {
        mock,
        send: (request) => send(mock, request),
        stateText: () => stringifyJson(exportState(mock.engine.sandboxes.main.snapshot())),
        brokenInvariants() {
          const reader = readerOf(mock);
          return [...(rules?.invariants?.(reader) ?? [])].map(({ message }) => message);
        },
      };
    },
  };
}

/** The stored items as the rules of the Petstore read them. */
function readerOf({ engine, resources }: Mock): RuleReader {
  const collections = exportState(engine.sandboxes.main.snapshot())['collections'] as Readonly<
    Record<string, readonly Item[]>
  >;
  const items = (path: string): readonly Item[] => collections[path] ?? [];
  const keyOf = (path: string): string => resources.find((resource) => resource.path === path)?.keyMember ?? 'id';
  return {
    collections: (path) => [path],
    items,
    get: (path, key) => items(path).find((item) => item[keyOf(path)] === key),
    find: (path, member, value) => items(path).filter((item) => item[member] === value),
  };
}

function send({ engine }: Mock, request: PlainRequest): HttpResponse {
  const answer = engine.handle(toHttpRequest(request));
  if (answer instanceof Promise) throw new Error('Every operation of the Petstore has a behaviour and answers at once');
  return answer;
}

/** Headers that Node gives once, whatever was sent. */
const SINGLE = new Set(['authorization', 'content-length', 'content-type', 'host']);

/** What an adapter would make of a request that Node has parsed. */
export function toHttpRequest({ method, target, headers, body }: PlainRequest): HttpRequest {
  const joined: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = joined[key];
    if (before === undefined) joined[key] = value;
    else if (!SINGLE.has(key)) joined[key] = `${before}, ${value}`;
  }
  return { method, target, headers: joined, rawHeaders: headers.flat(), body: Buffer.from(body) };
}

/** The value of a response header; `undefined` when there is none. */
export function headerOf({ headers }: HttpResponse, name: string): string | undefined {
  const index = headers.findIndex((other, at) => at % 2 === 0 && other.toLowerCase() === name.toLowerCase());
  return index === -1 ? undefined : headers[index + 1];
}

export function textOf({ body }: HttpResponse): string {
  return body === undefined ? '' : Buffer.from(body).toString();
}

export function jsonOf(response: HttpResponse): JsonValue {
  return parseJson(textOf(response));
}
