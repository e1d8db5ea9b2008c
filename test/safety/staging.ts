import { createServer, request as send, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecondPetstore } from '../second-petstore/index';

/** What a client asked of the staging server. */
export interface Seen {
  readonly method: string;
  readonly path: string;
}

/** A service that others use: it has rows of its own, counts what is asked of it, and can be made to misbehave. */
export interface Staging {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Everything that is stored, as the service shows it. */
  rows(): Promise<string>;
  /** Called before each request; `true` when it has answered by itself. */
  intercept: (seen: Seen, request: Parameters<RequestListener>[0], response: Parameters<RequestListener>[1]) => boolean;
  close(): Promise<void>;
}

export async function openStaging(): Promise<Staging> {
  const { handler } = createSecondPetstore();
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    const entry = { method: request.method ?? '', path: request.url ?? '' };
    seen.push(entry);
    if (!staging.intercept(entry, request, response)) handler(request, response);
  });
  const inside = createServer(handler);
  const staging: Staging = {
    url: await listen(server),
    seen,
    intercept: () => false,
    async rows() {
      const lists = ['/pets?limit=100', '/categories', '/store/orders', '/inventory'];
      return (await Promise.all(lists.map((path) => get(`${insideUrl}${path}`)))).join('\n');
    },
    async close() {
      await Promise.all([server, inside].map(close));
    },
  };
  const insideUrl = await listen(inside);
  return staging;
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}

function get(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    send(url, { headers: { authorization: 'Bearer test-key' }, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve(text);
      });
    })
      .on('error', reject)
      .end();
  });
}
