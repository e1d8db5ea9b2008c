import type { SourceFinding } from '../errors/source-finding';

/** What stands between two separators of a flow mapping, with a placeholder in it. */
const VALUE = /(?:\$(?!\{)|[^\s,[\]{}"'$])*(?:\$\{\w*\}(?:\$(?!\{)|[^\s,[\]{}"'$])*)+/g;

/**
 * Says of syntax errors in YAML which of them are a placeholder without quotes: between braces or brackets `{` starts a
 * mapping. What the parser stumbles over behind the first one follows from it, and is left out.
 *
 * @param text - of the whole file
 */
export function explainUnquotedPlaceholders(text: string, findings: readonly SourceFinding[]): SourceFinding[] {
  const lines = text.split(/\r\n|[\r\n]/);
  const values = findings.map((finding) => placeholderAt(lines, finding));
  const first = values.findIndex((value) => value !== undefined);
  if (first === -1) return [...findings];
  return findings.flatMap((finding, index): SourceFinding[] => {
    const value = values[index];
    if (value === undefined) return index < first ? [finding] : [];
    const message = 'A placeholder between braces or brackets has no quotes, so that YAML reads a mapping';
    return [{ ...finding, message, expected: `'${value}'`, hint: `Quote the whole value: '${value}'` }];
  });
}

/** The value whose first placeholder opens with the brace that the finding is about. */
function placeholderAt(lines: readonly string[], { rule, line = 0, column = 0 }: SourceFinding): string | undefined {
  if (rule !== 'yaml-syntax') return undefined;
  const values = (lines[line - 1] ?? '').matchAll(VALUE);
  // Columns count from 1, and the brace stands behind its dollar sign.
  return [...values].find(({ 0: value, index }) => index + value.indexOf('${') === column - 2)?.[0];
}
