import type { RawHeaders } from '../core/http/message';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import {
  credentialLocations,
  type CredentialLocations,
  hidesHeader,
  type Mask,
  redactTarget,
  type SecretPlace,
} from '../security/credential-locations';
import { redactBody, sensitiveProperties } from './body-redaction';

/** Takes out of the messages of one operation what nobody who reads them later is to see. */
export interface Redaction {
  /** Names and values one after the other; of a cookie and of credentials their names and scheme stay. */
  headers(headers: RawHeaders): RawHeaders;
  /** A request target or a URL: the values of secret parameters of its query, and a password before the host. */
  target(target: string): string;
  /** The whole text of a body, not yet cut: half a JSON document cannot be read, and is then not shown. */
  body(text: string, mediaType: string | undefined): string;
  /** Is a property of this name one that is not shown? */
  isSensitive(property: string): boolean;
}

/**
 * The one place that knows what is secret in a message: by the description (`apiKey` schemes, `format: password`,
 * `writeOnly`; OAS 3.0.3 §4.7.24 and §4.7.27) and by names that everybody uses for it (`http/secret-name`). The journal
 * of the mock and every report of the runner go through it.
 *
 * @param operation - `undefined` where none is known
 * @param mask - what is shown in place of a secret
 */
export function createRedaction(api: ApiModel, operation: Operation | undefined, mask: Mask): Redaction {
  const places = withPasswords(credentialLocations(api), operation);
  const properties = sensitiveProperties(api, operation);
  const target = (text: string): string => redactTarget(text, places, mask);
  return {
    headers: (headers) => redactHeaders(headers, places, target, mask),
    target,
    body: (text, mediaType = 'application/json') =>
      text === '' ? text : redactBody(text, mediaType, properties, mask),
    isSensitive: properties.has,
  };
}

/** With the parameters whose schema says `format: password` (OAS 3.0.3 §4.4). */
function withPasswords(places: CredentialLocations, operation: Operation | undefined): CredentialLocations {
  const passwords = (operation?.parameters ?? []).filter(({ schema }) => schema?.value['format'] === 'password');
  if (passwords.length === 0) return places;
  const named = (place: string): string[] => passwords.flatMap((each) => (each.in === place ? [each.name] : []));
  return {
    headers: new Set([...places.headers, ...named('header').map((name) => name.toLowerCase())]),
    query: new Set([...places.query, ...named('query')]),
    cookies: places.cookies,
  };
}

/** Their values are addresses, whose queries may hold a secret. */
const ADDRESSES: ReadonlySet<string> = new Set(['location', 'content-location', 'referer', 'link', 'refresh']);

/** Headers without secrets, who wrote them: of credentials only the scheme and the names of cookies are shown. */
function redactHeaders(
  headers: RawHeaders,
  places: CredentialLocations,
  redactAddress: (text: string) => string,
  mask: Mask,
): string[] {
  return headers.map((value, index) => {
    const name = index % 2 === 1 ? (headers[index - 1] ?? '').toLowerCase() : '';
    if (ADDRESSES.has(name)) return value.replace(/[^\s<>,"]+/g, redactAddress);
    return hidesHeader(places, name) ? maskHeader(name, value, mask) : value;
  });
}

function maskHeader(name: string, value: string, mask: Mask): string {
  if (name === 'cookie') return value.split(';').map(hidePair).join(';');
  // What comes behind the first pair says where the cookie goes (RFC 6265 §4.1).
  if (name.startsWith('set-cookie')) return value.replace(/^[^;]*/, hidePair);
  if (!name.endsWith('authorization')) return mask(value, { kind: 'header', name, encoding: 'plain' });
  // The scheme says what is sent, and is not a secret (RFC 9110 §11.4).
  const [, scheme = '', rest = ''] = /^(\S+ +)?(.*)$/s.exec(value) ?? [];
  return `${scheme}${mask(rest, { kind: 'header', name: scheme.trim() || name, encoding: 'plain' })}`;

  function hidePair(pair: string): string {
    const end = pair.indexOf('=') + 1;
    const place: SecretPlace = { kind: 'cookie', name: pair.slice(0, Math.max(0, end - 1)).trim(), encoding: 'plain' };
    return `${pair.slice(0, end)}${mask(pair.slice(end), place)}`;
  }
}
