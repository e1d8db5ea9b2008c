import { dirname, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Jiti from 'jiti';
import { codeOf, messageOf } from '../../errors/error-facts';

/** Told of each file, whether it can be read or not. */
export type OnRead = (path: string) => void;

/** Files that an earlier call loaded; Node keeps what they exported. */
const loadedBefore = new Set<string>();

/**
 * Loads a module as it is now, with the files of the same author that it loads: JavaScript of either module format, or
 * TypeScript. Node itself reads an ES module once, and TypeScript in its newer versions alone; packages are left to it.
 *
 * A module that awaits at its top level is read anew, those that it imports are not.
 *
 * @param path - absolute
 * @param onRead - told of the files that were read, and of one that is missing by the names that it may have
 * @throws what the module throws
 */
export async function loadAnew(path: string, onRead: OnRead = () => undefined): Promise<unknown> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only by who needs it
  const { createJiti } = require('jiti') as typeof Jiti;
  const jiti = createJiti(__filename, { fsCache: false });
  for (const file of loadedBefore) Reflect.deleteProperty(jiti.cache, file);
  loadedBefore.clear();
  const others = new Set(Object.keys(jiti.cache));
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the others hand an ES module to Node as it is
    return jiti(path) as unknown;
  } catch (error) {
    if (awaits(error)) return isTypeScript(path) ? await jiti.import(path) : await importAnew(path);
    for (const file of missingFiles(error)) onRead(file);
    throw error;
  } finally {
    const added = Object.keys(jiti.cache).filter((file) => !others.has(file));
    for (const file of added.filter((file) => !file.includes(`${sep}node_modules${sep}`))) {
      loadedBefore.add(file);
      onRead(file);
    }
  }
}

/** @returns a file by the name that it is asked for, and by those that it may have with an extension */
export function moduleFiles(file: string): string[] {
  return [file, ...['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts'].map((extension) => `${file}${extension}`)];
}

/** Is this the name of a file in TypeScript? */
export function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
}

function awaits(error: unknown): boolean {
  return messageOf(error).startsWith('await is only valid in async functions');
}

/** A module is loaded once for each URL. */
function importAnew(path: string): Promise<unknown> {
  return import(`${pathToFileURL(path).href}?at=${Date.now()}`);
}

/** Where the file was looked for that a module names and that is not there. */
function missingFiles(error: unknown): string[] {
  if (codeOf(error) !== 'MODULE_NOT_FOUND') return [];
  const [, name] = /^Cannot find module '(\.[^']*)'/.exec(messageOf(error)) ?? [];
  const [from] = (error as { readonly requireStack?: readonly string[] }).requireStack ?? [];
  return name === undefined || from === undefined ? [] : moduleFiles(resolve(dirname(from), name));
}
