import type { RawHeaders } from '../http/message';
import { credentialPlaces, redactTarget, type CredentialPlaces } from '../openapi/credential-places';
import type { ApiModel, Operation } from '../openapi/model';
import { redactBody, type Mask } from './redact-body';
import { redactHeaders } from './redact-headers';
import { secretMembers } from './secret-members';

/** Takes out of the messages of one operation what nobody who reads them later is to see. */
export interface Redaction {
  /** Names and values one after the other; of a cookie and of credentials their names and scheme stay. */
  headers(headers: RawHeaders): RawHeaders;
  /** A request target or a URL: the values of secret parameters of its query, and a password before the host. */
  target(target: string): string;
  /** The whole text of a body, not yet cut: half a JSON document cannot be read, and is then not shown. */
  body(text: string, mediaType: string | undefined): string;
  /** Is a member of this name one that is not shown? */
  hides(member: string): boolean;
}

/**
 * The one place that knows what is secret in a message: by the description (`apiKey` schemes, `format: password`,
 * `writeOnly`; OAS 3.0.3 §4.7.24 and §4.7.27) and by names that everybody uses for it (`http/secret-name`). The journal
 * of the mock and every report of the runner go through it.
 *
 * @param operation - `undefined` where none is known
 * @param mask - what is shown in place of a secret
 */
export function redactionOf(api: ApiModel, operation: Operation | undefined, mask: Mask): Redaction {
  const places = withPasswords(credentialPlaces(api), operation);
  const members = secretMembers(api, operation);
  const target = (text: string): string => redactTarget(text, places, mask);
  return {
    headers: (headers) => redactHeaders(headers, places, target, mask),
    target,
    body: (text, mediaType = 'application/json') => (text === '' ? text : redactBody(text, mediaType, members, mask)),
    hides: members.has,
  };
}

/** With the parameters whose schema says `format: password` (OAS 3.0.3 §4.4). */
function withPasswords(places: CredentialPlaces, operation: Operation | undefined): CredentialPlaces {
  const passwords = (operation?.parameters ?? []).filter(({ schema }) => schema?.value['format'] === 'password');
  if (passwords.length === 0) return places;
  const named = (place: string): string[] => passwords.flatMap((each) => (each.in === place ? [each.name] : []));
  return {
    headers: new Set([...places.headers, ...named('header').map((name) => name.toLowerCase())]),
    query: new Set([...places.query, ...named('query')]),
    cookies: places.cookies,
  };
}
