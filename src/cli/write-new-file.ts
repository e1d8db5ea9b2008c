import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../errors/error-facts';
import { ConfigError } from '../errors/harness-error';

/** Writes a file that is not there yet, and the folders above it. @throws ConfigError when it is there, or cannot be written */
export function writeNewFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    const code = codeOf(cause);
    const message = code === 'EEXIST' ? `${path} is there already` : `${path} cannot be written (${code ?? 'unknown'})`;
    throw new ConfigError('CONFIG_INVALID', message, { cause });
  }
}
