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

/** `standin:standin`; the scheme is what is wrong with it. */
const BASIC = 'Basic c3RhbmRpbjpzdGFuZGlu';

const header = (...values: readonly string[]): RequestCredentials => ({
  headers: values.flatMap((value) => ['Authorization', value]),
  query: [],
});
const inUrl = (name: string): ProbeKind => {
  return { ...keyed(`with the key in the query as ${name}`, 'refused', (key) => inQuery(name, key)), isInUrl: true };
};

const KINDS: readonly ProbeKind[] = [
  keyless('without a key', () => NO_CREDENTIALS),
  keyless('with Bearer and nothing after it', () => header('Bearer')),
  keyless('with Bearer and a space after it', () => header('Bearer ')),
  keyless('with the scheme Basic', () => header(BASIC)),
  // RFC 6750 §2.1 allows several spaces, so that the right key after two of them may be let in; an unknown one never.
  keyless('with two spaces before an unknown key', (unknown) => header(`Bearer  ${unknown}`)),
  keyed('with characters after the key that no key has', 'refused', (key) => header(`Bearer ${key}!"`)),
  keyed('with the scheme Token', 'refused', (key) => header(`Token ${key}`)),
  keyless('with an unknown key', (unknown) => header(`Bearer ${unknown}`)),
  keyed('with the key cut by its last character', 'refused', (key) => {
    const cut = truncatedKey(key);
    return cut === undefined ? undefined : header(`Bearer ${cut}`);
  }),
  // Values are case sensitive (RFC 6749 §1.8).
  otherCaseKind((key) => header(`Bearer ${key}`)),
  {
    ...keyed('with two Authorization headers', 'refused-or-malformed', (key, material) =>
      header(`Bearer ${key}`, `Bearer ${unknownKey(material)}`),
    ),
    // No sender may do so (RFC 9110 §5.3); what becomes of it is left open, and node:http, for one, takes the first.
    advice: 'One of the two counts here; something in between may look at the other one. Refuse such a request.',
  },
  inUrl('access_token'),
  inUrl('api_key'),
  keyed('with bearer in lower case', 'accepted', (key) => header(`bearer ${key}`)),
];

/** `type: http, scheme: bearer`: `Authorization: Bearer <key>` (RFC 6750 §2.1). */
export const bearer: CredentialScheme = {
  authenticate: (key) => header(`Bearer ${key}`),
  disguise,
  kinds: KINDS,
  headerNames: ['authorization'],
  queryNames: [],
  cookieNames: [],
};

/** Tokens of OAuth 2.0 and OpenID Connect are sent as any other (RFC 6750). */
export function bearerScheme({ type, scheme }: SecurityScheme): CredentialScheme | undefined {
  const isBearer = type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && scheme === 'bearer');
  return isBearer ? bearer : undefined;
}

function disguise(mode: Disguise, key: string, runId: string): RequestCredentials {
  switch (mode) {
    case 'none':
      return NO_CREDENTIALS;
    case 'invalid':
      return header(`Bearer ${unknownKey({ runId })}`);
    case 'malformed':
      return header(BASIC);
    case 'empty':
      return header('Bearer');
    case 'doubled':
      return header(`Bearer ${key}`, `Bearer ${unknownKey({ runId })}`);
    case 'lower-case':
      return header(`bearer ${key}`);
    case 'query':
      return inQuery('access_token', key);
  }
}
