import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ConfigError } from '../core/errors/standin-error';
import { isWithin, readTextFile } from './file-access';

const CONTRACT = /\.(?:ya?ml|json)$/i;
/** As the format of contracts names itself. */
const SIGN = /(?:^|[\s"'{,])["']?standin["']?\s*:\s*["']?contract\//;
const SKIPPED = /^(?:\.|node_modules$|dist$|build$|coverage$)/;
/** Where contracts are looked for: so many folders below the working folder, and so many files in all. */
const MOST_DEPTH = 5;
const MOST_FILES = 2000;

/** The contracts below a folder, and no other file of the machine. */
export class WorkingFolder {
  private readonly root: string;

  /** @param folder - it must be there */
  constructor(folder: string) {
    this.root = realpathSync(folder);
  }

  /** Files that say that they are contracts, by their paths from the folder. */
  contracts(): string[] {
    const found: string[] = [];
    let looked = 0;
    const look = (folder: string, depth: number): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory() && depth < MOST_DEPTH && !SKIPPED.test(entry.name)) look(path, depth + 1);
        if (!entry.isFile() || !CONTRACT.test(entry.name) || looked >= MOST_FILES) continue;
        looked += 1;
        if (SIGN.test(readTextFile(path, 'CONTRACT_UNREADABLE').slice(0, 4000))) found.push(relative(this.root, path));
      }
    };
    look(this.root, 0);
    return found.sort();
  }

  /** @throws ConfigError for a file outside the folder, and one that is no contract; ContractError for one that is not there */
  read(file: string): string {
    const text = readTextFile(this.inside(file), 'CONTRACT_UNREADABLE');
    if (SIGN.test(text)) return text;
    throw new ConfigError('CONFIG_INVALID', `${file} is no contract`, { hint: 'Contracts say standin: contract/1.' });
  }

  /** @throws ConfigError for a place outside the folder, a name that no contract has, and a file that is there */
  write(file: string, text: string, replaces: boolean): void {
    if (!CONTRACT.test(file))
      throw new ConfigError('CONFIG_INVALID', `${file} is no name of a contract`, {
        hint: 'It ends in .yaml, .yml or .json.',
      });
    const path = this.inside(file);
    if (existsSync(path)) {
      if (!replaces)
        throw new ConfigError('CONFIG_INVALID', `${file} is there already`, {
          hint: 'Take another name, or say replace: true.',
        });
      // What is no contract is not replaced, whoever says so.
      this.read(file);
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** @returns the whole path. @throws ConfigError where it leads outside the folder, by a link as well */
  inside(file: string): string {
    const path = resolve(this.root, file);
    const real = realOf(path);
    if (
      isWithin(this.root, real) &&
      !relative(this.root, real)
        .split('/')
        .some((part) => SKIPPED.test(part))
    )
      return path;
    throw new ConfigError('CONFIG_INVALID', `${file} is not below the working folder`, {
      hint: 'Name a file by its path from the working folder, such as contracts/shop.yaml; folders with a dot, and node_modules, are left alone.',
    });
  }
}

/** Where a path leads, as far as it is there. */
function realOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const above = dirname(path);
  return above === path ? path : join(realOf(above), basename(path));
}

/** Does something with a text in a file of its own, which is gone afterwards. */
export async function withFile<Result>(
  name: string,
  text: string,
  act: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'standin-'));
  try {
    const path = join(folder, name);
    writeFileSync(path, text);
    return await act(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
