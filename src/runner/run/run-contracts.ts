import type { Contract } from '../../formats/contract/contract';
import { CoverageCounter } from '../coverage/coverage-counter';
import { secretVariables } from '../exchange/credentials';
import { giveBack, type Run, type RunInput, startRun, takeFromBudget } from '../exchange/run-state';
import { NO_LEDGER, tolerantLedger } from '../ownership/ledger';
import { probeAuthentication } from '../probes/authentication-probes';
import { browserCallers, probeBrowser } from '../probes/browser-probes';
import { probeAssumptions } from '../probes/probe-target';
import { allSteps, coverageOf, outcomeOfResult, takeShard } from '../result/outcome';
import { type Residue, RESULT_FORMAT, type RunResult, type StepResult } from '../result/run-result';
import { redactResidue } from '../result/step-redaction';
import { usedOperations } from '../steps/selection';
import { mapConcurrently } from '../transport/timing';
import { ProgressCounter } from './progress-counter';
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
  const progress = ProgressCounter.of(run, all);
  const startedAt = Date.now();
  const checked = await checkAll(run, all, progress).catch(async (error: unknown) => {
    await removeAfterError(run);
    throw error;
  });
  const left = ledger.withLedgerRemark(await removeLeftovers(run, progress));
  const leftBehind = left.map((residue) => redactResidue(residue, run.redact));
  return toRunResult(run, startedAt, checked, leftBehind);
}

type CheckedResults = Pick<RunResult, 'contracts' | 'probes' | 'dimensions'>;

async function checkAll(
  run: Run,
  all: readonly Contract[],
  progress: ProgressCounter | undefined,
): Promise<CheckedResults> {
  const contracts = takeShard(all, run.shard);
  const replays = await mapConcurrently(contracts, run.concurrency ?? 1, (contract) =>
    replayContract(run, contract, progress),
  );
  const generated = await probeAll(run, all, progress);
  progress?.begin('checks', 0);
  await Promise.all(run.pendingResults);
  // Before the removal, which is the runner's own traffic and nobody's contract.
  const results = {
    contracts: replays.map(({ result }) => result),
    probes: [...replays.flatMap(({ probes }) => probes), ...generated],
  };
  return { ...addRunFindings(run, results), dimensions: countCoverage(run, results) };
}

/** Of what steps and probes sent and got; what the runner looks up in between is nobody's contract. */
function countCoverage(run: Run, results: CheckedResults): CheckedResults['dimensions'] {
  const counter = new CoverageCounter(run.api, run.basePath);
  const steps = new Set(allSteps(results));
  run.log.exchanges().forEach((exchange, index) => {
    const result = run.log.resultAt(index);
    if (result !== undefined && steps.has(result)) counter.add(exchange);
  });
  return counter.result();
}

async function probeAll(
  run: Run,
  all: readonly Contract[],
  progress: ProgressCounter | undefined,
): Promise<StepResult[]> {
  if (run.probesAuth === false) return [];
  const callers = browserCallers(run, all);
  const claims = probeAssumptions(run, all);
  const operations = takeShard(usedOperations(run, all), run.shard);
  progress?.begin('probes', operations.length);
  const results = await mapConcurrently(operations, run.concurrency ?? 1, async (operation) => {
    if (takeFromBudget(run, MOST_PROBES) !== undefined) return [];
    const caller = callers.get(operation);
    const browsed = caller === undefined ? [] : await probeBrowser(run, operation, caller, claims);
    const probed = [...(await probeAuthentication(run, [operation], claims)), ...browsed];
    giveBack(run, MOST_PROBES - probed.length);
    progress?.operationProbed(operation.id, probed);
    return probed;
  });
  for (const result of results.flat()) run.onStep?.(result);
  return results.flat();
}

/** So many requests the probes of an operation take at most. */
const MOST_PROBES = 24;

/** The error that ended the run is what is reported; what the removal meets is in the ledger. */
async function removeAfterError(run: Run): Promise<void> {
  try {
    await removeLeftovers(run);
  } catch {
    // Nothing is left to be tried.
  }
}

function toRunResult(
  run: Run,
  startedAt: number,
  { contracts, probes, dimensions }: CheckedResults,
  leftBehind: readonly Residue[],
): RunResult {
  const { api, version, runId, baseUrl, mode, shard, allowsSkipped, minCoverage } = run;
  const result = {
    format: RESULT_FORMAT,
    version,
    runId,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    api: `${api.title} ${api.version}`.trim(),
    description: api.document.file,
    baseUrl,
    basePaths: api.mounts.map(({ basePath }) => basePath),
    mode,
    ...(allowsSkipped === true ? { allowsSkipped } : {}),
    ...(minCoverage === undefined ? {} : { minCoverage }),
    shard,
    contracts,
    probes,
    coverage: coverageOf(api, allSteps({ contracts, probes })),
    dimensions,
    created: run.creations.made().map(({ item, operation, isRemoved }) => ({
      url: run.redact(`${baseUrl}${item}`),
      operation,
      isRemoved,
    })),
    leftBehind,
    ...(run.reference === undefined ? {} : { lockStep: run.lockStep.summary() }),
  } satisfies Omit<RunResult, 'outcome'>;
  return { ...result, outcome: outcomeOfResult(result) };
}
