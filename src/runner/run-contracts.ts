import type { Contract } from '../formats/contract';
import { probeAuthentication } from './auth-probes';
import { operationOf } from './prepare-step';
import { replayContract } from './replay';
import { startRun, type RunInput } from './run';
import { coverageOf } from './coverage';
import { outcomeOf, RESULT_FORMAT, type ContractResult, type RunResult } from './run-result';

/** Replays contracts one after the other, then probes the authentication of every operation that they use. */
export async function runContracts(input: RunInput, contracts: readonly Contract[]): Promise<RunResult> {
  const run = startRun(input);
  const startedAt = Date.now();
  const results: ContractResult[] = [];
  for (const contract of contracts) results.push(await replayContract(run, contract));
  const used = new Set(
    contracts
      .flatMap(({ setup, steps, cleanup }) => [...setup, ...steps, ...cleanup])
      .map((step) => operationOf(run, step)),
  );
  const probes = await probeAuthentication(
    run,
    run.api.operations.filter((operation) => used.has(operation)),
  );
  const { title, version, document } = run.api;
  const steps = [...results.flatMap((result) => result.steps), ...probes];
  return {
    format: RESULT_FORMAT,
    version: input.version,
    runId: run.runId,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    api: `${title} ${version}`.trim(),
    description: document.file,
    baseUrl: run.baseUrl,
    mode: run.writesRefused === undefined ? 'full' : 'observe',
    shard: undefined,
    contracts: results,
    probes,
    coverage: coverageOf(run.api, steps),
    leftBehind: [],
    outcome: outcomeOf(steps, []),
  };
}
