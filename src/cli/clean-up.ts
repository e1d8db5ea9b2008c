import { cleanUp } from '../adapters/clean-up';
import { printable } from '../errors/printable';
import type { Residue } from '../runner/run-result';
import { readIdentities, readKey } from './api-keys';
import { EXIT } from './main';
import type { CleanUpFlags } from './verify-command';

/**
 * Removes what an interrupted run left behind, and tells what became of it.
 *
 * @returns the exit code: 4 when something is still there that could have gone
 */
export async function cleanUpLedger(ledger: string, flags: CleanUpFlags): Promise<number> {
  const { spec, timeout, proxy, ca } = flags;
  const keys = { apiKey: readKey(flags), identities: readIdentities(flags) };
  const options = { ledger, description: spec, ...keys, timeoutMs: timeout * 1000, proxy, ca };
  const { baseUrl, runId, removed, leftBehind } = await cleanUp(options);
  const isDone = leftBehind.every(({ isAccepted }) => isAccepted);
  const lines = [
    `Run ${runId} at ${baseUrl}`,
    ...removed.map((item) => `  removed      ${printable(item)}`),
    ...leftBehind.map(residueLine),
    lastLine(leftBehind, isDone, ledger),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return isDone ? EXIT.ok : EXIT.leftBehind;
}

function residueLine({ url, operation, reason, isAccepted }: Residue): string {
  const state = isAccepted ? 'stays      ' : 'still there';
  return `  ${state}  ${printable(url)} (${operation}): ${printable(reason)}`;
}

function lastLine(leftBehind: readonly Residue[], isDone: boolean, ledger: string): string {
  if (!isDone) return `The ledger ${ledger} has what is left.`;
  return leftBehind.length === 0 ? 'Nothing is left.' : 'Nothing is left but what was to stay.';
}
