const { execFileSync } = require('node:child_process');
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { dirname, join, relative, resolve } = require('node:path');

const ROOT = join(__dirname, '..', '..', '..');
const TEST_FILE = /\.test\.(ts|cjs)$/;
const IMPORT = /(?:\bfrom|\bimport|\brequire\()\s*\(?\s*['"](\.{1,2}\/[^'"]+|standin(?:\/\w+)?)['"]/g;
const SOURCE = /\.(ts|tsx|cjs|mjs)$/;
/** Folders whose files tests read without importing them, and where these tests are. */
const READ_BY = [
  ['spec/', 'test/http/'],
  ['fixtures/', 'test/http/'],
  ['contracts/', 'test/contracts/'],
  ['packs/', 'test/packs/'],
  ['scripts/', 'test/project/'],
  ['docs/', 'test/project/'],
  ['examples/', 'examples/'],
];
/** A test further away is left to `npm test`: it imports what imports what imports the change. */
const MAX_DISTANCE = 2;

/**
 * The test files that a change can break, by how near they are to it.
 *
 * A test file is near when it changed itself (0), stands in the folder of `test/` that mirrors the folder of a changed
 * source file, or imports a changed file directly (1) or through one other file (2).
 *
 * @param {readonly string[]} changed - paths from the root; unless given, what differs from the last commit, or else
 *   what the last commit changed
 * @returns {Map<string, number>} distances by path from the root
 */
function findAffectedTests(changed = listChangedFiles()) {
  const importers = readImporters();
  const distances = new Map();
  const note = (file, distance) => {
    if (distance < (distances.get(file) ?? Infinity)) distances.set(file, distance);
  };
  const tests = [...importers.keys()].filter((file) => TEST_FILE.test(file));
  for (const file of changed) {
    let near = [file];
    const seen = new Set(near);
    // A helper of tests counts for nothing: its tests are as near to it as to themselves.
    const steps = file.startsWith('test/') ? 5 : MAX_DISTANCE;
    for (let distance = 0; distance <= steps; distance++) {
      for (const each of near) if (TEST_FILE.test(each)) note(each, Math.min(distance, MAX_DISTANCE));
      near = near.flatMap((each) => [...(importers.get(each) ?? [])]).filter((each) => !seen.has(each));
      for (const each of near) seen.add(each);
    }
    const mirrored = mirrorFolder(file);
    if (mirrored !== undefined) for (const test of tests) if (dirname(test) === mirrored) note(test, 1);
    for (const [folder, readers] of READ_BY) {
      if (file.startsWith(folder)) for (const test of tests) if (test.startsWith(readers)) note(test, MAX_DISTANCE);
    }
  }
  return distances;
}

/** The folder of `test/` that mirrors the folder of a source file, or the nearest one above it that exists. */
function mirrorFolder(file) {
  if (!file.startsWith('src/')) return undefined;
  let folder = join('test', relative('src', dirname(file)));
  while (folder !== 'test' && !existsSync(join(ROOT, folder))) folder = dirname(folder);
  return folder === 'test' ? undefined : folder;
}

/** Which files import each file of `src/`, `test/`, `spec/` and `examples/`: paths from the root. */
function readImporters() {
  const files = ['src', 'test', 'spec', 'examples', 'packs']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => SOURCE.test(file) && !file.includes('node_modules'));
  const importers = new Map(files.map((file) => [file, new Set()]));
  const entries = { standin: 'src/index', 'standin/express': 'src/express', 'standin/jest': 'src/jest' };
  for (const file of files) {
    for (const [, name] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)) {
      const base = name.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), name)) : entries[name];
      if (base === undefined) continue;
      const imported = [base, `${base}.ts`, `${base}.tsx`, join(base, 'index.ts')].find((path) => importers.has(path));
      importers.get(imported)?.add(file);
    }
  }
  return importers;
}

/** @returns paths from the root that differ from the last commit, or else those that the last commit changed */
function listChangedFiles(since) {
  const git = (...parameters) => {
    try {
      return execFileSync('git', parameters, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    } catch {
      return '';
    }
  };
  const lines = (text) => text.split('\n').filter((line) => line !== '');
  const untracked = lines(git('ls-files', '--others', '--exclude-standard'));
  const changed = [...lines(git('diff', '--name-only', since ?? 'HEAD')), ...untracked];
  if (changed.length > 0 || since !== undefined) return changed;
  return lines(git('diff', '--name-only', 'HEAD~1', 'HEAD'));
}

module.exports = { findAffectedTests, listChangedFiles };
