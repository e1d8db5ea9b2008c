import type { AcceptedCredentials, KnownCaller } from './credential-check';
import { parseBearer } from '../core/http/authorization';
import { parseCookies } from '../core/http/header-fields';
import { headerValues } from '../core/http/headers';
import type { HttpResponse, RequestHead } from '../core/http/message';
import { JsonSyntaxError } from '../core/json/json-syntax-error';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import { parseJson } from '../core/json/parse-json';
import type { Operation } from '../openapi/model/operation';

/** What an operation does with credentials, as its path and its name tell: signs somebody in, or out. */
export type SignIn = 'in' | 'out' | undefined;

const SIGN_IN =
  /^(?:log-?in|sign-?in|sign-?up|register|sessions?|(?:access-?)?tokens?|authenticate|authentication|authorize|auth|oauth2?|jwt|refresh|refresh-?token)$/i;
const SIGN_OUT = /^(?:log-?out|sign-?out|log-?off|revoke|revocation)$/i;

export function signInOf({ method, path, id }: Pick<Operation, 'method' | 'path' | 'id'>): SignIn {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return undefined;
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const words = [...segments.slice(-2), id.replace(/[^A-Za-z]/g, '')];
  if (words.some((word) => SIGN_OUT.test(word))) return 'out';
  if (!words.some((word) => SIGN_IN.test(word))) return undefined;
  return method === 'DELETE' ? 'out' : 'in';
}

const CREDENTIAL = /(?:token|jwt|session|sessionid|sid|apikey|accesskey|secret)$/;
const LIFETIME = /^expires(?:in|insec|inseconds)$/;
const MAX_DEPTH = 4;
/** Oldest ones go for newer ones. */
const MAX_KNOWN = 1000;
const MAX_LENGTH = 8192;

/** Credentials as they are stored. */
export interface IssuedKeys {
  /** With the time of their end, in epoch milliseconds; `null` for those without one. */
  readonly issued?: readonly (readonly [key: string, expiresAt: number | null])[];
  readonly revoked?: readonly string[];
}

/** Credentials that the mock gave out itself, by the response of a sign-in or by `Set-Cookie`: they are good until they end. */
export class IssuedCredentials {
  private readonly known = new Map<string, KnownCaller>();
  /** Keys that were good and are not any more. */
  private readonly ended = new Set<string>();
  /** Keys whose facts are not what was stored last. */
  private readonly changed = new Set<string>();

  byKey(key: string): KnownCaller | undefined {
    return this.known.get(key);
  }

  hasEnded(key: string): boolean {
    return this.ended.has(key);
  }

  clear(): void {
    for (const key of this.known.keys()) this.changed.add(key);
    this.known.clear();
  }

  /** To go back to. */
  remember(): ReadonlyMap<string, KnownCaller> {
    return new Map(this.known);
  }

  goBack(before: ReadonlyMap<string, KnownCaller>): void {
    this.known.clear();
    for (const [key, caller] of before) this.known.set(key, caller);
    this.changed.clear();
  }

  /** All that are good. */
  all(): IssuedKeys {
    if (this.known.size === 0) return {};
    return { issued: [...this.known].map(([key, { expiresAt }]) => [key, expiresAt ?? null]) };
  }

  /** What was given out, and what was ended, since this was asked for last. */
  takeChanges(): IssuedKeys {
    if (this.changed.size === 0) return {};
    const keys = [...this.changed];
    this.changed.clear();
    const issued = keys.flatMap((key): [string, number | null][] => {
      const caller = this.known.get(key);
      return caller === undefined ? [] : [[key, caller.expiresAt ?? null]];
    });
    const revoked = keys.filter((key) => !this.known.has(key));
    return { ...(issued.length === 0 ? {} : { issued }), ...(revoked.length === 0 ? {} : { revoked }) };
  }

  /** Knows what another one gave out and ended. */
  learn({ issued = [], revoked = [] }: IssuedKeys): void {
    for (const [key, expiresAt] of issued) this.add(key, expiresAt ?? undefined);
    for (const key of revoked) this.end(key);
    this.changed.clear();
  }

