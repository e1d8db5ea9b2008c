import type { ApiModel } from '../openapi/model';

const HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Where requests carry what must not be shown: names of headers, in lower case, and of parameters of the query. */
export interface CredentialPlaces {
  readonly headers: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
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
  };
  PLACES.set(api, places);
  return places;
}
