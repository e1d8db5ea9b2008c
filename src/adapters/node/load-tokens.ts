import { ConfigError } from '../../errors/harness-error';
import { formatPlace, type SourceFinding } from '../../errors/source-finding';
import { readTokens, type Token } from '../../formats/tokens';
import { readSource } from '../../openapi/read-source';
import type { SourceDocument } from '../../openapi/source-document';
import { readTextFile } from './read-file';

/**
 * Reads a tokens file, YAML or JSON.
 *
 * @throws ConfigError `TOKENS_UNREADABLE`, `TOKENS_INVALID` with every finding; SpecError `SPEC_SYNTAX`
 */
export function loadTokens(file: string): readonly Token[] {
  return tokensOf(readSource(readTextFile(file, unreadable), file));
}

/** The same for a document that was read already. */
export function tokensOf(document: SourceDocument): readonly Token[] {
  const findings: SourceFinding[] = [];
  const tokens = readTokens(document, findings);
  const [first] = findings;
  if (first === undefined) return tokens;
  const count = findings.length === 1 ? '1 error' : `${findings.length} errors`;
  throw new ConfigError('TOKENS_INVALID', `${formatPlace({ file: document.file })} is no tokens file: ${count}`, {
    findings,
    hint: 'docs/requests.md describes the format.',
  });
}

function unreadable(message: string, hint: string, cause?: unknown): ConfigError {
  return new ConfigError('TOKENS_UNREADABLE', message, { hint, cause });
}
