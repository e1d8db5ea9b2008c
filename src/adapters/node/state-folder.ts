import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where things are kept that are to outlive a run and are nobody's but this user's: `$XDG_STATE_HOME/standin`, else
 * `~/.local/state/standin` (XDG Base Directory Specification), on Windows below `%LOCALAPPDATA%`. Made when it is asked
 * for, for this user alone.
 *
 * @throws what the file system throws, where this user may not write there
 */
export function stateFolder(environment: Environment = process.env, platform: string = process.platform): string {
  const named = platform === 'win32' ? environment['LOCALAPPDATA'] : environment['XDG_STATE_HOME'];
  const above = named === undefined || named === '' ? join(homedir(), '.local', 'state') : named;
  const folder = join(above, 'standin');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** So many ledgers of runs at this machine are kept; nobody tidies there. */
const MOST_LEDGERS = 100;

/**
 * Where the ledgers of runs at services of this machine are kept. The oldest make room.
 *
 * @throws what the file system throws
 */
export function ledgerFolder(): string {
  const folder = join(stateFolder(), 'ledgers');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(folder);
  if (names.length >= MOST_LEDGERS) dropOldest(folder, names, names.length - MOST_LEDGERS + 1);
  return folder;
}

function dropOldest(folder: string, names: readonly string[], count: number): void {
  const files = names.flatMap((name) => {
    const path = join(folder, name);
    const facts = statSync(path, { throwIfNoEntry: false });
    return facts?.isFile() === true ? [{ path, at: facts.mtimeMs }] : [];
  });
  for (const { path } of files.toSorted((left, right) => left.at - right.at).slice(0, count)) {
    rmSync(path, { force: true });
  }
}
