import { ConfigError, type StandinError, TransportError } from '../core/errors/standin-error';
import { printable } from '../core/text/printable';
import type { TellProgress } from '../core/text/progress';
import { packageVersion, readTextFile } from '../files/file-access';
import { continueSeal, type FileLedger, ledgerKey, reopenFileLedger } from '../files/ledger-file';
import { readDescription } from '../files/load-api';
import { openTarget, readBaseUrl } from '../network/target';
import { type Run, type RunInput, startRun } from '../runner/exchange/run-state';
import { tolerantLedger } from '../runner/ownership/ledger';
import { checkLedger, type LedgerContent, readLedger } from '../runner/ownership/ledger-lines';
import type { Residue } from '../runner/result/run-result';
import { redactResidue } from '../runner/result/step-redaction';
import { ProgressCounter } from '../runner/run/progress-counter';
import { removeLeftovers } from '../runner/run/remove-leftovers';
import { learnSchemeWords } from '../runner/run/scheme-words';
import { chooseIdentities, chooseKey, chooseSchemeKeys } from './run-choices';
import { checkCleanUpOptions, type CleanUpOptions } from './clean-up-options';

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

interface CleanUpHooks {
  /** Called before anything is sent; nothing is when it throws. */
  readonly onPlan?: ((plan: CleanUpPlan) => void | Promise<void>) | undefined;
  /** Called while the description is loaded. */
  readonly onLoading?: TellProgress | undefined;
  /** Called while things are removed. */
  readonly onProgress?: RunInput['onProgress'];
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
  const text = readTextFile(file, 'CONFIG_INVALID');
  const content = readLedger(text, file);
  const key = ledgerKey();
  const isOwn = isOwnLedger(text, content, key, options);
  const { runId, baseUrl, description, remote } = content.start;
  const { api } = await readDescription(options.description ?? description, options, {
    onProgress: hooks.onLoading,
  });
  checkLedger(content, api);
  const version = packageVersion();
  const target = await openTarget(
    { ...options, baseUrl, remote: options.remote === true || remote === true },
    { version, runId },
  );
  try {
    const { transport, isLoopback } = target;
    const input: RunInput = {
      version,
      api,
      transport,
      baseUrl: target.baseUrl,
      apiKey: chooseKey(options, api, isLoopback),
      schemeKeys: chooseSchemeKeys(options, api),
      sendsKey: options.auth !== 'off',
      identities: chooseIdentities(options.identities),
      runId,
      mode: 'own',
      needsEvidence: !isOwn,
      onProgress: hooks.onProgress,
    };
    return await finish(reopenFileLedger(file, key), content, input, async (run) =>
      hooks.onPlan?.(planOf(run, content, { isLoopback, isForeign: !isOwn })),
    );
  } finally {
    await target.close();
  }
}

async function finish(
  ledger: FileLedger,
  { entries }: LedgerContent,
  input: RunInput,
  agree: (run: Run) => Promise<void>,
): Promise<CleanUpResult> {
  try {
    const gone: number[] = [];
    const notes = tolerantLedger({
      append(entry) {
        ledger.append(entry);
        if (entry.kind === 'removed') gone.push(entry.entry);
      },
    });
    const run = startRun({ ...input, ledger: notes });
    run.creations.restore(entries);
    await agree(run);
    await learnSchemeWords(run);
    const left = notes.withLedgerRemark(await removeLeftovers(run, ProgressCounter.of(run, [])));
    if (run.targetError !== undefined && !run.hasAnswered) throw noResponseError(run.targetError, ledger.file);
    const leftBehind = left.map((residue) => redactResidue(residue, run.redact));
    if (leftBehind.every(({ isAccepted }) => isAccepted)) ledger.remove();
    return { baseUrl: run.baseUrl, runId: run.runId, removed: removedPaths(run, gone), leftBehind };
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
function removedPaths({ creations, redact }: Run, entries: readonly number[]): string[] {
  const items = new Map(creations.removed().map(({ entry, item = '' }) => [entry, item]));
  return [...new Set(entries.flatMap((entry) => items.get(entry) ?? []))].map(redact);
}

function noResponseError({ code, message, cause }: StandinError, file: string): TransportError {
  return new TransportError(code, message, {
    hint: `Nothing was removed, and the ledger ${file} stays: run standin cleanup again when the service responds.`,
    cause,
  });
}

/**
 * Whether a ledger is this user's own and unchanged. What a ledger names is removed, with a key that goes where it says:
 * one that somebody else wrote, or changed, is used only when that was said, and then names neither the service nor the
 * description.
 *
 * @param text - the whole file
 * @param key - of this user's ledgers; `undefined` where there is none
 * @throws ConfigError `CONFIG_INVALID` when it may not be used, and when it is of another service than was said
 */
function isOwnLedger(text: string, content: LedgerContent, key: Uint8Array | undefined, said: CleanUpOptions): boolean {
  const { start } = content;
  const isOwn = key !== undefined && continueSeal(key, text) !== undefined;
  if (!isOwn) requireTrust(start.baseUrl, said);
  const { baseUrl, ledger } = said;
  if (baseUrl !== undefined && readBaseUrl(baseUrl).text !== readBaseUrl(start.baseUrl).text) {
    const message = `The ledger ${ledger} is of a run at ${printable(start.baseUrl)}, not at ${baseUrl}; nothing was sent`;
    throw new ConfigError('CONFIG_INVALID', message, { hint: 'Is it the ledger of another run?' });
  }
  return isOwn;
}

function requireTrust(named: string, { ledger, baseUrl, description, foreignLedger }: CleanUpOptions): void {
  const missing = [
    ...(foreignLedger === true ? [] : ['--foreign-ledger']),
    ...(baseUrl === undefined ? [`--base-url URL (it names ${printable(named)})`] : []),
    ...(description === undefined ? ['--spec FILE'] : []),
  ];
  if (missing.length === 0) return;
  throw new ConfigError(
    'CONFIG_INVALID',
    `The ledger ${ledger} was not written by this user on this machine, or was changed since; nothing was sent`,
    {
      hint: `What it names would be removed. If you know who wrote it, say so, and name service and description yourself: ${missing.join(', ')}.`,
    },
  );
}
