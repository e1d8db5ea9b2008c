// Whether `npm test` notices a small mistake, and how soon: npm run measure -- source-mutants
//
//   --count 10       how many folders of src/ get one mistake each
//   --seed TEXT      draws the folders and the places
//   --only 3,7       the mutants of these numbers alone
//
// A mistake is what a person mistypes: `<` for `<=`, `&&` for `||`, a condition the other way round. Each one is made in
// a copy of the last commit, where `npm test` runs until its first file fails.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from '@swc/core';

const ROOT = join(__dirname, '..', '..');
/** The aim: who changes a line knows after this time whether it broke something. */
const SOON_S = 30;
const SWAPPED: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
};

interface Mutant {
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** The line before and after it. */
  readonly change: string;
  readonly text: string;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Node {
  readonly type?: string;
  readonly span?: { readonly start: number; readonly end: number };
  readonly operator?: string;
  readonly left?: Node;
  readonly right?: Node;
  readonly value?: unknown;
  readonly body?: unknown;
}

/** Returns all mistakes that can be made in a text of TypeScript, as changes of its octets. */
function listEdits(source: Buffer): Edit[] {
  // swc counts octets over all texts that it ever parsed: the semicolon in front shows where this one begins.
  const code = `;${source.toString('utf8').replace(/^#!/, '//')}`;
  const program = parseSync(code, { syntax: 'typescript' }) as unknown as Node;
  const base = program.span!.start + 1;
  return listNodes(program.body).flatMap((node): Edit[] => {
    const { type, operator = '' } = node;
    const [start, end] = [node.span?.start ?? base, node.span?.end ?? base].map((each) => each - base) as [
      number,
      number,
    ];
    if (type === 'BooleanLiteral') return [{ start, end, text: String(node.value !== true) }];
    if (type === 'UnaryExpression' && operator === '!') return [{ start, end: start + 1, text: '' }];
    const swapped = SWAPPED[operator];
    if (type !== 'BinaryExpression' || swapped === undefined) return [];
    const from = node.left!.span!.end - base;
    const at = from + source.subarray(from, node.right!.span!.start - base).indexOf(operator);
    return [{ start: at, end: at + operator.length, text: swapped }];
  });
}

/** Returns all nodes of what runs: types are gone before. */
function listNodes(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(listNodes);
  if (typeof value !== 'object' || value === null) return [];
  const { type = '' } = value as Node;
  if (/^Ts(?!As|NonNull|Satisfies)/.test(type) || type === 'ImportDeclaration') return [];
  return [value, ...Object.values(value).flatMap(listNodes)];
}

/** Returns one mutant for each of `count` folders of src/, drawn by a seed. */
function drawMutants(count: number, seed: string): Mutant[] {
  const rank = (text: string): string => createHash('sha256').update(`${seed} ${text}`).digest('hex');
  const drawFirst = <Item>(items: readonly Item[], name: (item: Item) => string): Item[] =>
    [...items].sort((one, other) => (rank(name(one)) < rank(name(other)) ? -1 : 1));
  // The window runs in browsers alone; `npm test` starts one once.
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'window')
    .map(({ name }) => join('src', name));
  return drawFirst(folders, (folder) => folder)
    .slice(0, count)
    .map((folder) => {
      const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
        .map((name) => join(folder, name));
      const places = files.flatMap((file) => {
        const source = readFileSync(join(ROOT, file));
        return listEdits(source).map((edit) => ({ file, source, edit }));
      });
      const [{ file, source, edit }] = drawFirst(places, (each) => `${each.file} ${each.edit.start}`) as [
        (typeof places)[number],
      ];
      const [before, after] = [source.subarray(0, edit.start), source.subarray(edit.end)].map(String);
      const text = `${before}${edit.text}${after}`;
      const line = before!.split('\n').length;
      const lineOf = (whole: string): string => whole.split('\n')[line - 1]!.trim();
      return { file, line, change: `${lineOf(source.toString())}  ->  ${lineOf(text)}`, text };
    });
}

/** Returns what fails first, a test file or the build, and after how many seconds; `undefined` when all pass. */
async function findFirstFailure(folder: string): Promise<{ file: string; seconds: number } | undefined> {
  const startedAt = Date.now();
  const child = spawn('npm', ['test'], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let output = '';
  let first: { file: string; seconds: number } | undefined;
  const read = (chunk: Buffer): void => {
    output += String(chunk);
    const [, file] = /^\s*FAIL\s+(\S+)/m.exec(output) ?? [];
    if (file === undefined || first !== undefined) return;
    first = { file, seconds: Math.round((Date.now() - startedAt) / 1000) };
    process.kill(-child.pid!, 'SIGTERM');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const code = await ended;
  // The build reads the bundled description with the code that it builds.
  if (first === undefined && code !== 0)
    first = { file: 'the build', seconds: Math.round((Date.now() - startedAt) / 1000) };
  return first;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '10' },
      seed: { type: 'string', default: 'first' },
      only: { type: 'string' },
    },
  });
  const only = values.only?.split(',').map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'standin-source-mutants-'));
  try {
    execFileSync('git', ['clone', '--quiet', ROOT, folder]);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    const mutants = drawMutants(Number(values.count), values.seed)
      .map((mutant, index) => ({ ...mutant, number: index + 1 }))
      .filter(({ number }) => only?.includes(number) ?? true);
    const failures = [];
    for (const { number, file, line, change, text } of mutants) {
      const before = readFileSync(join(folder, file));
      writeFileSync(join(folder, file), text);
      const failure = await findFirstFailure(folder);
      writeFileSync(join(folder, file), before);
      failures.push(failure);
      const result = failure === undefined ? 'SURVIVES' : `${failure.file} fails after ${failure.seconds} s`;
      process.stdout.write(`${number}. ${file}:${line}\n   ${change}\n   ${result}\n`);
    }
    const caught = failures.filter((failure) => failure !== undefined);
    const soon = caught.filter(({ seconds }) => seconds <= SOON_S).length;
    const figures = { mutants: mutants.length, caught: caught.length, [`caught within ${SOON_S} s`]: soon };
    process.stdout.write(`figures ${JSON.stringify(figures)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
