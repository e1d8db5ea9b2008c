import { joinPointer } from '../../core/json/json-pointer';
import { canonicalKey, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';

export const PHASES = ['setup', 'steps', 'cleanup'] as const;
type PhaseName = (typeof PHASES)[number];

/** A step of a contract, and where it stands. */
export interface PlacedStep {
  readonly phase: PhaseName;
  readonly index: number;
  /** JSON pointer into the contract. */
  readonly pointer: string;
  readonly value: JsonObject;
}

/** The steps of a contract in the order of its phases; what is no step is left out. */
export function stepsOf(contract: JsonObject): PlacedStep[] {
  return PHASES.flatMap((phase) => {
    const steps = contract[phase];
    return (Array.isArray(steps) ? steps : []).flatMap((value, index) =>
      isJsonObject(value) ? [{ phase, index, pointer: `/${phase}/${index}`, value }] : [],
    );
  });
}

/** Which steps are the same in two versions of a contract, by their JSON pointers in the first. */
export type StepPairs = ReadonlyMap<string, PlacedStep>;

/**
 * Finds the steps of one version in another, by what they are: phase, request, name, and their order where several are
 * alike. A longest common subsequence is taken, so that a step that came in or went does not shift those behind it. What
 * is left between two steps that were found is found by its request or its name, when most of it is the same.
 *
 * @param moves - are steps found that stand somewhere else now? A person moves a step and means the same one
 */
export function alignSteps(
  before: readonly PlacedStep[],
  after: readonly PlacedStep[],
  { moves = false }: { readonly moves?: boolean } = {},
): StepPairs {
  const pairs = new Map<string, PlacedStep>();
  for (const phase of PHASES) {
    const ofPhase = (steps: readonly PlacedStep[]): Candidate[] =>
      steps.filter((step) => step.phase === phase).map(candidateOf);
    alignPhase(ofPhase(before), ofPhase(after), pairs);
  }
  if (moves) findMoved(before.map(candidateOf), after.map(candidateOf), pairs);
  return pairs;
}

/** Those among the steps of a version that no step of the other one is. */
export function unpaired(after: readonly PlacedStep[], pairs: StepPairs): PlacedStep[] {
  const found = new Set([...pairs.values()].map(({ pointer }) => pointer));
  return after.filter(({ pointer }) => !found.has(pointer));
}

interface Candidate {
  readonly step: PlacedStep;
  readonly request: string;
  readonly name: string;
  /** Every scalar in it with its place, apart from its name. */
  readonly leaves: ReadonlySet<string>;
}

function candidateOf(step: PlacedStep): Candidate {
  const { name, ...rest } = step.value;
  const leaves = new Set<string>();
  addLeaves(rest, '', leaves);
  return { step, request: requestOf(step.value), name: canonicalKey(name ?? null), leaves };
}

function addLeaves(value: JsonValue, pointer: string, leaves: Set<string>): void {
  const isContainer = Array.isArray(value) || isJsonObject(value);
  const entries = isContainer ? Object.entries<JsonValue>(value) : [];
  if (entries.length === 0) leaves.add(`${pointer} ${canonicalKey(value)}`);
  for (const [name, property] of entries) addLeaves(property, joinPointer(pointer, name), leaves);
}

/** The operation, else method and path without what differs from run to run. */
function requestOf({ operation, method, path }: JsonObject): string {
  if (operation !== undefined) return canonicalKey(operation);
  const template = typeof path === 'string' ? path.replace(/[?#].*$/, '').replace(/\$\{[^{}]*\}/g, '{}') : '';
  return `${canonicalKey(method ?? null)} ${template}`;
}

/** How much of two steps is the same, from 0 to 1. */
function likeness(one: Candidate, other: Candidate): number {
  let same = 0;
  for (const leaf of one.leaves) if (other.leaves.has(leaf)) same += 1;
  const all = one.leaves.size + other.leaves.size - same;
  return all === 0 ? 1 : same / all;
}

const isSame = (one: Candidate, other: Candidate): boolean => one.request === other.request && one.name === other.name;

/** More pairs count before more alike ones, in contracts of any length that people could read. */
const PAIR = 1_000_000;

/** A score of 0 is no pair. */
function sameStep(one: Candidate, other: Candidate): number {
  return isSame(one, other) ? PAIR + likeness(one, other) : 0;
}

function changedStep(one: Candidate, other: Candidate): number {
  if (one.request !== other.request && one.name !== other.name) return 0;
  const alike = likeness(one, other);
  return alike >= (one.name === other.name ? ALIKE_NAMED : ALIKE) ? PAIR + alike : 0;
}

const ALIKE = 0.5;
const ALIKE_NAMED = 0.3;

function alignPhase(before: readonly Candidate[], after: readonly Candidate[], pairs: Map<string, PlacedStep>): void {
  let [fromBefore, fromAfter] = [0, 0];
  const anchors = bestPairs(before, after, sameStep);
  for (const [left, right] of [...anchors, [before.length, after.length] as const]) {
    const [gap, other] = [before.slice(fromBefore, left), after.slice(fromAfter, right)];
    for (const [one, two] of bestPairs(gap, other, changedStep)) addPair(gap[one], other[two], pairs);
    addPair(before[left], after[right], pairs);
    [fromBefore, fromAfter] = [left + 1, right + 1];
  }
}

function addPair(one: Candidate | undefined, other: Candidate | undefined, pairs: Map<string, PlacedStep>): void {
  if (one !== undefined && other !== undefined) pairs.set(one.step.pointer, other.step);
}

/** Pairs in the order of both lists whose scores are the most together: a weighted longest common subsequence. */
function bestPairs(
  before: readonly Candidate[],
  after: readonly Candidate[],
  score: (one: Candidate, other: Candidate) => number,
): (readonly [number, number])[] {
  if (before.length === 0 || after.length === 0) return [];
  // best[i][j]: of what stands from i and from j on.
  const best = before.map(() => new Float64Array(after.length + 1));
  best.push(new Float64Array(after.length + 1));
  const at = (row: number, column: number): number => best[row]?.[column] ?? 0;
  const scores = before.map((one) => Float64Array.from(after, (other) => score(one, other)));
  const paired = (row: number, column: number): number => {
    const own = scores[row]?.[column] ?? 0;
    return own === 0 ? -1 : own + at(row + 1, column + 1);
  };
  for (let row = before.length - 1; row >= 0; row--) {
    const line = best[row];
    for (let column = after.length - 1; line !== undefined && column >= 0; column--) {
      line[column] = Math.max(at(row + 1, column), at(row, column + 1), paired(row, column));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    if (paired(row, column) === at(row, column)) pairs.push([row++, column++]);
    else if (at(row + 1, column) === at(row, column)) row += 1;
    else column += 1;
  }
  return pairs;
}

function findMoved(before: readonly Candidate[], after: readonly Candidate[], pairs: Map<string, PlacedStep>): void {
  const taken = new Set([...pairs.values()].map(({ pointer }) => pointer));
  for (const one of before) {
    if (pairs.has(one.step.pointer)) continue;
    const free = after.filter(({ step }) => !taken.has(step.pointer)).filter((other) => isSame(one, other));
    const [found] = free.sort((left, right) => likeness(one, right) - likeness(one, left));
    if (found === undefined || likeness(one, found) < ALIKE) continue;
    taken.add(found.step.pointer);
    pairs.set(one.step.pointer, found.step);
  }
}
