import type { Recipe, StepResult } from '../runner/run-result';
import { captureCommands } from './capture-commands';
import type { OwnedStep } from './owned-step';
import { fillKey, prepareKey, type KeyInShell } from './key-in-shell';
import { commandsFor, curlCommand } from './shell-command';

/** Commands that bring a failure about again. */
export interface Reproduction {
  /** To be sent one after the other, in one shell; the last one is the step itself. */
  readonly commands: readonly string[];
  /** Do earlier steps of the contract come first? */
  readonly isSequence: boolean;
}

/**
 * How to see a failure again: the earlier steps of the contract that made the values which the step uses, or changed
 * what it looks at, and the step itself. A step that uses no captured value is one command.
 *
 * @returns `undefined` when the step was not sent
 */
export function reproductionOf({ step, contract }: OwnedStep, key: KeyInShell): Reproduction | undefined {
  if (step.request === undefined) return undefined;
  const { recipe } = step;
  const needed = contract === undefined || recipe === undefined ? [] : earlierSteps(step, recipe, contract.steps);
  if (recipe === undefined || needed.length === 0)
    return { commands: commandsFor(step.request, key), isSequence: false };
  const wanted = new Set([recipe, ...needed].flatMap(({ uses }) => uses));
  const commands = [
    ...needed.flatMap((each) => captureCommands({ ...each, request: fillKey(each.request, key) }, wanted)),
    again(recipe, key),
  ];
  return { commands: prepareKey(commands, key), isSequence: true };
}

interface SentStep {
  readonly recipe: Recipe;
  readonly status: number;
}

/** Steps that captured what the step uses, or changed what it looks at, and those that they take in their turn. */
function earlierSteps(step: StepResult, recipe: Recipe, steps: readonly StepResult[]): Recipe[] {
  const before = steps.slice(0, steps.indexOf(step)).flatMap((each): SentStep[] => {
    return each.recipe === undefined || each.status === undefined ? [] : [{ recipe: each.recipe, status: each.status }];
  });
  const changes = changesOf(recipe, before);
  const open = new Set(recipe.uses);
  const needed: Recipe[] = [];
  // Backwards: what an earlier step uses in its turn was made earlier still, and the last capture of a name counts.
  for (const { recipe: candidate } of before.toReversed()) {
    const captures = candidate.captures.filter(({ name }) => open.has(name));
    if (captures.length === 0 && !changes.has(candidate)) continue;
    needed.unshift(candidate);
    for (const { name } of captures) open.delete(name);
    for (const name of candidate.uses) open.add(name);
  }
  return needed;
}

const UNSAFE: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Writes that name what the step is about, or what such a write made, and were not refused. */
function changesOf({ uses }: Recipe, before: readonly SentStep[]): ReadonlySet<Recipe> {
  const touched = new Set(uses);
  const changes = new Set<Recipe>();
  for (const { recipe, status } of before) {
    const isWrite = status < 400 && UNSAFE.has(recipe.request.method);
    if (!isWrite || !recipe.uses.some((name) => touched.has(name))) continue;
    changes.add(recipe);
    for (const { name } of recipe.captures) touched.add(name);
  }
  return changes;
}

function again({ request, uses }: Recipe, key: KeyInShell): string {
  return curlCommand(fillKey(request, key), uses);
}
