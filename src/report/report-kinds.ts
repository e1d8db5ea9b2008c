import { withoutCommands } from '../errors/printable';
import { similarName } from '../errors/similar-name';
import { ConfigError } from '../errors/harness-error';
import type { RunResult } from '../runner/run-result';
import { formatCtrf } from './ctrf';
import { formatGithub } from './github';
import { formatHtml } from './html';
import { formatJunit } from './junit';
import { formatMarkdown } from './markdown';
import { formatResultJson } from './result-json';
import { formatSarif } from './sarif';
import type { KeyInShell } from './shell-command';
import { formatTextReport } from './text-report';

/** Kinds of reports that can be written to a file. */
export const REPORT_KINDS = ['json', 'junit', 'ctrf', 'sarif', 'markdown', 'github', 'html', 'text'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** A report to write. */
export interface ReportTarget {
  readonly kind: ReportKind;
  /** A path, or `-` for the standard output. */
  readonly file: string;
}

const FORMATTERS: Readonly<Record<ReportKind, (result: RunResult, key: KeyInShell) => string>> = {
  json: formatResultJson,
  junit: formatJunit,
  ctrf: formatCtrf,
  sarif: formatSarif,
  markdown: (result, key) => withoutCommands(formatMarkdown(result, key)),
  github: formatGithub,
  html: formatHtml,
  text: (result, key) => withoutCommands(formatTextReport(result, false, key)),
};

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
    throw new ConfigError('CONFIG_INVALID', `There is no report of the kind "${word}"`, {
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
  return FORMATTERS[kind](result, key);
}
