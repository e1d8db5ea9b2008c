import type { RawHeaders } from '../core/http/message';
import { decodeQueryComponent } from '../core/http/request-target';
import { memoize } from '../core/text/memoize';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import { kindOf } from './registry';

/** What ends in one of these is a secret: `api_key`, `X-Auth-Token`, `clientSecret`, `new_password`. */
const SECRET =
  /(?:passw(?:or)?d|passwd|pwd|passphrase|passcode|secret|token|jwt|(?:api|auth|access|secret|private|account|master|shared|signing|encryption|subscription|functions)key|credential|authorization|clientassertion)s?$/;
const PASSWORD_ALONG = /password(?:hash|digest|salt|confirm(?:ation)?|again|repeat(?:ed)?|verif(?:y|ication)|\d)$/;
const WHOLE = /^(?:pass|auth|x?auth|bearer|cvc2?|cvv2?)$/;
/** Tokens that are places in a list, names of an attempt, or parts of a text; they open nothing. */
const HARMLESS_TOKEN =
  /(?:page|paging|pagination|next|prev|previous|cursor|continue|continuation|sync|start|starting|end|scroll|resume|skip|delta|marker|change|idempotency|creation|client|clientrequest)tokens?$|(?:max|min|total|prompt|completion|input|output|cached|reasoning|numberof|count|countof|used|limit)tokens?$/;
/** What proves in the query of an address that somebody signed it: who has it has what it leads to. */
const SIGNATURE = /(?:signature|^sig)$/;

const isSecret = memoize((name) => {
  const joined = name.replace(/[^A-Za-z0-9]+/g, '').toLowerCase();
  if (WHOLE.test(joined) || PASSWORD_ALONG.test(joined)) return true;
  return SECRET.test(joined) && !HARMLESS_TOKEN.test(joined);
}, 2000);

/**
 * Is what has this name a secret by what everybody calls so, whatever a description says? For properties of bodies. Case
 * and separators do not count.
 */
export function isSensitiveProperty(name: string): boolean {
  return isSecret(name);
}

/** The same of a header: those of RFC 9110 §11 and RFC 6265 too. */
export function isSensitiveHeader(name: string): boolean {
  return /^(?:set-)?cookie2?$/i.test(name) || isSecret(name);
}

/** The same of a parameter of a query. */
export function isSensitiveParameter(name: string): boolean {
  return isSecret(name) || SIGNATURE.test(name.replace(/[^A-Za-z0-9]+/g, '').toLowerCase());
}

const HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Where requests carry what must not be shown: names of headers, in lower case, and of parameters of the query. */
export interface CredentialLocations {
  readonly headers: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
  readonly cookies: ReadonlySet<string>;
}

const LOCATIONS = new WeakMap<ApiModel, CredentialLocations>();

/** Headers that always carry credentials, and what the security schemes of the description add. */
export function credentialLocations(api: ApiModel): CredentialLocations {
  const known = LOCATIONS.get(api);
  if (known !== undefined) return known;
  const all = [...api.securitySchemes.values()].flatMap((scheme) => kindOf(scheme)?.locations(scheme) ?? []);
  const locations = {
    headers: new Set([...HEADERS, ...all.flatMap(({ headers }) => headers)]),
    // RFC 6750 §2.3
    query: new Set(['access_token', ...all.flatMap(({ query }) => query)]),
    cookies: new Set(all.flatMap(({ cookies }) => cookies)),
  };
  LOCATIONS.set(api, locations);
  return locations;
}

/** Does a header of this name, in lower case, carry what must not be shown? By the description, or by its name alone. */
export function hidesHeader({ headers }: CredentialLocations, name: string): boolean {
  return headers.has(name) || isSensitiveHeader(name);
}

/** The same of a parameter of the query. */
export function hidesParameter({ query }: CredentialLocations, name: string): boolean {
  return query.has(name) || isSensitiveParameter(name);
}

/** The name of a secret parameter, of its text in a query; `undefined` for any other. */
const secretNamed = memoize((text) => {
  const name = decodeQueryComponent(text);
  return name !== undefined && isSensitiveParameter(name) ? name : undefined;
});

/**
 * A query without the secrets in it that nobody declared: `?access_token=…` of a client that sends its key everywhere.
 * What the operation or a security scheme has by that name stays, because the service is known to take it there.
 */
export function withoutUndeclaredSecrets(query: string, api: ApiModel, { parameters }: Operation): string {
  if (query === '') return query;
  const isDeclared = (name: string): boolean =>
    parameters.some((each) => each.in === 'query' && each.name === name) ||
    [...api.securitySchemes.values()].some((each) => each.in === 'query' && each.parameterName === name);
  const isStored = (pair: string): boolean => {
    const secret = secretNamed(pair.split('=', 1)[0] ?? '');
    return secret === undefined || isDeclared(secret);
  };
  const pairs = query.split('&');
  return pairs.every(isStored) ? query : pairs.filter(isStored).join('&');
}

/** Where a secret stands, for who wants to name it. */
export interface SecretPlace {
  readonly kind: 'header' | 'cookie' | 'query' | 'userinfo' | 'property' | 'body';
  /** Of the header, cookie, parameter or property; the authentication scheme of credentials; else empty. */
  readonly name: string;
  /** How the secret is written there: as it is, as a component of a URL or a form, in a JSON text, or in XML or HTML. */
  readonly encoding: 'plain' | 'query' | 'json' | 'markup';
}

/** What is shown in the place of a secret. */
export type Mask = (secret: string, place: SecretPlace) => string;

/**
 * A request target or a URL without the values of the keys that it carries, `/items?api_key=[redacted]`, and without a
 * password before its host.
 */
export function redactTarget(target: string, places: CredentialLocations, mask: Mask = () => '[redacted]'): string {
  const shown = target.replace(
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#@]*?:)([^/?#]*)@/i,
    (_, head: string, secret: string) =>
      `${head}${mask(secret, { kind: 'userinfo', name: 'password', encoding: 'query' })}@`,
  );
  // A query, and a fragment, in which OAuth gives tokens out (RFC 6749 §4.2.2).
  return shown.replace(/([?&#])([^=&#?]*)=([^&#]*)/g, (pair, before: string, name: string, secret: string) => {
    const decoded = decodeQueryComponent(name);
    if (decoded === undefined || !hidesParameter(places, decoded)) return pair;
    return `${before}${name}=${mask(secret, { kind: 'query', name: decoded, encoding: 'query' })}`;
  });
}

/** Names and values of headers by turns, without the values that are secret. */
export function redactHeaders(rawHeaders: RawHeaders, places: CredentialLocations): RawHeaders {
  return rawHeaders.map((text, index) => {
    const name = index % 2 === 1 ? rawHeaders[index - 1]?.toLowerCase() : undefined;
    return name !== undefined && hidesHeader(places, name) ? '[redacted]' : text;
  });
}
