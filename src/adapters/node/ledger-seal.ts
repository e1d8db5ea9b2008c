import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../errors/error-facts';
import { stateFolder } from './state-folder';

const KEY_LENGTH = 32;
/** Hexadecimal digits of a seal. */
const SEAL_LENGTH = 32;
const SEALED = new RegExp(`^(.*),"mac":"([0-9a-f]{${SEAL_LENGTH}})"\\}$`);

/**
 * Seals the lines of a ledger: each has a code of this user's key, its own text and the seal of the line before it
 * (HMAC, RFC 2104), so that no line can be changed, added, moved or taken out of the middle without the key. The end may
 * be missing: so a crash leaves it.
 */
export class LedgerSeal {
  private readonly key: Uint8Array;
  private last: string;

  /** @param last - the seal of the last line that is there already */
  constructor(key: Uint8Array, last = '') {
    this.key = key;
    this.last = last;
  }

  /**
   * @param line - JSON of an object, on one line
   * @param write - keeps the sealed line; where it throws, the line was never there
   */
  seal(line: string, write: (sealed: string) => void): void {
    const seal = sealOf(this.key, this.last, line);
    write(`${line.slice(0, -1)},"mac":"${seal}"}`);
    this.last = seal;
  }
}

/** A seal to go on with; `undefined` where a line that is there was not sealed with this key. A line that was cut does not count. */
export function continueSeal(key: Uint8Array, text: string): LedgerSeal | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  let last = '';
  for (const [index, line] of lines.entries()) {
    const [, head = '', seal = ''] = SEALED.exec(line) ?? [];
    if (index > 0 && index === lines.length - 1 && !line.endsWith('}')) break;
    const expected = sealOf(key, last, `${head}}`);
    if (seal.length !== SEAL_LENGTH || !timingSafeEqual(Buffer.from(seal), Buffer.from(expected))) return undefined;
    last = seal;
  }
  return new LedgerSeal(key, last);
}

function sealOf(key: Uint8Array, last: string, line: string): string {
  return createHmac('sha256', key).update(`${last}\n${line}`).digest('hex').slice(0, SEAL_LENGTH);
}

/**
 * The key of this user's ledgers, made when it is first asked for; nobody else may read it. One that others can read is
 * worth nothing, and is made anew.
 *
 * @returns `undefined` where it cannot be kept, as in a container without a home: ledgers are then not sealed
 */
export function ledgerKey(): Uint8Array | undefined {
  try {
    const file = join(stateFolder(), 'ledger.key');
    return readKey(file) ?? makeKey(file);
  } catch {
    return undefined;
  }
}

function readKey(file: string): Uint8Array | undefined {
  try {
    const { mode } = statSync(file);
    const key = readFileSync(file);
    if (key.length === KEY_LENGTH && (process.platform === 'win32' || (mode & 0o077) === 0)) return key;
    rmSync(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return undefined;
}

function makeKey(file: string): Uint8Array | undefined {
  try {
    const key = randomBytes(KEY_LENGTH);
    writeFileSync(file, key, { flag: 'wx', mode: 0o600 });
    return key;
  } catch (error) {
    // Another run made it at the same time.
    if (codeOf(error) === 'EEXIST') return readKey(file);
    throw error;
  }
}
