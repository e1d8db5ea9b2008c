import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { readTextFile } from '../adapters/node/read-file';
import { messageOf } from '../errors/error-facts';
import { ConfigError, SpecError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import { formatBaseline, readBaseline, type Baseline } from '../formats/baseline';
import { readSource } from '../openapi/read-source';
import { makeBaseline } from '../report/baseline';
import { formatReport, type ReportTarget } from '../report/report-kinds';
import type { KeyInShell } from '../report/shell-command';
import { OUTCOME_WORDS } from '../report/wording';
import type { RunResult } from '../runner/run-result';
import { requireWritable, writeWhole } from './write-file';

/** Does a report take the standard output, so that nothing else belongs there? */
export function takesStdout(targets: readonly ReportTarget[]): boolean {
  return targets.some(({ file }) => file === '-');
}

/**
 * Writes reports: each file as a whole or not at all, missing folders made, `-` to the standard output.
 *
 * @throws ConfigError `CONFIG_INVALID` that names every file that could not be written, after all others were, and
 *   the outcome, so that it is not lost
 */
export function writeReports(
  result: RunResult,
  targets: readonly ReportTarget[],
  key: KeyInShell = { kind: 'set' },
): void {
  const failures: string[] = [];
  for (const { kind, file } of targets) {
    const text = formatReport(kind, result, key);
    try {
      if (file === '-') process.stdout.write(text);
      else writeWhole(file, text);
    } catch (error) {
      failures.push(`${kind} to ${file} (${messageOf(error)})`);
    }
  }
  if (failures.length === 0) return;
  const what = failures.length === 1 ? 'The report' : 'Reports';
  throw new ConfigError('CONFIG_INVALID', `${what} could not be written: ${failures.join('; ')}`, {
    hint: `The run itself ended with ${OUTCOME_WORDS[result.outcome]}. Is the path a folder, or may this user not write there?`,
  });
}

/**
 * Finds out before a run whether what it is to write can be written: a run that was sent and not kept would have been
 * for nothing. Missing folders are made.
 *
 * @param baseline - the file of `--write-baseline`
 * @throws ConfigError `CONFIG_INVALID`
 */
export function requireOutputs(targets: readonly ReportTarget[], baseline?: string): void {
  const reports = targets.filter(({ file }) => file !== '-');
  for (const { kind, file } of reports) requireOutput(`The report ${kind}=${file}`, file);
  if (baseline === undefined) return;
  if (existsSync(baseline)) loadBaseline(baseline);
  requireOutput(`The baseline ${baseline}`, baseline);
}

function requireOutput(what: string, file: string): void {
  try {
    requireWritable(file);
  } catch (error) {
    throw new ConfigError('CONFIG_INVALID', `${what} cannot be written (${messageOf(error)}); nothing was sent`, {
      hint: 'Name a file in a folder that this user may write to.',
      cause: error,
    });
  }
}

/**
 * Reads a baseline file, YAML or JSON.
 *
 * @throws ConfigError `CONFIG_INVALID` with every fault and its place
 */
export function loadBaseline(file: string): Baseline {
  const text = readTextFile(
    file,
    (message, hint, cause) => new ConfigError('CONFIG_INVALID', message, { hint, cause }),
  );
  const findings: SourceFinding[] = [];
  const baseline = readDocument(text, file, findings);
  if (baseline !== undefined && findings.length === 0) return baseline;
  const count = findings.length === 1 ? '1 error' : `${findings.length} errors`;
  throw new ConfigError('CONFIG_INVALID', `The baseline ${file}: ${count}`, {
    findings,
    hint: 'docs/reports.md describes the format; standin verify --write-baseline makes one.',
  });
}

/** So long what nobody has looked at yet is accepted. */
const DAYS = 30;

/**
 * Writes everything that failed in a run as a baseline. New entries are accepted for 30 days, for whoever runs this;
 * those that the file had already, and that still apply, stay as they are.
 *
 * @param result - before a baseline was applied to it
 * @throws ConfigError `CONFIG_INVALID` when one cause explains practically every answer, when the file is there and is
 *   no baseline, and when it cannot be written
 */
export function writeBaseline(file: string, result: RunResult, today: Date): Baseline {
  const earlier = existsSync(file) ? loadBaseline(file) : undefined;
  const expires = new Date(today.getTime() + DAYS * 24 * 3_600_000).toISOString().slice(0, 10);
  const baseline = makeBaseline(result, { owner: userName(), reason: 'not looked at yet', expires }, earlier);
  try {
    writeWhole(file, formatBaseline(baseline));
  } catch (error) {
    throw new ConfigError('CONFIG_INVALID', `The baseline ${file} could not be written (${messageOf(error)})`, {
      hint: 'Is the path a folder, or may this user not write there?',
      cause: error,
    });
  }
  return baseline;
}

/** In a container there may be a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'nobody yet';
  }
}

function readDocument(text: string, file: string, findings: SourceFinding[]): Baseline | undefined {
  try {
    return readBaseline(readSource(text, file), findings);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    findings.push(...error.findings);
    return undefined;
  }
}
