import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurement } from './measurements';

export const ROOT = join(__dirname, '..', '..');
export const DOCS = join(ROOT, 'docs', 'measured');
export const RECORD = join(DOCS, 'figures.json');

export type Figures = Readonly<Record<string, number>>;

/** The result of a measurement in full. */
export interface Recorded {
  /** The commit that was checked out, abbreviated. */
  readonly commit: string;
  /** `2026-11-28`. */
  readonly date: string;
  readonly figures: Figures;
}

export function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

/** Returns docs/measured/figures.json: the last result of each measurement by its name. */
export function readRecord(): Readonly<Record<string, Recorded>> {
  return JSON.parse(readFileSync(RECORD, 'utf8')) as Readonly<Record<string, Recorded>>;
}

export const COMMIT_LINE = /^Measured at commit ([0-9a-f]{7,40}), (\d{4}-\d\d-\d\d)\.$/m;

/** Returns a document of docs/measured with the commit below its title, in place of an earlier one. */
export function nameCommit(text: string, { commit, date }: Pick<Recorded, 'commit' | 'date'>): string {
  const line = `Measured at commit ${commit}, ${date}.`;
  return COMMIT_LINE.test(text) ? text.replace(COMMIT_LINE, line) : text.replace(/\n/, `\n\n${line}\n`);
}

/** Returns the figures in the output of a measurement, `undefined` if it printed none. Those of several lines add up. */
export function readFigures(output: string): Figures | undefined {
  const lines = [...output.matchAll(/^figures (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json) as Figures);
  if (lines.length === 0) return undefined;
  const sums: Record<string, number> = {};
  for (const [figure, value] of lines.flatMap(Object.entries<number>)) sums[figure] = (sums[figure] ?? 0) + value;
  return sums;
}

/** A figure that differs from the record. */
export interface Change {
  readonly measurement: string;
  readonly figure: string;
  readonly recorded: number | undefined;
  readonly now: number | undefined;
}

/** Returns the figures of a measurement that differ from the recorded ones by more than its noise. */
export function findChanges(
  { name: measurement, noise = 0 }: Pick<Measurement, 'name' | 'noise'>,
  recorded: Figures,
  now: Figures,
): Change[] {
  return [...new Set([...Object.keys(recorded), ...Object.keys(now)])]
    .map((figure) => ({ measurement, figure, recorded: recorded[figure], now: now[figure] }))
    .filter(({ recorded: before, now: after }) => {
      if (before === undefined || after === undefined) return true;
      return Math.abs(after - before) > noise * Math.abs(before);
    });
}

/** Returns the changes as a table of text. */
export function formatChanges(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No figure differs from docs/measured/figures.json.\n';
  const rows = [
    ['measurement', 'figure', 'recorded', 'now'],
    ...changes.map(({ measurement, figure, recorded, now }) => [measurement, figure, text(recorded), text(now)]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  const padded = rows.map((cells) =>
    cells
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  '),
  );
  return `${padded.join('\n')}\n`;
}

const text = (figure: number | undefined): string => (figure === undefined ? '–' : String(figure));

const NAMED_FILES = 3;

/** Returns a line about the files of a measurement that differ now from those of the recorded commit. */
function describeAge(name: string, recorded: Recorded | undefined, changed: readonly string[]): string {
  if (recorded === undefined) return `${name}: not in docs/measured/figures.json`;
  const files = changed.length === 1 ? '1 file' : `${changed.length} files`;
  const more = changed.length > NAMED_FILES ? ', …' : '';
  const names = `${changed.slice(0, NAMED_FILES).join(', ')}${more}`;
  return `${name}: ${files} changed since ${recorded.commit} (${recorded.date}): ${names}`;
}

/** Returns the lines of `--stale`: the measurements that have no record, or whose code differs from the recorded one. */
export function listStale(
  measurements: readonly Measurement[],
  record: Readonly<Record<string, Recorded>>,
  listChanged: (commit: string, paths: readonly string[]) => readonly string[] = changedSince,
): string[] {
  return measurements.flatMap(({ name, paths }) => {
    const recorded = record[name];
    const changed = recorded === undefined ? [] : listChanged(recorded.commit, paths);
    return recorded === undefined || changed.length > 0 ? [describeAge(name, recorded, changed)] : [];
  });
}

function changedSince(commit: string, paths: readonly string[]): string[] {
  return git('diff', '--name-only', commit, '--', ...paths)
    .split('\n')
    .filter((file) => file !== '');
}

/** Returns the commits that git does not have; none where git does not have all of them, as in a shallow clone. */
export function findUnknownCommits(commits: readonly string[]): string[] {
  const ask = (args: readonly string[], input = ''): string =>
    spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', input }).stdout.trim();
  if (ask(['rev-parse', '--is-shallow-repository']) !== 'false') return [];
  const answers = ask(['cat-file', '--batch-check'], commits.join('\n')).split('\n');
  return commits.filter((_, index) => answers[index]?.split(' ')[1] !== 'commit');
}