  issue(response: HttpResponse, isSignIn: boolean, nowMs: number): boolean {
    const before = this.known.size;
    const cookies = headerValues(response.headers, 'set-cookie');
    for (const cookie of cookies) this.add(/^[^=;]*="?([^;"]*)/.exec(cookie)?.[1], undefined);
    const { body } = response;
    if (isSignIn && typeof body === 'string' && body.length <= MAX_LENGTH * 8) this.giveAll(readJson(body), nowMs, 0);
    return this.known.size > before || cookies.length > 0;
  }

  /** What the request was sent with is good no more. */
  revoke(head: RequestHead): void {
    const token = bearerOf(head);
    if (token !== undefined) this.end(token);
    const { cookie } = head.headers;
    if (typeof cookie === 'string') for (const { value } of parseCookies(cookie)) this.end(value);
  }

  private end(key: string): void {
    if (!this.known.delete(key)) return;
    this.changed.add(key);
    this.ended.add(key);
    const [oldest] = this.ended.size > MAX_KNOWN ? this.ended : [];
    if (oldest !== undefined) this.ended.delete(oldest);
  }

  private giveAll(value: JsonValue | undefined, nowMs: number, depth: number): void {
    if (!isJsonObject(value) || depth > MAX_DEPTH) return;
    const properties = Object.entries(value).map(([name, property]) => ({ word: plain(name), member: property }));
    const lifetime = properties.find(({ word, member }) => LIFETIME.test(word) && typeof member === 'number')?.member;
    const expiresAt = typeof lifetime === 'number' ? nowMs + lifetime * 1000 : undefined;
    for (const { word, member } of properties) {
      if (CREDENTIAL.test(word) && typeof member === 'string')
        this.add(member, word.startsWith('refresh') ? undefined : expiresAt);
      else this.giveAll(member, nowMs, depth + 1);
    }
  }

  private add(key: string | undefined, expiresAt: number | undefined): void {
    if (key === undefined || key === '' || key.length > MAX_LENGTH) return;
    this.known.delete(key);
    this.ended.delete(key);
    this.known.set(key, { principal: undefined, scopes: 'all', expiresAt });
    this.changed.add(key);
    const [oldest] = this.known.size > MAX_KNOWN ? this.known.keys() : [];
    if (oldest !== undefined) this.end(oldest);
  }
}

/** The bearer token that a request was sent with. */
export function bearerOf({ headers: { authorization } }: RequestHead): string | undefined {
  const sent = typeof authorization === 'string' ? parseBearer(authorization) : undefined;
  return sent?.kind === 'bearer' ? sent.token : undefined;
}

/** The credentials that are good by the options, and those that were given out. */
export function withIssued(
  book: AcceptedCredentials | undefined,
  issued: IssuedCredentials,
): AcceptedCredentials | undefined {
  if (book === undefined) return undefined;
  return {
    // Where every key is good, one that has ended is still none.
    byKey: (key) => issued.byKey(key) ?? (issued.hasEnded(key) ? undefined : book.byKey(key)),
    byPassword: (username, password) => book.byPassword(username, password),
    whyUnknown: (key) => book.whyUnknown?.(key) ?? (issued.hasEnded(key) ? 'The token was signed out' : undefined),
  };
}

const ACCESS_TOKEN = /(?:token|jwt)$/;
const OTHER_TOKEN = /^(?:id|refresh|csrf|xsrf|reset|verification|confirmation)/;

/**
 * The body of a sign-in with other tokens in it; those that bring new ones, and that say who somebody is, stay.
 *
 * @param sign - makes a token that lives for so many seconds, where the body says so
 * @returns `undefined` where there is none
 */
export function withAccessTokens(
  value: JsonValue,
  sign: (lifetimeS: number | undefined) => string,
  depth = 0,
): JsonObject | undefined {
  if (!isJsonObject(value) || depth > MAX_DEPTH) return undefined;
  const lifetime = Object.entries(value).find(([name, each]) => LIFETIME.test(plain(name)) && typeof each === 'number');
  const others = Object.entries(value).flatMap(([name, property]): [string, JsonValue][] => {
    const word = plain(name);
    const isToken = typeof property === 'string' && ACCESS_TOKEN.test(word) && !OTHER_TOKEN.test(word);
    const other = isToken ? sign(lifetime?.[1] as number | undefined) : withAccessTokens(property, sign, depth + 1);
    return other === undefined ? [] : [[name, other]];
  });
  return others.length === 0 ? undefined : { ...value, ...Object.fromEntries(others) };
}

const NAMES = /^(?:username|user|email|emailaddress|login|loginname|identifier|userid|account|name|phone|phonenumber)$/;

/** Who wants to sign in, as the body of the request says; `undefined` where it does not. */
export function nameInSignIn(body: JsonValue | undefined): string | undefined {
  if (!isJsonObject(body)) return undefined;
  for (const [name, value] of Object.entries(body)) {
    const held = isJsonObject(value) ? nameInSignIn(value) : NAMES.test(plain(name)) ? value : undefined;
    if (typeof held === 'string' && held !== '') return held;
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function readJson(body: string): JsonValue | undefined {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
