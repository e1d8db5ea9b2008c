import { cleanUp } from '../adapters/clean-up';
import { printable } from '../errors/printable';
import { readKey } from './api-keys';
import { EXIT } from './main';
import type { CleanUpFlags } from './verify-command';

/**
 * Removes what an interrupted run left behind, and tells what became of it.
 *
 * @returns the exit code: 4 when something is still there
 */
export async function cleanUpLedger(ledger: string, flags: CleanUpFlags): Promise<number> {
  const { spec, timeout, proxy, ca } = flags;
  const options = { ledger, description: spec, apiKey: readKey(flags), timeoutMs: timeout * 1000, proxy, ca };
  const { baseUrl, runId, removed, leftBehind } = await cleanUp(options);
  const lines = [
    `Run ${runId} at ${baseUrl}`,
    ...removed.map((item) => `  removed      ${printable(item)}`),
    ...leftBehind.map(
      ({ url, operation, reason }) => `  still there  ${printable(url)} (${operation}): ${printable(reason)}`,
    ),
    leftBehind.length === 0 ? 'Nothing is left.' : `The ledger ${ledger} has what is left.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return leftBehind.length === 0 ? EXIT.ok : EXIT.leftBehind;
}
