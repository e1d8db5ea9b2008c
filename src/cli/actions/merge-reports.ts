import pc from 'picocolors';
import { readTextFile } from '../../files/file-access';
import { ConfigError } from '../../core/errors/standin-error';
import { exitCodeOf } from '../../report/causes/run-summary';
import { mergeResults, otherKindOf, readResultJson, type ResultPart } from '../../report/result/merge-results';
import { reportTargets } from '../../report/registry';
import { formatTextReport } from '../../report/kinds/text-report';
import { takesStdout, writeReports } from './report-files';
import { printText } from '../terminal/terminal';

/** Flags of `standin merge-reports`. */
export interface MergeReportsFlags {
  readonly report?: readonly string[];
}

/**
 * Joins the results of shards, and reports them like one run.
 *
 * @param files - results as `standin verify --report json=FILE` writes them
 * @returns the exit code that one run would have had
 * @throws ConfigError for files that are no results, and for results that are not all shards of one run
 */
export function mergeReports(files: readonly string[], flags: MergeReportsFlags): number {
  const targets = reportTargets(flags);
  const [first, ...others] = files.map(readPart);
  if (first === undefined)
    throw new ConfigError('CONFIG_INVALID', 'No result was named', { hint: 'Name the JSON reports of all shards.' });
  const result = mergeResults([first, ...others]);
  const stream = takesStdout(targets) ? process.stderr : process.stdout;
  printText(stream, formatTextReport(result, pc.isColorSupported && stream.isTTY));
  writeReports(result, targets);
  return exitCodeOf(result.outcome);
}

function readPart(file: string): ResultPart {
  const text = readTextFile(file, 'CONFIG_INVALID');
  const other = otherKindOf(text);
  if (other === undefined) return { file, result: readResultJson(text, file) };
  throw new ConfigError('CONFIG_INVALID', `${file} is not a result of standin: it ${other}`, {
    hint: 'standin verify --report json=FILE writes one, in each shard.',
  });
}
