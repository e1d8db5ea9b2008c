import pc from 'picocolors';
import { formatSourceLocation, type SourceFinding } from '../../core/errors/standin-error';
import { type Group, groupBy } from '../../core/text/group-by';
import { counted, printable, printableJson } from '../../core/text/printable';
import { checkDescription, type DescriptionSources } from '../../library/check-description';
import { whileLoading } from '../terminal/progress-line';
import { EXIT, printText } from '../terminal/terminal';

/** So many findings of one rule are shown; of the rest only the number is. */
const MOST_SHOWN = 20;

/**
 * Prints every finding about a description.
 *
 * @returns the exit code
 * @throws SpecError when it cannot be read
 */
export async function check(description: string | undefined, flags: CheckFlags): Promise<number> {
  const { file, findings } = await whileLoading('check', (onProgress) =>
    checkDescription({ ...flags, description }, onProgress),
  );
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.length - errors.length;
  if (flags.json === true) {
    const counts = { errors: errors.length, warnings };
    printText(
      process.stdout,
      `${printableJson(JSON.stringify({ standin: 'check/1', file, ...counts, findings }, null, 2))}\n`,
    );
  } else {
    printText(process.stdout, formatCheck(file, findings, errors.length, warnings));
  }
  return errors.length > 0 || (flags.strict === true && warnings > 0) ? EXIT.usage : EXIT.ok;
}

/** Errors first, and the findings of one rule together. */
function formatCheck(file: string, findings: readonly SourceFinding[], errors: number, warnings: number): string {
  if (findings.length === 0) return `${file}: ${pc.green('OK: no errors, no warnings')}\n`;
  const ordered = ['error', 'warning'].flatMap((severity) => findings.filter((each) => each.severity === severity));
  const parts = groupBy(ordered, ({ severity, rule }) => `${severity} ${rule}`).map(formatGroup);
  return `${parts.join('\n')}\n${file}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}\n`;
}

function formatGroup(group: Group<SourceFinding>): string {
  const [{ severity, rule }] = group;
  const paint = severity === 'error' ? pc.red : pc.yellow;
  const lines = [pc.bold(`${paint(`${severity} ${rule}`)} (${group.length})`)];
  for (const finding of group.slice(0, MOST_SHOWN)) {
    lines.push(`  ${printable(formatSourceLocation(finding))} ${printable(finding.message)}`);
    if (finding.pointer !== '') lines.push(pc.dim(`    at ${printable(finding.pointer)}`));
    if (finding.expected !== undefined) lines.push(pc.dim(`    expected: ${printable(finding.expected)}`));
    if (finding.hint !== undefined) lines.push(pc.dim(`    hint: ${printable(finding.hint)}`));
  }
  const rest = group.length - MOST_SHOWN;
  if (rest > 0) lines.push(pc.dim(`  and ${rest} more; --json has them all`));
  return `${lines.join('\n')}\n`;
}

/** Values of the flags of `standin check`. */
export interface CheckFlags extends DescriptionSources {
  readonly json?: true;
  readonly strict?: true;
}
