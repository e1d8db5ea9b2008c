import { ConfigError } from '../errors/harness-error';
import type { AuthMode } from '../formats/contract';
import type { RawHeaders } from '../http/message';
import type { Operation } from '../openapi/model';
import { bearer } from './auth/bearer';
import { NO_CREDENTIALS, type Disguise, type RequestCredentials } from './auth/scheme';
import { chooseScheme } from './auth/schemes';
import type { Run } from './run';

export { isSecured } from './auth/schemes';

/** How a step authenticates: in one of the ways that have a word, or as somebody with a name. */
export type StepAuth = AuthMode | Disguise | { readonly identity: string };

type Caller = Pick<Run, 'api' | 'apiKey' | 'sendsKey' | 'runId' | 'identities'>;

/** Disguises that are made of the right key. */
const NEEDS_KEY: ReadonlySet<StepAuth> = new Set<StepAuth>(['doubled', 'lower-case', 'query']);

/**
 * The headers that authenticate a request, or pretend to.
 *
 * @param operation - `undefined` for a request that no operation describes; it gets the key as well
 * @throws ConfigError when the operation asks for a scheme that is not known here, or for a key that was not given
 */
export function credentials(caller: Caller, operation: Operation | undefined, auth: StepAuth): RawHeaders {
  return requestCredentials(caller, operation, auth).headers;
}

/**
 * The pairs of the query that pretend to authenticate a request, percent-encoded: one with `query`, none otherwise.
 *
 * @throws ConfigError as {@link credentials}
 */
export function credentialQuery(caller: Caller, operation: Operation | undefined, auth: StepAuth): readonly string[] {
  return requestCredentials(caller, operation, auth).query;
}

/** A path with more pairs in its query. */
export function withQuery(path: string, pairs: readonly string[]): string {
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

function requestCredentials(caller: Caller, operation: Operation | undefined, auth: StepAuth): RequestCredentials {
  const choice = chooseScheme(caller.api, operation);
  if (auth === 'valid' || typeof auth === 'object') {
    if (choice.kind === 'open' || (auth === 'valid' && caller.sendsKey === false)) return NO_CREDENTIALS;
    if (choice.kind === 'unknown') throw new ConfigError('CONFIG_INVALID', choice.reason);
    return choice.scheme.authenticate(auth === 'valid' ? keyOf(caller) : identityKey(caller, auth.identity));
  }
  // A pretence is sent to whatever asks for something else as well: nobody is let in by it.
  const scheme = choice.kind === 'known' ? choice.scheme : bearer;
  return scheme.disguise(auth, NEEDS_KEY.has(auth) ? keyOf(caller) : '', caller.runId);
}

function keyOf({ apiKey }: Caller): string {
  if (apiKey !== undefined) return apiKey;
  throw new ConfigError('CONFIG_INVALID', 'The target asks for an API key; none was given');
}

function identityKey({ identities }: Caller, name: string): string {
  const key = identities?.get(name);
  if (key !== undefined) return key;
  const known = [...(identities?.keys() ?? [])].join(', ');
  throw new ConfigError('CONFIG_INVALID', `No key was given for the identity "${name}"`, {
    hint: known === '' ? 'No identity was given a key at all.' : `There are keys for: ${known}.`,
  });
}
