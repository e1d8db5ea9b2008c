import { connect } from 'node:net';
import { listen, type Listening } from '../../src/adapters/express/listen';
import { createServerParts, type CreateMockServerOptions } from '../../src/adapters/create-mock-server';

/** A mock that listens as `standin mock` lets it, for what an app alone cannot be asked. */
export interface Served {
  readonly url: string;
  readonly host: string;
  /** What went wrong inside. */
  readonly defects: unknown[];
  close(): Promise<void>;
}

export async function serve(options: CreateMockServerOptions = {}): Promise<Served> {
  const defects: unknown[] = [];
  const { app, mock, serverOptions } = await createServerParts(options, {
    reportDefect(error) {
      defects.push(error);
    },
  });
  const listening: Listening = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    serverOptions,
    refuse: (fault) => mock.engine.refuse(fault),
    corsOrigin: '*',
  });
  return { url: listening.url, host: new URL(listening.url).host, defects, close: () => listening.close() };
}

export interface WireResponse {
  readonly status: number;
  /** By lower-case name; the last one of several lines. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Writes a request byte for byte and reads the answer until the server closes. */
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
