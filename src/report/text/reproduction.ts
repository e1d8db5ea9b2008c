import { RUN_ID } from '../../formats/contract/contract';
import { isSafe } from '../../core/http/message';
import type { Recipe, StepResult } from '../../runner/result/run-result';
import { captureCommands, commandsFor, curlCommand, fillKey, type KeyInShell, prepareKey } from './shell-commands';
import type { OwnedStep } from '../causes/root-cause';

/** Commands that bring a failure about again. */
export interface Reproduction {
  /** To be sent one after the other, in one shell; the last one is the step itself, or what shows what its group did. */
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
  if (contract !== undefined && recipe !== undefined && step.together !== undefined)
    return reproductionOfGroup(step, contract.steps, key);
  const needed =
    contract === undefined || recipe === undefined
      ? []
      : earlierSteps(recipe, contract.steps.slice(0, contract.steps.indexOf(step)));
  if (recipe === undefined || needed.length === 0)
    return { commands: commandsFor(step.request, key, recipe?.uses), isSequence: false };
  const commands = [...commandsBefore(needed, [recipe], key), again(recipe, key)];
  return { commands: prepareKey(commands, key), isSequence: true };
}

/** Sends the requests of a group at the same time, and then what was read of the same things behind it. */
function reproductionOfGroup(step: StepResult, steps: readonly StepResult[], key: KeyInShell): Reproduction {
  const [begin, end] = groupAround(step, steps);
  const group = steps.slice(begin, end).flatMap(({ recipe }) => recipe ?? []);
  const known = steps.slice(0, begin);
  const needed = new Set(group.flatMap((recipe) => earlierSteps(recipe, known)));
  const before = known.flatMap(({ recipe }) => (recipe !== undefined && needed.has(recipe) ? [recipe] : []));
  const captured = new Set([RUN_ID, ...before.flatMap(({ captures }) => captures.map(({ name }) => name))]);
  const things = new Set(group.flatMap(namesOf));
  const reads = steps.slice(end).flatMap(({ recipe }): Recipe[] => {
    if (recipe === undefined || !isSafe(recipe.request.method)) return [];
    const isKnown = recipe.uses.every((name) => captured.has(name));
    return isKnown && namesOf(recipe).some((name) => things.has(name)) ? [recipe] : [];
  });
  const [read] = reads;
  const shown = read === undefined ? [] : [read];
  const commands = [
    ...commandsBefore(before, [...group, ...shown], key),
    ...group.map((recipe) => `${curlCommand(fillKey(recipe.request, key), recipe.uses, '-sSi')} &`),
    'wait',
    ...shown.map((recipe) => again(recipe, key)),
  ];
  return { commands: prepareKey(commands, key), isSequence: true };
}

/** From where to where the group of a step goes. */
function groupAround(step: StepResult, steps: readonly StepResult[]): readonly [begin: number, end: number] {
  const isOther = ({ together, phase }: StepResult): boolean => together !== step.together || phase !== step.phase;
  const place = steps.indexOf(step);
  const behind = steps.slice(place).findIndex(isOther);
  return [steps.slice(0, place).findLastIndex(isOther) + 1, behind < 0 ? steps.length : place + behind];
}

/** What has to be sent before, with the values that it captures of it. */
function commandsBefore(needed: readonly Recipe[], then: readonly Recipe[], key: KeyInShell): string[] {
  const all = [...needed, ...then];
  const wanted = new Set(all.flatMap(({ uses, expects = [] }) => [...uses, ...expects]));
  return [
    // What the run made may be there still, and the same name or key would then be rejected.
    ...(all.some(({ uses }) => uses.includes(RUN_ID)) ? [NEW_RUN_ID] : []),
    ...needed.flatMap((each) => captureCommands({ ...each, request: fillKey(each.request, key) }, wanted)),
  ];
}

/** Eight digits of the clock: as long as the id of a run, and another one each second. */
const NEW_RUN_ID = `${RUN_ID}=$(date +%s | tail -c 9)`;

interface SentStep {
  readonly recipe: Recipe;
  readonly status: number;
  /** Did every check pass? */
  readonly isGood: boolean;
}

