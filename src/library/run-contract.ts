import './node-globals';
import type { SourceFinding } from '../core/errors/standin-error';
import type { TellProgress } from '../core/text/progress';
import { BUNDLED, packageVersion, relativePath } from '../files/file-access';
import { createFileLedger, type FileLedger, ledgerKey, requireNoLedger } from '../files/ledger-file';
import { isStrict, loadApi, readDescription } from '../files/load-api';
import type { Contract } from '../formats/contract/contract';
import { withUncalled } from '../generated/uncalled';
import { openTarget, readBaseUrl, type Target } from '../network/target';
import type { ApiModel } from '../openapi/model/api-model';
import { type Ledger, LEDGER_FORMAT, type LedgerEntry } from '../runner/ownership/ledger';
import type { Mode, RunResult, StepResult } from '../runner/result/run-result';
import { type Plan, planRun } from '../runner/run/plan';
import { runContracts } from '../runner/run/run-contracts';
import { keysOf } from '../redaction/key-redactor';
import { contractsFor, MOST_REQUESTS, roundsFor, writtenContracts } from './contract-sources';
import type { Selection } from '../runner/exchange/run-state';
import { openReceiver } from './receiver-options';
import type { OpenReceiver } from '../network/event-receiver';
import type { Reference } from '../runner/transport/reference';
import type * as LockStepModule from './lock-step';
import {
  chooseIdentities,
  chooseKey,
  chooseMode,
  choosePromoted,
  chooseRefused,
  chooseRunId,
  chooseSchemeKeys,
  chooseSelection,
  chooseWithin,
  isRunKeyAsked,
} from './run-choices';
import { checkRunOptions, type RunContractOptions } from './run-options';

/** For the command line and the jest helper. */
export interface RunHooks {
  /** Gives the ledger of a run when none was named. */
  readonly ledgerFor?: ((runId: string) => string | undefined) | undefined;
  /** Called with what is doubtful about the description. */
  readonly warn?: ((finding: SourceFinding) => void) | undefined;
  /** Called while the description is loaded. */
  readonly onLoading?: TellProgress | undefined;
  /** Called with the contracts of the run. */
  readonly onContracts?: ((contracts: readonly Contract[]) => void) | undefined;
  /** Called before anything is sent; nothing is when it throws. */
  readonly onPlan?: ((plan: Plan, api: ApiModel) => void | Promise<void>) | undefined;
  /** Called with what the run makes and removes, as it is written down; without a ledger as well. */
  readonly onEntry?: ((entry: LedgerEntry) => void) | undefined;
  readonly onStep?: ((step: StepResult) => void) | undefined;
}

/**
 * Replays contracts against a service and checks every response by its description.
 *
 * @returns what was found; `outcome` sums it up
 * @throws ConfigError, SpecError, ContractError when the options or the files cannot be used. A target that cannot be
 *   reached is no exception: its steps end in an error each
 */
export async function runContract(given: RunContractOptions, hooks: RunHooks = {}): Promise<RunResult> {
  checkRunOptions(given);
  // Before anything is loaded: a mistyped address is reported at once.
  const isLoopback = given.baseUrl === undefined || readBaseUrl(given.baseUrl).isLoopback;
  const options = { ...given, mode: chooseMode(given.mode, isLoopback && given.remote !== true) };
  const { api, warnings } = await readDescription(options.description ?? relativePath(BUNDLED.description), options, {
    onProgress: hooks.onLoading,
  });
  for (const warning of warnings) hooks.warn?.(warning);
  const written = writtenContracts(options, api);
  const runId = chooseRunId();
  const contracts = contractsFor(options, api, written, runId);
  hooks.onContracts?.(contracts);
  const selection = chooseSelection(options, api, contracts);
  const version = packageVersion();
  const basePath = options.basePath ?? api.basePath;
  const target = await openTarget({ ...options, basePath }, { version, runId });
  let receiver: OpenReceiver | undefined;
  try {
    receiver = await openReceiver(options, api, contracts, { selection, mode: options.mode });
    return await replay(options, hooks, { api, written, contracts, selection, runId, version, target, receiver });
  } finally {
    await target.close();
    await receiver?.close();
  }
}

/** What can be loaded at once, which is all but documents of other machines. @throws SpecError, ContractError, ConfigError */
export function loadRun(
  options: Pick<RunContractOptions, 'contracts' | 'description' | 'strict' | 'lenient' | 'allowFiles' | 'variables'>,
  hooks: Pick<RunHooks, 'warn'>,
): { readonly api: ApiModel; readonly contracts: readonly Contract[] } {
  const { api, warnings } = loadApi(options.description ?? relativePath(BUNDLED.description), {
    isStrict: isStrict(options),
    allowFiles: options.allowFiles,
  });
  for (const warning of warnings) hooks.warn?.(warning);
  return { api, contracts: contractsFor(options, api) };
}

