import { patientLedger } from '../runner/patient-ledger';
import { readLedger } from '../runner/read-ledger';
import { removeLeftovers } from '../runner/remove-leftovers';
import { startRun } from '../runner/run';
import type { Residue } from '../runner/run-result';
import { ConfigError } from '../errors/harness-error';
import { checkCleanUpOptions } from './check-options';
import { reopenFileLedger } from './node/file-ledger';
import { loadApi } from './node/load-api';
import { packageVersion } from './node/package-root';
import { readTextFile } from './node/read-file';
import { openTarget, type TargetOptions } from './open-target';
import { chooseIdentities, chooseKey } from './run-choices';

export interface CleanUpOptions extends Omit<TargetOptions, 'baseUrl' | 'app'> {
  readonly ledger: string;
  /** Path of the description. Left out: the one that the ledger names. */
  readonly description?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Keys of further callers, by the name that contracts give them: what one of them made is removed by it. */
  readonly identities?: Readonly<Record<string, string>> | undefined;
}

/** What became of what an interrupted run had made. */
export interface CleanUpResult {
  readonly baseUrl: string;
  readonly runId: string;
  readonly removed: readonly string[];
  readonly leftBehind: readonly Residue[];
}

/**
 * Finishes the cleanup of a run that was killed. The ledger goes when nothing is left, or only what there is no way to
 * remove, and is brought up to date otherwise.
 *
 * @throws ConfigError, SpecError when the ledger or the description cannot be used
 */
export async function cleanUp(options: CleanUpOptions): Promise<CleanUpResult> {
  checkCleanUpOptions(options);
  const { ledger: file } = options;
  const text = readTextFile(
    file,
    (message, hint, cause) => new ConfigError('CONFIG_INVALID', message, { hint, cause }),
  );
  const { start, entries } = readLedger(text, file);
  const { runId, baseUrl } = start;
  const { api } = loadApi(options.description ?? start.description);
  const version = packageVersion();
  const target = await openTarget({ ...options, baseUrl }, { version, runId });
  const ledger = reopenFileLedger(file);
  try {
    const { transport, isLoopback } = target;
    const apiKey = chooseKey(options.apiKey, api, isLoopback);
    const identities = chooseIdentities(options.identities);
    const notes = patientLedger(ledger);
    const run = startRun({ version, api, transport, baseUrl, apiKey, identities, runId, mode: 'own', ledger: notes });
    run.creations.restore(entries);
    const before = run.creations.remaining();
    const leftBehind = notes.tellOf(await removeLeftovers(run));
    const removed = before.flatMap(({ item, state }) => (state === 'removed' && item !== undefined ? [item] : []));
    if (leftBehind.every(({ isAccepted }) => isAccepted)) ledger.remove();
    return { baseUrl, runId, removed, leftBehind };
  } finally {
    ledger.close();
    await target.close();
  }
}
