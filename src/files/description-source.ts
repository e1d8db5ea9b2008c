import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type * as Undici from 'undici';
import { messageOf, SpecError } from '../core/errors/standin-error';
import { isHttpUrl } from '../core/http/request-target';
import { readTextFile } from './file-access';

/** Addresses that lead to this machine or into its own network (RFC 6890), where a stranger's document has no business. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}

/** Is an IP address one of this machine or its own network? IPv4 within IPv6 counts as what it is. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family !== 6) return family === 0 || PRIVATE.check(address, 'ipv4');
  const inside = embeddedIpv4(address);
  return inside === undefined ? PRIVATE.check(address, 'ipv6') : PRIVATE.check(inside, 'ipv4');
}

/** Where an IPv4 address stands in an IPv6 one: mapped (RFC 4291 §2.5.5.2), NAT64 (RFC 6052 §2.1), 6to4 (RFC 3056 §2). */
function embeddedIpv4(address: string): string | undefined {
  const groups = groupsOf(address);
  const begin = groups.slice(0, 6).join(':');
  if (begin === '0:0:0:0:0:ffff' || begin === '64:ff9b:0:0:0:0') return dotted(groups[6], groups[7]);
  return groups[0] === '2002' ? dotted(groups[1], groups[2]) : undefined;
}

/** The eight groups, as a URL writes them without leading zeros. */
function groupsOf(address: string): string[] {
  const [plain = ''] = address.split('%');
  const [left = '', right] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const [start, end] = [left, right ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => '0'), ...end];
}

function dotted(high = '0', low = '0'): string {
  return [high, low].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]).join('.');
}

/** Does a host name say itself that it is private: an address of that kind, or `localhost`? */
function isPrivateName(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return isIP(name) === 0 ? /(?:^|\.)localhost$/i.test(name) : isPrivateAddress(name);
}

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
  // oxlint-disable-next-line typescript/no-require-imports -- loaded for those alone who allow it
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
        return { failure: `it returned ${statusCode}` };
      }
      return await readBody(body, at);
    }
    return { failure: `it is redirected more than ${MAX_REDIRECTS} times` };
  } catch (error) {
    return {
      failure: signal.aborted ? `no complete response came within ${TIMEOUT_MS / 1000} seconds` : messageOf(error),
    };
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
    const isRejected = !isPrivateName(hostname) && addresses.some(({ address }) => isPrivateAddress(address));
    if (isRejected) {
      callback(new Error(`${hostname} leads to an address of the own network, which was not allowed by itself`), []);
      return;
    }
    if (options.all === true) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  });
};

/** A description as it was found. */
interface DescriptionSource {
  readonly text: string;
  /** Its path as it was given, or the address at which it was found in the end. */
  readonly file: string;
  /** Hosts that it may lead to. */
  readonly allowRemote: readonly string[];
}

/** The text of a description. @throws SpecError `SPEC_UNREADABLE` */
export function readDescriptionText(file: string): string {
  return readTextFile(file, 'SPEC_UNREADABLE');
}

/**
 * Reads a description from its file or from its address. Who names an address allows its host, be it this machine:
 * what is beside the description is asked for there as well.
 *
 * @throws SpecError `SPEC_UNREADABLE`
 */
export async function findDescription(name: string, allowRemote: readonly string[] = []): Promise<DescriptionSource> {
  if (!isHttpUrl(name)) return { text: readDescriptionText(name), file: name, allowRemote };
  if (!URL.canParse(name))
    throw new SpecError('SPEC_UNREADABLE', `${name} is not a URL`, {
      hint: 'Write it as https://example.com/openapi.json.',
    });
  const { host, href } = new URL(name);
  const hosts = [host, ...allowRemote];
  const fetched = await fetchRemote(href, hosts);
  if ('failure' in fetched)
    throw new SpecError('SPEC_UNREADABLE', `${name} cannot be read: ${fetched.failure}`, {
      hint: 'Try the address in a browser; save what it shows, and name the file.',
    });
  return { text: fetched.text, file: fetched.uri, allowRemote: hosts };
}
