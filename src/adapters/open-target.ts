import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../errors/harness-error';
import { isLoopbackHost } from '../http/host';
import type { Transport } from '../http/transport';
import { createPatientTransport } from '../runner/patience';
import { userAgentOf } from '../runner/user-agent';
import { waitReady } from '../runner/wait-ready';
import { readAuthorities } from './node/certificates';
import { chooseProxy } from './node/proxy';
import { createUndiciTransport, type SocketTransport } from './node/undici-transport';

/** How a target is reached. */
export interface TargetOptions {
  readonly baseUrl?: string | undefined;
  readonly app?: RequestListener | undefined;
  /** Path before every path of the description at `app`; none when left out. */
  readonly basePath?: string | undefined;
  readonly transport?: Transport | undefined;
  /** Does the address lead to a server that others use although it is one of this machine, as a forwarded port does? Left out: no. */
  readonly remote?: boolean | undefined;
  /** For one exchange; 30 000 when left out. */
  readonly timeoutMs?: number | undefined;
  /** How often one request is sent again where that is safe; 3 when left out. */
  readonly retries?: number | undefined;
  /** Requests per second. Left out: no limit on this machine, 20 elsewhere. */
  readonly ratePerSecond?: number | undefined;
  /** How long to wait for a target that does not answer yet; not at all when left out. */
  readonly waitReadyMs?: number | undefined;
  /** URL of an HTTP proxy. Left out: what HTTPS_PROXY, HTTP_PROXY and NO_PROXY say. */
  readonly proxy?: string | undefined;
  /** File of further certificate authorities, PEM. */
  readonly ca?: string | undefined;
  /** Do not check the certificate: `true` for a service of this machine, the name of its host for another one. */
  readonly insecure?: boolean | string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A target that requests can be sent to. */
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

/** An app of this process that listens. */
interface Served {
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

function connect(options: TargetOptions, run: RunName, served: Served | undefined): Target {
  const read = readBaseUrl(options.baseUrl ?? (served === undefined ? '' : `${served.url}${options.basePath ?? ''}`));
  const baseUrl = { ...read, isLoopback: read.isLoopback && options.remote !== true };
  const { retries, signal, transport } = options;
  const sockets =
    transport === undefined ? openSockets(baseUrl.origin, options, isInsecure(options.insecure, baseUrl)) : undefined;
  const ratePerSecond = options.ratePerSecond ?? (baseUrl.isLoopback ? undefined : FOREIGN_RATE);
  const below = transport ?? createPatientTransport(sockets as Transport, { retries, ratePerSecond, signal });
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
function isInsecure(insecure: boolean | string | undefined, { isLoopback, origin }: BaseUrl): boolean {
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
async function serve(app: RequestListener): Promise<Served> {
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

/** The address of a service, read. */
interface BaseUrl {
  readonly origin: string;
  readonly text: string;
  readonly isLoopback: boolean;
}

/** @throws ConfigError `CONFIG_INVALID` */
export function readBaseUrl(text: string): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text)) {
    throw new ConfigError('CONFIG_INVALID', `The base URL "${withoutUser(text)}" is no http or https URL`, {
      hint: 'Name scheme and host, such as http://127.0.0.1:4010.',
    });
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ConfigError('CONFIG_INVALID', 'The base URL holds credentials, a query or a fragment', {
      hint: 'The API key has a place of its own; a base URL is scheme, host, port and path.',
    });
  }
  const { origin } = url;
  return { origin, text: `${origin}${url.pathname.replace(/\/+$/, '')}`, isLoopback: isLoopbackHost(url.hostname) };
}

/** What may be shown of a text that is no URL: what is before an @ or behind a ? may be a secret. */
function withoutUser(text: string): string {
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text) ?? [];
  const shown = text.slice(scheme.length).replace(/[?#].*$/s, '');
  return `${scheme}${shown.slice(shown.lastIndexOf('@') + 1)}`;
}
