import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../core/errors/standin-error';
import { headerValue } from '../core/http/headers';
import type { HttpRequest, HttpResponse, Transport } from '../core/http/message';
import { isLoopbackHost } from '../core/http/request-target';
import { userAgentOf } from '../runner/result/step-result';
import { waitReady } from '../runner/transport/readiness';
import { createRetryingTransport } from '../runner/transport/retrying-transport';
import { readAuthorities } from './certificates';
import { chooseProxy } from './connections';
import { createUndiciTransport, type SocketTransport } from './undici-transport';

export interface TargetOptions {
  /** Where the service is, with the path before every path of the description. Default: `app` is called. */
  readonly baseUrl?: string | undefined;
  /** A service in this process, such as an Express app, in place of `baseUrl`; it needs no port. */
  readonly app?: RequestListener | undefined;
  /** Path before every path of the description at `app`. Default: that of its first server. */
  readonly basePath?: string | undefined;
  /** Takes the place of a socket; used as it is. */
  readonly transport?: Transport | undefined;
  /** Does the address lead to a server that others use although it is on this machine, as a forwarded port does? Default: false. */
  readonly remote?: boolean | undefined;
  /** For one request and its response, in milliseconds. Default: 30 000. */
  readonly timeoutMs?: number | undefined;
  /** How often one request is sent again where that is safe, 0 to 1000. Default: 3. */
  readonly retries?: number | undefined;
  /** Largest number of requests per second. Default: no limit on this machine, 20 elsewhere. */
  readonly ratePerSecond?: number | undefined;
  /** How long to wait for a target that does not respond yet, in milliseconds. Default: 0. */
  readonly waitReadyMs?: number | undefined;
  /** URL of an HTTP proxy. Default: that of HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly proxy?: string | undefined;
  /** File of further certificate authorities, PEM. */
  readonly ca?: string | undefined;
  /** Do not check the certificate: `true` for a service of this machine, the name of its host for another one. */
  readonly insecure?: boolean | string | undefined;
  /** Once aborted nothing more is sent but the cleanup. */
  readonly signal?: AbortSignal | undefined;
}

export interface Target {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly isLoopback: boolean;
  readonly transport: Transport;
  /** @throws TransportError when it does not answer in time */
  whenReady(): Promise<void>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
/** What a service that others use is asked at most, unless told otherwise. */
const FOREIGN_RATE = 20;

type RunName = Parameters<typeof userAgentOf>[0];

interface LocalServer {
  readonly url: string;
  close(): Promise<void>;
}

/** @throws ConfigError for options that cannot be used */
export async function openTarget(options: TargetOptions, run: RunName): Promise<Target> {
  const served = options.app === undefined ? undefined : await serve(options.app);
  try {
    return connect(options, run, served);
  } catch (error) {
    await served?.close();
    throw error;
  }
}

function connect(options: TargetOptions, run: RunName, served: LocalServer | undefined): Target {
  const read = readBaseUrl(options.baseUrl ?? (served === undefined ? '' : `${served.url}${options.basePath ?? ''}`));
  const baseUrl = { ...read, isLoopback: read.isLoopback && options.remote !== true };
  const { retries, signal, transport } = options;
  const sockets =
    transport === undefined ? openSockets(baseUrl.origin, options, isInsecure(options.insecure, baseUrl)) : undefined;
  const ratePerSecond = options.ratePerSecond ?? (baseUrl.isLoopback ? undefined : FOREIGN_RATE);
  const below = transport ?? createRetryingTransport(sockets as Transport, { retries, ratePerSecond, signal });
  return {
    baseUrl: baseUrl.text,
    isLoopback: baseUrl.isLoopback,
    transport: below,
    async whenReady() {
      if (options.waitReadyMs === undefined) return;
      const path = new URL(baseUrl.text).pathname;
      const rawHeaders = ['User-Agent', userAgentOf(run)];
      await waitReady(sockets ?? below, { timeoutMs: options.waitReadyMs, path, rawHeaders, signal });
    },
    async close() {
      await sockets?.close();
      await served?.close();
    },
  };
}

/**
 * May the certificate be any? Another machine has to be named, so that a flag of a script for one host says nothing of
 * the next one.
 *
 * @throws ConfigError `CONFIG_INVALID` when it is not the host of the base URL
 */
export function isInsecure(
  insecure: boolean | string | undefined,
  { isLoopback, origin }: Omit<BaseUrl, 'text'>,
): boolean {
  if (insecure === undefined || insecure === false) return false;
  const { host, hostname } = new URL(origin);
  if (insecure === true ? isLoopback : insecure === host || insecure === hostname) return true;
  const message =
    insecure === true
      ? `--insecure alone is for this machine, and ${host} is another one`
      : `--insecure names "${insecure}", and the target is ${host}`;
  throw new ConfigError('CONFIG_INVALID', message, {
    hint: `To send the key to a host that nobody vouches for: --insecure ${hostname}. Better: --ca FILE, with its authority.`,
  });
}

function openSockets(
  origin: string,
  { timeoutMs = TIMEOUT_MS, proxy, ca }: TargetOptions,
  isInsecure: boolean,
): SocketTransport {
  return createUndiciTransport(origin, {
    timeoutMs,
    proxy: chooseProxy(origin, proxy, process.env),
    authorities: ca === undefined ? undefined : readAuthorities(ca),
    isInsecure,
  });
}

/** An app of this process behind a port that the system chooses, as supertest does it. */
async function serve(app: RequestListener): Promise<LocalServer> {
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

export interface BaseUrl {
  readonly origin: string;
  readonly text: string;
  readonly isLoopback: boolean;
}

/** @param what - what it is called, for messages @throws ConfigError `CONFIG_INVALID` */
export function readBaseUrl(text: string, what = 'base URL'): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text)) {
    throw new ConfigError('CONFIG_INVALID', `The ${what} "${redactUrl(text)}" is not an http or https URL`, {
      hint: 'Name scheme and host, such as http://127.0.0.1:4010.',
    });
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ConfigError('CONFIG_INVALID', `The ${what} holds credentials, a query or a fragment`, {
      hint: 'The API key has a place of its own; this is scheme, host, port and path.',
    });
  }
  const { origin } = url;
  return { origin, text: `${origin}${url.pathname.replace(/\/+$/, '')}`, isLoopback: isLoopbackHost(url.hostname) };
}

/** What may be shown of a text that is not a URL: what is before an @ or behind a ? may be a secret. */
function redactUrl(text: string): string {
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text) ?? [];
  const shown = text.slice(scheme.length).replace(/[?#].*$/s, '');
  return `${scheme}${shown.slice(shown.lastIndexOf('@') + 1)}`;
}

/** Whatever answers requests in this process, for example the engine of a mock. */
interface RequestHandler {
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
}

/** A transport without a socket. It adds the headers that sending over one would have brought. */
export function createInProcessTransport(handler: RequestHandler): Transport {
  return {
    async send(request) {
      let complete = withDefault(request, 'host', 'localhost');
      if (request.body.length > 0) complete = withDefault(complete, 'content-length', String(request.body.length));
      return handler.handle(complete);
    },
  };
}

function withDefault(request: HttpRequest, name: string, value: string): HttpRequest {
  if (headerValue(request.rawHeaders, name) !== undefined) return request;
  const headers = { ...request.headers, [name]: value };
  return { ...request, headers, rawHeaders: [...request.rawHeaders, name, value] };
}
