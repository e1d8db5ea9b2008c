import { memoize } from '../http/memo';
import { isSecretHeader, isSecretParameter } from '../http/secret-name';
import { decodeQueryComponent } from '../http/request-target';
import type { ApiModel, Operation } from './model';

const HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Where requests carry what must not be shown: names of headers, in lower case, and of parameters of the query. */
export interface CredentialPlaces {
  readonly headers: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
  /** Names of cookies. */
  readonly cookies: ReadonlySet<string>;
}

const PLACES = new WeakMap<ApiModel, CredentialPlaces>();

/** Headers that always carry credentials, and what the description has an `apiKey` in (OAS 3.0.3 §4.7.27). */
export function credentialPlaces(api: ApiModel): CredentialPlaces {
  const known = PLACES.get(api);
  if (known !== undefined) return known;
  const keys = [...api.securitySchemes.values()].filter(({ type }) => type === 'apiKey');
  const named = (place: string): string[] =>
    keys.flatMap((scheme) => (scheme.in === place && scheme.parameterName !== undefined ? [scheme.parameterName] : []));
  const places = {
    headers: new Set([...HEADERS, ...named('header').map((name) => name.toLowerCase())]),
    // RFC 6750 §2.3
    query: new Set(['access_token', ...named('query')]),
    cookies: new Set(named('cookie')),
  };
  PLACES.set(api, places);
  return places;
}

/** Does a header of this name, in lower case, carry what must not be shown? By the description, or by its name alone. */
export function hidesHeader({ headers }: CredentialPlaces, name: string): boolean {
  return headers.has(name) || isSecretHeader(name);
}

/** The same of a parameter of the query. */
export function hidesParameter({ query }: CredentialPlaces, name: string): boolean {
  return query.has(name) || isSecretParameter(name);
}

/** The name of a secret parameter, of its text in a query; `undefined` for any other. */
const secretNamed = memoize((text) => {
  const name = decodeQueryComponent(text);
  return name !== undefined && isSecretParameter(name) ? name : undefined;
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
  const isKept = (pair: string): boolean => {
    const secret = secretNamed(pair.split('=', 1)[0] ?? '');
    return secret === undefined || isDeclared(secret);
  };
  const pairs = query.split('&');
  return pairs.every(isKept) ? query : pairs.filter(isKept).join('&');
}

/**
 * A request target or a URL without the values of the keys that it carries, `/items?api_key=[redacted]`, and without a
 * password before its host.
 *
 * @param mask - what stands in the place of a secret
 */
export function redactTarget(
  target: string,
  places: CredentialPlaces,
  mask: (secret: string) => string = () => '[redacted]',
): string {
  const shown = target.replace(
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#@]*?:)([^/?#]*)@/i,
    (_, head: string, secret: string) => `${head}${mask(secret)}@`,
  );
  // A query, and a fragment, in which OAuth gives tokens out (RFC 6749 §4.2.2).
  return shown.replace(/([?&#])([^=&#?]*)=([^&#]*)/g, (pair, before: string, name: string, secret: string) => {
    const decoded = decodeQueryComponent(name);
    return decoded !== undefined && hidesParameter(places, decoded) ? `${before}${name}=${mask(secret)}` : pair;
  });
}
