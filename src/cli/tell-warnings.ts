import { counted } from '../errors/counted';
import type { SourceFinding } from '../errors/source-finding';
import type { RequestLog } from './request-log';

/** So many warnings are shown whole at the start. */
const MOST_SHOWN = 6;

/**
 * Tells the warnings about a description: all of them where they are few, else one of each kind and how many there are.
 * A program that reads the log gets every one.
 */
export function tellWarnings(
  warnings: readonly SourceFinding[],
  log: Pick<RequestLog, 'isForPrograms' | 'warn' | 'complain'>,
): void {
  if (warnings.length <= MOST_SHOWN || log.isForPrograms) {
    for (const warning of warnings) log.warn(warning);
    return;
  }
  const byRule = new Map<string, SourceFinding[]>();
  for (const warning of warnings) byRule.set(warning.rule, [...(byRule.get(warning.rule) ?? []), warning]);
  const firsts = [...byRule.values()].flatMap((group) => group.slice(0, 1));
  for (const warning of firsts.slice(0, MOST_SHOWN)) log.warn({ ...warning, hint: undefined });
  const kinds = [...byRule].map(([rule, { length }]) => `${length} ${rule}`);
  log.complain(
    `${counted(warnings.length, 'warning')} of ${counted(byRule.size, 'kind')} (${kinds.join(', ')}); standin check shows them`,
    {},
  );
}
