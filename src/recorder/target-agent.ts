import type { ClientRequest, IncomingMessage } from 'node:http';
import type * as HttpModule from 'node:http';
import type * as HttpsModule from 'node:https';
import type * as HttpProxyAgentModule from 'http-proxy-agent';
import type * as HttpsProxyAgentModule from 'https-proxy-agent';

/** A proxy on the way to the target. */
export interface WayThrough {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Value of Proxy-Authorization; never to be shown. */
  readonly authorization: string | undefined;
  /** What to say where it answers in place of the target. */
  readonly rejected: (status: number) => Error;
}

export interface AgentOptions {
  /** Scheme, host and port. */
  readonly target: string;
  /** Left out: straight to the target. */
  readonly way?: WayThrough | undefined;
  /** Authorities to trust, in PEM. Left out: those of Node. */
  readonly authorities?: readonly string[] | undefined;
  readonly isInsecure: boolean;
  /** A connection that was idle for longer is not used again. */
  readonly idleMs: number;
}

/** What makes the connections to a target: those through a proxy are a tunnel where the target has TLS (RFC 9110 §9.3.6). */
export function targetAgent({ target, way, authorities, isInsecure, idleMs }: AgentOptions): HttpModule.Agent {
  const shared = { keepAlive: true, timeout: idleMs, scheduling: 'lifo' } as const;
  const ca = authorities === undefined ? {} : { ca: [...authorities] };
  const isSecure = target.startsWith('https:');
  /* oxlint-disable typescript/no-require-imports -- loaded for the way to the target, and when something is recorded */
  if (way !== undefined) {
    const headers = way.authorization === undefined ? {} : { 'Proxy-Authorization': way.authorization };
    // The certificate of the proxy is checked as usual: what is trusted of the target stands in its requests.
    const options = { ...shared, headers };
    if (!isSecure)
      return new (require('http-proxy-agent') as typeof HttpProxyAgentModule).HttpProxyAgent(way.origin, options);
    return new (require('https-proxy-agent') as typeof HttpsProxyAgentModule).HttpsProxyAgent(way.origin, options);
  }
  if (!isSecure) return new (require('node:http') as typeof HttpModule).Agent(shared);
  const { Agent } = require('node:https') as typeof HttpsModule;
  /* oxlint-enable typescript/no-require-imports */
  return new Agent({ ...shared, ...ca, rejectUnauthorized: !isInsecure });
}

type Way = Pick<AgentOptions, 'target' | 'way'>;

/** A proxy wants the whole URL of what it does not send through a tunnel (RFC 9112 §3.2.2). */
export function requestTarget({ target, way }: Way, path: string): string {
  return way !== undefined && target.startsWith('http:') ? `${target}${path}` : path;
}

/** Listens for the response of the target; what a proxy on the way answers by itself is none. */
export function onResponse(
  outgoing: ClientRequest,
  { way }: Way,
  pass: (incoming: IncomingMessage) => void,
  fail: (error: Error) => void,
): void {
  outgoing.on('proxyConnect', ({ statusCode }: { readonly statusCode: number }) => {
    if (way !== undefined && statusCode !== 200) outgoing.destroy(way.rejected(statusCode));
  });
  outgoing.on('response', (incoming) => {
    if (way === undefined || incoming.statusCode !== 407) pass(incoming);
    else {
      incoming.resume();
      fail(way.rejected(407));
    }
  });
}
