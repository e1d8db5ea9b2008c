import type { Contract } from '../formats/contract';
import type { Operation } from '../openapi/model';
import { probeAuthentication } from './auth/probes';
import { coverageOf } from './coverage';
import { judgeRun } from './judge-run';
import { mapPool } from './pool';
import { operationOf } from './prepare-step';
import { removeLeftovers } from './remove-leftovers';
import { replayContract } from './replay';
import { startRun, type Run, type RunInput } from './run';
import { allSteps, outcomeOf, RESULT_FORMAT, type ContractResult, type RunResult, type StepResult } from './run-result';
import { selectSteps } from './selection';
import { takeShard } from './shard';

/**
 * Replays contracts, a few at a time, then probes the authentication of every operation that they use, then removes
 * what is left. Contracts are independent of each other, so that the verdict is the same however many run at a time.
 */
export async function runContracts(input: RunInput, all: readonly Contract[]): Promise<RunResult> {
  const run = startRun(input);
  const startedAt = Date.now();
  const contracts = takeShard(all, run.shard);
  const replays = await mapPool(contracts, run.concurrency ?? 1, (contract) => replayContract(run, contract));
  const replayed = replays.map(({ result }) => result);
  const generated = await probe(run, takeShard(operationsOf(run, all), run.shard));
  const probed = [...replays.flatMap((replay) => replay.probes), ...generated];
  // Before the removal, which is the runner's own traffic and nobody's contract.
  const { contracts: results, probes } = judgeTogether(run, replayed, probed);
  const leftBehind = await removeLeftovers(run);
  const { title, version, document } = run.api;
  const steps = [...results.flatMap((result) => result.steps), ...probes];
  return {
    format: RESULT_FORMAT,
    version: run.version,
    runId: run.runId,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    api: `${title} ${version}`.trim(),
    description: document.file,
    baseUrl: run.baseUrl,
    mode: run.mode,
    shard: run.shard,
    contracts: results,
    probes,
    coverage: coverageOf(run.api, steps),
    leftBehind,
    outcome: outcomeOf(steps, leftBehind),
  };
}

/** Adds what only all exchanges together tell. */
function judgeTogether(
  run: Run,
  contracts: readonly ContractResult[],
  probes: readonly StepResult[],
): Pick<RunResult, 'contracts' | 'probes'> {
  const { steps, others } = judgeRun(run, allSteps({ contracts, probes }));
  let position = 0;
  const judged = contracts.map((contract) => {
    const own = steps.slice(position, (position += contract.steps.length));
    return { ...contract, steps: own };
  });
  return { contracts: judged, probes: [...steps.slice(position), ...others] };
}

/** Operations that the chosen steps of the contracts call, in the order of the description. */
export function operationsOf(run: Pick<Run, 'api' | 'selection'>, contracts: readonly Contract[]): Operation[] {
  const used = new Set(
    contracts
      .flatMap((contract) => [...selectSteps(run.api, contract, run.selection)])
      .map((step) => operationOf(run, step)),
  );
  return run.api.operations.filter((operation) => used.has(operation));
}

async function probe(run: Run, operations: readonly Operation[]): Promise<StepResult[]> {
  if (run.probesAuth === false) return [];
  const results = await mapPool(operations, run.concurrency ?? 1, (operation) => probeAuthentication(run, [operation]));
  for (const result of results.flat()) run.onStep?.(result);
  return results.flat();
}
