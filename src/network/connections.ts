import { connect, isIP, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext } from 'node:tls';
import type * as undiciModule from 'undici';
import { ConfigError, TransportError } from '../core/errors/standin-error';
import { isLoopbackHost } from '../core/http/request-target';

type Connector = undiciModule.buildConnector.connector;
type Undici = typeof undiciModule;

interface ConnectionOptions {
  readonly timeoutMs: number;
  /** Authorities to trust, in PEM, in place of those of Node. */
  readonly authorities: readonly string[] | undefined;
  readonly isInsecure: boolean;
  readonly onConnect: () => void;
}

/** How a pool gets its connections, and what to end when it needs no more. */
interface Connections {
  readonly connect: Connector;
  close(): Promise<void>;
}

/** Connections straight to a host, be it the target or a proxy. */
export function directConnections(undici: Undici, origin: string, options: ConnectionOptions): Connections {
  const { timeoutMs, authorities, isInsecure, onConnect } = options;
  // To read a hundred certificates takes a while: not once more for each connection.
  const trust = authorities === undefined ? {} : { secureContext: createSecureContext({ ca: [...authorities] }) };
  const connect = undici.buildConnector({
    timeout: timeoutMs,
    rejectUnauthorized: !isInsecure,
    ...trust,
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

/** @throws TransportError when the proxy rejects */
async function openTunnel(pool: undiciModule.Pool, host: string, { origin, authorization }: Proxy): Promise<Socket> {
  const credentials = authorization === undefined ? {} : { 'proxy-authorization': authorization };
  const { statusCode, socket } = await pool.connect({ path: host, headers: { host, ...credentials } });
  if (statusCode >= 200 && statusCode < 300 && socket instanceof Socket) return socket;
  socket.on('error', () => undefined);
  socket.destroy();
  throw proxyRejectedError(origin, statusCode);
}

/** What to say where a proxy answers in place of the target. */
export function proxyRejectedError(proxyOrigin: string, status: number): TransportError {
  const hint =
    status === 407
      ? 'It asks for a user and a password: http://user:password@host:port.'
      : 'It may not be allowed to reach the target; NO_PROXY names hosts to reach without it.';
  return new TransportError('TRANSPORT_UNREACHABLE', `The proxy ${proxyOrigin} returned ${status}`, { hint });
}

/** Name that the certificate must have; an address goes without (RFC 6066 §3). */
function servernameOf(origin: string): string {
  const host = new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? host : '';
}

export interface Proxy {
  /** Scheme, host and port: all of it that may be shown. */
  readonly origin: string;
  /** Value of Proxy-Authorization (RFC 7617); never to be shown. */
  readonly authorization: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a target: the one that was named, else what the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY say, in
 * lower case first as curl has them. The variables are not asked for this machine, which no proxy could reach as such.
 *
 * NO_PROXY is a list of hosts, with a port or without, divided by commas or spaces. A host stands for those below it
 * too; `*` for all. Ranges of addresses are not known.
 *
 * @param origin - scheme, host and port of the target
 * @param named - value of --proxy
 * @returns `undefined` when requests go straight to the target
 * @throws ConfigError `CONFIG_INVALID`; its message never holds the URL, which may have a password
 */
export function chooseProxy(origin: string, named: string | undefined, environment: Environment): Proxy | undefined {
  if (named !== undefined) return readProxy(named, '--proxy');
  const target = new URL(origin);
  if (isLoopbackHost(target.hostname)) return undefined;
  const variable = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const name = [variable, variable.toUpperCase()].find((candidate) => (environment[candidate] ?? '') !== '');
  if (name === undefined) return undefined;
  const exceptions = environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
  return isExcepted(target, exceptions) ? undefined : readProxy(environment[name] ?? '', name);
}

function readProxy(text: string, source: string): Proxy {
  // Many write host:port alone into the variables.
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new ConfigError('CONFIG_INVALID', `The proxy of ${source} is not an http or https URL`, {
      hint: 'Write it as http://user:password@proxy.example.com:3128; user and password may be left out.',
    });
  }
  return { origin: url.origin, authorization: basicCredentials(url, source) };
}

function basicCredentials({ username, password }: URL, source: string): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    throw new ConfigError('CONFIG_INVALID', `User or password of the proxy of ${source} is not percent-encoded`, {
      hint: 'Write % as %25, @ as %40 and : as %3A.',
    });
  }
}

function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  const actualPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const host = bare(hostname);
  return exceptions
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = entry, entryPort] = /^(.+?):(\d+)$/.exec(isIP(entry) === 6 ? '' : entry) ?? [];
      if (entryPort !== undefined && entryPort !== actualPort) return false;
      const suffix = bare(name).replace(/^\*?\./, '');
      return host === suffix || (isIP(host) === 0 && host.endsWith(`.${suffix}`));
    });
}

/** Lower case, without the brackets of IPv6. */
function bare(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}

const CONTINUE = /^HTTP\/1\.[01] 100(?= |\r|\n)/;
/** As many bytes decide whether a head may be a 100. */
const DECIDING_BYTES = 'HTTP/1.1 100 '.length;
const LONGEST_HEAD = 16 * 1024;

/**
 * Takes every `100 Continue` out of what a socket reads. A client has to pass over those that it never asked for
 * (RFC 9110 §15.2), and undici drops the connection in place of that; other interim answers it passes over itself.
 *
 * It looks only at what comes first after something was written: with one request at a time on each connection, an
 * answer begins nowhere else.
 */
export function skipContinue(socket: Duplex): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean;
  let isStart = false;
  let held: Buffer | undefined;

  socket.write = (...parts: unknown[]) => {
    isStart = true;
    return write(...parts);
  };

  socket.read = (size) => {
    for (;;) {
      const chunk = read(size) as Buffer | null;
      if (chunk === null || !isStart) return chunk;
      const bytes: Buffer = held === undefined ? chunk : Buffer.concat([held, chunk]);
      const rest = afterContinue(bytes);
      held = rest === 'more' ? bytes : undefined;
      if (rest === 'more' || rest.length === 0) continue;
      isStart = false;
      return rest;
    }
  };
}

/** What follows the 100s at the beginning; `more` when only further bytes can tell. */
function afterContinue(bytes: Buffer): Buffer | 'more' {
  let rest = bytes;
  while (rest.length > 0) {
    const head = rest.toString('latin1', 0, DECIDING_BYTES);
    if (!CONTINUE.test(head)) return isUndecided(head) ? 'more' : rest;
    const end = rest.indexOf('\r\n\r\n');
    // An interim answer that never ends is for the parser to reject.
    if (end === -1) return rest.length > LONGEST_HEAD ? rest : 'more';
    rest = rest.subarray(end + 4);
  }
  return rest;
}

function isUndecided(head: string): boolean {
  return 'HTTP/1.1 100 '.startsWith(head) || 'HTTP/1.0 100 '.startsWith(head);
}

/**
 * Tries once to connect to an origin, and says nothing to what is there.
 *
 * @param onFailure - called with the reason, unless it is destroyed before
 */
export function tryConnection(origin: string, onFailure: (error: unknown) => void): Pick<Socket, 'destroy'> {
  const { hostname, port, protocol } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
  socket.on('error', onFailure).once('connect', () => socket.destroy());
  return socket.unref();
}
