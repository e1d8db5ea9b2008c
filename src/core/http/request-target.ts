import { memoize } from '../text/memoize';

const REG_NAME = String.raw`(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+`;
const HOST = new RegExp(String.raw`^(?:\[(?<ipv6>[0-9A-Fa-f:.]+)\]|${REG_NAME})(?::(?<port>\d*))?$`);
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const HEX_GROUP = /^[0-9A-Fa-f]{1,4}$/;
const HIGHEST_PORT = 65_535;

/**
 * Tells whether a `Host` value is `uri-host [":" port]` (RFC 9112 §3.2, RFC 3986 §3.2.2): a name, an IPv4 address or
 * an IPv6 address in brackets, with a port of 0 to 65535 that may be left empty. User information is rejected, and so
 * is an empty host, which the grammar has and no HTTP target uses (RFC 9110 §4.2.1).
 */
export const isValidHost: (value: string) => boolean = memoize((value) => {
  const parts = HOST.exec(value)?.groups;
  if (parts === undefined) return false;
  const { ipv6, port } = parts;
  if (port !== undefined && Number(port) > HIGHEST_PORT) return false;
  return ipv6 === undefined || isIpv6(ipv6);
});

/** The host of a `Host` value without its port; brackets stay. A value that has no port is given back as it is. */
export function stripPort(host: string): string {
  return /^(\[[^\]]*\]|[^:]*):\d*$/.exec(host)?.[1] ?? host;
}

/**
 * Tells whether a host means this machine: `localhost` and all names below it (RFC 6761 §6.3), 127.0.0.0/8
 * (RFC 1122 §3.2.1.3) and `::1` with or without brackets (RFC 4291 §2.5.3).
 *
 * @param host - without port, see {@link stripPort}
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (name === '[::1]' || name === '::1') return true;
  return name.startsWith('127.') && IPV4.test(name);
}

function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;

  const counts = halves.map((half, index) => countGroups(half, index === halves.length - 1));
  const total = counts.reduce((sum, count) => sum + count, 0);
  // `::` stands for at least one group of zeros.
  return halves.length === 2 ? total <= 7 : total === 8;
}

/** Number of 16-bit groups in a part of an address; `NaN` when something in it is not a group. */
function countGroups(part: string, mayEndInIpv4: boolean): number {
  if (part === '') return 0;
  const groups = part.split(':');
  const endsInIpv4 = mayEndInIpv4 && IPV4.test(groups.at(-1) ?? '');
  const hexGroups = endsInIpv4 ? groups.slice(0, -1) : groups;
  if (!hexGroups.every((group) => HEX_GROUP.test(group))) return Number.NaN;
  return hexGroups.length + (endsInIpv4 ? 2 : 0);
}

