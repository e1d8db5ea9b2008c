import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type * as Undici from 'undici';
import { messageOf } from '../../errors/error-facts';
import { isPrivateAddress, isPrivateName } from './private-address';

/** What fetching a document gave: its text and where it was found in the end, or why there is none. */
export type Fetched = { readonly text: string; readonly uri: string } | { readonly failure: string };

const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** May documents of this host be read? Hosts are named as `example.com` or `example.com:8443`. */
export function isAllowedHost(uri: string, hosts: readonly string[]): boolean {
  const { host, hostname } = new URL(uri);
  const names = [host, hostname, hostname.replace(/^\[|\]$/g, '')].map((name) => name.toLowerCase());
  return hosts.some((allowed) => names.includes(allowed.toLowerCase()));
}

/**
 * Fetches a document of another machine: in bounded time and size, over redirects to allowed hosts only, and never from
 * an address of this machine's own network, unless that very address was allowed.
 *
 * @param hosts - that may be asked
 */
export async function fetchRemote(uri: string, hosts: readonly string[]): Promise<Fetched> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded for those alone who allow it
  const { Agent, request } = require('undici') as typeof Undici;
  const agent = new Agent({ connect: { lookup: guardedLookup, timeout: TIMEOUT_MS } });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    let at = uri;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      if (!isAllowedHost(at, hosts))
        return { failure: `it is redirected to ${new URL(at).host}, which was not allowed` };
      const { statusCode, headers, body } = await request(at, {
        dispatcher: agent,
        signal,
        headers: { accept: 'application/yaml, application/json;q=0.9, */*;q=0.1', 'accept-encoding': 'identity' },
      });
      const { location } = headers;
      if (REDIRECTS.has(statusCode) && typeof location === 'string' && URL.canParse(location, at)) {
        await body.dump();
        at = new URL(location, at).href;
        if (!/^https?:/.test(at)) return { failure: `it is redirected to ${at}` };
        continue;
      }
      if (statusCode !== 200) {
        await body.dump();
        return { failure: `it answers ${statusCode}` };
      }
      return await readBody(body, at);
    }
    return { failure: `it is redirected more than ${MAX_REDIRECTS} times` };
  } catch (error) {
    return { failure: signal.aborted ? `no whole answer came in ${TIMEOUT_MS / 1000} seconds` : messageOf(error) };
  } finally {
    void agent.destroy();
  }
}

async function readBody(body: AsyncIterable<Uint8Array>, uri: string): Promise<Fetched> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) return { failure: `it is larger than ${MAX_BYTES} bytes` };
    chunks.push(chunk);
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)), uri };
  } catch {
    return { failure: 'it is not UTF-8 text' };
  }
}

/** A name of a public host can lead to a private address, by mistake or on purpose. */
const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, []);
      return;
    }
    const isRefused = !isPrivateName(hostname) && addresses.some(({ address }) => isPrivateAddress(address));
    if (isRefused) {
      callback(new Error(`${hostname} leads to an address of the own network, which was not allowed by itself`), []);
      return;
    }
    if (options.all === true) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  });
};
