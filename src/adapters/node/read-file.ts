import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { codeOf } from '../../errors/error-facts';
import { HarnessError } from '../../errors/harness-error';
import { isAddress } from '../../http/is-address';

const AN_ADDRESS =
  'Only descriptions are read from an address, and not where nothing can be waited for; save it as a file.';

/** Larger files are refused unread: no description that people write comes near. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a text file of the user's.
 *
 * @param fail - makes the error to throw, of the family that the kind of file asks for
 * @throws what `fail` makes, when the file is missing, is no file, is too large or is not UTF-8
 */
export function readTextFile(
  file: string,
  fail: (message: string, hint: string, cause?: unknown) => HarnessError,
): string {
  let bytes: Buffer;
  try {
    const stats = statSync(file);
    // A device or a pipe, as in `<(…)`, has no size, and may never end.
    if (!stats.isFile() && !stats.isDirectory())
      throw fail(`${file} is no file`, 'Save what it gives as a file, and name that.');
    const { size } = stats;
    if (size > MAX_FILE_BYTES) throw fail(`${file} has ${size} bytes`, `Files up to ${MAX_FILE_BYTES} bytes are read.`);
    bytes = readFileSync(file);
  } catch (error) {
    const code = error instanceof HarnessError ? undefined : codeOf(error);
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'does not exist',
      EISDIR: 'is a folder, not a file',
      EACCES: 'cannot be read: permission denied',
      ENOTDIR: 'does not exist',
    };
    if (code === undefined) throw error;
    throw fail(
      `${file} ${reasons[code] ?? `cannot be read (${code})`}`,
      isAddress(file) ? AN_ADDRESS : (elsewhere(file) ?? 'Check the path; it is relative to the current folder.'),
      error,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw fail(`${file} is not UTF-8 text`, 'Save it as UTF-8.', error);
  }
}

/**
 * `npm run` starts a script in the folder of its package and tells in `INIT_CWD` where the user stands. Paths are not read
 * against it: those within a script are meant from the package.
 */
function elsewhere(file: string): string | undefined {
  const folder = process.env['INIT_CWD'];
  if (folder === undefined || isAbsolute(file)) return undefined;
  const meant = resolve(folder, file);
  if (meant === resolve(file) || !existsSync(meant)) return undefined;
  return `npm runs scripts in ${process.cwd()}; the file that you mean is ${meant}.`;
}
