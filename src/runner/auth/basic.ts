import { basicAuthorization } from '../../http/authorization';
import type { SecurityScheme } from '../../openapi/model';
import { inQuery, keyed, keyless, unknownKey } from './probe-kind';
import { NO_CREDENTIALS, type CredentialScheme, type RequestCredentials } from './scheme';
import { truncatedKey } from './truncated-key';

/** Who has the key as a password, where the key does not say so itself. */
const USER = 'user';

const header = (...values: readonly string[]): RequestCredentials => ({
  headers: values.flatMap((value) => ['Authorization', value]),
  query: [],
});

/** `type: http, scheme: basic` (RFC 7617): the key is `user:password`, or the password of `user`. */
const basic: CredentialScheme = {
  authenticate: (key) => header(valueOf(key)),
  kinds: [
    keyless('without a key', () => NO_CREDENTIALS),
    keyless('with Basic and nothing after it', () => header('Basic')),
    keyless('with Basic and no base64 after it', () => header('Basic !')),
    keyless('with the scheme Bearer', (unknown) => header(`Bearer ${unknown}`)),
    keyless('with an unknown user and password', (unknown) => header(basicAuthorization(unknown, unknown))),
    keyed('with the password cut by its last character', 'refused', (key) => {
      const cut = truncatedKey(key);
      return cut === undefined ? undefined : header(valueOf(cut));
    }),
    keyed('with basic in lower case', 'accepted', (key) => header(inLowerCase(key))),
  ],
  headerNames: ['authorization'],
  queryNames: [],
  cookieNames: [],
  disguise(mode, key, runId) {
    const unknown = unknownKey({ runId });
    switch (mode) {
      case 'none':
        return NO_CREDENTIALS;
      case 'invalid':
        return header(basicAuthorization(unknown, unknown));
      case 'malformed':
        return header(`Bearer ${unknown}`);
      case 'empty':
        return header('Basic');
      case 'doubled':
        return header(valueOf(key), basicAuthorization(unknown, unknown));
      case 'lower-case':
        return header(inLowerCase(key));
      case 'query':
        return inQuery('access_token', key);
    }
  },
};

export function basicScheme({ type, scheme }: SecurityScheme): CredentialScheme | undefined {
  return type === 'http' && scheme === 'basic' ? basic : undefined;
}

function valueOf(key: string): string {
  const colon = key.indexOf(':');
  return colon === -1 ? basicAuthorization(USER, key) : basicAuthorization(key.slice(0, colon), key.slice(colon + 1));
}

/** The name of a scheme has no case (RFC 9110 §11.1). */
function inLowerCase(key: string): string {
  return valueOf(key).replace(/^Basic/, 'basic');
}
