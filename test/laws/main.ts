// npm run laws: starts a mock of each published description and checks laws that any API of its kind obeys: a created item
// is found and listed, pages lead through all items, a change changes one item, a removed item is gone. The harness is a
// client that knows the description and HTTP, and nothing of the mock. `npm run laws -- --help` prints the options.
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { writeFormatted } from '../support/write-formatted';
import type { Trial } from './checks';
import { findInFolder, findOpen, pickForCi, pickSome, type Source } from './documents';
import { findFailures } from './gate';
import { type Options, readOptions, USAGE } from './options';
import { figuresOf, formatPage, formatReport } from './table';

const ROOT = join(__dirname, '..', '..');
const TRIAL_LIMIT_MS = 150_000;

async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  return run(options);
}

async function run({ folder, only, sample, seed: given, ci, jobs, json, write }: Options): Promise<number> {
  const seed = given ?? readCommit();
  const all = folder === undefined ? findOpen() : folder.flatMap(findInFolder);
  const wanted = all.filter(({ name }) => name.includes(only));
  const chosen = ci ? pickForCi(wanted) : pickSome(wanted, sample, seed);
  const heading = `${chosen.length} descriptions of ${wanted.length}, ${ci ? 'those of CI' : `seed ${seed}`}.`;
  process.stderr.write(`${heading}\n`);
  const trials = await tryAll(chosen, jobs ?? availableParallelism());
  process.stdout.write(`${formatReport(trials, heading)}\nfigures ${JSON.stringify(figuresOf(trials))}\n`);
  if (json !== undefined) writeFileSync(json, JSON.stringify(trials, null, 1));
  if (write) {
    const choice = ci ? '--ci' : `--sample ${chosen.length} --seed ${seed}`;
    const page = formatPage(trials, { command: `npm run laws -- ${choice}`, open: wanted.length });
    writeFormatted(join(ROOT, 'docs', 'measured', 'laws.md'), page);
  }
  const failures = ci ? findFailures(trials) : [];
  for (const failure of failures) process.stderr.write(`failed: ${failure}\n`);
  return failures.length === 0 ? 0 : 1;
}

function readCommit(): string {
  return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
}

async function tryAll(sources: readonly Source[], jobs: number): Promise<Trial[]> {
  const trials: Trial[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < sources.length; index = next++) {
      const trial = await tryOne(sources[index]!);
      trials[index] = trial;
      process.stderr.write(`${trialLine(trial)}\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  return trials;
}

function trialLine({ name, unread, checks, collections, requests, seconds }: Trial): string {
  if (unread !== undefined) return `unread   ${name}: ${unread}`;
  const violated = checks.filter(({ verdict }) => verdict === 'violated').length;
  return `${violated} violated of ${checks.length}  ${name}: ${collections.length} collections, ${requests} requests, ${seconds} s`;
}

/** In a process group of its own: whatever a document does, it ends, and its mock with it. */
function tryOne({ file, name }: Source): Promise<Trial> {
  const script = join(__dirname, 'try-document.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, file, name], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, TRIAL_LIMIT_MS);
    child.on('close', () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(out) as Trial);
      } catch {
        resolve(lost(name, errors === '' ? `not done after ${TRIAL_LIMIT_MS / 1000} s` : errors.slice(-700)));
      }
    });
  });
}

function lost(name: string, answer: string): Trial {
  const check = { law: 'no hang', verdict: 'violated', operation: '', answer, expected: 'the trial ends' } as const;
  return { name, collections: [], checks: [check], requests: 0, seconds: TRIAL_LIMIT_MS / 1000 };
}

void main().then((exitCode) => (process.exitCode = exitCode));
