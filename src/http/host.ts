import { memoize } from './memo';

const REG_NAME = String.raw`(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+`;
const HOST = new RegExp(String.raw`^(?:\[(?<ipv6>[0-9A-Fa-f:.]+)\]|${REG_NAME})(?::(?<port>\d*))?$`);
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const HEX_GROUP = /^[0-9A-Fa-f]{1,4}$/;
const HIGHEST_PORT = 65_535;

/**
 * Tells whether a `Host` value is `uri-host [":" port]` (RFC 9112 §3.2, RFC 3986 §3.2.2): a name, an IPv4 address or
 * an IPv6 address in brackets, with a port of 0 to 65535 that may be left empty. User information is refused, and so
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

/** Number of 16-bit groups in a part of an address; `NaN` when something in it is no group. */
function countGroups(part: string, mayEndInIpv4: boolean): number {
  if (part === '') return 0;
  const groups = part.split(':');
  const endsInIpv4 = mayEndInIpv4 && IPV4.test(groups.at(-1) ?? '');
  const hexGroups = endsInIpv4 ? groups.slice(0, -1) : groups;
  if (!hexGroups.every((group) => HEX_GROUP.test(group))) return Number.NaN;
  return hexGroups.length + (endsInIpv4 ? 2 : 0);
}
