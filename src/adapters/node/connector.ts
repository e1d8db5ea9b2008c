import { isIP, Socket } from 'node:net';
import type * as undiciModule from 'undici';
import { TransportError } from '../../errors/harness-error';
import type { Proxy } from './proxy';
import { skipContinue } from './skip-continue';

type Connector = undiciModule.buildConnector.connector;
type Undici = typeof undiciModule;

export interface ConnectionOptions {
  readonly timeoutMs: number;
  /** Authorities to trust, in PEM, in place of those of Node. */
  readonly authorities: readonly string[] | undefined;
  /** Is any certificate taken? */
  readonly isInsecure: boolean;
  /** Called for each connection that was made. */
  readonly onConnect: () => void;
}

/** How a pool gets its connections, and what to end when it needs no more. */
export interface Connections {
  readonly connect: Connector;
  close(): Promise<void>;
}

/** Connections straight to a host, be it the target or a proxy. */
export function directConnections(undici: Undici, origin: string, options: ConnectionOptions): Connections {
  const { timeoutMs, authorities, isInsecure, onConnect } = options;
  const ca = authorities === undefined ? {} : { ca: [...authorities] };
  const connect = undici.buildConnector({
    timeout: timeoutMs,
    rejectUnauthorized: !isInsecure,
    ...ca,
  }) as StartingConnector;
  const servername = servernameOf(origin);
  const starting = new Set<Socket>();
  return {
    connect(parameters, callback) {
      // The name to be certified is that of the URL, whatever Host header a contract sends.
      const started = connect({ ...parameters, servername }, (...[error, socket]) => {
        if (started !== undefined) starting.delete(started);
        if (error !== null) {
          callback(error, null);
          return;
        }
        onConnect();
        skipContinue(socket);
        callback(null, socket);
      });
      if (started !== undefined) starting.add(started);
    },
    close() {
      // undici waits for a connection that is being made before it ends it: as long as the timeout.
      for (const socket of starting) socket.destroy(new Error('nothing more is sent'));
      return Promise.resolve();
    },
  };
}

/** undici gives back the socket as soon as it tries to connect, which its types do not say. */
type StartingConnector = (...parameters: Parameters<Connector>) => Socket | undefined;

/** Connections through a tunnel that a proxy makes (RFC 9110 §9.3.6): it sees neither requests nor keys. */
export function tunnelConnections(
  undici: Undici,
  origin: string,
  proxy: Proxy,
  options: ConnectionOptions,
): Connections {
  const inside = directConnections(undici, origin, options);
  const outside = directConnections(undici, proxy.origin, {
    ...options,
    isInsecure: false,
    onConnect: () => undefined,
  });
  const pool = new undici.Pool(proxy.origin, { connect: outside.connect, headersTimeout: options.timeoutMs });
  const { hostname, port } = new URL(origin);
  const host = `${hostname}:${port === '' ? 443 : port}`;
  return {
    connect(parameters, callback) {
      openTunnel(pool, host, proxy).then(
        (httpSocket) => {
          inside.connect({ ...parameters, httpSocket }, callback);
        },
        (error: unknown) => {
          callback(error as Error, null);
        },
      );
    },
    async close() {
      await Promise.all([inside.close(), outside.close(), pool.destroy()]);
    },
  };
}

/** @throws TransportError when the proxy refuses */
async function openTunnel(pool: undiciModule.Pool, host: string, { origin, authorization }: Proxy): Promise<Socket> {
  const credentials = authorization === undefined ? {} : { 'proxy-authorization': authorization };
  const { statusCode, socket } = await pool.connect({ path: host, headers: { host, ...credentials } });
  if (statusCode >= 200 && statusCode < 300 && socket instanceof Socket) return socket;
  socket.on('error', () => undefined);
  socket.destroy();
  throw refusedByProxy(origin, statusCode);
}

/** What to say where a proxy answers in place of the target. */
export function refusedByProxy(proxyOrigin: string, status: number): TransportError {
  const hint =
    status === 407
      ? 'It asks for a user and a password: http://user:password@host:port.'
      : 'It may not be allowed to reach the target; NO_PROXY names hosts to reach without it.';
  return new TransportError('TRANSPORT_UNREACHABLE', `The proxy ${proxyOrigin} answered ${status}`, { hint });
}

/** Name that the certificate must have; an address goes without (RFC 6066 §3). */
function servernameOf(origin: string): string {
  const host = new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? host : '';
}
