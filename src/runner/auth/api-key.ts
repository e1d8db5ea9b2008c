import { ConfigError } from '../../errors/harness-error';
import type { SecurityScheme } from '../../openapi/model';
import { otherCaseKind } from './other-case';
import { inQuery, keyed, keyless, unknownKey } from './probe-kind';
import {
  NO_CREDENTIALS,
  type CredentialScheme,
  type Disguise,
  type ProbeKind,
  type RequestCredentials,
} from './scheme';
import { truncatedKey } from './truncated-key';

/** Puts keys in the place that the description has for them; several only where something is wrong with that. */
type Put = (...keys: readonly string[]) => RequestCredentials;

/** Wrong in every place for an API key. */
const STRANGER: RequestCredentials = { headers: ['Authorization', 'Basic c3RhbmRpbjpzdGFuZGlu'], query: [] };

/**
 * `type: apiKey`, in a header, the query or a cookie (OAS 3.0.3 §4.7.27). The key of a scheme in the query stands in
 * URLs, because there is no other place for it.
 */
export function apiKeyScheme({
  type,
  in: location,
  parameterName: name,
}: SecurityScheme): CredentialScheme | undefined {
  if (type !== 'apiKey' || name === undefined) return undefined;
  switch (location) {
    case 'header':
      return schemeIn(headerNamed(name), headerNamed(name.toLowerCase()), { headerNames: [name.toLowerCase()] });
    case 'query':
      return schemeIn(queryNamed(name), queryNamed(name), { queryNames: [name] });
    case 'cookie':
      return schemeIn(cookieNamed(name), cookieNamed(name), { cookieNames: [name] });
    default:
      return undefined;
  }
}

function headerNamed(name: string): Put {
  return (...keys) => ({ headers: keys.flatMap((key) => [name, key]), query: [] });
}

function queryNamed(name: string): Put {
  return (...keys) => ({ headers: [], query: keys.flatMap((key) => inQuery(name, key).query) });
}

function cookieNamed(name: string): Put {
  return (...keys) => ({ headers: ['Cookie', keys.map((key) => `${name}=${cookieText(key)}`).join('; ')], query: [] });
}

/** What ends a cookie or is trimmed from it would reach the server as another key (RFC 6265 §5.4, §4.1.1). */
function cookieText(key: string): string {
  if (!/[;\p{Cc}]|^\s|\s$/u.test(key)) return key;
  throw new ConfigError(
    'CONFIG_INVALID',
    'The API key cannot be sent in a cookie: it holds ";", a control character, or begins or ends with white space',
    {
      hint: 'Give the key as the server writes it into the cookie, for example percent-encoded: %3B for ";".',
    },
  );
}

/** @param putUnusually - in a way that means the same: names of headers have no case (RFC 9110 §5.1) */
function schemeIn(
  put: Put,
  putUnusually: Put,
  names: Partial<Pick<CredentialScheme, 'headerNames' | 'queryNames' | 'cookieNames'>>,
): CredentialScheme {
  const isHeader = names.headerNames !== undefined;
  const kinds: readonly ProbeKind[] = [
    keyless('without a key', () => NO_CREDENTIALS),
    keyless('with an empty key', () => put('')),
    keyless('with an unknown key', (unknown) => put(unknown)),
    keyed('with the key cut by its last character', 'refused', (key) => {
      const cut = truncatedKey(key);
      return cut === undefined ? undefined : put(cut);
    }),
    otherCaseKind(put, 'Keys that differ by case alone count as one. Compare them octet by octet.'),
    ...(isHeader ? [keyed('with the header in lower case', 'accepted', (key) => putUnusually(key))] : []),
  ];
  const disguise = (mode: Disguise, key: string, runId: string): RequestCredentials => {
    switch (mode) {
      case 'none':
        return NO_CREDENTIALS;
      case 'invalid':
        return put(unknownKey({ runId }));
      case 'malformed':
        return STRANGER;
      case 'empty':
        return put('');
      case 'doubled':
        return put(key, unknownKey({ runId }));
      case 'lower-case':
        return putUnusually(key);
      case 'query':
        return inQuery('access_token', key);
    }
  };
  return { authenticate: put, disguise, kinds, headerNames: [], queryNames: [], cookieNames: [], ...names };
}
