import { printable } from '../errors/printable';
import type { BaselineEntry } from '../formats/baseline';
import type { BaselineEffect } from './baseline';
import { counted } from './wording';

/** What a baseline did, as lines for people: how much it accepted, what has expired, what it is not needed for. */
export function formatBaselineEffect({ accepted, expired, unused }: BaselineEffect): string {
  const findings = accepted.reduce((sum, { count }) => sum + count, 0);
  const lines = [
    `Baseline: ${counted(findings, 'finding')} accepted by ${accepted.length === 1 ? '1 entry' : `${accepted.length} entries`}`,
    ...expired.map(({ entry }) => `  expired on ${entry.expires}, fails again: ${entryText(entry)}`),
    ...unused.map((entry) => `  nothing found, to be removed if it is mended: ${entryText(entry)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function entryText({ fingerprint, check, operation, owner, reason, place }: BaselineEntry): string {
  const about = [check, ...(operation === undefined ? [] : [operation])].join(' ');
  return printable(`${about} (${fingerprint}), ${owner}: ${reason}${place === undefined ? '' : `  ${place}`}`);
}
