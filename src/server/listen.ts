import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { problem, type Problem } from '../core/http/problem';
import { listenError, listenUrl } from '../core/errors/listen-error';
import type { HttpResponse } from '../core/http/message';

interface ListenOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly serverOptions: ServerOptions;
  /** Writes a problem in the shape of the API. */
  readonly toErrorResponse: (fault: Problem) => HttpResponse;
  /** `Access-Control-Allow-Origin` of responses to requests that could not be read. */
  readonly corsOrigin: string | undefined;
  readonly timeouts?: Partial<Timeouts>;
  /** Waits for the end of what requests began, after the last connection was closed. */
  readonly whenUnused?: (() => Promise<void>) | undefined;
}

/** How long a client may take, in milliseconds. */
interface Timeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  /** Between two looks at who is late. */
  readonly checkMs: number;
  /** Between two requests on one connection. A client that sends just as it is closed gets no answer. */
  readonly idleMs: number;
}

const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 30_000, checkMs: 1000, idleMs: 65_000 };

/** More clients at once than any test has; a runaway one does not take every file handle. */
const MAX_CONNECTIONS = 2000;

export interface Listening {
  /** `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Lets requests in flight finish, for a while; then closes what is left, and waits for what these requests began. */
  close(): Promise<void>;
}

const HEADER_BYTES = 16 * 1024;
const CLOSE_GRACE_MS = 5_000;
const SWEEP_MS = 20;

/**
 * Serves an app. Answers that Node would give with an empty body, to requests that it cannot read, get a body in the
 * shape of the API as well.
 *
 * @throws ConfigError `CONFIG_PORT_IN_USE`, `CONFIG_PORT_DENIED` or `CONFIG_INVALID` when it cannot listen
 */
export async function listen(app: Express, options: ListenOptions): Promise<Listening> {
  const { host, port } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const server = createServer(
    {
      ...options.serverOptions,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
      keepAliveTimeout: timeouts.idleMs,
      // The engine says it, with a body.
      requireHostHeader: false,
      noDelay: true,
    },
    app,
  );
  // Both would be answered by Node itself; the engine decides when it has seen the head.
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      app(request as never, response as never);
    });
  }
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    respondToUnreadable(error, socket, options);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    const fault = problem('method_not_allowed', 'CONNECT is for proxies', { headers: ['Allow', 'GET, HEAD, OPTIONS'] });
    endSocket(socket, rawResponse(options.toErrorResponse(fault), options.corsOrigin));
  });
  // The header section is bounded in bytes; a bound in lines would hide what comes behind it.
  server.maxHeadersCount = 0;
  server.maxConnections = MAX_CONNECTIONS;
  await start(server, host, port);
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  return { url: listenUrl(host, actual), close: () => close(server).then(options.whenUnused) };
}

function start(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      reject(listenError(error, host, port));
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

/** Node's own answers have no body: parser errors, header overflow, time-outs. */
function respondToUnreadable(error: Error & { code?: string }, socket: Socket, options: ListenOptions): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const inFlight = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  // A request that is there as a whole gets its response first; what cannot be read came behind it.
  if (inFlight?.req.complete === true && !inFlight.writableFinished) {
    inFlight.once('finish', () => {
      // On the next turn, when the answer to a request between the two has taken its place.
      setImmediate(() => {
        respondToUnreadable(error, socket, options);
      });
    });
    return;
  }
  // Half a response is on its way already: another one behind it would be read as its rest.
  if (inFlight?.headersSent === true && !inFlight.writableFinished) socket.destroy();
  else endSocket(socket, rawResponse(options.toErrorResponse(unreadable(error)), options.corsOrigin));
}

/** Sends the last bytes of a connection and lets go of it, whether the other side does or not. */
function endSocket(socket: Socket, bytes: string): void {
  // A reset at this point is nobody's concern; without a listener it would end the process.
  socket.on('error', () => undefined);
  socket.end(bytes, () => {
    socket.destroySoon();
  });
}

function unreadable(error: Error & { code?: string }): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem('headers_too_large', `The header section has more than ${HEADER_BYTES} bytes`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request_timeout', 'The request did not arrive in time');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problem('body_too_large', 'The chunk extensions are too large');
    default:
      return problem('bad_request', `The request is not HTTP/1.1: ${error.message.replace(/^Parse Error: /, '')}`);
  }
}

function rawResponse({ status, headers, body }: HttpResponse, corsOrigin: string | undefined): string {
  const text = typeof body === 'string' ? body : '';
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, `Date: ${new Date().toUTCString()}`];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index] ?? ''}: ${headers[index + 1] ?? ''}`);
  if (corsOrigin !== undefined) lines.push(`Access-Control-Allow-Origin: ${corsOrigin}`);
  lines.push(`Content-Length: ${Buffer.byteLength(text)}`, 'Connection: close', '', text);
  return lines.join('\r\n');
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
    }, CLOSE_GRACE_MS);
    // A client that keeps its connection after the last response would hold the end up for as long as it likes.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
    }, SWEEP_MS);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}
