import { EVERYTHING, type CharSet } from './char-set';
import type { PatternNode } from './parse-pattern';

/** The automaton of a pattern whose states are the places where it takes a character (Glushkov's construction). */
export interface PositionAutomaton {
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
export function positionAutomaton(tree: PatternNode, mostStates: number): PositionAutomaton | undefined {
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
export function asSearch(tree: PatternNode): PatternNode {
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
