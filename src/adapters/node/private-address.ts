import { BlockList, isIP } from 'node:net';

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
export function isPrivateName(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return isIP(name) === 0 ? /(?:^|\.)localhost$/i.test(name) : isPrivateAddress(name);
}
