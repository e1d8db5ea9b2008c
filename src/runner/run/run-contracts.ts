import type { Contract } from '../../formats/contract/contract';
import { CoverageCounter } from '../coverage/coverage-counter';
import { secretVariables } from '../exchange/credentials';
import { compareRows } from '../exchange/rows-before';
import { giveBack, type Run, type RunInput, startRun, takeFromBudget } from '../exchange/run-state';
import { NO_LEDGER, tolerantLedger } from '../ownership/ledger';
import { probeAuthentication } from '../probes/authentication-probes';
import { browserCallers, probeBrowser } from '../probes/browser-probes';
import { probeAssumptions } from '../probes/probe-target';
import { allSteps, coverageOf, outcomeOfResult, takeShard } from '../result/outcome';
import { type LearntFact, RESULT_FORMAT, type RunResult, type StepResult } from '../result/run-result';
import { redactResidue } from '../result/step-redaction';
import { usedOperations } from '../steps/selection';
import { mapConcurrently } from '../transport/timing';
import { ProgressCounter } from './progress-counter';
import { removeLeftovers } from './remove-leftovers';
import { type Replay, replayContract } from './replay-contract';
import { answersOf, type Rounds } from './rounds';
import { addRunFindings } from './run-findings';
import { judgeKey, learnSchemeWords } from './scheme-words';

/**
 * Replays contracts, a few at a time, then probes the authentication of every operation that they use, then removes
 * what is left, also after an error of the runner itself. Contracts are independent of each other, so that the verdict
 * is the same however many run at a time.
 *
 * @param rounds - makes the contracts while the run goes on; `all` are those that it makes where nothing is learnt
 */
export async function runContracts(input: RunInput, all: readonly Contract[], rounds?: Rounds): Promise<RunResult> {
  const ledger = tolerantLedger(input.ledger ?? NO_LEDGER);
  const run = startRun({ ...input, ledger });
  for (const secret of secretVariables(all)) run.redact.learn(secret, secret.length);
  const progress = ProgressCounter.of(run, all);
  const startedAt = Date.now();
  const checked = await checkAll(run, all, progress, rounds).catch(async (error: unknown) => {
    await removeAfterError(run);
    throw error;
  });
  const left = ledger.withLedgerRemark(await removeLeftovers(run, progress));
  const leftBehind = left.map((residue) => redactResidue(residue, run.redact));
  const compared = await compareRows(run);
  const changed = compared.changed.map((row) => ({ ...row, url: run.redact(row.url) }));
  const doubtful = compared.doubtful.map((residue) => redactResidue(residue, run.redact));
  return toRunResult(run, startedAt, checked, {
    leftBehind: [...leftBehind, ...doubtful],
    ...(changed.length === 0 ? {} : { othersChanged: changed }),
  });
}

type CheckedResults = Pick<RunResult, 'contracts' | 'probes' | 'dimensions' | 'learnt'>;

async function checkAll(
  run: Run,
  all: readonly Contract[],
  progress: ProgressCounter | undefined,
  rounds: Rounds | undefined,
): Promise<CheckedResults> {
  const words = await learnSchemeWords(run);
  const { replays, learnt } = await replayRounds(run, rounds ?? onlyRound(takeShard(all, run.shard)), progress);
  const ended = await judgeKey(run);
  const generated = await probeAll(run, all, progress);
  progress?.begin('checks', 0);
  await Promise.all(run.pendingResults);
  // Before the removal, which is the runner's own traffic and nobody's contract.
  const results = {
    contracts: replays.map(({ result }) => result),
    probes: [...replays.flatMap(({ probes }) => probes), ...ended, ...generated],
  };
  return { ...addRunFindings(run, results), dimensions: countCoverage(run, results), learnt: [...words, ...learnt] };
}

/** Where nothing is learnt there is one round. */
function* onlyRound(contracts: readonly Contract[]): Rounds {
  yield { contracts };
  return [];
}

/** A round begins when all of the one before is answered, so that what is sent depends on nothing but the answers. */
async function replayRounds(
  run: Run,
  rounds: Rounds,
  progress: ProgressCounter | undefined,
): Promise<{ readonly replays: readonly Replay[]; readonly learnt: readonly LearntFact[] }> {
  const replays: Replay[] = [];
  let next = rounds.next([]);
  while (next.done !== true) {
    const { contracts, isSequential = false } = next.value;
    progress?.expect(contracts);
    const concurrency = isSequential ? 1 : (run.concurrency ?? 1);
    const ended = await mapConcurrently(contracts, concurrency, (contract) => replayContract(run, contract, progress));
    replays.push(...ended);
    next = rounds.next(contracts.flatMap((contract, index) => answersOf(run, contract, ended[index]?.ended)));
  }
  return { replays, learnt: next.value.map((fact) => ({ ...fact, message: run.redact(fact.message) })) };
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
  const operations = takeShard(usedOperations(run, all), run.shard).filter(({ disabled }) => disabled === undefined);
  progress?.begin('probes', operations.length);
  const results = await mapConcurrently(operations, run.concurrency ?? 1, async (operation) => {
    const most = MOST_PROBES + 2 * (run.refusedIdentities?.size ?? 0);
    if (takeFromBudget(run, most) !== undefined) return [];
    const caller = callers.get(operation);
    const browsed = caller === undefined ? [] : await probeBrowser(run, operation, caller, claims);
    const probed = [...(await probeAuthentication(run, [operation], claims)), ...browsed];
    giveBack(run, most - probed.length);
    progress?.operationProbed(operation.id, probed);
    return probed;
  });
  for (const result of results.flat()) run.onStep?.(result);
  return results.flat();
}

/** So many requests the probes of an operation take at most, without those of keys that the tester named. */
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
  { contracts, probes, dimensions, learnt = [] }: CheckedResults,
  behind: Pick<RunResult, 'leftBehind' | 'othersChanged'>,
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
    ...behind,
    ...(learnt.length === 0 ? {} : { learnt }),
    ...(run.reference === undefined ? {} : { lockStep: run.lockStep.summary() }),
  } satisfies Omit<RunResult, 'outcome'>;
  return { ...result, outcome: outcomeOfResult(result) };
}
