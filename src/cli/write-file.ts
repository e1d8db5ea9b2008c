import { randomUUID } from 'node:crypto';
import { accessSync, constants, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file under another name and moves it: nobody ever sees half of it. Missing folders are made.
 *
 * @throws what the file system throws
 */
export function writeWhole(file: string, text: string): void {
  makeFolder(dirname(file));
  // A device or a pipe must not be replaced by a file.
  if (isSpecial(file)) {
    writeFileSync(file, text);
    return;
  }
  const { target, temporary } = placesOf(file);
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Finds out whether {@link writeWhole} will be able to write a file, by doing the first half of it. Missing folders are
 * made.
 *
 * @throws what the file system throws
 */
export function requireWritable(file: string): void {
  makeFolder(dirname(file));
  if (isSpecial(file)) {
    // Opening a pipe would wait for its reader.
    if (statSync(file).isDirectory()) throw new Error('it is a folder');
    accessSync(file, constants.W_OK);
    return;
  }
  const { temporary } = placesOf(file);
  try {
    writeFileSync(temporary, '');
  } finally {
    rmSync(temporary, { force: true });
  }
}

function isSpecial(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === false;
}

/** A link stays one: what it leads to is replaced. */
function placesOf(file: string): { readonly target: string; readonly temporary: string } {
  const target = statSync(file, { throwIfNoEntry: false }) === undefined ? file : realpathSync(file);
  return { target, temporary: join(dirname(target), `${basename(target)}.${randomUUID().slice(0, 8)}.tmp`) };
}

/**
 * One folder after the other. Node's own way, `recursive`, never ends where the system denies that a folder is there
 * whose parent is, as below /proc.
 */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it since.
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) throw error;
  }
}
