import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { listenError, listenUrl } from '../core/errors/listen-error';
import { Passage } from './passage';
import { HEAD_BYTES, PassageContext, type RecorderOptions } from './passage-context';
import { asksForHttp2, readWithoutUpgrade } from './upgrade';

export interface RecordingProxyOptions extends RecorderOptions {
  /** Address to listen on. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** A proxy that listens, and records. */
export interface RecordingProxy {
  /** `http://127.0.0.1:4020`. */
  readonly url: string;
  /**
   * Takes no further connections and lets what is on its way come to its end, for a while; what is left then is recorded
   * as far as it came.
   */
  close(): Promise<void>;
}

/** A client may keep its connection for as long as most servers let it. */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS = 60_000;
const CLOSE_GRACE_MS = 5_000;
const SWEEP_MS = 20;

/**
 * Starts a reverse proxy before a target: every path leads there, bytes pass both ways as they come, and each exchange is
 * told of when its response is complete, before the client has its last byte.
 *
 * @throws ConfigError when it cannot listen
 */
export async function startRecordingProxy(options: RecordingProxyOptions): Promise<RecordingProxy> {
  const { host, port, target } = options;
  const context = new PassageContext(options);
  const server = createServer({
    maxHeaderSize: HEAD_BYTES,
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    // An upload may take as long as the target lets it.
    requestTimeout: 0,
    noDelay: true,
  });
  server.maxHeadersCount = 0;
  await start(server, host, port);
  const url = listenUrl(host, (server.address() as AddressInfo).port);
  const pass = (
    request: IncomingMessage,
    response: ServerResponse,
    upgrade?: { socket: Socket; head: Buffer },
  ): void => {
    // A client that names the whole URL of the target means its path as it is.
    const isWhole = request.url?.toLowerCase().startsWith(`${target}/`) === true;
    const other = misdirected(request, target, url);
    const omitted = isWhole ? undefined : context.moveBelowBase(request);
    const passage = new Passage(context, request, response, { url, omitted }, upgrade);
    if (other === undefined) passage.start();
    else passage.answer(421, 'Misdirected Request', `it records ${target} alone, and this is for ${other}`);
  };
  const passRequest = (request: IncomingMessage, response: ServerResponse): void => {
    pass(request, response);
  };
  // Node itself would answer what a request expects; the target does.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, passRequest);
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (asksForHttp2(request)) readWithoutUpgrade(server, request, { socket, head });
    else pass(request, responseOn(socket, request), { socket, head });
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const response = responseOn(socket, request);
    const detail = `it is no proxy for ${request.url ?? ''}: point the client at ${url} in place of ${target}`;
    new Passage(context, request, response, { url, omitted: undefined }).answer(405, 'Method Not Allowed', detail);
  });
  return {
    url,
    async close() {
      await close(server, context);
      context.close();
    },
  };
}

/** A response on a connection that Node has handed over. It is the last one there. */
function responseOn(socket: Socket, request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // A reset is nobody's concern; without a listener it would end the process.
  socket.on('error', () => undefined);
  response.assignSocket(socket);
  response.on('finish', () => {
    socket.destroySoon();
  });
  return response;
}

/**
 * A client that takes the recorder for a forward proxy names the whole URL (RFC 9112 §3.2.2): that of the target is as
 * good as its path.
 *
 * @returns the host that is meant, where it is another one
 */
function misdirected(request: IncomingMessage, target: string, ownUrl: string): string | undefined {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/i.exec(request.url ?? '') ?? [];
  if (origin === '') return undefined;
  const named = URL.canParse(origin) ? new URL(origin) : undefined;
  // It may be called by any name that leads to this machine.
  if (named?.host !== new URL(target).host && named?.port !== new URL(ownUrl).port) return origin;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return undefined;
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

function close(server: Server, context: PassageContext): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      for (const passage of context.open) passage.cut();
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
    for (const passage of context.open) if (passage.isEndless) passage.cut();
  });
}
