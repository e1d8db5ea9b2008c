import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a small service answers: a status, and a body where there is one. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OtherService {
  readonly url: string;
  /** `DELETE /books/7`, in the order in which they came. */
  readonly seen: string[];
  close(): Promise<void>;
}

/** A service with a few lines of behaviour. @param answer - gets `POST /books` and the body */
export async function openOther(
  answer: (line: string, body: Record<string, unknown>, request: IncomingMessage) => Reply,
): Promise<OtherService> {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const line = `${request.method ?? ''} ${(request.url ?? '').split('?')[0] ?? ''}`;
      seen.push(line);
      const { status, body, headers = {} } = answer(line, membersOf(text), request);
      response.writeHead(status, body === undefined ? headers : { 'content-type': 'application/json', ...headers });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

/** Of a JSON body; none of another one, as probes have it. */
function membersOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as never;
  } catch {
    return {};
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** An operation of a description, in few words. */
export interface Sketch {
  readonly id: string;
  /** `DELETE /books/{id}`. */
  readonly at: string;
  /** Statuses that it documents. */
  readonly statuses: readonly number[];
  readonly takesBody?: boolean;
  readonly query?: readonly string[];
  /** Headers and parameters of the query that it asks for: `query tenant`. */
  readonly asks?: readonly string[];
  /** Does it ask for a bearer key? */
  readonly isSecured?: boolean;
  /** Of its 201. */
  readonly links?: object;
  /** Members of its answers; anything when left out. */
  readonly gives?: object;
}

function askedOf(asks: readonly string[] = []): object[] {
  return asks.map((asked) => {
    const [place, name] = asked.split(' ');
    return { name, in: place, required: true, schema: { type: 'string' } };
  });
}

/** A description, as JSON. @param id - schema of every variable of a path */
export function describe(sketches: readonly Sketch[], id: object = { type: 'integer', format: 'int64' }): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const {
    id: operationId,
    at,
    statuses,
    takesBody = false,
    query = [],
    asks,
    links,
    gives,
    isSecured = false,
  } of sketches) {
    const [method = '', path = ''] = at.split(' ');
    const variables = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]);
    const content = { 'application/json': { schema: {} } };
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId,
      parameters: [
        ...variables.map((name) => ({ name, in: 'path', required: true, schema: id })),
        ...query.map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
        ...askedOf(asks),
      ],
      ...(isSecured ? { security: [{ key: [] }] } : {}),
      ...(takesBody ? { requestBody: { content } } : {}),
      responses: Object.fromEntries(
        statuses.map((status) => [
          status,
          {
            description: 'An answer',
            content:
              gives === undefined ? content : { 'application/json': { schema: { type: 'object', properties: gives } } },
            ...(status === 201 && links !== undefined ? { links } : {}),
          },
        ]),
      ),
    };
  }
  const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } };
  const isSecured = sketches.some((operation) => operation.isSecured === true);
  const secured = isSecured ? { components } : {};
  return JSON.stringify({ openapi: '3.0.3', info: { title: 'Other', version: '1' }, paths, ...secured });
}
