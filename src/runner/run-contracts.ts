import type { Contract } from '../formats/contract';
import { secretsOf } from './secret-variables';
import type { Operation } from '../openapi/model';
import { probeClaims, type ProbeClaims } from './auth/probe-claims';
import { probeAuthentication } from './auth/probes';
import { browserCallers, type Caller } from './browser-callers';
import { probeBrowser } from './browser-probes';
import { coverageOf } from './coverage';
import { judgeRun } from './judge-run';
import { NO_LEDGER } from './ledger';
import { patientLedger } from './patient-ledger';
import { mapPool } from './pool';
import { redactResidue } from './redact';
import { removeLeftovers } from './remove-leftovers';
import { replayContract } from './replay';
import { startRun, type Run, type RunInput } from './run';
import { allSteps, outcomeOf, RESULT_FORMAT, type ContractResult, type RunResult, type StepResult } from './run-result';
import { isEmptyShard, takeShard } from './shard';
import { operationsOf } from './used-operations';

/**
 * Replays contracts, a few at a time, then probes the authentication of every operation that they use, then removes
 * what is left, also after an error of the runner itself. Contracts are independent of each other, so that the verdict
 * is the same however many run at a time.
 */
export async function runContracts(input: RunInput, all: readonly Contract[]): Promise<RunResult> {
  const ledger = patientLedger(input.ledger ?? NO_LEDGER);
  const run = startRun({ ...input, ledger });
  for (const secret of secretsOf(all)) run.redact.learn(secret, secret.length);
  const startedAt = Date.now();
  const judged = await sendAll(run, all).catch(async (error: unknown) => {
    await removeAfterError(run);
    throw error;
  });
  const { contracts, probes } = judged;
  const left = ledger.tellOf(await removeLeftovers(run));
  const leftBehind = left.map((residue) => redactResidue(residue, run.redact));
  const { title, version, document } = run.api;
  const steps = allSteps(judged);
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

/** Everything that is judged. */
type Judged = Pick<RunResult, 'contracts' | 'probes'>;

async function sendAll(run: Run, all: readonly Contract[]): Promise<Judged> {
  const contracts = takeShard(all, run.shard);
  const replays = await mapPool(contracts, run.concurrency ?? 1, (contract) => replayContract(run, contract));
  const replayed = replays.map(({ result }) => result);
  const callers = browserCallers(run, all);
  const probed = { operations: takeShard(operationsOf(run, all), run.shard), callers, claims: probeClaims(run, all) };
  const generated = await probe(run, probed);
  const probes = [...replays.flatMap((replay) => replay.probes), ...generated];
  await Promise.all(run.judging);
  // Before the removal, which is the runner's own traffic and nobody's contract.
  return judgeTogether(run, replayed, probes);
}

/** The error that ended the run is what is told; what the removal meets is in the ledger. */
async function removeAfterError(run: Run): Promise<void> {
  try {
    await removeLeftovers(run);
  } catch {
    // Nothing is left to be tried.
  }
}

/** Adds what only all exchanges together tell. */
function judgeTogether(run: Run, contracts: readonly ContractResult[], probes: readonly StepResult[]): Judged {
  const { steps, others } = judgeRun(run, allSteps({ contracts, probes }));
  let position = 0;
  const judged = contracts.map((contract) => {
    const own = steps.slice(position, (position += contract.steps.length));
    return { ...contract, steps: own };
  });
  return { contracts: judged, probes: [...steps.slice(position), ...others] };
}

interface Probed {
  readonly operations: readonly Operation[];
  readonly callers: ReadonlyMap<Operation, Caller>;
  readonly claims: ProbeClaims;
}

async function probe(run: Run, { operations, callers, claims }: Probed): Promise<StepResult[]> {
  if (run.probesAuth === false) return [];
  const results = await mapPool(operations, run.concurrency ?? 1, async (operation) => {
    const caller = callers.get(operation);
    const browsed = caller === undefined ? [] : await probeBrowser(run, operation, caller, claims);
    return [...(await probeAuthentication(run, [operation], claims)), ...browsed];
  });
  for (const result of results.flat()) run.onStep?.(result);
  return results.flat();
}
