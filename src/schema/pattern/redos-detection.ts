import { type CharSet, EVERYTHING, overlap } from './char-set';
import type { PatternNode } from './parse-pattern';

const MOST_STATES = 400;
/** Steps of the search for ambiguity; a pattern that needs more is called ReDoS-prone. */
const MOST_STEPS = 200_000;

/**
 * Can a text make an engine that tries one way after the other, as Node's does, try more ways than the text is long?
 * It can when a loop can be gone round in two ways by the same text (then the ways double with each round), or when two
 * loops that follow each other can share a text between them in many ways (then they grow with its square).
 *
 * Counts are taken for loops where they can be large, so that a harmless pattern may be called ReDoS-prone now and then;
 * never the other way round, but for patterns that hold look-around or back-references, whose parts are checked alone.
 */
export function isRedosProne(tree: PatternNode): boolean {
  const parts = [asSearch(tree), ...looksIn(tree)];
  if (hasKind(tree, 'back-reference') && hasLoop(tree)) return true;
  // Inside a loop, a look at what follows is taken again and again.
  if (looksInLoops(tree)) return true;
  return parts.some((part) => {
    const automaton = positionAutomaton(part, MOST_STATES);
    return automaton === undefined ? hasLoop(part) : isAmbiguous(automaton);
  });
}

function isAmbiguous(automaton: PositionAutomaton): boolean {
  const looping = loopingStates(automaton);
  if (looping.size === 0) return false;
  if (automaton.twofold.some(([from, to]) => looping.get(to)?.has(from) === true)) return true;
  const budget = { left: MOST_STEPS };
  for (const [state, reached] of looping) {
    if (goesRoundTwice(automaton, state, budget)) return true;
    const others = [...reached].filter((other) => other !== state && looping.has(other));
    if (others.some((other) => sharesText(automaton, state, other, budget))) return true;
    if (budget.left <= 0) return true;
  }
  return false;
}

/** The states that lead back to themselves, each with all that it leads to. */
function loopingStates({ sets, follow }: PositionAutomaton): Map<number, Set<number>> {
  const looping = new Map<number, Set<number>>();
  sets.forEach((_, state) => {
    const reached = new Set(follow[state]);
    for (const next of reached) for (const after of follow[next] ?? []) reached.add(after);
    if (reached.has(state)) looping.set(state, reached);
  });
  return looping;
}

/** Two ways round from a state to itself that read the same text and part on the way. */
function goesRoundTwice(automaton: PositionAutomaton, state: number, budget: { left: number }): boolean {
  const reachedFrom = walk(automaton, [state, state], budget);
  if (budget.left <= 0) return true;
  return [...reachedFrom.values()].some(([left = 0, right = 0]) => {
    if (left === right) return false;
    const back = walk(automaton, [left, right], budget);
    return back.has(`${state},${state}`);
  });
}

/** One text that goes round the first state, from the first to the second, and round the second. */
function sharesText(automaton: PositionAutomaton, first: number, second: number, budget: { left: number }): boolean {
  return walk(automaton, [first, first, second], budget).has(`${first},${second},${second}`);
}

/** All that several states can be at together after reading the same text, one character at least. */
function walk(
  { sets, follow }: PositionAutomaton,
  from: readonly number[],
  budget: { left: number },
): Map<string, readonly number[]> {
  const reached = new Map<string, readonly number[]>();
  const enter = (states: readonly number[]): void => {
    let nexts: number[][] = [[]];
    for (const state of states) {
      nexts = nexts.flatMap((chosen) =>
        [...(follow[state] ?? [])]
          .filter((next) => chosen.every((other) => overlap(sets[next] ?? [], sets[other] ?? [])))
          .map((next) => [...chosen, next]),
      );
      budget.left -= nexts.length;
      if (budget.left <= 0) return;
    }
    for (const next of nexts) {
      const key = next.join();
      if (!reached.has(key)) reached.set(key, next);
    }
  };
  enter(from);
  for (const states of reached.values()) {
    if (budget.left <= 0) break;
    enter(states);
  }
  return reached;
}

function childrenOf(node: PatternNode): readonly PatternNode[] {
  if (node.kind === 'sequence' || node.kind === 'choice') return node.parts;
  return node.kind === 'repeat' || node.kind === 'look' ? [node.part] : [];
}

/** What look-around looks for, each by itself. */
function looksIn(node: PatternNode): PatternNode[] {
  const below = childrenOf(node).flatMap(looksIn);
  return node.kind === 'look' ? [node.part, ...below] : below;
}

function hasKind(node: PatternNode, kind: PatternNode['kind']): boolean {
  return node.kind === kind || childrenOf(node).some((child) => hasKind(child, kind));
}

