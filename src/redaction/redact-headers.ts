import type { RawHeaders } from '../http/message';
import { hidesHeader, type CredentialPlaces } from '../openapi/credential-places';
import type { Mask } from './redact-body';

/** Their values are addresses, whose queries may hold a secret. */
const ADDRESSES: ReadonlySet<string> = new Set(['location', 'content-location', 'referer', 'link', 'refresh']);

/** Headers without secrets, whoever wrote them: of credentials only the scheme and the names of cookies are shown. */
export function redactHeaders(
  headers: RawHeaders,
  places: CredentialPlaces,
  redactAddress: (text: string) => string,
  mask: Mask,
): string[] {
  return headers.map((value, index) => {
    const name = index % 2 === 1 ? (headers[index - 1] ?? '').toLowerCase() : '';
    if (ADDRESSES.has(name)) return value.replace(/[^\s<>,"]+/g, redactAddress);
    return hidesHeader(places, name) ? hide(name, value, mask) : value;
  });
}

function hide(name: string, value: string, mask: Mask): string {
  if (name === 'cookie') return value.split(';').map(hidePair).join(';');
  // What comes behind the first pair says where the cookie goes (RFC 6265 §4.1).
  if (name.startsWith('set-cookie')) return value.replace(/^[^;]*/, hidePair);
  if (!name.endsWith('authorization')) return mask(value);
  // The scheme says what is sent, and is no secret (RFC 9110 §11.4).
  const [, scheme = '', rest = ''] = /^(\S+ +)?(.*)$/s.exec(value) ?? [];
  return `${scheme}${mask(rest)}`;

  function hidePair(pair: string): string {
    const end = pair.indexOf('=') + 1;
    return `${pair.slice(0, end)}${mask(pair.slice(end))}`;
  }
}
