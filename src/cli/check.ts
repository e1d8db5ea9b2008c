import pc from 'picocolors';
import { checkDescription } from '../adapters/check-description';
import { formatPlace, type SourceFinding } from '../errors/source-finding';
import { counted } from '../report/wording';
import { descriptionOptions } from './description-flags';
import type { CheckFlags } from './check-command';
import { EXIT } from './main';
import { say } from './terminal';
import { printable, printableJson } from '../errors/printable';

/** So many findings of one rule are shown whole; of the rest the number is told. */
const MOST_SHOWN = 20;

/**
 * Prints every finding about a description.
 *
 * @returns the exit code
 * @throws SpecError when it cannot be read
 */
export async function check(description: string | undefined, flags: CheckFlags): Promise<number> {
  const { file, findings } = await checkDescription({ description, ...descriptionOptions(flags) });
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.length - errors.length;
  if (flags.json === true) {
    const counts = { errors: errors.length, warnings };
    say(
      process.stdout,
      `${printableJson(JSON.stringify({ standin: 'check/1', file, ...counts, findings }, null, 2))}\n`,
    );
  } else {
    say(process.stdout, formatCheck(file, findings, errors.length, warnings));
  }
  return errors.length > 0 || (flags.strict === true && warnings > 0) ? EXIT.usage : EXIT.ok;
}

/** Errors first, and the findings of one rule together. */
function formatCheck(file: string, findings: readonly SourceFinding[], errors: number, warnings: number): string {
  if (findings.length === 0) return `${file}: ${pc.green('nothing to say against it')}\n`;
  const groups = new Map<string, SourceFinding[]>();
  for (const severity of ['error', 'warning']) {
    for (const finding of findings.filter((each) => each.severity === severity)) {
      const key = `${severity} ${finding.rule}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [finding]);
      else group.push(finding);
    }
  }
  const parts = [...groups].map(([key, group]) => formatGroup(key, group));
  return `${parts.join('\n')}\n${file}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}\n`;
}

function formatGroup(key: string, group: readonly SourceFinding[]): string {
  const paint = key.startsWith('error') ? pc.red : pc.yellow;
  const lines = [pc.bold(`${paint(key)} (${group.length})`)];
  for (const finding of group.slice(0, MOST_SHOWN)) {
    lines.push(`  ${printable(formatPlace(finding))} ${printable(finding.message)}`);
    if (finding.pointer !== '') lines.push(pc.dim(`    at ${printable(finding.pointer)}`));
    if (finding.expected !== undefined) lines.push(pc.dim(`    expected: ${printable(finding.expected)}`));
    if (finding.hint !== undefined) lines.push(pc.dim(`    hint: ${printable(finding.hint)}`));
  }
  const rest = group.length - MOST_SHOWN;
  if (rest > 0) lines.push(pc.dim(`  and ${rest} more; --json has them all`));
  return `${lines.join('\n')}\n`;
}
