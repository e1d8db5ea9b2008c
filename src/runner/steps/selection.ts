import { isSafe } from '../../core/http/message';
import { type Contract, placeholdersOf, type Step, stepsOf } from '../../formats/contract/contract';
import { groupsOf } from '../../formats/contract/groups';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import type { Run, Selection } from '../exchange/run-state';
import { isCreation, itemRouteOf } from '../ownership/item-routes';
import { methodOfStep, operationOfStep } from './step-request';

/**
 * The steps of a contract that a selection leaves: those that were asked for, and what they need of the steps before.
 * Setup stays as long as a step does, and cleanup does of what is made then. What is to be skipped is never sent, not as
 * setup or cleanup either, and nothing is made whose removal is to be skipped, or the look that shows whose it is.
 */
export function selectSteps(api: ApiModel, contract: Contract, selection: Selection | undefined): ReadonlySet<Step> {
  const { setup, steps, cleanup } = contract;
  if (selection === undefined) return new Set(stepsOf(contract));
  const chosen = groupsOf(steps)
    // What is sent at the same time is one thing.
    .filter((group) => group.some((step) => isChosen(api, contract, step, selection)))
    .flatMap((group) => group.filter((step) => !isSkipped(api, contract, step, selection)));
  if (chosen.length === 0) return new Set();
  const stored = withDependencies(api, contract, chosen);
  const never = new Set(capturesOf(steps.filter((step) => !stored.has(step))));
  for (const name of capturesOf([...setup, ...stored, ...cleanup])) never.delete(name);
  const needed = cleanup.filter((step) => !placeholdersOf(step).some(({ name }) => never.has(name)));
  return new Set([...setup, ...stored, ...needed].filter((step) => !isSkipped(api, contract, step, selection)));
}

function capturesOf(steps: readonly Step[]): string[] {
  return steps.flatMap(({ captures }) => captures.map(({ name }) => name));
}

/** Every name that a selection can have: ids of operations, tags of contracts and of steps. */
export function knownNames(api: ApiModel, contracts: readonly Contract[]): Set<string> {
  const known = new Set<string>(api.operations.map(({ id }) => id));
  for (const contract of contracts) {
    for (const tag of [contract, ...stepsOf(contract)].flatMap(({ tags }) => tags)) known.add(tag);
  }
  return known;
}

/** The names of {@link knownNames} that choose a step, each once. */
export function usedNames(api: ApiModel, contracts: readonly Contract[]): string[] {
  const names = contracts.flatMap(({ tags, steps }) => steps.flatMap((step) => [...namesOf(api, tags, step)]));
  return [...new Set(names)].filter((name) => name !== undefined);
}

function isChosen(api: ApiModel, { tags }: Contract, step: Step, { only, skip }: Selection): boolean {
  const names = namesOf(api, tags, step);
  return (only.length === 0 || only.some((name) => names.has(name))) && !skip.some((name) => names.has(name));
}

function isSkipped(api: ApiModel, { tags }: Contract, step: Step, selection: Selection): boolean {
  const names = namesOf(api, tags, step);
  return selection.skip.some((name) => names.has(name)) || whyNotMade(api, step, selection) !== undefined;
}

/** Why a step makes nothing: what removes it, or shows whose it is, is to be skipped. A PUT makes what can be removed. */
export function whyNotMade(api: ApiModel, step: Step, selection: Selection | undefined): string | undefined {
  const operation = operationOfStep({ api }, step);
  if (operation === undefined) return undefined;
  const here = api.routes.routes.find(({ path }) => path === operation.path);
  const item = operation.method === 'PUT' ? here : itemRouteOf(api, operation)?.route;
  const removal = item?.operations.get('DELETE');
  const makes = operation.method === 'PUT' ? removal !== undefined : isCreation(api, operation);
  const look = (item?.operations.has('GET') === true ? item : here)?.operations.get('GET');
  const missing = [removal, look].find((needed) => makes && needed && selection?.skip.includes(needed.id));
  return missing && `it may make something, and ${missing.id} is skipped, which removes it or shows whose it is`;
}

/**
 * With the steps before the chosen ones that capture what they use, and with all that change something: a step expects
 * the state that those before it left.
 */
function withDependencies(api: ApiModel, { steps }: Contract, chosen: readonly Step[]): ReadonlySet<Step> {
  const stored = new Set(chosen);
  const wanted = new Set<string>();
  let hasBegun = false;
  for (const step of steps.toReversed()) {
    const produces = step.captures.some(({ name }) => wanted.has(name));
    if (produces || (hasBegun && changesState(api, step))) stored.add(step);
    hasBegun ||= stored.has(step);
    if (stored.has(step)) for (const { name } of placeholdersOf(step)) wanted.add(name);
  }
  return new Set(steps.filter((step) => stored.has(step)));
}

/** Is a step there to change something? One that expects to be rejected is not. */
function changesState(api: ApiModel, step: Step): boolean {
  return (
    !isSafe(methodOfStep(step, operationOfStep({ api }, step))) && step.expect.statuses.some((status) => status < 400)
  );
}

function namesOf(api: ApiModel, tags: readonly string[], step: Step): ReadonlySet<string | undefined> {
  return new Set([...tags, ...step.tags, operationOfStep({ api }, step)?.id]);
}

/** Operations that the chosen steps of contracts call, in the order of the description. */
export function usedOperations(
  { api, selection }: Pick<Run, 'api' | 'selection'>,
  contracts: readonly Contract[],
): Operation[] {
  const steps = contracts.flatMap((contract) => [...selectSteps(api, contract, selection)]);
  const used = new Set(steps.map((step) => operationOfStep({ api }, step)));
  return api.operations.filter((operation) => used.has(operation));
}
