import type * as undiciModule from 'undici';
import { codeOf, TransportError } from '../core/errors/standin-error';
import { decodeContent } from '../core/http/content-coding';
import { headerValue } from '../core/http/headers';
import type { HttpRequest, HttpResponse, RawHeaders, Transport } from '../core/http/message';
import { directConnections, type Proxy, proxyRejectedError, tunnelConnections } from './connections';
import { type FailureFacts, timedOut, transportFailure } from './transport-errors';

export interface UndiciTransportOptions {
  /** For one whole exchange: connecting, sending, and the last byte of the response. */
  readonly timeoutMs: number;
  /** Longer bodies are not read to their end. */
  readonly maxBodyBytes?: number | undefined;
  /** Left out: straight to the target. */
  readonly proxy?: Proxy | undefined;
  /** Authorities to trust, in PEM, see `readAuthorities`. Left out: those of Node. */
  readonly authorities?: readonly string[] | undefined;
  /** Take any certificate of the target? Left out: no. That of a proxy is checked all the same. */
  readonly isInsecure?: boolean | undefined;
}

/** A transport over sockets, to be closed when nothing more is to be sent. */
export interface SocketTransport extends Transport {
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;

/**
 * Sends requests to one origin with undici: header lines as they are given, redirects not followed, nothing sent
 * twice, one request at a time on each connection.
 *
 * A proxy sees plain requests for http targets, key included, as it has to; for https targets it makes a tunnel.
 *
 * @param origin - scheme, host and port
 */
export function createUndiciTransport(origin: string, options: UndiciTransportOptions): SocketTransport {
  const { timeoutMs, maxBodyBytes = MAX_BODY_BYTES, proxy, authorities, isInsecure = false } = options;
  polyfillTimerUnref();
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only where something is sent; `import()` does not work inside other people's jest
  const undici = require('undici') as typeof undiciModule;
  const seen = { hasConnected: false, hasResponded: false };
  const facts = (): FailureFacts => ({ origin, proxy: proxy?.origin, timeoutMs, maxBodyBytes, ...seen });
  const connectionOptions = { timeoutMs, authorities, isInsecure, onConnect: () => (seen.hasConnected = true) };

  const forwarder = proxy !== undefined && origin.startsWith('http:') ? proxy : undefined;
  const peer = forwarder?.origin ?? origin;
  const connections =
    proxy === undefined || forwarder !== undefined
      ? directConnections(undici, peer, connectionOptions)
      : tunnelConnections(undici, origin, proxy, connectionOptions);
  const poolOptions = {
    connect: connections.connect,
    // One deadline for all of it is stored below.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxBodyBytes,
  };
  const pool = new undici.Pool(peer, poolOptions);

  return {
    async send(request, { signal, isFresh = false } = {}) {
      const deadline = openDeadline(timeoutMs, () => timedOut(facts()), signal);
      const dispatcher = isFresh ? new undici.Client(peer, poolOptions) : pool;
      try {
        const line = forwarder === undefined ? request : forwarded(request, origin, forwarder);
        // undici looks at the signal of a request only once there is a connection for it.
        const response = await deadline.race(exchange(dispatcher, line, deadline.signal, maxBodyBytes));
        seen.hasResponded = true;
        if (forwarder !== undefined && response.status === 407) throw proxyRejectedError(forwarder.origin, 407);
        return response;
      } catch (error) {
        throw transportFailure(error, facts());
      } finally {
        deadline.close();
        // The response is there, or never comes; nobody has to wait until the connection is taken down.
        if (isFresh) void dispatcher.destroy();
      }
    },
    async close() {
      await Promise.all([pool.destroy(), connections.close()]);
    },
  };
}

/** A request as a proxy wants it: with the whole URL (RFC 9112 §3.2.2), and the credentials for the proxy. */
function forwarded(request: HttpRequest, origin: string, { authorization }: Proxy): HttpRequest {
  const { rawHeaders, target } = request;
  const host = headerValue(rawHeaders, 'host') === undefined ? ['Host', new URL(origin).host] : [];
  const credentials = authorization === undefined ? [] : ['Proxy-Authorization', authorization];
  return { ...request, target: `${origin}${target}`, rawHeaders: [...host, ...rawHeaders, ...credentials] };
}

async function exchange(
  dispatcher: undiciModule.Dispatcher,
  { method, target, rawHeaders, body }: HttpRequest,
  signal: AbortSignal,
  maxBodyBytes: number,
): Promise<HttpResponse> {
  const response = await dispatcher.request({
    method,
    path: target,
    headers: [...rawHeaders],
    body: body.length === 0 ? null : body,
    signal,
    responseHeaders: 'raw',
    onInfo: rejectUpgrade,
  });
  const { statusCode: status } = response;
  // With `raw`, undici gives the lines in a flat list, whatever its types say.
  const headers = trimmed(response.headers as unknown as RawHeaders);
  const bytes = await readBody(response.body, status);
  const coding = headerValue(headers, 'content-encoding');
  const decoded = decodeContent(bytes, coding ?? '', maxBodyBytes);
  if (decoded.kind !== 'decoded') {
    throw new TransportError('TRANSPORT_BROKEN_RESPONSE', `The ${status} cannot be decoded: ${decoded.kind}`, {
      hint: `Its Content-Encoding is "${coding ?? ''}"; none was asked for.`,
    });
  }
  return { status, headers, body: decoded.body.length === 0 ? undefined : decoded.body };
}

/** White space around a value is no part of it (RFC 9110 §5.5); the parser leaves tabs at its end. */
function trimmed(headers: RawHeaders): RawHeaders {
  return headers.map((text, index) =>
    index % 2 === 1 && isPadded(text) ? text.replace(/^[ \t]+|[ \t]+$/g, '') : text,
  );
}

function isPadded(text: string): boolean {
  return /^[ \t]/.test(text) || text.endsWith(' ') || text.endsWith('\t');
}

/** A 101 that names no protocol looks to undici like an interim answer. */
function rejectUpgrade({ statusCode }: { readonly statusCode: number }): void {
  if (statusCode !== 101) return;
  throw new TransportError('TRANSPORT_BROKEN_RESPONSE', 'The target changed the protocol (101) without being asked');
}

async function readBody(body: undiciModule.Dispatcher.ResponseData['body'], status: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await body.arrayBuffer());
  } catch (error) {
    // A 304 may name the length of the body that it leaves out (RFC 9110 §8.6), and a 204 that does is for the checks.
    if ((status === 204 || status === 304) && codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
      return new Uint8Array(0);
    }
    throw error;
  }
}

