import { LedgerSeal, ledgerKey } from '../../src/files/ledger-file';

/** The text of a ledger as this user's run would have written it; seals that are there are made anew. */
export function sealedLines(lines: readonly unknown[]): string {
  const seal = new LedgerSeal(ledgerKey()!);
  let text = '';
  for (const line of lines) {
    seal.seal(JSON.stringify({ ...(line as object), mac: undefined }), (sealed) => (text += `${sealed}\n`));
  }
  return text;
}
