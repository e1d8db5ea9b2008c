import { readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { codeOf } from '../../errors/error-facts';
import type { ReadFile } from '../../formats/read-body';

/** Larger files are refused unread: each is kept in memory for the whole run. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/**
 * Reads the files that a contract sends. They stand in its folder or below it: a contract that somebody else wrote must
 * not send what is elsewhere on this machine, by no link either.
 *
 * @param contract - path of the contract
 */
export function contractFiles(contract: string): ReadFile {
  const folder = dirname(resolve(contract));
  return (path) => {
    const asked = resolve(folder, path);
    if (isAbsolute(path) || !isBelow(folder, asked)) {
      const expected = `a file in the folder of the contract, ${shown(folder)}, or below it`;
      return { kind: 'refused', reason: 'is outside the folder of the contract', expected };
    }
    try {
      if (!isBelow(realpathSync(folder), realpathSync(asked))) {
        const expected = 'a file that stands there itself';
        return { kind: 'refused', reason: 'is a link that leads out of the folder of the contract', expected };
      }
      const fault = faultOf(statSync(asked));
      if (fault !== undefined) return { kind: 'refused', ...fault };
      return { kind: 'read', bytes: new Uint8Array(readFileSync(asked)) };
    } catch (error) {
      const code = codeOf(error);
      const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? 'unknown'})`;
      const hint = `It is looked for at ${shown(join(folder, path))}.`;
      return { kind: 'refused', reason, expected: 'a path from the folder of the contract', hint };
    }
  };
}

function faultOf(stats: Stats): { readonly reason: string; readonly expected: string } | undefined {
  if (!stats.isFile()) return { reason: 'is no file', expected: 'a file' };
  if (stats.size <= MAX_FILE_BYTES) return undefined;
  return { reason: `has ${stats.size} bytes`, expected: `at most ${MAX_FILE_BYTES} bytes` };
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' ? '.' : near.startsWith('..') ? path : near;
}
