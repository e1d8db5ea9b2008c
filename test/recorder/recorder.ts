import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../src/core/errors/standin-error';
import {
  type RecordingProxy,
  startRecordingProxy,
  type RecordingProxyOptions,
} from '../../src/recorder/recording-proxy';
import type { RecordedExchange } from '../../src/traffic/exchange/recorded-exchange';

/** A recorder before a target, and what it has told so far. */
export interface TestRecorder extends RecordingProxy {
  readonly port: number;
  readonly exchanges: readonly RecordedExchange[];
  readonly notices: readonly string[];
  /** The exchange of a number, counted from 0 in the order in which they were told, once it is there. */
  exchange(index: number): Promise<RecordedExchange>;
}

const closers: (() => Promise<void> | void)[] = [];

/** For `afterEach`: nothing that a test has started outlives it. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

export function closeLater(close: () => Promise<void> | void): void {
  closers.push(close);
}

/** Starts a recorder on a port of its own. */
export async function record(target: string, options: Partial<RecordingProxyOptions> = {}): Promise<TestRecorder> {
  const exchanges: RecordedExchange[] = [];
  const notices: string[] = [];
  const waiting = new Set<() => void>();
  const proxy = await startRecordingProxy({
    target,
    host: '127.0.0.1',
    port: 0,
    onExchanges(told) {
      exchanges.push(...told);
      for (const look of waiting) look();
    },
    onNotice(text) {
      notices.push(text);
    },
    describeFailure: messageOf,
    ...options,
  });
  closers.push(() => proxy.close());
  return {
    ...proxy,
    port: Number(new URL(proxy.url).port),
    exchanges,
    notices,
    exchange: (index) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = exchanges[index];
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

export interface Target {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
}

/** A server of Node for one test. */
export async function serve(listener: RequestListener, port = 0): Promise<Target> {
  const server = createServer(listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => stop(server));
  const address = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${address.port}`, port: address.port, server };
}

/** Ends a server with all of its connections. */
export async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** The text of a recorded body, or what stands in its place. */
export function textOf(body: NonNullable<RecordedExchange['response']>['body']): string | undefined {
  return body?.kind === 'text' ? body.text : body?.kind;
}

/** The values of a header of a recorded message. */
export function values(headers: readonly string[], name: string): string[] {
  return headers.filter((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === name.toLowerCase());
}
