import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTextFile } from '../../files/file-access';
import { ConfigError } from '../../core/errors/standin-error';
import { exitCodeOf } from '../../report/causes/run-summary';
import { mergeResults, otherKindOf, readResultJson, type ResultPart } from '../../report/result/merge-results';
import { type ReportTarget, reportTargets } from '../../report/registry';
import { formatTextReport } from '../../report/kinds/text-report';
import type { RunResult } from '../../runner/result/run-result';
import { takesStdout, writeReports } from './report-files';
import { openInBrowser, printText, usesColours } from '../terminal/terminal';

/** What every command that writes reports takes. */
export interface ReportFlags {
  readonly report?: readonly string[];
  /** The result of an earlier run, as JSON. */
  readonly compare?: string;
  readonly open?: true;
}

/**
 * Joins the results of shards, and reports them like one run.
 *
 * @param files - results as `standin verify --report json=FILE` writes them
 * @returns the exit code that one run would have had
 * @throws ConfigError for files that are no results, and for results that are not all shards of one run
 */
export function mergeReports(files: readonly string[], flags: ReportFlags): number {
  const targets = targetsOf(flags);
  const [first, ...others] = files.map(readPart);
  if (first === undefined)
    throw new ConfigError('CONFIG_INVALID', 'No result was named', { hint: 'Name the JSON reports of all shards.' });
  return report(mergeResults([first, ...others]), targets, flags);
}

/**
 * Reports a result once more: later, elsewhere, in other kinds.
 *
 * @param file - as {@link mergeReports}; that of a shard as well
 * @returns the exit code that the run had
 * @throws ConfigError for a file that is no result
 */
export function reportAgain(file: string, flags: ReportFlags & { readonly html?: string }): number {
  const { html, report: reports = [] } = flags;
  const targets = targetsOf({ ...flags, report: html === undefined ? reports : [...reports, `html=${html}`] });
  return report(readPart(file).result, targets, flags);
}

function report(result: RunResult, targets: readonly ReportTarget[], flags: ReportFlags): number {
  const before = earlierResult(flags);
  const stream = takesStdout(targets) ? process.stderr : process.stdout;
  printText(stream, formatTextReport(result, usesColours(stream), undefined, { before }));
  writeReports(result, targets, undefined, before);
  openReport(targets, flags);
  return exitCodeOf(result.outcome);
}

/** What is to be written; a page to be opened is written into the folder for temporary files where none is asked for. */
export function targetsOf(flags: ReportFlags): readonly ReportTarget[] {
  const targets = reportTargets(flags);
  if (flags.open !== true || targets.some(isPage)) return targets;
  return [...targets, { kind: 'html', file: join(tmpdir(), `standin-report-${process.pid}.html`) }];
}

function isPage({ kind, file }: ReportTarget): boolean {
  return kind === 'html' && file !== '-';
}

/** Shows the page that was written, where that is asked for. */
export function openReport(targets: readonly ReportTarget[], { open }: ReportFlags): void {
  const page = targets.find(isPage);
  if (open === true && page !== undefined) openInBrowser(page.file);
}

/** @throws ConfigError for a file that is no result */
export function earlierResult({ compare }: ReportFlags): RunResult | undefined {
  return compare === undefined ? undefined : readPart(compare).result;
}

function readPart(file: string): ResultPart {
  const text = readTextFile(file, 'CONFIG_INVALID');
  const other = otherKindOf(text);
  if (other === undefined) return { file, result: readResultJson(text, file) };
  throw new ConfigError('CONFIG_INVALID', `${file} is not a result of standin: it ${other}`, {
    hint: 'standin verify --report json=FILE writes one.',
  });
}
