import { scalarText } from '../../core/json/stringify-json';
import type { Contract } from '../../formats/contract/contract';
import type { Operation } from '../../openapi/model/operation';
import type { NamedKey } from '../../redaction/key-redactor';
import { type Run, type RunInput, startRun } from '../exchange/run-state';
import { NO_LEDGER, tolerantLedger } from '../ownership/ledger';
import { probeAuthentication } from '../probes/authentication-probes';
import { type BrowserCaller, browserCallers, probeBrowser } from '../probes/browser-probes';
import { probeAssumptions, type ProbeAssumptions } from '../probes/probe-target';
import { allSteps, coverageOf, isEmptyShard, outcomeOf, takeShard } from '../result/outcome';
import { type ContractResult, RESULT_FORMAT, type RunResult, type StepResult } from '../result/run-result';
import { redactResidue } from '../result/step-redaction';
import { usedOperations } from '../steps/selection';
import { removeLeftovers } from './remove-leftovers';
import { replayContract } from './replay-contract';
import { addRunFindings } from './run-findings';

/**
 * Replays contracts, a few at a time, then probes the authentication of every operation that they use, then removes
 * what is left, also after an error of the runner itself. Contracts are independent of each other, so that the verdict
 * is the same however many run at a time.
 */
export async function runContracts(input: RunInput, all: readonly Contract[]): Promise<RunResult> {
  const ledger = tolerantLedger(input.ledger ?? NO_LEDGER);
  const run = startRun({ ...input, ledger });
  for (const secret of secretVariables(all)) run.redact.learn(secret, secret.length);
  const startedAt = Date.now();
  const validated = await sendAll(run, all).catch(async (error: unknown) => {
    await removeAfterError(run);
    throw error;
  });
  const { contracts, probes } = validated;
  const left = ledger.withLedgerRemark(await removeLeftovers(run));
  const leftBehind = left.map((residue) => redactResidue(residue, run.redact));
  const { title, version, document } = run.api;
  const steps = allSteps(validated);
  return {
    format: RESULT_FORMAT,
    version: run.version,
    runId: run.runId,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    api: `${title} ${version}`.trim(),
    description: document.file,
    baseUrl: run.baseUrl,
    basePaths: run.api.mounts.map(({ basePath }) => basePath),
    mode: run.mode,
    ...(run.allowsSkipped === true ? { allowsSkipped: true } : {}),
    shard: run.shard,
    contracts,
    probes,
    coverage: coverageOf(run.api, steps),
    leftBehind,
    outcome: outcomeOf(steps, leftBehind, {
      isEmpty: isEmptyShard({ shard: run.shard, contracts }),
      allowsSkipped: run.allowsSkipped,
    }),
  };
}

/** Everything that is checked. */
type CheckedResults = Pick<RunResult, 'contracts' | 'probes'>;

async function sendAll(run: Run, all: readonly Contract[]): Promise<CheckedResults> {
  const contracts = takeShard(all, run.shard);
  const replays = await mapConcurrently(contracts, run.concurrency ?? 1, (contract) => replayContract(run, contract));
  const replayed = replays.map(({ result }) => result);
  const callers = browserCallers(run, all);
  const probed = {
    operations: takeShard(usedOperations(run, all), run.shard),
    callers,
    claims: probeAssumptions(run, all),
  };
  const generated = await probe(run, probed);
  const probes = [...replays.flatMap((replay) => replay.probes), ...generated];
  await Promise.all(run.pendingResults);
  // Before the removal, which is the runner's own traffic and nobody's contract.
  return withRunFindings(run, replayed, probes);
}

/** The error that ended the run is what is reported; what the removal meets is in the ledger. */
async function removeAfterError(run: Run): Promise<void> {
  try {
    await removeLeftovers(run);
  } catch {
    // Nothing is left to be tried.
  }
}

/** Adds what only all exchanges together tell. */
function withRunFindings(
  run: Run,
  contracts: readonly ContractResult[],
  probes: readonly StepResult[],
): CheckedResults {
  const { steps, others } = addRunFindings(run, allSteps({ contracts, probes }));
  let position = 0;
  const validated = contracts.map((contract) => {
    const own = steps.slice(position, (position += contract.steps.length));
    return { ...contract, steps: own };
  });
  return { contracts: validated, probes: [...steps.slice(position), ...others] };
}

interface Probed {
  readonly operations: readonly Operation[];
  readonly callers: ReadonlyMap<Operation, BrowserCaller>;
  readonly claims: ProbeAssumptions;
}

async function probe(run: Run, { operations, callers, claims }: Probed): Promise<StepResult[]> {
  if (run.probesAuth === false) return [];
  const results = await mapConcurrently(operations, run.concurrency ?? 1, async (operation) => {
    const caller = callers.get(operation);
    const browsed = caller === undefined ? [] : await probeBrowser(run, operation, caller, claims);
    return [...(await probeAuthentication(run, [operation], claims)), ...browsed];
  });
  for (const result of results.flat()) run.onStep?.(result);
  return results.flat();
}

/** A value from outside that no report may show. */
interface SecretVariable extends NamedKey {
  /** `long`: a short value is shown, because it may stand anywhere by chance. */
  readonly length: 'long' | 'any';
}

/** Values of variables that contracts call secret, and of the environment. */
function secretVariables(contracts: readonly Contract[]): SecretVariable[] {
  return contracts.flatMap(({ variables }) =>
    variables.flatMap(({ name, value, secret }): SecretVariable[] => {
      if (value === undefined || secret === 'no') return [];
      const length = secret === 'always' ? 'any' : 'long';
      return [{ name: name.replace(/^env\./, ''), key: scalarText(value), length }];
    }),
  );
}

/**
 * Does work on every item, a few at a time, in their order.
 *
 * @param limit - how many at a time, at least 1
 * @returns what came of each, in the order of the items, however they ended
 * @throws the first error of the work, when nothing of it is going on any more; no further item is begun after one
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as Item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
