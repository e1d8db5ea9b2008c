import type { IncomingMessage } from 'node:http';
import { isKnownCoding } from '../core/http/content-coding';
import { headerValue, headerValues } from '../core/http/headers';
import type { RawHeaders } from '../core/http/message';
import { memoize } from '../core/text/memoize';

/** Fields of one connection, which are not passed on (RFC 9110 §7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Where a client reaches the proxy and the proxy its target, each as scheme, host and port. */
export interface Origins {
  readonly proxy: string;
  readonly target: string;
  /** Base path of the target, where the client leaves it out. */
  readonly omitted?: string | undefined;
}

/** Lower-case names; the same texts come again and again. */
const lowerCase = memoize((name: string) => name.toLowerCase());

/**
 * The header lines of a request for the target, in the order and with the names that the client sent: without those of
 * the connection, with the host of the target, and with its origin where the client names that of the proxy.
 *
 * @param isUpgrade - then the lines that ask for another protocol are passed on
 */
export function requestHeaders(received: RawHeaders, origins: Origins, isUpgrade: boolean): RawHeaders {
  const dropped = connectionFields(received);
  return mapHeaders(received, (name, value) => {
    if (isUpgrade && (name === 'connection' || name === 'upgrade')) return value;
    if (HOP_BY_HOP.has(name) || dropped.has(name)) return undefined;
    switch (name) {
      case 'host':
        return origins.target.slice(origins.target.indexOf('//') + 2);
      case 'origin':
        return value === origins.proxy ? origins.target : value;
      case 'referer':
        return atOrigin(value, origins.proxy, origins.target);
      default:
        return value;
    }
  });
}

/**
 * Header lines as Node sends them: by the name of the first line, and with all values of one name together.
 *
 * @param received - of the client: whether its body has a length is told there alone
 */
export function sentHeaders(passed: RawHeaders, received: RawHeaders): Record<string, string | string[]> {
  // Without a prototype: a header may be called `__proto__`.
  const sent = Object.create(null) as Record<string, string | string[]>;
  const names = new Map<string, string>();
  for (let index = 0; index < passed.length; index += 2) {
    const [name = '', value = ''] = [passed[index], passed[index + 1]];
    const key = lowerCase(name);
    const first = names.get(key);
    const shown = key === 'accept-encoding' ? readableCodings(value) : value;
    if (first === undefined) {
      names.set(key, name);
      sent[name] = shown;
    } else {
      sent[first] = [sent[first] ?? [], shown].flat();
    }
  }
  const coding = headerValues(received, 'transfer-encoding').join(', ');
  if (coding !== '') {
    sent['Transfer-Encoding'] = coding;
    // Both would be two lengths (RFC 9112 §6.3).
    const length = names.get('content-length');
    if (length !== undefined) Reflect.deleteProperty(sent, length);
  }
  return sent;
}

/** Only what can be decoded again is asked for: else the recording would have no body where every other tool shows one. */
const readableCodings = memoize((accepted: string) => {
  const known = accepted.split(',').filter((each) => {
    const coding = (each.split(';')[0] ?? '').trim();
    return coding === '*' || isKnownCoding(coding);
  });
  return known.length === 0 ? 'identity' : known.join(',').trim();
});

