import { decodeQueryComponent } from '../http/request-target';
import type { ApiModel } from './model';

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

/** A request target without the values of the keys that it carries: `/items?api_key=[redacted]`. */
export function redactTarget(target: string, { query: secrets }: CredentialPlaces): string {
  const at = target.indexOf('?');
  if (at === -1) return target;
  const pairs = target
    .slice(at + 1)
    .split('&')
    .map((pair) => {
      const end = pair.indexOf('=');
      const name = decodeQueryComponent(end === -1 ? pair : pair.slice(0, end));
      return end === -1 || name === undefined || !secrets.has(name) ? pair : `${pair.slice(0, end)}=[redacted]`;
    });
  return `${target.slice(0, at)}?${pairs.join('&')}`;
}
