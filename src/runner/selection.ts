import type { Contract, Step } from '../formats/contract';
import { placeholdersOf } from '../formats/step-placeholders';
import type { ApiModel } from '../openapi/model';
import { operationOf } from './prepare-step';

/** Which steps to run, by tags of contracts and steps and by operations. */
export interface Selection {
  /** Run these alone; empty means all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/**
 * The steps of a contract that a selection leaves: those that were asked for, and those whose captured values they
 * need. Setup and cleanup stay as long as a step does.
 */
export function selectSteps(api: ApiModel, contract: Contract, selection: Selection | undefined): ReadonlySet<Step> {
  const { setup, steps, cleanup } = contract;
  if (selection === undefined) return new Set([...setup, ...steps, ...cleanup]);
  const chosen = steps.filter((step) => isChosen(api, contract, step, selection));
  if (chosen.length === 0) return new Set();
  return new Set([...setup, ...withProducers(steps, chosen), ...cleanup]);
}

/** Every name that a selection can have: ids of operations, tags of contracts and of steps. */
export function knownNames(api: ApiModel, contracts: readonly Contract[]): Set<string> {
  const known = new Set<string>(api.operations.map(({ id }) => id));
  for (const { tags, setup, steps, cleanup } of contracts) {
    for (const tag of tags) known.add(tag);
    for (const step of [...setup, ...steps, ...cleanup]) for (const tag of step.tags) known.add(tag);
  }
  return known;
}

function isChosen(api: ApiModel, { tags }: Contract, step: Step, { only, skip }: Selection): boolean {
  const names = new Set([...tags, ...step.tags, operationOf({ api }, step)?.id]);
  return (only.length === 0 || only.some((name) => names.has(name))) && !skip.some((name) => names.has(name));
}

/** Steps before the chosen ones that capture what they use, and what those use in turn. */
function withProducers(steps: readonly Step[], chosen: readonly Step[]): Set<Step> {
  const kept = new Set(chosen);
  const wanted = new Set<string>();
  for (const step of steps.toReversed()) {
    const produces = step.captures.some(({ name }) => wanted.has(name));
    if (produces) kept.add(step);
    if (kept.has(step)) for (const { name } of placeholdersOf(step)) wanted.add(name);
  }
  return kept;
}
