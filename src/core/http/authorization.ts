import { quote } from './field-scanner';
import { memoize } from '../text/memoize';

const SCHEME = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+/;
const TOKEN68 = /^[A-Za-z0-9\-._~+/]+=*$/;

/** What an `Authorization` value holds. No reason repeats any part of the value: it may be a secret. */
export type BearerCredentials =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'malformed'; readonly reason: string };

/**
 * Parses `Bearer <token>`: the scheme in any case, exactly one space, then `1*( ALPHA / DIGIT / "-" / "." / "_" / "~" /
 * "+" / "/" ) *"="` (RFC 6750 §2.1, RFC 9110 §11.1 and §11.2).
 *
 * @param value - of the one `Authorization` line; whether there are more is for the caller to see
 */
export const parseBearer = memoize((value: string): BearerCredentials => {
  const scheme = SCHEME.exec(value)?.[0];
  if (scheme?.toLowerCase() !== 'bearer') return malformed('The Authorization header does not use the Bearer scheme.');

  const credentials = value.slice(scheme.length);
  if (credentials.trim() === '') return malformed('The Authorization header names the Bearer scheme but has no token.');
  if (!/^ [^ \t]/.test(credentials)) return malformed('Bearer and the token must be separated by exactly one space.');

  const token = credentials.slice(1);
  if (!TOKEN68.test(token)) return malformed('The bearer token holds a character that a token cannot have.');
  return { kind: 'bearer', token };
});

/** What a `Basic` value holds; no reason repeats any part of it. */
export type BasicCredentials =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'malformed'; readonly reason: string };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Parses `Basic base64(user:password)`, in UTF-8; the user name ends at the first colon (RFC 7617 §2). */
export function parseBasic(value: string): BasicCredentials {
  if (schemeOf(value) !== 'basic') return malformed('The Authorization header does not use the Basic scheme.');
  const encoded = value.slice('basic'.length).trim();
  if (encoded === '' || !BASE64.test(encoded)) {
    return malformed('What follows Basic is not base64 of a user name, a colon and a password.');
  }
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return malformed('The credentials have no colon between user name and password.');
  return { kind: 'basic', username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The `Authorization` value of a user (RFC 7617 §2). */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

/** The authentication scheme of an `Authorization` value, in lower case (RFC 9110 §11.1). */
export function schemeOf(value: string): string | undefined {
  return SCHEME.exec(value)?.[0].toLowerCase();
}

/** A challenge of any scheme: `Basic realm="Shop"` (RFC 9110 §11.3). */
export function challenge(scheme: string, parameters: Readonly<Record<string, string>>): string {
  return `${scheme} ${Object.entries(parameters)
    .map(([name, value]) => `${name}=${quote(value)}`)
    .join(', ')}`;
}

/** The parts of a `Bearer` challenge. */
export interface BearerChallenge {
  readonly realm: string;
  /** Code of RFC 6750 §3.1, such as `invalid_token`; absent when no credentials were sent. */
  readonly error?: string;
  /** For developers; must not repeat the credentials. */
  readonly errorDescription?: string;
  /** Scopes that a token needs (RFC 6750 §3). */
  readonly scopes?: readonly string[];
}

/** The value of `WWW-Authenticate` for a 401 or 403 (RFC 6750 §3, RFC 9110 §11.6.1). */
export function bearerChallenge({ realm, error, errorDescription, scopes }: BearerChallenge): string {
  const parameters = [`realm=${quote(realm)}`];
  if (error !== undefined) parameters.push(`error=${quoteNarrow(error)}`);
  if (errorDescription !== undefined) parameters.push(`error_description=${quoteNarrow(errorDescription)}`);
  if (scopes !== undefined) parameters.push(`scope=${quoteNarrow(scopes.join(' '))}`);
  return `Bearer ${parameters.join(', ')}`;
}

/** RFC 6750 §3 leaves no way to write `"` and `\` in these two, escaped or not. */
function quoteNarrow(text: string): string {
  return quote(text.replaceAll('"', "'").replaceAll('\\', '/').replaceAll('\t', ' '));
}

function malformed(reason: string): { readonly kind: 'malformed'; readonly reason: string } {
  return { kind: 'malformed', reason };
}