/** Steps that captured what the step uses, or changed what it looks at, and those that they take in their turn. */
function earlierSteps(recipe: Recipe, steps: readonly StepResult[]): Recipe[] {
  const before = steps.flatMap((each): SentStep[] => {
    const { recipe: sent, status, verdict } = each;
    return sent === undefined || status === undefined
      ? []
      : [{ recipe: sent, status, isGood: verdict.kind === 'pass' }];
  });
  const made = changesOf(readSubject(recipe, before), before);
  const changes = new Set([...made, ...rejectedSince(recipe, before, made)]);
  const own = new Set([...recipe.uses, ...expectedBy(recipe)]);
  const open = new Set(own);
  // What became of a thing matters to what was made with it, and hardly to what was made with that in its turn.
  const near = new Set(own);
  const needed: Recipe[] = [];
  // Backwards: what an earlier step uses in its turn was made earlier still, and the last capture of a name counts.
  for (const { recipe: candidate, status } of before.toReversed()) {
    const captures = candidate.captures.filter(({ name }) => open.has(name));
    const isChange = changes.has(candidate) || (status < 400 && changesOne(candidate, near));
    if (captures.length === 0 && !isChange) continue;
    needed.unshift(candidate);
    if (captures.some(({ name }) => own.has(name))) for (const name of candidate.uses) near.add(name);
    for (const { name } of captures) open.delete(name);
    for (const name of candidate.uses) open.add(name);
  }
  return needed;
}

/** What a read is about: things by the names of their captured values, and texts that its query looks for. */
interface Subject {
  readonly names: ReadonlySet<string>;
  readonly texts: readonly string[];
}

/** What the step is about, and what reads were about whose responses it uses, such as the page before in a list. */
function readSubject(recipe: Recipe, before: readonly SentStep[]): Subject {
  const names = new Set([...namesOf(recipe), ...expectedBy(recipe)]);
  const texts = textsOf(recipe);
  for (const { recipe: earlier } of before.toReversed()) {
    if (!isSafe(earlier.request.method) || !earlier.captures.some(({ name }) => names.has(name))) continue;
    for (const name of namesOf(earlier)) names.add(name);
    texts.push(...textsOf(earlier));
  }
  return { names, texts };
}

/** The id of the run is in whatever a contract makes: it tells nothing apart. */
function namesOf({ uses }: Recipe): string[] {
  return uses.filter((name) => name !== RUN_ID);
}

/** A read that expects to see something is about it; what a write expects in its response it has made itself. */
function expectedBy({ request, expects = [] }: Recipe): readonly string[] {
  return isSafe(request.method) ? expects : [];
}

/** Values of the query that hold the id of the run: a list that is narrowed to a name shows what has that name. */
function textsOf({ request: { method, url } }: Recipe): string[] {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  const values = isSafe(method) ? [...new URLSearchParams(query).values()] : [];
  return values.filter((value) => value.includes(`\${${RUN_ID}}`));
}

/** Writes that name what is looked at, or what such a write made, and were not rejected. */
function changesOf({ names, texts }: Subject, before: readonly SentStep[]): ReadonlySet<Recipe> {
  const touched = new Set(names);
  const changes = new Set<Recipe>();
  for (const { recipe, status } of before) {
    const { request, captures } = recipe;
    if (status >= 400 || isSafe(request.method)) continue;
    const isNamed = namesOf(recipe).some((name) => touched.has(name));
    if (!isNamed && !texts.some((text) => request.body?.includes(text) === true)) continue;
    changes.add(recipe);
    for (const { name } of captures) touched.add(name);
  }
  return changes;
}

/**
 * Rejected writes to what a read looks at, since it was last changed or last seen as it should be: when the read fails,
 * one of them may have done something all the same.
 */
function rejectedSince(recipe: Recipe, before: readonly SentStep[], changes: ReadonlySet<Recipe>): Recipe[] {
  if (!isSafe(recipe.request.method)) return [];
  const names = new Set(namesOf(recipe));
  const { url } = recipe.request;
  const since = before.findLastIndex(({ recipe: each, isGood }) => {
    return changes.has(each) || (isGood && isSafe(each.request.method) && each.request.url === url);
  });
  return before.slice(since + 1).flatMap(({ recipe: each, status }) => {
    const isRejected = status >= 400 && !isSafe(each.request.method);
    return isRejected && namesOf(each).some((name) => names.has(name)) ? [each] : [];
  });
}

/** Does a write change what has one of the names? What it only refers to it leaves as it is. */
function changesOne({ request: { method, url } }: Recipe, names: ReadonlySet<string>): boolean {
  const [path = ''] = url.split('?');
  return !isSafe(method) && [...names].some((name) => name !== RUN_ID && path.includes(`\${${name}}`));
}

function again({ request, uses }: Recipe, key: KeyInShell): string {
  return curlCommand(fillKey(request, key), uses);
}
