import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../json';
import { Problem } from './input';

export interface Answer {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler gets of a request. */
export interface Asking {
  readonly path: string;
  /** What stands in the path where its pattern has `*`. */
  readonly names: readonly string[];
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
  readonly body: (type?: string) => Json;
}

/** By patterns of paths, in which `*` is any name, and by methods. */
export type Routes<Asked> = Readonly<Record<string, Readonly<Record<string, (asked: Asked) => Answer>>>>;

export const none = (what: string): Problem => new Problem(404, `There is no such ${what}.`);
export const now = (): string => new Date().toISOString();
export const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
export const tagsIn = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"|\*/g) ?? [];

interface Route<Asked> {
  readonly names: string[];
  readonly methods: Routes<Asked>[string];
}

export function findRoute<Asked>(routes: Routes<Asked>, parts: readonly string[]): Route<Asked> {
  for (const [pattern, methods] of Object.entries(routes)) {
    const wanted = pattern.split('/');
    if (wanted.length !== parts.length || !wanted.every((part, at) => part === '*' || part === parts[at])) continue;
    return { names: parts.filter((_, at) => wanted[at] === '*'), methods };
  }
  throw none('path');
}

/** The methods of a path, and that HEAD is there wherever GET is. */
export const allowed = (methods: Readonly<Record<string, unknown>>): string =>
  [...Object.keys(methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])), 'OPTIONS'].join(', ');

export function handlerOf<Asked>(methods: Routes<Asked>[string], method: string): (asked: Asked) => Answer {
  const handler = new Map(Object.entries(methods)).get(method === 'HEAD' ? 'GET' : method);
  if (handler === undefined) throw new Problem(405, 'The path does not have this method.', undefined, allowed(methods));
  return handler;
}

export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Problem(400, 'The path is not encoded as it should be.');
  }
}

/** What a handler gets, as far as it is the same for each API. */
export function askingOf(request: IncomingMessage, text: string, names: readonly string[]): Asking {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  const header = (name: string): string | undefined => request.headers[name]?.toString();
  const body = (type = 'application/json'): Json => readJson(text, header('content-type'), type);
  return { path, names, query, header, text, body };
}

function readJson(text: string, given: string | undefined, wanted: string): Json {
  if (text === '' && given === undefined) throw new Problem(400, 'There is no body.');
  if ((given ?? '').split(';')[0]?.trim().toLowerCase() !== wanted)
    throw new Problem(415, `Send the body as ${wanted}.`);
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Problem(400, 'The body is not JSON.');
  }
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const type = content === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': content.length };
  response.writeHead(status, { ...type, ...(status === 204 ? {} : { 'Cache-Control': 'no-store' }), ...headers });
  response.end(request.method === 'HEAD' ? undefined : content);
}

/** Listens, and resolves to the address without a path. */
export async function startService(
  answerTo: (request: IncomingMessage, text: string) => Answer,
  answerOf: (problem: Problem) => Answer,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const answer = (request: IncomingMessage, text: string): Answer => {
    try {
      return answerTo(request, text);
    } catch (error) {
      return answerOf(error instanceof Problem ? error : new Problem(500, 'It is our fault.'));
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      send(request, response, answer(request, Buffer.concat(chunks).toString()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
