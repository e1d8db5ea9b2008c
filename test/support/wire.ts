import { connect } from 'node:net';

export interface WireResponse {
  readonly status: number;
  /** By lower-case name; the last one of several lines. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Writes a request byte for byte and reads the answer until the server closes.
 *
 * @param host - name and port, as `TestServer.host` has them
 */
export function exchange(host: string, lines: readonly string[], body = ''): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(host.split(':')[1]), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(readResponse(Buffer.concat(chunks).toString()));
    });
    socket.write([...lines, 'Connection: close', '', body].join('\r\n'));
  });
}

function readResponse(raw: string): WireResponse {
  const end = raw.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = raw.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, text: raw.slice(end + 4) };
}
