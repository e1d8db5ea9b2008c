import { similarName } from '../core/text/similar-name';
import { ConfigError } from '../core/errors/standin-error';
import type { RunResult } from '../runner/result/run-result';
import { ctrfReport } from './kinds/ctrf';
import { githubReport } from './kinds/github';
import { htmlReport } from './kinds/html';
import { jsonReport } from './kinds/json-report';
import { junitReport } from './kinds/junit';
import { markdownReport } from './kinds/markdown';
import type { ReportDefinition } from './kinds/report-kind';
import { sarifReport } from './kinds/sarif';
import { textReport } from './kinds/text-report';
import type { KeyInShell } from './text/shell-commands';

/** Kinds of reports that can be written to a file, in the order of the help and of docs/reference/reports.md. */
export const REPORTS = [
  jsonReport,
  junitReport,
  ctrfReport,
  sarifReport,
  markdownReport,
  githubReport,
  htmlReport,
  textReport,
] as const;
export type ReportKind = (typeof REPORTS)[number]['id'];
export const REPORT_KINDS: readonly ReportKind[] = REPORTS.map(({ id }) => id);

/** A report to write. */
export interface ReportTarget {
  readonly kind: ReportKind;
  /** A path, or `-` for the standard output. */
  readonly file: string;
}

/**
 * Reads `--report kind=file`. A kind alone goes to the standard output.
 *
 * @param earlier - reports that were asked for before
 * @throws ConfigError `CONFIG_INVALID` for an unknown kind, and for two reports that would go to one place
 */
export function parseReportOption(text: string, earlier: readonly ReportTarget[] = []): ReportTarget {
  const [, word = text, file = '-'] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const kind = REPORT_KINDS.find((known) => known === word);
  if (kind === undefined) {
    const near = similarName(word, REPORT_KINDS);
    throw new ConfigError('CONFIG_INVALID', `Unknown kind of report "${word}"`, {
      hint: `${near === undefined ? '' : `Did you mean ${near}? `}The kinds are ${REPORT_KINDS.join(', ')}; write kind=FILE.`,
    });
  }
  if (file === '') {
    throw new ConfigError('CONFIG_INVALID', `The report "${text}" names no file`, {
      hint: `Write ${kind}=FILE, or ${kind}=- for the standard output.`,
    });
  }
  const taken = earlier.find((other) => comparable(other.file) === comparable(file));
  if (taken === undefined) return { kind, file };
  const place = file === '-' ? 'the standard output' : file;
  throw new ConfigError('CONFIG_INVALID', `Two reports, ${taken.kind} and ${kind}, would go to ${place}`, {
    hint: 'Give each one a file of its own.',
  });
}

/** `./a.xml` and `a.xml` are one file. */
function comparable(file: string): string {
  return file
    .replaceAll('\\', '/')
    .replace(/\/(?:\.?\/)+/g, '/')
    .replace(/^(?:\.\/)+/, '');
}

/** The text of a report. */
export function formatReport(kind: ReportKind, result: RunResult, key: KeyInShell = { kind: 'set' }): string {
  const report: ReportDefinition | undefined = REPORTS.find(({ id }) => id === kind);
  if (report === undefined) throw new Error(`There is no report of the kind ${kind}`);
  return report.format(result, key);
}
