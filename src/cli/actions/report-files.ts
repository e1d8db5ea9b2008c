import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ConfigError, messageOf, type SourceFinding, SpecError } from '../../core/errors/standin-error';
import { readTextFile } from '../../files/file-access';
import { type Baseline, formatBaseline, readBaseline } from '../../formats/baseline';
import { readSource } from '../../openapi/read/read-source';
import { makeBaseline } from '../../report/causes/baseline';
import { OUTCOME_WORDS } from '../../report/causes/run-summary';
import { formatReport, type ReportTarget } from '../../report/registry';
import type { KeyInShell } from '../../report/text/shell-commands';
import type { RunResult } from '../../runner/result/run-result';

/**
 * Writes a file under another name and moves it: nobody ever sees half of it. Missing folders are made.
 *
 * @throws what the file system throws
 */
export function writeAtomically(file: string, text: string): void {
  makeFolder(dirname(file));
  // A device or a pipe must not be replaced by a file.
  if (isSpecial(file)) {
    writeFileSync(file, text);
    return;
  }
  const { target, temporary } = targetPaths(file);
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Finds out whether {@link writeAtomically} will be able to write a file, by doing the first half of it. Missing folders are
 * made.
 *
 * @throws what the file system throws
 */
function requireWritable(file: string): void {
  makeFolder(dirname(file));
  if (isSpecial(file)) {
    // Opening a pipe would wait for its reader.
    if (statSync(file).isDirectory()) throw new Error('it is a folder');
    accessSync(file, constants.W_OK);
    return;
  }
  const { temporary } = targetPaths(file);
  try {
    writeFileSync(temporary, '');
  } finally {
    rmSync(temporary, { force: true });
  }
}

function isSpecial(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === false;
}

/** A link stays one: what it leads to is replaced. */
function targetPaths(file: string): { readonly target: string; readonly temporary: string } {
  const target = statSync(file, { throwIfNoEntry: false }) === undefined ? file : realpathSync(file);
  return { target, temporary: join(dirname(target), `${basename(target)}.${randomUUID().slice(0, 8)}.tmp`) };
}

/**
 * One folder after the other. Node's own way, `recursive`, never ends where the system denies that a folder is there
 * whose parent is, as below /proc.
 */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it since.
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) throw error;
  }
}

/** Does a report take the standard output, so that nothing else belongs there? */
export function takesStdout(targets: readonly ReportTarget[]): boolean {
  return targets.some(({ file }) => file === '-');
}

/**
 * Writes reports: each file as a whole or not at all, missing folders made, `-` to the standard output.
 *
 * @param before - an earlier run that they compare with
 * @throws ConfigError `CONFIG_INVALID` that names every file that could not be written, after all others were, and
 *   the outcome, so that it is not lost
 */
export function writeReports(
  result: RunResult,
  targets: readonly ReportTarget[],
  key: KeyInShell = { kind: 'set' },
  before?: RunResult,
): void {
  const failures: string[] = [];
  for (const { kind, file } of targets) {
    const text = formatReport(kind, result, key, before);
    try {
      if (file === '-') process.stdout.write(text);
      else writeAtomically(file, text);
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

/** @throws ConfigError `CONFIG_INVALID` when the file cannot be written */
export function requireOutput(what: string, file: string): void {
  try {
    requireWritable(file);
  } catch (error) {
    throw new ConfigError('CONFIG_INVALID', `${what} cannot be written (${messageOf(error)}); nothing was done`, {
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
  const text = readTextFile(file, 'CONFIG_INVALID');
  const findings: SourceFinding[] = [];
  const baseline = readDocument(text, file, findings);
  if (baseline !== undefined && findings.length === 0) return baseline;
  const count = findings.length === 1 ? '1 error' : `${findings.length} errors`;
  throw new ConfigError('CONFIG_INVALID', `The baseline ${file}: ${count}`, {
    findings,
    hint: 'docs/reference/reports.md describes the format; standin verify --write-baseline makes one.',
  });
}

/** So long what nobody has looked at yet is accepted. */
const DAYS = 30;

/**
 * Writes everything that failed in a run as a baseline. New entries are accepted for 30 days, for who runs this;
 * those that the file had already, and that still apply, stay as they are.
 *
 * @param result - before a baseline was applied to it
 * @throws ConfigError `CONFIG_INVALID` when one cause explains practically every response, when the file is there and is
 *   no baseline, and when it cannot be written
 */
export function writeBaseline(file: string, result: RunResult, today: Date): Baseline {
  const earlier = existsSync(file) ? loadBaseline(file) : undefined;
  const expires = new Date(today.getTime() + DAYS * 24 * 3_600_000).toISOString().slice(0, 10);
  const baseline = makeBaseline(result, { owner: userName(), reason: 'not looked at yet', expires }, earlier);
  try {
    writeAtomically(file, formatBaseline(baseline));
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
