import type { SourceFinding } from '../core/errors/standin-error';
import { joinPointer } from '../core/json/json-pointer';
import type { SourceDocument } from '../openapi/read/source-document';
import { parseRfc3339 } from '../core/time/date-time';
import { decode, FormatDiagnostics } from './decode';

/** One caller that the mock knows. */
export interface Token {
  /** Its name in the file. */
  readonly name: string;
  /** Whom it stands for; the name when absent. */
  readonly principal: string;
  readonly credentials:
    | { readonly kind: 'key'; readonly key: string }
    | { readonly kind: 'user'; readonly username: string; readonly password: string };
  /** `*` stands for all. */
  readonly scopes: readonly string[];
  /** Epoch milliseconds by the mock's clock; from then on it is not valid. */
  readonly expiresAt: number | undefined;
}

/** A tokens file as `docs/tokens.schema.json` describes it. */
interface TokensFile {
  readonly tokens: Readonly<Record<string, TokenEntry>>;
}

interface TokenEntry {
  readonly key?: string;
  readonly username?: string;
  readonly password?: string;
  readonly scopes?: readonly string[];
  readonly principal?: string;
  /** Date-time of RFC 3339. */
  readonly expires?: string;
}

/**
 * Reads a tokens file. No finding repeats a credential.
 *
 * @param findings - gets what does not fit the format
 */
export function readTokens(document: SourceDocument, findings: SourceFinding[]): Token[] {
  const errors = decode(document, 'tokens');
  findings.push(...errors);
  if (errors.length > 0) return [];
  const tokens = Object.entries((document.root as unknown as TokensFile).tokens).map(toToken);
  const diagnostics = new FormatDiagnostics(document, 'tokens-format');
  const unique = tokens.filter((token, index) => {
    const same = tokens.slice(0, index).find((other) => isSame(other, token));
    if (same !== undefined)
      diagnostics.add(
        joinPointer('/tokens', token.name),
        `"${token.name}" has the credentials of "${same.name}"`,
        'different credentials for each token',
      );
    return same === undefined;
  });
  findings.push(...diagnostics.findings);
  return unique;
}

function toToken([name, entry]: readonly [string, TokenEntry]): Token {
  const { key, username = '', password = '', scopes = [], principal = name, expires } = entry;
  return {
    name,
    principal,
    credentials: key === undefined ? { kind: 'user', username, password } : { kind: 'key', key },
    scopes,
    expiresAt: expires === undefined ? undefined : parseRfc3339(expires),
  };
}

function isSame({ credentials: one }: Token, { credentials: other }: Token): boolean {
  if (one.kind === 'key') return other.kind === 'key' && one.key === other.key;
  return other.kind === 'user' && one.username === other.username && one.password === other.password;
}