/** Fields that hold addresses, which a client follows, and how they hold them. */
const ADDRESS_FIELDS: Readonly<Record<string, (value: string, origins: Origins) => string>> = {
  location: (value, { target, proxy }) => atOrigin(value, target, proxy),
  'content-location': (value, { target, proxy }) => atOrigin(value, target, proxy),
  // `0; url=https://…`, with quotes or without (HTML Standard §4.2.5.3).
  refresh: (value, { target, proxy }) =>
    value.replace(/^([^;,]*[;,]\s*(?:url\s*=\s*)?["']?)(.*)$/is, (_, before: string, url: string) => {
      return before + atOrigin(url, target, proxy);
    }),
  // `<https://…>; rel="next"` (RFC 8288 §3).
  link: (value, { target, proxy }) =>
    value.replace(/<([^>]*)>/g, (_, url: string) => `<${atOrigin(url, target, proxy)}>`),
  'set-cookie': (value, { omitted }) => fittedCookie(value, omitted),
};

/**
 * The header lines of a response for the client: without those of the connection to the target, and with its addresses
 * and cookies as they hold at the proxy.
 */
export function responseHeaders(received: RawHeaders, origins: Origins): RawHeaders {
  const dropped = connectionFields(received);
  return mapHeaders(received, (name, value) => {
    if (HOP_BY_HOP.has(name) || dropped.has(name)) return undefined;
    const fit = Object.hasOwn(ADDRESS_FIELDS, name) ? ADDRESS_FIELDS[name] : undefined;
    return fit === undefined ? value : fit(value, origins);
  });
}

/** Names that Connection lists. */
function connectionFields(headers: RawHeaders): ReadonlySet<string> {
  const listed = headerValue(headers, 'connection');
  if (listed === undefined || /^(?:keep-alive|close)$/i.test(listed)) return NO_FIELDS;
  const names = headerValues(headers, 'connection').join(',').split(',');
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

const NO_FIELDS: ReadonlySet<string> = new Set();

/** @param map - the value for a lower-case name; `undefined` leaves the line out */
function mapHeaders(headers: RawHeaders, map: (name: string, value: string) => string | undefined): string[] {
  const mapped: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]];
    const passed = map(lowerCase(name), value);
    if (passed !== undefined) mapped.push(name, passed);
  }
  return mapped;
}

/** An address below one origin as that below another; every other one stays as it is written. */
function atOrigin(address: string, from: string, to: string): string {
  if (!/^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(address)) return address;
  const [scheme = ''] = from.split('//');
  const whole = address.startsWith('//') ? `${scheme}${address}` : address;
  if (!URL.canParse(whole) || new URL(whole).origin !== new URL(from).origin) return address;
  // The rest is not written anew: what a URL parser would make of it is not what the target wrote.
  const [, rest = ''] = /^[^/]*\/\/[^/?#]*(.*)$/s.exec(whole) ?? [];
  return `${to}${rest}`;
}

/**
 * A cookie of the target as a client takes it from the proxy, which has another host and speaks http (RFC 6265 §5.3):
 * without the domain; without `Secure`, and what holds with it alone, unless its name demands that, as browsers take
 * such a cookie from this machine.
 */
function fittedCookie(value: string, omitted: string | undefined): string {
  const [pair = '', ...attributes] = value.split(';');
  const isBound = /^\s*__(?:secure|host)-/i.test(pair);
  const kept = attributes.filter((attribute) => {
    const [name = '', setting = ''] = attribute.split('=').map((part) => part.trim().toLowerCase());
    if (name === 'domain') return false;
    const needsTls = name === 'secure' || name === 'partitioned' || (name === 'samesite' && setting === 'none');
    return isBound || !needsTls;
  });
  // A client that leaves the base path out would not send the cookie back.
  const placed = omitted === undefined ? kept : kept.map((attribute) => withoutBase(attribute, omitted));
  return [pair, ...placed].join(';');
}

/** `Path=/books` for `Path=/api/v2/books`. */
function withoutBase(attribute: string, basePath: string): string {
  const [, head = '', path = ''] = /^(\s*path\s*=\s*)(\S*)/i.exec(attribute) ?? [];
  const isBelow = path === basePath || path.startsWith(`${basePath}/`);
  return isBelow ? `${head}${path.slice(basePath.length) || '/'}` : attribute;
}

/** Does the head announce a body (RFC 9112 §6.3)? */
export function hasBody({ rawHeaders }: IncomingMessage): boolean {
  const length = headerValue(rawHeaders, 'content-length');
  return headerValue(rawHeaders, 'transfer-encoding') !== undefined || (length !== undefined && length !== '0');
}

/** How many bytes the body of a response has; `undefined` where only its end tells (RFC 9112 §6.3). */
export function bodyLength(
  { method }: IncomingMessage,
  { statusCode = 0, rawHeaders }: IncomingMessage,
): number | undefined {
  if (method === 'HEAD' || statusCode === 204 || statusCode === 304) return 0;
  const length = headerValue(rawHeaders, 'content-length');
  if (length === undefined || headerValue(rawHeaders, 'transfer-encoding') !== undefined) return undefined;
  return Number(length);
}

/** Header lines as Node takes trailers. */
export function pairsOf(headers: RawHeaders): [string, string][] {
  return headers.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : [],
  );
}