/** Is a file named by its address on the web, and not by its path? */
export function isHttpUrl(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

// No control character, space, `#` or byte beyond ASCII (RFC 3986 §2, §3.5). Other characters that the grammar wants
// percent-encoded, such as `[` in a deepObject parameter or `|`, are sent raw by too many clients to reject them.
const TARGET = /^[!"$-~]+$/;
const ABSOLUTE_FORM = /^https?:\/\/([^/?]*)(.*)$/i;

/**
 * The host that a request is for: that of an absolute-form target, which wins over the Host header (RFC 9112 §3.2.2).
 *
 * @param hostHeader - value of Host
 */
export function effectiveHost(target: string, hostHeader: string): string {
  if (target.startsWith('/') || target === '*') return hostHeader;
  return ABSOLUTE_FORM.exec(target)?.[1] ?? hostHeader;
}

/** Path and query of a request target, both as received: nothing is decoded, no dot segment is removed. */
export interface RequestTarget {
  /** Starts with `/`; or `*` alone, the target of a server-wide OPTIONS. */
  readonly path: string;
  /** Without the `?`; empty when there is none. */
  readonly query: string;
}

/** One `name=value` of a query, raw and decoded. */
export interface QueryPair {
  readonly rawName: string;
  /** `undefined` when the name cannot be decoded. */
  readonly name: string | undefined;
  /** As received, because list values are split at their delimiter before decoding; empty without `=`. */
  readonly rawValue: string;
  /** `undefined` when the value cannot be decoded. */
  readonly value: string | undefined;
}

const NO_PAIRS: readonly QueryPair[] = [];

/**
 * Splits a request target into path and query (RFC 9112 §3.2). The scheme and the authority of an absolute-form are
 * dropped; `//books/1` is a path with an empty first segment, not a host.
 *
 * @param target - origin-form, absolute-form with `http` or `https`, or `*`
 * @returns `undefined` for anything else: a fragment, an authority-form, a space, a character beyond ASCII
 */
export function parseTarget(target: string): RequestTarget | undefined {
  if (!TARGET.test(target)) return undefined;
  if (target.startsWith('/')) return splitQuery(target);
  if (target === '*') return { path: '*', query: '' };

  const absolute = ABSOLUTE_FORM.exec(target);
  const [, authority = '', rest = ''] = absolute ?? [];
  if (!isValidHost(authority)) return undefined;
  return splitQuery(rest.startsWith('/') ? rest : `/${rest}`);
}

/** The target of a request, parsed once where its head came from a server. */
export function targetOf({
  target,
  parsedTarget,
}: {
  readonly target: string;
  readonly parsedTarget?: RequestTarget | undefined;
}): RequestTarget | undefined {
  return parsedTarget ?? parseTarget(target);
}

/**
 * The raw segments of a path: `/books/1` gives `books`, `1`; a trailing slash gives an empty last segment, and `/` is
 * one empty segment. Anything that does not start with `/`, such as `*`, has no segments.
 */
export function splitPath(path: string): string[] {
  return path.startsWith('/') ? path.slice(1).split('/') : [];
}

/**
 * Decodes one path segment; `%2F` becomes data, `+` stays `+` (RFC 3986 §2.1).
 *
 * @param raw - a segment, not a whole path
 * @returns `undefined` for a bad percent sequence, for bytes that are not UTF-8, and for NUL, which no name holds but
 *   which ends a string in other programs (RFC 3986 §7.3)
 */
export function decodePathSegment(raw: string): string | undefined {
  if (!raw.includes('%')) return rejectNul(raw);
  try {
    return rejectNul(decodeURIComponent(raw));
  } catch {
    return undefined;
  }
}

/** Any part of a target without its percent sequences; as it is where one of them is broken. */
export function decodedText(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/**
 * Decodes a name or a value of a query: `+` is a space, `%2B` a plus (OAS 3.2.0 Appendix E).
 *
 * @returns `undefined` where {@link decodePathSegment} gives it too
 */
export function decodeQueryComponent(raw: string): string | undefined {
  return decodePathSegment(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);
}

/**
 * The pairs of a query in their order (URL Standard §5.1, application/x-www-form-urlencoded parsing). Empty pieces, as
 * in `a=1&&b=2`, are skipped.
 *
 * @param query - raw, without `?`
 */
export function parseQuery(query: string): readonly QueryPair[] {
  if (query === '') return NO_PAIRS;
  return query.split('&').flatMap((piece) => (piece === '' ? NO_PAIRS : queryPair(piece)));
}

/** Splits at the first `?`. */
function splitQuery(target: string): RequestTarget {
  const at = target.indexOf('?');
  if (at === -1) return { path: target, query: '' };
  return { path: target.slice(0, at), query: target.slice(at + 1) };
}

function rejectNul(text: string): string | undefined {
  return text.includes('\0') ? undefined : text;
}

/** One of the pieces of a query between its `&`. */
export function queryPair(piece: string): QueryPair {
  const at = piece.indexOf('=');
  const rawName = at === -1 ? piece : piece.slice(0, at);
  const rawValue = at === -1 ? '' : piece.slice(at + 1);
  return { rawName, name: decodeQueryComponent(rawName), rawValue, value: decodeQueryComponent(rawValue) };
}
