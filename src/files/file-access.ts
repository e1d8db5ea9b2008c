import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  codeOf,
  ConfigError,
  ContractError,
  type SourceFinding,
  SpecError,
  StandinError,
} from '../core/errors/standin-error';
import { isHttpUrl } from '../core/http/request-target';
import { stringList } from '../core/options/option-types';
import { once } from '../core/text/memoize';
import { counted } from '../core/text/printable';
import type { MayRead } from '../openapi/read/compose/source-files';
import { readSource } from '../openapi/read/read-source';
import type { SourceDocument } from '../openapi/read/source-document';

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

/** Is a description the bundled Petstore, which has fixtures, rules and contracts of its own? */
export function isBundled(description: string | object | undefined): boolean {
  if (typeof description === 'object') return false;
  return description === undefined || resolve(description) === BUNDLED.description;
}

/** Folder of what the build generates. */
export const GENERATED = join(BUILT, 'generated');

/** The files of the window, the page of the mock; there are no others. */
const WINDOW_FILES: ReadonlySet<string> = new Set([
  'index.html',
  'window.js',
  'window.css',
  'reference.js',
  'reference.css',
]);

/** A file of the window, as the build made it; `undefined` for a name that there is not. */
export function readWindowFile(name: string): Uint8Array | undefined {
  return WINDOW_FILES.has(name) ? readFileSync(join(BUILT, 'window', name)) : undefined;
}

/** A path as people would write it: from the current folder, where it is below that. */
export function relativePath(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' ? '.' : near.startsWith('..') ? path : near;
}

const AN_ADDRESS =
  'Only descriptions are read from an address, and not where nothing can be waited for; save it as a file.';

/** Larger files are rejected unread: no description that people write comes near. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a text file of the user's.
 *
 * @param code - what the kind of file asks for
 * @throws StandinError with it, when the file is missing, is not a file, is too large or is not UTF-8
 */
export function readTextFile(
  file: string,
  code: 'CONFIG_INVALID' | 'CONTRACT_UNREADABLE' | 'FIXTURE_UNREADABLE' | 'SPEC_UNREADABLE' | 'TOKENS_UNREADABLE',
): string {
  const Family = code === 'SPEC_UNREADABLE' ? SpecError : code === 'CONTRACT_UNREADABLE' ? ContractError : ConfigError;
  const fail = (message: string, hint: string, cause?: unknown): StandinError =>
    new Family(code, message, { hint, cause });
  const bytes = readBytes(file, fail);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw fail(`${file} is not UTF-8 text`, 'Save it as UTF-8.', error);
  }
}

function readBytes(file: string, fail: (message: string, hint: string, cause?: unknown) => StandinError): Uint8Array {
  try {
    const stats = statSync(file);
    // A device or a pipe, as in `<(…)`, has no size, and may never end.
    if (!stats.isFile() && !stats.isDirectory())
      throw fail(`${file} is not a file`, 'Save what it gives as a file, and name that.');
    const { size } = stats;
    if (size > MAX_FILE_BYTES) throw fail(`${file} has ${size} bytes`, `Files up to ${MAX_FILE_BYTES} bytes are read.`);
    return readFileSync(file);
  } catch (error) {
    const reason = error instanceof StandinError ? undefined : codeOf(error);
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'does not exist',
      EISDIR: 'is a folder, not a file',
      EACCES: 'cannot be read: permission denied',
      ENOTDIR: 'does not exist',
    };
    if (reason === undefined) throw error;
    throw fail(
      `${file} ${reasons[reason] ?? `cannot be read (${reason})`}`,
      isHttpUrl(file) ? AN_ADDRESS : (npmFolderHint(file) ?? 'Check the path; it is relative to the current folder.'),
      error,
    );
  }
}

/** What a path leads to. What cannot be looked at counts as a file: why, {@link readTextFile} tells. */
export function kindAt(path: string): 'file' | 'folder' | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isDirectory() === true ? 'folder' : stats && 'file';
  } catch {
    return 'file';
  }
}

/** A file that says how something is to be done. @throws ConfigError, SpecError */
export function readConfigSource(path: string): SourceDocument {
  return readSource(readTextFile(path, 'CONFIG_INVALID'), path);
}

/** @throws ConfigError `CONFIG_INVALID` with the findings, where there are some */
export function throwIfInvalid(what: string, findings: readonly SourceFinding[]): void {
  if (findings.length === 0) return;
  throw new ConfigError('CONFIG_INVALID', `${what} cannot be used: ${counted(findings.length, 'error')}`, { findings });
}

