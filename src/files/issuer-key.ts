import { createPrivateKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ConfigError } from '../core/errors/standin-error';
import { newSigningKey } from '../issuer/signing-keys';

const HINT =
  'Name a file that is not there yet: the issuer writes its key into it. Or one that holds an RSA key as PEM.';

/**
 * The key of a file, which is written where there is none.
 *
 * @throws ConfigError `CONFIG_INVALID` for a file that holds something else, or that cannot be written
 */
export function issuerKey(file: string): KeyObject {
  if (existsSync(file)) return readKey(file);
  const key = newSigningKey();
  try {
    // Only its owner may read it; one that another process wrote meanwhile stays.
    writeFileSync(file, key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError('CONFIG_INVALID', `The key of the issuer cannot be written: ${reason}`, { hint: HINT });
  }
  return key;
}

function readKey(file: string): KeyObject {
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Said below.
  }
  throw new ConfigError('CONFIG_INVALID', `The file ${file} holds no RSA key to sign tokens with`, { hint: HINT });
}
