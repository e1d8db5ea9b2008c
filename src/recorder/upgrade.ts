import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { headerValues } from '../core/http/headers';
import { type Origins, responseHeaders } from './passed-headers';

/** A connection that has left HTTP behind, and what it has received already. */
export interface SwitchedConnection {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** The head of a `101 Switching Protocols` as the target sent it (RFC 9110 §15.2.2). */
export function switchingHead({ statusMessage = '', rawHeaders }: IncomingMessage, origins: Origins): string {
  const protocol = headerValues(rawHeaders, 'upgrade').join(', ');
  const lines = [...responseHeaders(rawHeaders, origins), 'Connection', 'Upgrade', 'Upgrade', protocol];
  const fields = lines.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${lines[index + 1] ?? ''}`] : []));
  return [`HTTP/1.1 101 ${statusMessage}`, ...fields, '', ''].join('\r\n');
}

/**
 * Joins the connection of a client with one of the target: from now on bytes go to and fro, and the end of one is the end
 * of the other.
 *
 * @param head - what the client is told first
 */
export function joinSockets(
  client: SwitchedConnection,
  target: SwitchedConnection,
  head: string,
  whenClosed: () => void,
): void {
  client.socket.write(head, 'latin1');
  if (target.head.length > 0) client.socket.write(target.head);
  if (client.head.length > 0) target.socket.write(client.head);
  for (const [one, other] of [
    [client.socket, target.socket],
    [target.socket, client.socket],
  ] as const) {
    one.pipe(other);
    one.on('error', () => {
      other.destroy();
    });
    one.on('close', () => {
      // What is written already still goes out.
      other.end(() => other.destroy());
      whenClosed();
    });
  }
}

/**
 * Does a request ask for HTTP/2 on its connection (`Upgrade: h2c`, RFC 7540 §3.2), as some clients do with their first
 * one whether they need it or not? A server may take no notice of it (RFC 9110 §7.8), and what came in frames could not be recorded.
 */
export function asksForHttp2({ rawHeaders }: IncomingMessage): boolean {
  const protocols = headerValues(rawHeaders, 'upgrade').join(',').split(',');
  return protocols.every((protocol) => protocol.trim().toLowerCase() === 'h2c');
}

const UPGRADE_FIELDS = /^(?:connection|upgrade|http2-settings)$/i;

/** Has a request that asked for another protocol read once more, as if it had not: Node reads no body of such a one. */
export function readWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  { socket, head }: SwitchedConnection,
): void {
  const { method = '', url = '', rawHeaders } = request;
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && !UPGRADE_FIELDS.test(name) ? [`${name}: ${rawHeaders[index + 1] ?? ''}`] : [],
  );
  const text = [`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  socket.unshift(Buffer.concat([Buffer.from(text, 'latin1'), head]));
  server.emit('connection', socket);
}
