import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ROOT } from './source-files';

/** Modules of Node, and packages that wrap them, whose behaviour differs between versions of Node. */
const PLATFORM =
  /^(?:node:(?:async_hooks|child_process|dns|http|http2|https|module|net|readline|stream|tls|v8|vm|worker_threads|zlib)|undici|chokidar|http-proxy-3|jiti)$/;
/** A test that uses one of these itself checks what Node does: it reads sockets, streams or compressed bytes. */
const RAW = /^node:(?:http2|https|net|readline|stream|tls|vm|worker_threads|zlib)$/;
const INTL = /\bIntl\.|\.localeCompare\(/;
const IMPORT =
  /\b(?:(?:import|export)\s+(type\s)?([^'";()]*?)from\s*|import\s+(?=')|(?:import|require)\(\s*)'([^']+)'/g;
/** Cheap tests that run on every version: a socket, TLS, compression, a watched file, a worker, `vm`, a process. */
export const FEW_NODE_TESTS: readonly string[] = [
  'test/cli/launch.test.ts',
  'test/core/http/content-coding.test.ts',
  'test/files/watch-files.test.ts',
  'test/network/tls.test.ts',
  'test/prism/response-document.test.ts',
  'test/wire/connections.test.ts',
];
/** These tests are about other programs, or about this repository. */
const OTHER_SUBJECTS = /^test\/(?:browser|ci|container|measure|mutants|project|support)\//;

interface SourceFile {
  readonly text: string;
  /** Paths of the files that it loads. */
  readonly imports: readonly string[];
  /** The parts of Node that it uses, as they are imported; `Intl` too. */
  readonly platform: readonly string[];
}

/** The files of src/ and test/ by path from the root. Imports of types do not count. */
function readFiles(): ReadonlyMap<string, SourceFile> {
  const paths = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => path.endsWith('.ts') && !/\/node_modules\/|^src\/window\//.test(path)),
  );
  const known = new Set(paths);
  const read = (path: string): SourceFile => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const specifiers = [...text.matchAll(IMPORT)].flatMap(([, type, names = '', specifier = '']) =>
      type !== undefined || hasTypesOnly(names) ? [] : [specifier],
    );
    const imports = specifiers
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => join(dirname(path), specifier).split(sep).join('/'))
      .flatMap((base) => [`${base}.ts`, `${base}/index.ts`].filter((each) => known.has(each)));
    const platform = specifiers.filter((specifier) => PLATFORM.test(specifier));
    return { text, imports, platform: INTL.test(text) ? [...platform, 'Intl'] : platform };
  };
  return new Map(paths.map((path) => [path, read(path)]));
}

function hasTypesOnly(names: string): boolean {
  const [, list] = /^\{([^}]*)\}/.exec(names.trim()) ?? [];
  const each = (list ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  return each.length > 0 && each.every((name) => name.startsWith('type '));
}

/** How many imports lead from a file to each file that it loads. */
function measureDistances(files: ReadonlyMap<string, SourceFile>, from: string): ReadonlyMap<string, number> {
  const distances = new Map([[from, 0]]);
  for (const [path, distance] of distances)
    for (const next of files.get(path)?.imports ?? []) if (!distances.has(next)) distances.set(next, distance + 1);
  return distances;
}

const isSlow = (test: string): boolean => test.endsWith('.slow.test.ts');

/** How many folders the path of a test has in common with that of a source file: `test/a/b` mirrors `src/a/b`. */
function countCommonFolders(test: string, source: string): number {
  const [one, other] = [test, source].map((path) => dirname(path).split('/').slice(1)) as [string[], string[]];
  const index = one.findIndex((folder, each) => folder !== other[each]);
  return index === -1 ? one.length : index;
}

/**
 * The test files that another version of Node can break, as paths from the root:
 *
 * - tests that use sockets, streams, compression, workers or `vm` themselves, or through a helper in their folder,
 * - for each module of src/ that uses a part of Node, a test that imports it, or else the nearest by imports among
 *   those in the folder that mirrors it best. Of several, one that is chosen already, or the shortest.
 *
 * Slow tests are chosen only for what no other test uses.
 */
export function findNodeTests(): readonly string[] {
  const files = readFiles();
  const tests = [...files.keys()].filter((path) => path.endsWith('.test.ts') && !OTHER_SUBJECTS.test(path)).sort();
  const distances = new Map(tests.map((test) => [test, measureDistances(files, test)]));
  const rawUses = (test: string): readonly string[] =>
    [test, ...(files.get(test)?.imports ?? []).filter((path) => dirname(path) === dirname(test))]
      .flatMap((path) => files.get(path)?.platform ?? [])
      .filter((name) => RAW.test(name));

  const chosen = new Set(tests.filter((test) => !isSlow(test) && rawUses(test).length > 0));
  const used = new Set([...chosen].flatMap(rawUses));
  for (const test of tests.filter(isSlow)) {
    if (rawUses(test).every((name) => used.has(name))) continue;
    chosen.add(test);
    for (const name of rawUses(test)) used.add(name);
  }
  for (const [source, { platform }] of files) {
    if (!source.startsWith('src/') || platform.length === 0) continue;
    const order = (test: string): readonly number[] => {
      const distance = distances.get(test)?.get(source) ?? Infinity;
      const length = files.get(test)?.text.length ?? 0;
      const folders = countCommonFolders(test, source);
      return [Number(isSlow(test)), Number(distance > 1), -folders, distance, Number(!chosen.has(test)), length];
    };
    const [nearest] = tests
      .filter((test) => distances.get(test)?.has(source) === true)
      .sort((one, other) => compareOrders(order(one), order(other)));
    if (nearest !== undefined) chosen.add(nearest);
  }
  return [...chosen].sort();
}

function compareOrders(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((value, each) => value !== other[each]);
  return index === -1 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}