function hasLoop(node: PatternNode): boolean {
  return (node.kind === 'repeat' && node.max > 1) || childrenOf(node).some(hasLoop);
}

function looksInLoops(node: PatternNode): boolean {
  if (node.kind === 'repeat' && node.max > 1 && looksIn(node).some(hasLoop)) return true;
  return childrenOf(node).some(looksInLoops);
}

/** The automaton of a pattern whose states are the places where it takes a character (Glushkov's construction). */
interface PositionAutomaton {
  readonly sets: readonly CharSet[];
  readonly follow: readonly ReadonlySet<number>[];
  /** Steps from a state to a state that a matcher can take in two ways. */
  readonly twofold: readonly (readonly [number, number])[];
}

interface Part {
  readonly isNullable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const EMPTY: Part = { isNullable: true, first: [], last: [] };

/** Exact counts up to this are written out; what is repeated more often is taken for endless. */
const WRITTEN_OUT = 3;

/**
 * @param mostStates - a pattern with more places than this has none
 * @returns `undefined` for a pattern that is too large
 */
function positionAutomaton(tree: PatternNode, mostStates: number): PositionAutomaton | undefined {
  const sets: CharSet[] = [];
  const follow: Set<number>[] = [];
  const twofold: [number, number][] = [];

  const link = (from: readonly number[], to: readonly number[]): void => {
    for (const left of from) {
      for (const right of to) {
        if (follow[left]?.has(right) === true) twofold.push([left, right]);
        follow[left]?.add(right);
      }
    }
  };
  const concat = (left: Part, right: Part): Part => {
    link(left.last, right.first);
    return {
      isNullable: left.isNullable && right.isNullable,
      first: left.isNullable ? [...left.first, ...right.first] : left.first,
      last: right.isNullable ? [...left.last, ...right.last] : right.last,
    };
  };
  const build = (node: PatternNode): Part => {
    if (sets.length > mostStates) return EMPTY;
    switch (node.kind) {
      case 'char': {
        const state = sets.push(node.set) - 1;
        follow.push(new Set());
        return { isNullable: false, first: [state], last: [state] };
      }
      case 'sequence':
        return node.parts.map(build).reduce(concat, EMPTY);
      case 'choice': {
        const parts = node.parts.map(build);
        return {
          isNullable: parts.some(({ isNullable }) => isNullable),
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
        };
      }
      case 'repeat':
        return repeat(node.part, node.min, node.max);
      default:
        return EMPTY;
    }
  };
  const repeat = (node: PatternNode, min: number, max: number): Part => {
    if (max === 0) return EMPTY;
    let whole = EMPTY;
    const isEndless = max > WRITTEN_OUT && (max !== min || node.kind !== 'char');
    for (let copy = 0; copy < Math.min(isEndless ? min - 1 : max, WRITTEN_OUT); copy++) {
      const part = build(node);
      whole = concat(whole, copy < min ? part : { ...part, isNullable: true });
    }
    if (!isEndless) return whole;
    const loop = build(node);
    link(loop.last, loop.first);
    // Rounds that take nothing count too, and which of them do is a choice of its own.
    if (loop.isNullable && max !== Infinity) link(loop.last, loop.first);
    return concat(whole, min === 0 ? { ...loop, isNullable: true } : loop);
  };

  build(tree);
  return sets.length > mostStates ? undefined : { sets, follow, twofold };
}

/** A pattern as the search for it is: anything may stand before it, unless it is anchored. */
function asSearch(tree: PatternNode): PatternNode {
  if (isAnchored(tree)) return tree;
  const anything: PatternNode = { kind: 'repeat', part: { kind: 'char', set: EVERYTHING }, min: 0, max: Infinity };
  return { kind: 'sequence', parts: [anything, withoutTail(tree)] };
}

function isAnchored(tree: PatternNode): boolean {
  if (tree.kind === 'assertion') return tree.sign === '^';
  if (tree.kind === 'choice') return tree.parts.every(isAnchored);
  const [first] = tree.kind === 'sequence' ? tree.parts : [];
  return first !== undefined && isAnchored(first);
}

/** What is repeated at the end of a search need be found no more often than it must: nothing after it can fail. */
function withoutTail(tree: PatternNode): PatternNode {
  if (tree.kind !== 'sequence') return tree;
  const last = tree.parts.at(-1);
  if (last?.kind !== 'repeat' || last.max === last.min) return tree;
  const before = tree.parts.slice(0, -1);
  if (last.min === 0) return withoutTail({ kind: 'sequence', parts: before });
  return { kind: 'sequence', parts: [...before, { ...last, max: last.min }] };
}
