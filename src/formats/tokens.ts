import type { SourceFinding } from '../errors/source-finding';
import type { SourceDocument } from '../openapi/source-document';
import { parseRfc3339 } from '../time/date-time';
import { FormatJudge, MemberReader, type PlacedValue } from './member-reader';

/** Version of the format, written in the file. */
export const TOKENS_FORMAT = 'tokens/1';

/** One caller that the mock knows. */
export interface Token {
  /** Its name in the file. */
  readonly name: string;
  /** Whom it stands for; the name when nothing is said. */
  readonly principal: string;
  readonly credentials:
    | { readonly kind: 'key'; readonly key: string }
    | { readonly kind: 'user'; readonly username: string; readonly password: string };
  /** `*` among them is every one. */
  readonly scopes: readonly string[];
  /** Epoch milliseconds by the mock's clock; from then on it is not good any more. */
  readonly expiresAt: number | undefined;
}

const MEMBERS = ['key', 'username', 'password', 'scopes', 'principal', 'expires'];
/** What a header can carry without an escape (RFC 9110 §5.5). */
const CARRIED = /^[\x21-\x7e]+$/;

/**
 * Reads a tokens file. No finding repeats a credential.
 *
 * @param findings - gets what does not fit the format
 */
export function readTokens(document: SourceDocument, findings: SourceFinding[]): Token[] {
  const judge = new FormatJudge(document, 'tokens-format');
  const file = MemberReader.open({ value: document.root, pointer: '' }, 'tokens file', ['standin', 'tokens'], judge);
  const tokens: Token[] = [];
  if (file !== undefined) {
    if (file.value('standin') !== TOKENS_FORMAT) file.refuse('standin', `standin: ${TOKENS_FORMAT}`);
    if (!file.has('tokens')) file.refuse('tokens', 'an object with a token for each name');
    for (const entry of file.entries('tokens')) {
      const token = readToken(entry, judge);
      if (token === undefined) continue;
      const same = tokens.find((other) => isSame(other, token));
      if (same === undefined) tokens.push(token);
      else judge.refuse(entry.pointer, `"${entry.name}" has the credentials of "${same.name}"`, 'each of them once');
    }
  }
  findings.push(...judge.findings);
  return tokens;
}

function readToken(entry: PlacedValue & { readonly name: string }, judge: FormatJudge): Token | undefined {
  const members = MemberReader.open(entry, 'token', MEMBERS, judge);
  if (members === undefined) return undefined;
  const credentials = readCredentials(members, judge);
  const scopes = members.list('scopes').flatMap(({ value, pointer }): string[] => {
    if (typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value)) return [value];
    judge.refuse(pointer, 'This is no scope', 'a word such as items:read, or "*" for all');
    return [];
  });
  const principal = members.text('principal') ?? entry.name;
  const expires = members.text('expires');
  const expiresAt = expires === undefined ? undefined : parseRfc3339(expires);
  if (expires !== undefined && expiresAt === undefined) {
    members.refuse('expires', 'a date-time such as 2031-01-01T00:00:00Z');
  }
  return credentials === undefined ? undefined : { name: entry.name, principal, credentials, scopes, expiresAt };
}

function readCredentials(members: MemberReader, judge: FormatJudge): Token['credentials'] | undefined {
  const secret = (name: string, isFit: (text: string) => boolean, expected: string): string | undefined => {
    const value = members.value(name);
    if (typeof value === 'string' && isFit(value)) return value;
    // What stands there may be a secret, a mistyped one too.
    judge.refuse(
      members.has(name) ? members.at(name) : members.pointer,
      `The member "${name}" cannot be used`,
      expected,
    );
    return undefined;
  };
  const hasUser = members.has('username') || members.has('password');
  if (members.has('key') === hasUser) {
    const message = hasUser ? 'This token has both a key and a user' : 'This token has no credentials';
    judge.refuse(members.pointer, message, 'key, or username and password');
    return undefined;
  }
  if (!hasUser) {
    const key = secret('key', (text) => CARRIED.test(text), 'a text of visible ASCII characters without spaces');
    return key === undefined ? undefined : { kind: 'key', key };
  }
  // RFC 7617 §2: a user name with a colon cannot be told from one that is shorter.
  const username = secret('username', (text) => !text.includes(':'), 'a text without a colon');
  const password = secret('password', () => true, 'a text');
  return username === undefined || password === undefined ? undefined : { kind: 'user', username, password };
}

function isSame({ credentials: one }: Token, { credentials: other }: Token): boolean {
  if (one.kind === 'key') return other.kind === 'key' && one.key === other.key;
  return other.kind === 'user' && one.username === other.username && one.password === other.password;
}
