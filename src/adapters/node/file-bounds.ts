import { existsSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../errors/harness-error';
import { once } from '../../http/memo';
import type { MayRead } from '../../openapi/compose/source-files';
import { texts } from '../option-kinds';

/** What a file of a description is, outside of its own folder. */
const DOCUMENTS: ReadonlySet<string> = new Set(['.json', '.yaml', '.yml']);

/**
 * Says which files of this machine a description may lead to: those in its own folder and below it; documents (JSON and
 * YAML) of the project that it stands in; and what is below the folders that were allowed. Symbolic links count by where
 * they lead. Nothing outside is touched, so that a refusal does not even tell whether something is there.
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
    // What is no path of this machine is told where it is read.
    if (path === undefined) return undefined;
    // As it is written first: what is outside is not even looked at.
    if (!isFree(path, isAbsolute, (folder) => folder) && !isFree(path, isAbsolute, realPath))
      return refusal(description, `${path} is outside of the folder of the description`, path);
    const real = realPath(path);
    if (isFree(real, isAbsolute, realPath)) return undefined;
    return refusal(description, `${path} is a link that leads out of the folder of the description`, real);
  };
}

/** @throws ConfigError `CONFIG_INVALID` for a folder of `--allow-files` that is not there, and for no list of them */
export function checkAllowedFolders(allowed: readonly string[] = []): void {
  // From a program, which need not be held to types.
  if (!texts.fits(allowed))
    throw new ConfigError('CONFIG_INVALID', `The option allowFiles cannot be used: expected ${texts.expected}`, {
      hint: texts.hint?.(allowed),
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

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function refusal(description: string, message: string, path: string): ReturnType<MayRead> {
  return {
    message,
    expected: `a file in ${shown(dirname(resolve(description)))} or below it, or a JSON or YAML document of its project`,
    hint: `--allow-files ${shown(dirname(path))} allows it (allowFiles in a program).`,
  };
}

function shown(path: string): string {
  const near = relative(process.cwd(), path);
  if (near === '') return '.';
  return near.startsWith('..') ? path : near;
}