interface Loaded {
  readonly api: ApiModel;
  /** Contracts that a person wrote; `undefined` where there are none. */
  readonly written: readonly Contract[] | undefined;
  readonly contracts: readonly Contract[];
  readonly selection: Selection | undefined;
  readonly runId: string;
  readonly version: string;
  readonly target: Target;
  readonly receiver: OpenReceiver | undefined;
}

async function replay(
  options: RunContractOptions & { readonly mode: Mode },
  hooks: RunHooks,
  loaded: Loaded,
): Promise<RunResult> {
  const { api, contracts, selection, runId, version, target, receiver } = loaded;
  const { mode } = options;
  const { baseUrl, isLoopback } = target;
  const within = chooseWithin(options.within, api);
  const { shard, signal } = options;
  const sendsKey = options.auth !== 'off';
  const probesAuth = sendsKey ? options.probesAuth : false;
  const apiKey = chooseKey(options, api, isLoopback, isRunKeyAsked(api, contracts, selection));
  const schemeKeys = chooseSchemeKeys(options, api);
  const identities = chooseIdentities(options.identities);
  const refusedIdentities = chooseRefused(options.refusedIdentities, apiKey, identities);
  const keys = keysOf({ apiKey, schemeKeys, identities }).map(({ key }) => key);
  const reference = await referenceFor(options, { baseUrl, sendsKey, keys, contracts: contracts.length });
  // Where nothing is made there is nothing to write down.
  const ledgerFile = mode === 'observe' ? undefined : (options.ledger ?? hooks.ledgerFor?.(runId));
  if (ledgerFile !== undefined) requireNoLedger(ledgerFile);
  const about = { api, baseUrl, mode, runId, within, selection, shard, probesAuth, refusedIdentities, ledgerFile };
  const plan = planRun({ ...about, receiver }, contracts);
  await hooks.onPlan?.(plan, api);
  await target.whenReady();
  const ledger = ledgerFile === undefined ? undefined : openLedger(ledgerFile, loaded, options.remote);
  try {
    const result = await runContracts(
      {
        version,
        api,
        transport: target.transport,
        baseUrl,
        apiKey,
        schemeKeys,
        sendsKey,
        identities,
        refusedIdentities,
        runId,
        mode,
        within,
        allowsSkipped: options.allowSkipped,
        minCoverage: options.minCoverage,
        promoted: choosePromoted(options.promote),
        selection,
        probesAuth,
        shard,
        concurrency: options.concurrency ?? (isLoopback ? 4 : 1),
        reference,
        ledger: observedLedger(ledger, hooks.onEntry),
        budget: { requests: options.maxRequests, milliseconds: options.maxTimeMs },
        signal,
        receiver,
        onStep: hooks.onStep,
        onProgress: options.onProgress,
      },
      contracts,
      roundsFor(options, api, loaded.written, runId),
    );
    discard(ledger, result);
    return complete(result, options, loaded);
  } finally {
    ledger?.close();
  }
}

/** Of a run without contracts the result says what was not called. */
function complete(
  result: RunResult,
  { maxRequests = MOST_REQUESTS }: RunContractOptions,
  { api, written }: Loaded,
): RunResult {
  return written === undefined ? withUncalled(api, result, maxRequests) : result;
}

/** The mock beside the target, where one was asked for. */
function referenceFor(
  options: RunContractOptions,
  caller: Parameters<typeof LockStepModule.createReference>[1],
): Promise<Reference> | undefined {
  if (options.lockStep !== true) return undefined;
  // oxlint-disable-next-line typescript/no-require-imports -- a run that needs no mock loads none
  return (require('./lock-step') as typeof LockStepModule).createReference(options, caller);
}

/** Sealed with the key of this user; for this machine the disk is not waited for. */
function openLedger(file: string, { api, runId, target }: Loaded, remote: boolean | undefined): FileLedger {
  const { baseUrl, isLoopback } = target;
  const ledger = createFileLedger(file, { key: ledgerKey(), isDurable: !isLoopback });
  const description = api.document.file;
  const start = { kind: 'run', format: LEDGER_FORMAT, runId, baseUrl, description } as const;
  ledger.append({ ...start, startedAt: new Date().toISOString(), ...(remote === true ? { remote } : {}) });
  return ledger;
}

function observedLedger(ledger: Ledger | undefined, onEntry: RunHooks['onEntry']): Ledger | undefined {
  if (onEntry === undefined) return ledger;
  return {
    append(entry) {
      ledger?.append(entry);
      onEntry(entry);
    },
  };
}

/** A ledger is of no use to anybody when nothing is left, or only what there is no way to remove. */
function discard(ledger: FileLedger | undefined, { leftBehind }: RunResult): void {
  if (leftBehind.every(({ isAccepted }) => isAccepted)) ledger?.remove();
}
