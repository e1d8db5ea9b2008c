import { overlap } from './char-set';
import type { PatternNode } from './parse-pattern';
import { asSearch, positionAutomaton, type PositionAutomaton } from './position-automaton';

const MOST_STATES = 400;
/** Steps of the search for ambiguity; a pattern that needs more is called careless. */
const MOST_STEPS = 200_000;

/**
 * Can a text make an engine that tries one way after the other, as Node's does, try more ways than the text is long?
 * It can when a loop can be gone round in two ways by the same text (then the ways double with each round), or when two
 * loops that follow each other can share a text between them in many ways (then they grow with its square).
 *
 * Counts are taken for loops where they can be large, so that a harmless pattern may be called careless now and then;
 * never the other way round, but for patterns that hold look-around or back-references, whose parts are judged alone.
 */
export function isCareless(tree: PatternNode): boolean {
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

export function hasKind(node: PatternNode, kind: PatternNode['kind']): boolean {
  return node.kind === kind || childrenOf(node).some((child) => hasKind(child, kind));
}

function hasLoop(node: PatternNode): boolean {
  return (node.kind === 'repeat' && node.max > 1) || childrenOf(node).some(hasLoop);
}

function looksInLoops(node: PatternNode): boolean {
  if (node.kind === 'repeat' && node.max > 1 && looksIn(node).some(hasLoop)) return true;
  return childrenOf(node).some(looksInLoops);
}
