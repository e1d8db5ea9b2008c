import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { until } from '../support/until';

export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Something that events are sent to. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** What it answers from now on, and with what headers; the connection is cut for 0. */
  answer(status: number, headers?: Record<string, string>): void;
  /** Waits for so many. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let [status, headers]: [number, Record<string, string>] = [204, {}];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      received.push({ path: request.url ?? '', method: request.method ?? '', headers: request.headers, body });
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, headers).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(wanted, more = {}) {
      [status, headers] = [wanted, more];
    },
    async until(count) {
      await until(() => received.length >= count, `${count} messages`);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
