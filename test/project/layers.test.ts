import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROWS, roomsTable } from './rooms';
import { EXTENSION, importsOf, loadedWith, ROOT, SOURCE_FILES, type SourceFile } from './source-files';

/** `mock` for `mock/state/item.ts`, `index` for `index.ts`. */
function roomOf(path: string): string {
  return path.split('/')[0]!.replace(EXTENSION, '');
}

/** Folder inside the room: `state` for `mock/state/item.ts`, `.` for `mock/create-mock.ts`. */
function folderOf(path: string): string {
  return dirname(path).split('/').slice(1).join('/') || '.';
}

const rowOf = (path: string): number => ROWS.findIndex((row) => row.some(({ name }) => name === roomOf(path)));

/** Where a folder stands in its room. */
function orderOf(path: string): number {
  const room = ROWS.flat().find(({ name }) => name === roomOf(path));
  return (room?.inside ?? ['.']).indexOf(folderOf(path));
}

function isAllowed(from: string, to: string): boolean {
  if (roomOf(from) !== roomOf(to)) return rowOf(to) >= 0 && rowOf(to) < rowOf(from);
  return orderOf(to) >= 0 && orderOf(to) <= orderOf(from);
}

test.each([...new Set(SOURCE_FILES.map(({ path }) => dirname(path)))])(
  'src/%s has its place in the order',
  (folder) => {
    const [{ path }] = SOURCE_FILES.filter((file) => dirname(file.path) === folder) as [SourceFile];
    expect([rowOf(path), orderOf(path)].filter((place) => place < 0)).toStrictEqual([]);
  },
);

test.each(SOURCE_FILES.map(({ path }) => path))('src/%s imports only what is below it', (path) => {
  const file = SOURCE_FILES.find((candidate) => candidate.path === path)!;
  const wrong = importsOf(file).filter(({ target }) => target !== undefined && !isAllowed(path, target));
  expect(wrong.map(({ specifier }) => specifier)).toStrictEqual([]);
});

test('the window takes values of core alone, and of the server the types of what it gives', () => {
  const wrong = SOURCE_FILES.filter(({ path }) => roomOf(path) === 'window').flatMap((file) =>
    importsOf(file)
      .filter(({ target = 'window', isTypeOnly }) => {
        const isShape = /^server\/actions\/(?:delivery-)?shapes$/.test(target) && isTypeOnly;
        return !isShape && !['window', 'core'].includes(roomOf(target));
      })
      .map(({ specifier }) => `${file.path} imports ${specifier}`),
  );
  expect(wrong).toStrictEqual([]);
});

test('nothing imports the window: it is for browsers', () => {
  const wrong = SOURCE_FILES.filter(({ path }) => roomOf(path) !== 'window').flatMap((file) =>
    importsOf(file).filter(({ target }) => target !== undefined && roomOf(target) === 'window'),
  );
  expect(wrong).toStrictEqual([]);
});

