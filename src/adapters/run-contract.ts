import './node/node-globals';
import type { RequestListener } from 'node:http';
import { resolve } from 'node:path';
import type { SourceFinding } from '../errors/source-finding';
import type { Contract } from '../formats/contract';
import type { Transport } from '../http/transport';
import type { ApiModel } from '../openapi/model';
import { LEDGER_FORMAT, type Ledger, type LedgerEntry } from '../runner/ledger';
import { planRun, type Plan } from '../runner/plan';
import { runContracts } from '../runner/run-contracts';
import type { Mode, RunResult, StepResult } from '../runner/run-result';
import type { Shard } from '../runner/shard';
import { availabilityContract } from './availability';
import { checkRunOptions } from './check-options';
import { createFileLedger, requireNoLedger, type FileLedger } from './node/file-ledger';
import { ledgerKey } from './node/ledger-seal';
import { readDescription, type DescriptionOptions } from './description-options';
import { loadApi } from './node/load-api';
import { loadContracts, type GivenVariables } from './node/load-contracts';
import { BUNDLED, packageVersion, shownPath } from './node/package-root';
import { openTarget, type Target, type TargetOptions } from './open-target';
import { chooseIdentities, chooseKey, chooseMode, chooseRunId, chooseSelection, chooseWithin } from './run-choices';

export type { RunResult } from '../runner/run-result';

export interface RunContractOptions extends DescriptionOptions, TargetOptions {
  /** Where the service is, with the path before every path of the description. Left out: `app` is asked. */
  readonly baseUrl?: string | undefined;
  /** A service in this process, such as an Express app; it needs no port. */
  readonly app?: RequestListener | undefined;
  /** Path before every path of the description at `app`. Left out: that of the first server of the description. */
  readonly basePath?: string | undefined;
  /**
   * Contract files or folders. Left out: those of the bundled Petstore; for another description, that each GET which
   * needs no parameter answers.
   */
  readonly contracts?: string | readonly string[] | undefined;
  /** Path of an OpenAPI description. Left out: the bundled Petstore. */
  readonly description?: string | undefined;
  /** Values of the variables that contracts declare. What they declare under `env` is taken from `process.env`. */
  readonly variables?: GivenVariables | undefined;
  /** Left out: `test-key` on this machine, and an error elsewhere. */
  readonly apiKey?: string | undefined;
  /** `off` for a service that needs no key, whatever the description says: none is sent, and nothing is tried without one. */
  readonly auth?: 'key' | 'off' | undefined;
  /** Keys of further callers, by the name that contracts give them. */
  readonly identities?: Readonly<Record<string, string>> | undefined;
  /** What may be sent. Left out: `full` on this machine, `own` elsewhere. */
  readonly mode?: Mode | undefined;
  /**
   * Existing things below which a run in mode `own` may make something, by variable of the path:
   * `{ server_id: 'localhost' }`. For every contract, beside what each names itself.
   */
  readonly within?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** May the mode hold back most steps, and the run conform all the same? Left out: no. */
  readonly allowSkipped?: boolean | undefined;
  /** Tags and operations to run alone. */
  readonly only?: readonly string[] | undefined;
  /** Tags and operations to leave out. */
  readonly skip?: readonly string[] | undefined;
  /** How many contracts run at a time. Left out: 4 on this machine, 1 elsewhere. */
  readonly concurrency?: number | undefined;
  readonly shard?: Shard | undefined;
  /** Call secured operations without a good key as well? Left out: yes. */
  readonly probesAuth?: boolean | undefined;
  /** The same number gives the same id of the run, and with it the same names. */
  readonly seed?: number | undefined;
  /** File to write creations to before they are sent, sealed with the key of this user; it must not be there yet. Left out: none. */
  readonly ledger?: string | undefined;
  /** Once aborted nothing more is sent but the cleanup. */
  readonly signal?: AbortSignal | undefined;
  /** Takes the place of a socket; used as it is. */
  readonly transport?: Transport | undefined;
}

/** For the command line and the jest helper. */
export interface RunHooks {
  /** Gives the ledger of a run when none was named. */
  readonly ledgerFor?: ((runId: string) => string | undefined) | undefined;
  /** Called with what is doubtful about the description. */
  readonly warn?: ((finding: SourceFinding) => void) | undefined;
  /** Called before anything is sent; nothing is when it throws. */
  readonly onPlan?: ((plan: Plan, api: ApiModel) => void | Promise<void>) | undefined;
  /** Called with what the run makes and removes, as it is written down; without a ledger as well. */
  readonly onEntry?: ((entry: LedgerEntry) => void) | undefined;
  /** Called with each step as it ends. */
  readonly onStep?: ((step: StepResult) => void) | undefined;
}

/**
 * Replays contracts against a service and judges every answer by its description.
 *
 * @returns what was found; `outcome` sums it up
 * @throws ConfigError, SpecError, ContractError when the options or the files cannot be used. A target that cannot be
 *   reached is no exception: its steps end in an error each
 */
