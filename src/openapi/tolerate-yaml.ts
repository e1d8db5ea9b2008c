import type { SourceFinding } from '../errors/source-finding';
import { parse, placeIn } from './parse-yaml';
import type { ParsedYaml } from './yaml-hint';
import { indentContinuations } from './yaml-indentation';

/**
 * The same text as other readers take it, and what was forgiven.
 *
 * @returns what was given, with its errors, where some of them cannot be forgiven
 */
export function tolerated(parsed: ParsedYaml, file: string): { parsed: ParsedYaml; findings: SourceFinding[] } {
  if (parsed.document.errors.length === 0) return { parsed, findings: [] };
  const mended = isForgivable(parsed) ? undefined : indentContinuations(parsed.text);
  const again = mended === undefined ? parsed : parse(mended.text);
  const { document, lines } = again;
  if (!isForgivable(again)) return { parsed, findings: [] };
  const warn = (offset: number, message: string): SourceFinding => ({
    rule: 'yaml-form',
    severity: 'warning',
    file,
    pointer: '',
    message,
    ...placeIn(lines, offset),
  });
  const findings = [
    ...(mended?.places ?? []).map(({ start, kind }) =>
      warn(start, `The lines of this ${kind} are indented too little for YAML; it is read as if they were not`),
    ),
    ...document.errors
      .filter(({ code }) => code !== 'DUPLICATE_KEY')
      .map(({ pos, message }) => warn(pos[0], `${message}; it is read all the same`)),
  ];
  document.errors = [];
  return { parsed: again, findings };
}

/** Are there errors of form only, with which the tree is whole? */
function isForgivable({ document, text }: ParsedYaml): boolean {
  return document.errors.every(({ code, message, pos }) => {
    // Merge keys may stand side by side.
    if (code === 'DUPLICATE_KEY') return /^<<\s*:/.test(text.slice(pos[0], pos[0] + 20));
    return code === 'KEY_OVER_1024_CHARS' || message.startsWith('Comments must be separated');
  });
}