test('ARCHITECTURE.md shows the rooms as they are held here', () => {
  const words = (text: string): string => text.replace(/ +/g, ' ').replace(/-+/g, '-');
  expect(words(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'))).toContain(words(roomsTable()));
});

/** Importers of each file, by its path without the extension. */
const IMPORTERS = new Map<string, string[]>();
for (const file of SOURCE_FILES)
  for (const { target } of importsOf(file))
    if (target !== undefined) IMPORTERS.set(target, [...(IMPORTERS.get(target) ?? []), file.path]);

/** The modules of the first circle that a walk through the imports meets. */
function firstCircle(): readonly string[] | undefined {
  const targets = new Map(
    SOURCE_FILES.map((file) => [
      file.path.replace(EXTENSION, ''),
      importsOf(file).flatMap(({ target, isDynamic }) => (target === undefined || isDynamic ? [] : [target])),
    ]),
  );
  const done = new Set<string>();
  const circleFrom = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of targets.get(path) ?? []) {
      const circle = circleFrom(next, [...way, path]);
      if (circle !== undefined) return circle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of targets.keys()) {
    const circle = circleFrom(path, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

test('no module imports itself in a circle, types included', () => {
  expect(firstCircle()).toBeUndefined();
});

/** Registries list one object a file: those stay files of their own, however short. */
const REGISTRIES = /(?:^|\/)registry\.ts$|^cli\/main\.ts$/;

test('a file of less than 30 lines with one importer stands in that one', () => {
  const crumbs = SOURCE_FILES.filter(({ path, text }) => {
    const importers = new Set(IMPORTERS.get(path.replace(EXTENSION, '')));
    const [only = ''] = importers;
    const isEntry = /^(?:index|express|jest|cli\/(?:bin|launch)|window\/(?:main|report\/report))\.tsx?$/.test(path);
    return !isEntry && text.split('\n').length <= 30 && importers.size < 2 && !REGISTRIES.test(only);
  });
  expect(crumbs.map(({ path }) => path)).toStrictEqual([]);
});

test('only what the package exports is exported again', () => {
  const again = SOURCE_FILES.filter(
    ({ path, text }) => path.includes('/') && /^export (?:type )?(?:\*|\{[^}]*\})/m.test(text),
  );
  expect(again.map(({ path }) => path)).toStrictEqual([]);
});

test('every import leads to a file of src', () => {
  const lost = SOURCE_FILES.flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => {
        const files = target === undefined ? [] : [`${target}.ts`, `${target}.tsx`, `${target}/index.ts`];
        return target !== undefined && !files.some((name) => existsSync(join(ROOT, 'src', name)));
      })
      .map(({ specifier }) => `${file.path} imports ${specifier}`),
  );
  expect(lost).toStrictEqual([]);
});

/** Packages and modules of Node that one part of the tree keeps to itself. */
test.each([
  ['ajv', ['schema']],
  ['ajv-formats', ['schema']],
  ['yaml', ['openapi', 'traffic']],
  ['express', ['server']],
  ['cors', ['server']],
  ['undici', ['files', 'network', 'library']],
  ['@stoplight/prism-http', ['prism']],
  ['commander', ['cli']],
  ['pino', ['cli']],
  ['sorted-btree', ['mock']],
  ['node:fs', ['files', 'store', 'library', 'network', 'cli']],
  ['node:http', ['core', 'issuer', 'server', 'network', 'recorder', 'agents', 'library']],
  ['node:net', ['core', 'files', 'server', 'network', 'recorder']],
  ['http-proxy-3', ['recorder']],
  ['node:child_process', ['cli']],
  ['node:worker_threads', ['prism']],
  ['preact', ['window']],
  ['@preact/signals', ['window']],
  ['eventsource-parser', ['window']],
])('%s is imported only by %p', (name, folders) => {
  const importers = SOURCE_FILES.filter((file) => {
    return importsOf(file).some(({ specifier }) => specifier === name || specifier.startsWith(`${name}/`));
  });
  const strangers = importers.map(({ path }) => path).filter((path) => !folders.includes(roomOf(path)));
  expect(strangers).toStrictEqual([]);
});

test('the root of the package loads neither Express nor Prism nor the command line', () => {
  const { packages, files } = loadedWith('index');
  for (const heavy of ['express', 'cors', 'pino', 'commander', '@stoplight/prism-http', '@stoplight/prism-core']) {
    expect([...packages].filter((name) => name === heavy || name.startsWith(`${heavy}/`))).toStrictEqual([]);
  }
  expect([...files].filter((path) => path.startsWith('cli/') || path.startsWith('server/'))).toStrictEqual([]);
});

test('Prism is loaded on first use only', () => {
  for (const entry of ['express', 'cli/main', 'cli/bin']) {
    expect([...loadedWith(entry).packages].filter((name) => name.startsWith('@stoplight/'))).toStrictEqual([]);
  }
});

test('a mock loads what makes contracts of traffic on first use only', () => {
  const files = ['library/create-mock-server', 'cli/actions/serve'].flatMap((entry) => [...loadedWith(entry).files]);
  expect(files.filter((path) => /^(?:traffic|runner|recorder)\//.test(path))).toStrictEqual([]);
});

test('--help loads no server', () => {
  expect([...loadedWith('cli/bin').packages]).not.toContain('express');
});