export async function runContract(options: RunContractOptions, hooks: RunHooks = {}): Promise<RunResult> {
  checkRunOptions(options);
  const { api, warnings } = await readDescription(options.description ?? shownPath(BUNDLED.description), options);
  for (const warning of warnings) hooks.warn?.(warning);
  const contracts = contractsFor(options, api);
  const runId = chooseRunId(options.seed, options.shard);
  const version = packageVersion();
  const basePath = options.basePath ?? api.basePath;
  const target = await openTarget({ ...options, basePath }, { version, runId });
  try {
    return await replay(options, hooks, { api, contracts, runId, version, target });
  } finally {
    await target.close();
  }
}

/** What can be loaded at once, which is all but documents of other machines. @throws SpecError, ContractError, ConfigError */
export function loadRun(
  options: Pick<RunContractOptions, 'contracts' | 'description' | 'lenient' | 'allowFiles' | 'variables'>,
  hooks: Pick<RunHooks, 'warn'>,
): { readonly api: ApiModel; readonly contracts: readonly Contract[] } {
  const { api, warnings } = loadApi(options.description ?? shownPath(BUNDLED.description), {
    isLenient: options.lenient,
    allowFiles: options.allowFiles,
  });
  for (const warning of warnings) hooks.warn?.(warning);
  return { api, contracts: contractsFor(options, api) };
}

interface Loaded {
  readonly api: ApiModel;
  readonly contracts: readonly Contract[];
  readonly runId: string;
  readonly version: string;
  readonly target: Target;
}

async function replay(options: RunContractOptions, hooks: RunHooks, loaded: Loaded): Promise<RunResult> {
  const { api, contracts, runId, version, target } = loaded;
  const { baseUrl, isLoopback } = target;
  const mode = chooseMode(options.mode, isLoopback);
  const selection = chooseSelection(options, api, contracts);
  const within = chooseWithin(options.within, api);
  const { shard, signal } = options;
  const sendsKey = options.auth !== 'off';
  const probesAuth = sendsKey ? options.probesAuth : false;
  const apiKey = chooseKey(options, api, isLoopback);
  const identities = chooseIdentities(options.identities);
  // Where nothing is made there is nothing to write down.
  const ledgerFile = mode === 'observe' ? undefined : (options.ledger ?? hooks.ledgerFor?.(runId));
  if (ledgerFile !== undefined) requireNoLedger(ledgerFile);
  const plan = planRun({ api, baseUrl, mode, runId, within, selection, shard, probesAuth, ledgerFile }, contracts);
  await hooks.onPlan?.(plan, api);
  await target.whenReady();
  const ledger = ledgerFile === undefined ? undefined : beginLedger(ledgerFile, loaded, options.remote);
  try {
    const result = await runContracts(
      {
        version,
        api,
        transport: target.transport,
        baseUrl,
        apiKey,
        sendsKey,
        identities,
        runId,
        mode,
        within,
        allowsSkipped: options.allowSkipped,
        selection,
        probesAuth,
        shard,
        concurrency: options.concurrency ?? (isLoopback ? 4 : 1),
        ledger: watched(ledger, hooks.onEntry),
        signal,
        onStep: hooks.onStep,
      },
      contracts,
    );
    discard(ledger, result);
    return result;
  } finally {
    ledger?.close();
  }
}

/** Sealed with the key of this user; for this machine the disk is not waited for. */
function beginLedger(file: string, { api, runId, target }: Loaded, remote: boolean | undefined): FileLedger {
  const { baseUrl, isLoopback } = target;
  const ledger = createFileLedger(file, { key: ledgerKey(), isDurable: !isLoopback });
  const description = api.document.file;
  const start = { kind: 'run', format: LEDGER_FORMAT, runId, baseUrl, description } as const;
  ledger.append({ ...start, startedAt: new Date().toISOString(), ...(remote === true ? { remote } : {}) });
  return ledger;
}

function watched(ledger: Ledger | undefined, onEntry: RunHooks['onEntry']): Ledger | undefined {
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

/** Those that were named, those of the bundled Petstore, or what can be asked without any. */
function contractsFor(
  { contracts, description, variables }: Pick<RunContractOptions, 'contracts' | 'description' | 'variables'>,
  api: ApiModel,
): readonly Contract[] {
  if (typeof contracts === 'string') return loadContracts([contracts], api, variables);
  if (contracts !== undefined && contracts.length > 0) return loadContracts(contracts, api, variables);
  if (isBundled(description)) return loadContracts([shownPath(BUNDLED.contracts)], api, variables);
  return [availabilityContract(api)];
}

/** Is it the bundled Petstore, which has contracts of its own? */
export function isBundled(description: string | undefined): boolean {
  return description === undefined || resolve(description) === BUNDLED.description;
}
