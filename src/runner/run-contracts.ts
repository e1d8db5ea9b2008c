import type { Contract } from '../formats/contract';
import { probeAuthentication } from './auth-probes';
import { operationOf } from './prepare-step';
import { replayContract } from './replay';
import { startRun, type RunInput } from './run';
import { outcomeOf, type ContractResult, type RunResult } from './run-result';

/** Replays contracts one after the other, then probes the authentication of every operation that they use. */
export async function runContracts(input: RunInput, contracts: readonly Contract[]): Promise<RunResult> {
  const run = startRun(input);
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
  const { title, version } = run.api;
  const outcome = outcomeOf([...results.flatMap(({ steps }) => steps), ...probes]);
  return { api: `${title} ${version}`.trim(), baseUrl: run.baseUrl, contracts: results, probes, outcome };
}
