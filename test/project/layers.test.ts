import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, loadedWith, ROOT, SOURCE_FILES } from './source-files';

/** A folder imports only from rows above it, and folders of one row never import each other. */
const ROWS = [
  ['errors'],
  ['json', 'time'],
  ['http'],
  ['json-schema'],
  ['openapi'],
  ['resources'],
  ['formats'],
  ['checks'],
  ['payload', 'redaction'],
  ['mock', 'runner', 'recorder'],
  ['report'],
  ['adapters'],
  ['cli', 'index', 'express', 'jest'],
];

/** `json` for `json/json-value.ts`, `index` for `index.ts`. */
function folderOf(path: string): string {
  return path.split('/')[0]!.replace(/\.ts$/, '');
}

const rowOf = (folder: string): number => ROWS.findIndex((row) => row.includes(folder));

test.each([...new Set(SOURCE_FILES.map(({ path }) => folderOf(path)))])(
  'src/%s has its place in the order',
  (folder) => {
    expect(rowOf(folder)).toBeGreaterThanOrEqual(0);
  },
);

test.each(SOURCE_FILES.map(({ path }) => path))('src/%s imports only what is below it', (path) => {
  const file = SOURCE_FILES.find((candidate) => candidate.path === path)!;
  const from = folderOf(path);
  const wrong = importsOf(file).filter(({ target }) => {
    if (target === undefined) return false;
    const to = folderOf(target);
    return to !== from && !(rowOf(to) >= 0 && rowOf(to) < rowOf(from));
  });
  expect(wrong.map(({ specifier }) => specifier)).toStrictEqual([]);
});

test('every import leads to a file of src', () => {
  const lost = SOURCE_FILES.flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => {
        const files = target === undefined ? [] : [`${target}.ts`, `${target}/index.ts`];
        return target !== undefined && !files.some((name) => existsSync(join(ROOT, 'src', name)));
      })
      .map(({ specifier }) => `${file.path} imports ${specifier}`),
  );
  expect(lost).toStrictEqual([]);
});

/** Packages and modules of Node that one part of the tree keeps to itself. */
test.each([
  ['ajv', ['json-schema']],
  ['ajv-formats', ['json-schema']],
  ['yaml', ['openapi']],
  ['express', ['adapters']],
  ['cors', ['adapters']],
  ['undici', ['adapters']],
  ['@stoplight/prism-http', ['adapters']],
  ['commander', ['cli']],
  ['pino', ['cli']],
  ['sorted-btree', ['mock']],
  ['node:fs', ['adapters', 'cli']],
  ['node:http', ['adapters', 'http']],
  ['node:net', ['adapters', 'http']],
  ['node:child_process', []],
  ['node:worker_threads', ['adapters']],
])('%s is imported only by %p', (name, folders) => {
  const importers = SOURCE_FILES.filter((file) => {
    return importsOf(file).some(({ specifier }) => specifier === name || specifier.startsWith(`${name}/`));
  });
  const strangers = importers.map(({ path }) => path).filter((path) => !folders.includes(folderOf(path)));
  expect(strangers).toStrictEqual([]);
});

test('the root of the package loads neither Express nor Prism nor the command line', () => {
  const { packages, files } = loadedWith('index');
  for (const heavy of ['express', 'cors', 'pino', 'commander', '@stoplight/prism-http', '@stoplight/prism-core']) {
    expect([...packages].filter((name) => name === heavy || name.startsWith(`${heavy}/`))).toStrictEqual([]);
  }
  expect([...files].filter((path) => path.startsWith('cli/') || path.startsWith('adapters/express/'))).toStrictEqual(
    [],
  );
});

test('Prism is loaded on first use only', () => {
  for (const entry of ['express', 'cli/main', 'cli/bin']) {
    expect([...loadedWith(entry).packages].filter((name) => name.startsWith('@stoplight/'))).toStrictEqual([]);
  }
});

test('--help loads no server', () => {
  expect([...loadedWith('cli/bin').packages]).not.toContain('express');
});