/**
 * `npm run` starts a script in the folder of its package and tells in `INIT_CWD` where the user stands. Paths are not read
 * against it: those within a script are meant from the package.
 */
function npmFolderHint(file: string): string | undefined {
  const folder = process.env['INIT_CWD'];
  if (folder === undefined || isAbsolute(file)) return undefined;
  const meant = resolve(folder, file);
  if (meant === resolve(file) || !existsSync(meant)) return undefined;
  return `npm runs scripts in ${process.cwd()}; the file that you mean is ${meant}.`;
}

/** What a file of a description is, outside of its own folder. */
const DOCUMENTS: ReadonlySet<string> = new Set(['.json', '.yaml', '.yml']);

/**
 * Says which files of this machine a description may lead to: those in its own folder and below it; documents (JSON and
 * YAML) of the project that it stands in; and what is below the folders that were allowed. Symbolic links count by where
 * they lead. Nothing outside is touched, so that a rejection does not even tell whether something is there.
 *
 * @param description - path of the file that the user named
 * @param allowed - folders of `--allow-files`, as they were given
 */
export function fileBounds(description: string, allowed: readonly string[] = []): MayRead {
  const bounds = once(() => {
    const entry = resolve(description);
    // One that is a link refers to what is beside it, or to what is beside the file that it leads to.
    const own = [dirname(entry), dirname(realPath(entry))];
    const named = allowed.map((folder) => resolve(folder));
    return {
      files: [...own, ...named],
      documents: own.flatMap((folder) => projectAround(folder) ?? []),
    };
  });
  const isFree = (path: string, isAbsolute: boolean, as: (folder: string) => string): boolean => {
    const { files, documents } = bounds();
    const isDocument = !isAbsolute && DOCUMENTS.has(extname(path).toLowerCase());
    return [...files, ...(isDocument ? documents : [])].some((folder) => isWithin(as(folder), path));
  };
  return (uri, isAbsolute) => {
    const path = pathOf(uri);
    // What is not a path of this machine is reported where it is read.
    if (path === undefined) return undefined;
    // As it is written first: what is outside is not even looked at.
    if (!isFree(path, isAbsolute, (folder) => folder) && !isFree(path, isAbsolute, realPath))
      return outsideFolderError(description, `${path} is outside of the folder of the description`, path);
    const real = realPath(path);
    if (isFree(real, isAbsolute, realPath)) return undefined;
    return outsideFolderError(description, `${path} is a link that leads out of the folder of the description`, real);
  };
}

/** @throws ConfigError `CONFIG_INVALID` for a folder of `--allow-files` that is not there, and for no list of them */
export function checkAllowedFolders(allowed: readonly string[] = []): void {
  // From a program, which need not be held to types.
  if (!stringList.accepts(allowed))
    throw new ConfigError('CONFIG_INVALID', `The option allowFiles cannot be used: expected ${stringList.expected}`, {
      hint: stringList.hint?.(allowed),
    });
  const missing = allowed.find((folder) => folder === '' || !existsSync(folder));
  if (missing === undefined) return;
  throw new ConfigError('CONFIG_INVALID', `The folder "${missing}" that --allow-files names does not exist`, {
    hint: 'Check the path; it is relative to the current folder. In a program the option is allowFiles.',
  });
}

/**
 * The folder of the project around a folder: the one with `.git`, else the outermost one with a `package.json`. What was
 * installed below `node_modules` is a project of its own. The folders that belong to everything, a home or that of
 * temporary files, are none.
 */
function projectAround(folder: string): string | undefined {
  const tooWide = new Set([homedir(), tmpdir()].flatMap((path) => [resolve(path), realPath(resolve(path))]));
  let outermost: string | undefined;
  for (let at = folder; ; at = dirname(at)) {
    if (tooWide.has(at) || dirname(at) === at || basename(at) === 'node_modules') return outermost;
    if (existsSync(join(at, '.git'))) return at;
    if (existsSync(join(at, 'package.json'))) outermost = at;
  }
}

function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

/** Where a path leads; of one that is not there, as far as it is. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function outsideFolderError(description: string, message: string, path: string): ReturnType<MayRead> {
  return {
    message,
    expected: `a file in ${relativePath(dirname(resolve(description)))} or below it, or a JSON or YAML document of its project`,
    hint: `--allow-files ${relativePath(dirname(path))} allows it (allowFiles in a program).`,
  };
}
