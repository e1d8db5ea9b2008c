import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One response as it stood on the wire. */
export interface RawResponse {
  readonly version: string;
  readonly status: number;
  /** In the order received: name, value. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** The value of a header, several lines joined; `undefined` when there is none. */
  readonly header: (name: string) => string | undefined;
}

export interface NextOptions {
  /** The method that was asked with: the answer to a HEAD has no body (RFC 9112 §6.3). */
  readonly method?: string;
}

/** A bare TCP connection that sends exactly the bytes it is given and reads HTTP/1.1 responses one by one. */
export class RawConnection {
  readonly socket: Socket;
  private received = Buffer.alloc(0);
  private isEnded = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      socket.emit('progress');
    });
    // A reset is one way for a connection to end; which one it was is told by `received`.
    const end = (): void => {
      this.isEnded = true;
      socket.emit('progress');
    };
    socket.on('error', end);
    socket.on('end', end);
    socket.on('close', end);
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Text is sent as Latin-1: one byte for each character. */
  send(bytes: string | Uint8Array): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Reads the next response, interim ones (1xx) included. */
  async next({ method = 'GET' }: NextOptions = {}): Promise<RawResponse> {
    const head = await this.until(() => this.received.indexOf('\r\n\r\n'), 'the end of a header section');
    const lines = this.received.subarray(0, head).toString('latin1').split('\r\n');
    const [, version = '', code = ''] = /^HTTP\/(1\.[01]) (\d{3}) [ -~]*$/.exec(lines[0] ?? '') ?? [];
    if (code === '') throw new Error(`No status line: ${JSON.stringify(lines[0])}`);
    const headers = lines.slice(1).map((line): readonly [string, string] => {
      const [, name = '', value = ''] = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+): ?([\t -~\x80-\xff]*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`No header line: ${JSON.stringify(line)}`);
      return [name, value];
    });
    const header = (name: string): string | undefined => {
      const values = headers.filter(([other]) => other.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
      return values.length === 0 ? undefined : values.join(', ');
    };
    const status = Number(code);
    this.received = this.received.subarray(head + 4);
    const body = await this.readBody(status, method, header);
    return { version, status, headers, body, header };
  }

  /** The bytes that were received and not read yet, as Latin-1. */
  unread(): string {
    return this.received.toString('latin1');
  }

  /** Waits until the server has closed its side, and gives what came after the last response that was read. */
  async ended(): Promise<string> {
    await this.until(() => (this.isEnded ? 0 : -1), 'the end of the connection');
    return this.unread();
  }

  /** Ends our side: a FIN. */
  finish(): void {
    this.socket.end();
  }

  /** Drops the connection at once: a RST. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  close(): void {
    this.socket.destroy();
  }

  private async readBody(
    status: number,
    method: string,
    header: (name: string) => string | undefined,
  ): Promise<string> {
    if (status < 200 || status === 204 || status === 304 || method === 'HEAD') return '';
    if (header('Transfer-Encoding') !== undefined) throw new Error('The mock says how long each body is');
    const length = Number(header('Content-Length'));
    if (!Number.isInteger(length)) throw new Error(`No length: ${String(header('Content-Length'))}`);
    await this.until(() => (this.received.length >= length ? 0 : -1), `a body of ${length} bytes`);
    const body = this.received.subarray(0, length).toString('utf8');
    this.received = this.received.subarray(length);
    return body;
  }

  /** Waits until `find` returns something else than -1. */
  private async until(find: () => number, what: string): Promise<number> {
    for (;;) {
      const found = find();
      if (found !== -1) return found;
      if (this.isEnded) {
        throw new Error(`The connection ended before ${what}; there is ${JSON.stringify(this.unread().slice(0, 300))}`);
      }
      // An error of the socket is an end, which the next turn of the loop sees.
      await once(this.socket, 'progress').catch(() => undefined);
    }
  }
}
