import { countHeader } from '../core/http/headers';
import type { RequestHead } from '../core/http/message';
import type { ProblemCode } from '../core/http/problem';
import type { Token } from '../formats/tokens';
import type { RequiredScheme, SecurityScheme } from '../openapi/model/operation';

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
export interface AcceptedCredentials {
  /** By an API key or a bearer token. */
  byKey(key: string): KnownCaller | undefined;
  byPassword(username: string, password: string): KnownCaller | undefined;
  /** Why a key is not good, as a sentence, where more can be said than that it is not known. */
  whyUnknown?(key: string): string | undefined;
}

/** Somebody who signed in at an operation of the description. */
export interface SignedIn {
  /** User name or e-mail address, as it was sent; `undefined` where none was. */
  readonly name: string | undefined;
  /** Seconds; `undefined` where the response says nothing of it. */
  readonly lifetimeS: number | undefined;
  readonly nowMs: number;
  /** In which this was; `undefined` for the main one. */
  readonly sandbox: string | undefined;
}

/** Tokens that an issuer signs, which are good until they end or are revoked. */
export interface IssuerTokens {
  byKey(key: string): KnownCaller | undefined;
  /** @returns `undefined` for a text that is no token */
  whyUnknown(key: string): string | undefined;
  revokeToken(token: string): void;
  /** @returns a token for somebody who signed in */
  signIn(caller: SignedIn): string;
}

/** Credentials that are good by themselves, and tokens. */
export function withTokens(
  book: AcceptedCredentials | undefined,
  tokens: Pick<IssuerTokens, 'byKey' | 'whyUnknown'> | undefined,
): AcceptedCredentials | undefined {
  if (book === undefined || tokens === undefined) return book;
  return {
    // What is known of a token goes before what is good by itself.
    byKey: (key) => tokens.byKey(key) ?? (tokens.whyUnknown(key) === undefined ? book.byKey(key) : undefined),
    byPassword: (username, password) => book.byPassword(username, password),
    whyUnknown: (key) => tokens.whyUnknown(key) ?? book.whyUnknown?.(key),
  };
}

/** Who is good for everything, and has no name. */
export const ANY_SCOPE: KnownCaller = { principal: undefined, scopes: 'all', expiresAt: undefined };

/**
 * @param apiKeys - good for every scheme and every scope: as a key, as a token, as the password of any user, and as the
 *   user name where the password is empty
 */
export function createAcceptedCredentials(apiKeys: readonly string[], tokens: readonly Token[]): AcceptedCredentials {
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

export interface CredentialInput {
  readonly head: RequestHead;
  /** Raw query, without the question mark. */
  readonly query: string;
  readonly nowMs: number;
}

/** Why credentials are rejected, with what a 401 or 403 has to say about it. */
export interface SchemeRejection {
  readonly kind: 'refused';
  readonly code: ProblemCode;
  readonly message: string;
  readonly challenge: string;
  /** What to send, where nothing was sent. */
  readonly expected?: string | undefined;
}

interface SchemeAcceptance {
  readonly kind: 'accepted';
  /** What was sent; `''` where the scheme asks for nothing that could be looked at. */
  readonly key: string;
  readonly principal: string | undefined;
  readonly userName?: string;
}

export type SchemeCheck = SchemeRejection | SchemeAcceptance;

export interface SchemeContext {
  readonly scheme: SecurityScheme;
  readonly required: RequiredScheme;
  readonly realm: string;
  /** `undefined` takes every well-formed credential. */
  readonly accepted: AcceptedCredentials | undefined;
  readonly input: CredentialInput;
}

/** What is wrong with credentials, in the words of RFC 6750 §3.1. */
export type ChallengeError = 'invalid_token' | 'insufficient_scope';

export type MakeChallenge = (error?: ChallengeError) => string;

export function authorizationOf(
  { headers, rawHeaders }: RequestHead,
  form: string,
  say: MakeChallenge,
): string | SchemeRejection {
  const header = headers['authorization'];
  if (typeof header !== 'string') {
    return missingCredential('header Authorization', `Authorization: ${form}`, say());
  }
  // Node joins no second Authorization line but drops it, so that only the raw lines tell (RFC 9110 §5.3).
  if (countHeader(rawHeaders, 'authorization') <= 1) return header;
  const message = 'The header Authorization was sent more than once; send it once';
  return rejected('malformed_authorization', message, say());
}

/** @param what - the noun for what was sent, which is never repeated */
export function checkKnownCaller(
  { accepted, required, input }: SchemeContext,
  key: string,
  what: string,
  known: KnownCaller | undefined,
  say: MakeChallenge,
): SchemeCheck {
  if (accepted === undefined) return { kind: 'accepted', key, principal: undefined };
  if (known === undefined) {
    const why = accepted.whyUnknown?.(key) ?? `${what} is not known`;
    return rejected('invalid_api_key', why, say('invalid_token'));
  }
  if (known.expiresAt !== undefined && input.nowMs >= known.expiresAt) {
    return rejected('invalid_api_key', `${what} has expired`, say('invalid_token'));
  }
  const { scopes, principal } = known;
  const missing = scopes === 'all' ? [] : required.scopes.filter((scope) => !scopes.has(scope));
  if (missing.length === 0) return { kind: 'accepted', key, principal };
  const message = `The scope ${missing.join(' ')} is missing; this operation asks for ${required.scopes.join(' ')}`;
  return rejected('insufficient_scope', message, say('insufficient_scope'));
}

/** @param expected - what to send */
export function missingCredential(place: string, expected: string, text: string): SchemeRejection {
  return { ...rejected('missing_api_key', `The ${place} is missing; send "${expected}"`, text), expected };
}

export function rejected(code: ProblemCode, message: string, text: string): SchemeRejection {
  return { kind: 'refused', code, message, challenge: text };
}
