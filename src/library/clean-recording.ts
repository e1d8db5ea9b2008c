import { renameSync } from 'node:fs';
import { createLineFile, readLines } from '../files/line-file';
import { cleanedLine } from '../traffic/exchange/recording-lines';
import type { SecretVault } from '../traffic/secrets/secret-vault';

/**
 * Looks through the file of a recording that has ended. What an exchange held before it was known to be a secret, such as
 * a key that was shown first and used as one later, is replaced there too: the file is written anew.
 *
 * @throws StandinError `SECRET_NOT_REPLACED` where a secret still stands in a line
 */
export function cleanRecordingAgain(file: string, vault: SecretVault): void {
  if (vault.uses().length === 0 || !holdsSecret(file, vault)) return;
  const cleanFile = `${file}.clean`;
  const lines = createLineFile(cleanFile);
  try {
    for (const line of readLines(file)) {
      const clean = vault.scan(line).length === 0 ? line : cleanedLine(line, (exchange) => vault.clean(exchange));
      vault.assertClean(file, clean);
      lines.append(clean);
    }
  } finally {
    lines.close();
  }
  renameSync(cleanFile, file);
}

function holdsSecret(file: string, vault: SecretVault): boolean {
  for (const line of readLines(file)) if (vault.scan(line).length > 0) return true;
  return false;
}
