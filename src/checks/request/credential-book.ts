import type { Token } from '../../formats/tokens';

/** A caller whose credentials are good, or were. */
export interface KnownCaller {
  /** Whom they stand for; `undefined` for a key without a name. */
  readonly principal: string | undefined;
  readonly scopes: ReadonlySet<string> | 'all';
  /** Epoch milliseconds; from then on they are not good any more. */
  readonly expiresAt: number | undefined;
}

/**
 * Which credentials are good. Maps compare hashes before they compare texts, so that the time it takes tells nothing
 * about how much of a key was right.
 */
export interface CredentialBook {
  /** By an API key or a bearer token. */
  byKey(key: string): KnownCaller | undefined;
  /** By user name and password. */
  byPassword(username: string, password: string): KnownCaller | undefined;
}

const ANY_SCOPE: KnownCaller = { principal: undefined, scopes: 'all', expiresAt: undefined };

/**
 * @param apiKeys - good for every scheme and every scope: as a key, as a token, as the password of any user, and as the
 *   user name where the password is empty
 */
export function openCredentialBook(apiKeys: readonly string[], tokens: readonly Token[]): CredentialBook {
  const keys = new Map(apiKeys.map((key): [string, KnownCaller] => [key, ANY_SCOPE]));
  const users = new Map<string, KnownCaller>();
  for (const { credentials, principal, scopes, expiresAt } of tokens) {
    const caller: KnownCaller = { principal, scopes: scopes.includes('*') ? 'all' : new Set(scopes), expiresAt };
    if (credentials.kind === 'key') keys.set(credentials.key, caller);
    else users.set(userKey(credentials.username, credentials.password), caller);
  }
  const plain = new Set(apiKeys);
  return {
    byKey: (key) => keys.get(key),
    byPassword(username, password) {
      const known = users.get(userKey(username, password));
      if (known !== undefined) return known;
      return plain.has(password) || (password === '' && plain.has(username)) ? ANY_SCOPE : undefined;
    },
  };
}

function userKey(username: string, password: string): string {
  return JSON.stringify([username, password]);
}
