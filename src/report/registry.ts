import { similarName } from '../core/text/similar-name';
import { ConfigError } from '../core/errors/standin-error';
import type { RunResult } from '../runner/result/run-result';
import type { KeyInShell } from './text/shell-commands';
import type { ReportDefinition } from './text/step-text';

/* oxlint-disable typescript/no-require-imports -- loaded only by who writes one: the help has their names */
const load = (module: unknown): ReportDefinition => (module as { readonly report: ReportDefinition }).report;

/** Kinds of reports that can be written to a file, in the order of the help and of docs/reference/reports.md. */
export const REPORTS = {
  json: () => load(require('./kinds/json-report')),
  junit: () => load(require('./kinds/junit')),
  ctrf: () => load(require('./kinds/ctrf')),
  sarif: () => load(require('./kinds/sarif')),
  markdown: () => load(require('./kinds/markdown')),
  github: () => load(require('./kinds/github')),
  html: () => load(require('./kinds/html')),
  text: () => load(require('./kinds/text-report')),
};
/* oxlint-enable typescript/no-require-imports */
export type ReportKind = keyof typeof REPORTS;
export const REPORT_KINDS = Object.keys(REPORTS) as readonly ReportKind[];

export interface ReportTarget {
  readonly kind: ReportKind;
  /** A path, or `-` for the standard output. */
  readonly file: string;
}

/** Reads every `--report` of a command. @throws ConfigError as {@link parseReportOption} */
export function reportTargets({ report = [] }: { readonly report?: readonly string[] }): readonly ReportTarget[] {
  return report.reduce<ReportTarget[]>((earlier, text) => [...earlier, parseReportOption(text, earlier)], []);
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

/** @param before - an earlier run to compare with, for kinds that do */
export function formatReport(
  kind: ReportKind,
  result: RunResult,
  key: KeyInShell = { kind: 'set' },
  before?: RunResult,
): string {
  return REPORTS[kind]().format(result, key, before);
}
