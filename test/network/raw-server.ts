import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

/** A server of bare bytes that listens on a port of its own. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** Heads of the requests that came, in their order. */
  readonly heads: string[];
  close(): Promise<void>;
}

/** What to do with one request: its head, its number from 0, and that of its connection. */
export type RawHandler = (socket: Socket, head: string, number: number, connection: number) => void;

/** Calls the handler with the head of each request; bodies are taken for nothing. */
export function startRaw(handler: RawHandler): Promise<RawServer> {
  return start((onSocket) => createServer(onSocket), 'http', handler);
}

/** The same over TLS, with one of the certificates beside. */
export function startRawTls(certificate: string, handler: RawHandler): Promise<RawServer> {
  const read = (ending: string): Buffer => readFileSync(certificatePath(`${certificate}.${ending}`));
  return start((onSocket) => createTlsServer({ key: read('key'), cert: read('pem') }, onSocket), 'https', handler);
}

export function certificatePath(name: string): string {
  return join(__dirname, 'certificates', name);
}

async function start(
  create: (onSocket: (socket: Socket) => void) => Server,
  scheme: string,
  handler: RawHandler,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const heads: string[] = [];
  let connections = 0;
  const server = create((socket) => {
    const connection = connections;
    connections += 1;
    let unread = '';
    socket.on('data', (chunk: Buffer) => {
      unread += chunk.toString('latin1');
      for (let end = unread.indexOf('\r\n\r\n'); end !== -1; end = unread.indexOf('\r\n\r\n')) {
        const head = unread.slice(0, end);
        const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? 0);
        if (unread.length < end + 4 + length) return;
        unread = unread.slice(end + 4 + length);
        heads.push(head);
        handler(socket, head, heads.length - 1, connection);
      }
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => undefined));
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    heads,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The bytes of an answer with a body and its length. */
export function rawAnswer(status: number, body: string | Buffer, ...lines: string[]): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status} X`, ...lines, `Content-Length: ${bytes.length}`, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), bytes]);
}

export function jsonAnswer(status: number, value: unknown, ...lines: string[]): Buffer {
  return rawAnswer(status, JSON.stringify(value), 'Content-Type: application/json', ...lines);
}
