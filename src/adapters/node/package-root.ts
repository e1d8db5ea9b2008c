import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** Folder of this package, wherever its code runs from: `src/` under test, `dist/src/` when built. */
export const PACKAGE_ROOT: string = findRoot(__dirname);

/** Version of this package. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`No package.json above ${__dirname}`);
  return findRoot(parent);
}

const BUILT = join(PACKAGE_ROOT, 'dist');

/** What the package brings along, so that it serves something without any argument. */
export const BUNDLED = {
  description: join(PACKAGE_ROOT, 'spec', 'petstore.yaml'),
  fixtures: join(PACKAGE_ROOT, 'fixtures'),
  contracts: join(PACKAGE_ROOT, 'contracts'),
  // In the form that this code runs in: compiled, or as TypeScript under test.
  rules: join(__dirname.startsWith(BUILT + sep) ? BUILT : PACKAGE_ROOT, 'spec', 'petstore.rules'),
} as const;

/** Folder of what the build generates. */
export const GENERATED = join(BUILT, 'generated');

/** A path as people would write it: from the current folder, where it is below that. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
