import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeOf, ConfigError } from '../core/errors/standin-error';
import type { EventInbox, EventReceiver, ReceivedEvent } from '../runner/transport/event-inbox';

export interface ReceiverOptions {
  /** `9000`, `0.0.0.0:9000`; port 0 is one that is free. */
  readonly address: string;
  /** What the service reaches it by, where that is another one; the path of each address is appended. */
  readonly publicUrl: string | undefined;
}

/** A receiver on a port. */
export interface OpenReceiver extends EventReceiver {
  readonly port: number;
  close(): Promise<void>;
}

const LARGEST_BODY = 4 * 1024 * 1024;
/** An inbox keeps so many, and so many bytes; a service that sends more is sending in a circle. */
const MOST_RECEIVED = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;
const ARRIVED = 'arrived';

class Inbox extends EventEmitter implements EventInbox {
  readonly url: string;
  readonly received: ReceivedEvent[] = [];
  private bytes = 0;

  constructor(url: string) {
    super();
    this.url = url;
  }

  get isFull(): boolean {
    return this.received.length >= MOST_RECEIVED || this.bytes >= MOST_BYTES;
  }

  add(event: ReceivedEvent): void {
    this.received.push(event);
    this.bytes += event.body.length;
    this.emit(ARRIVED);
  }

  async next(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    const ends = AbortSignal.timeout(timeoutMs);
    const all = signal === undefined ? ends : AbortSignal.any([ends, signal]);
    await once(this, ARRIVED, { signal: all }).catch((error: unknown) => {
      if (!all.aborted) throw error;
    });
  }
}

/**
 * Opens a port that takes everything that is sent to it, and answers 204. What comes to the address of an inbox is in that
 * inbox; what comes to any other path is in all, since nobody says for whom it is.
 *
 * @throws ConfigError where the port cannot be opened
 */
export async function openReceiver({ address, publicUrl }: ReceiverOptions): Promise<OpenReceiver> {
  const inboxes = new Map<string, Inbox>();
  const server = createServer((request, response) => {
    const segments = ((request.url ?? '').split(/[?#]/)[0] ?? '').split('/');
    // What is reached from outside may have a path of its own before it.
    const place = segments.findIndex((segment) => inboxes.has(segment));
    const own = inboxes.get(segments[place] ?? '');
    const path = segments.slice(place + 1).join('/');
    const wanted = (own === undefined ? [...inboxes.values()] : [own]).filter(({ isFull }) => !isFull);
    void receive(request, response, own === undefined || path === '' ? path : `/${path}`, wanted.length > 0).then(
      (event) => {
        if (event !== undefined) for (const inbox of wanted) inbox.add(event);
      },
    );
  });
  // A service may keep its connection; the run does not wait for it.
  server.on('connection', (socket) => socket.unref());
  const [, host, port = ''] = /^(?:(.*):)?(\d+)$/.exec(address) ?? [];
  try {
    server.listen(Number(port), (host ?? '127.0.0.1').replace(/^\[|\]$/g, ''));
    await once(server, 'listening');
  } catch (error) {
    const reason = codeOf(error) === 'EADDRINUSE' ? 'another program listens there' : (codeOf(error) ?? String(error));
    throw new ConfigError('CONFIG_INVALID', `Events cannot be received at ${address}: ${reason}`, {
      hint: 'Name another port, or 0 for one that is free.',
    });
  }
  const { port: chosen } = server.address() as AddressInfo;
  const isAny = host === undefined || /^(?:0\.0\.0\.0|\[?::\]?)$/.test(host);
  const url = (publicUrl ?? `http://${isAny ? '127.0.0.1' : host}:${chosen}`).replace(/\/+$/, '');
  return {
    url,
    port: chosen,
    open() {
      const name = randomBytes(9).toString('base64url');
      const inbox = new Inbox(`${url}/${name}`);
      inboxes.set(name, inbox);
      return inbox;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** @returns `undefined` for what is too large, ended before its end, or is not wanted any more */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  isWanted: boolean,
): Promise<ReceivedEvent | undefined> {
  const atMs = performance.now();
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > LARGEST_BODY) {
        response.writeHead(413, { Connection: 'close' }).end();
        return undefined;
      }
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  response.writeHead(isWanted ? 204 : 429).end();
  const { method = '', rawHeaders } = request;
  if (!isWanted) return undefined;
  return { method, path, headers: rawHeaders, body: Buffer.concat(chunks), atMs };
}
