import { checkLedger } from '../runner/check-ledger';
import type { Ledger } from '../runner/ledger';
import { patientLedger } from '../runner/patient-ledger';
import { readLedger, type LedgerContent } from '../runner/read-ledger';
import { redactResidue } from '../runner/redact';
import { removeLeftovers } from '../runner/remove-leftovers';
import { startRun, type Run } from '../runner/run';
import type { Residue } from '../runner/run-result';
import { ConfigError, TransportError, type HarnessError } from '../errors/harness-error';
import { checkCleanUpOptions } from './check-options';
import { reopenFileLedger, type FileLedger } from './node/file-ledger';
import { ledgerKey } from './node/ledger-seal';
import { readDescription, type DescriptionOptions } from './description-options';
import { packageVersion } from './node/package-root';
import { readTextFile } from './node/read-file';
import { openTarget, type TargetOptions } from './open-target';
import { chooseIdentities, chooseKey } from './run-choices';
import { isOwnLedger } from './trust-ledger';

export interface CleanUpOptions extends DescriptionOptions, Omit<TargetOptions, 'app' | 'basePath'> {
  readonly ledger: string;
  /** Where the service is. Left out: where the ledger says; another than that is refused. */
  readonly baseUrl?: string | undefined;
  /**
   * Take a ledger that this user did not write on this machine, or that was changed: one of a build server, say. Then
   * `baseUrl` and `description` have to be given, and only what shows that the run made it is removed.
   */
  readonly foreignLedger?: boolean | undefined;
  /** Path of the description. Left out: the one that the ledger names. */
  readonly description?: string | undefined;
  readonly apiKey?: string | undefined;
  /** `off` for a service that needs no key. */
  readonly auth?: 'key' | 'off' | undefined;
  /** Keys of further callers, by the name that contracts give them: what one of them made is removed by it. */
  readonly identities?: Readonly<Record<string, string>> | undefined;
}

/** What became of what an interrupted run had made. */
export interface CleanUpResult {
  readonly baseUrl: string;
  readonly runId: string;
  /** Paths of what is gone now, what was found on the way among them. */
  readonly removed: readonly string[];
  readonly leftBehind: readonly Residue[];
}

/** What a cleanup will do, before anything is sent. */
export interface CleanUpPlan {
  readonly baseUrl: string;
  readonly isLoopback: boolean;
  /** Was the ledger written elsewhere, or changed? */
  readonly isForeign: boolean;
  readonly runId: string;
  /** As the ledger has it. */
  readonly startedAt: string;
  /** Paths of what the run made, the latest first. */
  readonly toRemove: readonly string[];
  /** Where creations were sent to of which nobody knows whether they happened, or where what they made stands. */
  readonly toFind: readonly string[];
}

/** For the command line. */
export interface CleanUpHooks {
  /** Called before anything is sent; nothing is when it throws. */
  readonly onPlan?: ((plan: CleanUpPlan) => void | Promise<void>) | undefined;
}

/**
 * Finishes the cleanup of a run that was killed. The ledger goes when nothing is left, or only what there is no way to
 * remove, and is brought up to date otherwise. Every line of it is checked before anything is sent: what it names is
 * removed.
 *
 * @throws ConfigError, SpecError when the ledger or the description cannot be used
 * @throws TransportError when the target never answered; the ledger stays as it is
 */
export async function cleanUp(options: CleanUpOptions, hooks: CleanUpHooks = {}): Promise<CleanUpResult> {
  checkCleanUpOptions(options);
  const { ledger: file } = options;
  const text = readTextFile(
    file,
    (message, hint, cause) => new ConfigError('CONFIG_INVALID', message, { hint, cause }),
  );
  const content = readLedger(text, file);
  const key = ledgerKey();
  const isOwn = isOwnLedger(text, content, key, options);
  const { runId, baseUrl, description, remote } = content.start;
  const { api } = await readDescription(options.description ?? description, options);
  checkLedger(content, api);
  const version = packageVersion();
  const target = await openTarget(
    { ...options, baseUrl, remote: options.remote === true || remote === true },
    { version, runId },
  );
  try {
    const { transport, isLoopback } = target;
    const apiKey = chooseKey(options, api, isLoopback);
    const identities = chooseIdentities(options.identities);
    const made = {
      version,
      api,
      transport,
      baseUrl: target.baseUrl,
      apiKey,
      sendsKey: options.auth !== 'off',
      identities,
      runId,
      mode: 'own',
      needsEvidence: !isOwn,
    } as const;
    const toRun = (ledger: Ledger): Run => startRun({ ...made, ledger });
    return await finish(reopenFileLedger(file, key), content, toRun, async (run) =>
      hooks.onPlan?.(planOf(run, content, { isLoopback, isForeign: !isOwn })),
    );
  } finally {
    await target.close();
  }
}

async function finish(
  ledger: FileLedger,
  { entries }: LedgerContent,
  toRun: (ledger: Ledger) => Run,
  agree: (run: Run) => Promise<void>,
): Promise<CleanUpResult> {
  try {
    const gone: number[] = [];
    const notes = patientLedger({
      append(entry) {
        ledger.append(entry);
        if (entry.kind === 'removed') gone.push(entry.entry);
      },
    });
    const run = toRun(notes);
    run.creations.restore(entries);
    await agree(run);
    const left = notes.tellOf(await removeLeftovers(run));
    if (run.lost !== undefined && !run.hasAnswered) throw neverAnswered(run.lost, ledger.file);
    const leftBehind = left.map((residue) => redactResidue(residue, run.redact));
    if (leftBehind.every(({ isAccepted }) => isAccepted)) ledger.remove();
    return { baseUrl: run.baseUrl, runId: run.runId, removed: placesOf(run, gone), leftBehind };
  } finally {
    ledger.close();
  }
}

function planOf(run: Run, { start }: LedgerContent, about: Pick<CleanUpPlan, 'isLoopback' | 'isForeign'>): CleanUpPlan {
  const { baseUrl, runId, creations, redact } = run;
  const remaining = creations.remaining();
  return {
    baseUrl,
    ...about,
    runId,
    startedAt: start.startedAt,
    toRemove: remaining.flatMap(({ item }) => item ?? []).map(redact),
    toFind: remaining.flatMap(({ item, path }) => (item === undefined ? [path] : [])).map(redact),
  };
}

/** Paths of what was removed, in that order, each once. */
function placesOf({ creations, redact }: Run, entries: readonly number[]): string[] {
  const items = new Map(creations.removed().map(({ entry, item = '' }) => [entry, item]));
  return [...new Set(entries.flatMap((entry) => items.get(entry) ?? []))].map(redact);
}

function neverAnswered({ code, message, cause }: HarnessError, file: string): TransportError {
  return new TransportError(code, message, {
    hint: `Nothing was removed, and the ledger ${file} stays: run standin cleanup again when the service answers.`,
    cause,
  });
}