/** A signal that is aborted when the time is over or another signal is. */
interface Deadline {
  readonly signal: AbortSignal;
  /** What is waited for, or the rejection with the reason of the signal, whichever comes first. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Nothing is waited for any more. */
  close(): void;
}

/**
 * In place of `AbortSignal.any`, which keeps a listener for each request on a signal that lives as long as the run.
 *
 * @param late - makes the reason when the time is over
 * @param interrupt - its abortion gives `TRANSPORT_INTERRUPTED` as the reason
 */
function openDeadline(timeoutMs: number, late: () => Error, interrupt: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort(new TransportError('TRANSPORT_INTERRUPTED', 'The run was interrupted before a response came'));
  };
  const timer = setTimeout(() => {
    controller.abort(late());
  }, timeoutMs);
  if (interrupt?.aborted === true) stop();
  else interrupt?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    race: (promise) =>
      new Promise((resolve, reject) => {
        const fail = (): void => {
          reject(controller.signal.reason as Error);
        };
        if (controller.signal.aborted) fail();
        controller.signal.addEventListener('abort', fail, { once: true });
        promise.then(resolve, reject);
      }),
    close() {
      clearTimeout(timer);
      interrupt?.removeEventListener('abort', stop);
    },
  };
}

/**
 * In the scope of a browser in a test runner, such as jsdom, a timer is a number. Sockets are stored open with timers that
 * are let go by `unref()`, which is Node's: there a number gets one that does nothing. Nothing else in the scope changes,
 * and no list of properties shows it.
 */
function polyfillTimerUnref(): void {
  const timer: unknown = setTimeout(() => undefined);
  clearTimeout(timer as NodeJS.Timeout);
  if (typeof timer !== 'number' || 'unref' in Number.prototype) return;
  const value = function (this: unknown): unknown {
    return this;
  };
  Object.defineProperty(Number.prototype, 'unref', { value, configurable: true, writable: true, enumerable: false });
}
