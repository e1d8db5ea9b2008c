import { HarnessError } from '../errors/harness-error';
import { RUN_ID, type Contract, type Step } from '../formats/contract';
import { placeholdersOf } from '../formats/step-placeholders';
import type { JsonValue } from '../json/json-value';
import { exchange, unsent, type ExchangeOutcome } from './exchange';
import { operationOf, placeOfStep, prepareStep } from './prepare-step';
import type { Run } from './run';
import type { ContractResult, SkipCause, StepResult } from './run-result';

/**
 * Replays one contract: the setup, then the steps, then whatever happened the cleanup, last step first. A step that
 * needs a value which nobody captured is skipped.
 */
export async function replayContract(run: Run, contract: Contract): Promise<ContractResult> {
  const values = new Map<string, JsonValue>([[RUN_ID, run.runId]]);
  const results: StepResult[] = [];
  const replay = async (step: Step): Promise<StepResult> => {
    const { result, captured } = await replayStep(run, contract, step, values);
    for (const [name, value] of captured) values.set(name, value);
    results.push(result);
    return result;
  };
  let broken: string | undefined;
  for (const step of contract.setup) {
    if (!isDone(step, await replay(step))) broken ??= step.name;
  }
  for (const step of contract.steps) {
    if (broken === undefined) await replay(step);
    else {
      const reason = `the setup step "${broken}" did not do what it is for`;
      results.push(skip(run, contract, step, reason, 'setup-failed').result);
    }
  }
  for (const step of contract.cleanup.toReversed()) await replay(step);
  return { name: contract.name, file: contract.document.file, steps: results };
}

/**
 * Did a setup step do what the steps need it for? One that did and has other faults is no reason to judge nothing
 * else, and one that was not sent is missed only where a value of it is.
 */
function isDone({ expect }: Step, { verdict, status }: StepResult): boolean {
  if (verdict.kind === 'pass' || verdict.kind === 'skipped') return true;
  return status !== undefined && expect.statuses.includes(status);
}

async function replayStep(
  run: Run,
  contract: Contract,
  step: Step,
  values: ReadonlyMap<string, JsonValue>,
): Promise<ExchangeOutcome> {
  const missing = placeholdersOf(step).find(({ name }) => !values.has(name));
  if (missing !== undefined) return skip(run, contract, step, missingValue(contract, missing.name), 'missing-value');
  try {
    return await exchange(run, prepareStep(run, contract.document, step, values));
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    return unsent(titleOf(run, contract, step), { kind: 'error', error });
  }
}

function skip(run: Run, contract: Contract, step: Step, reason: string, cause: SkipCause): ExchangeOutcome {
  return unsent(titleOf(run, contract, step), { kind: 'skipped', reason, cause });
}

function titleOf(run: Run, { document }: Contract, step: Step): Parameters<typeof unsent>[0] {
  const { name, phase } = step;
  return { name, phase, place: placeOfStep(document, step), operation: operationOf(run, step) };
}

function missingValue({ setup, steps }: Contract, name: string): string {
  const source = [...setup, ...steps].find(({ captures }) => captures.some((capture) => capture.name === name));
  return `it needs \${${name}}, which "${source?.name ?? 'no step'}" did not capture`;
}
