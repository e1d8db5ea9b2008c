import { isCareless } from './careless-pattern';
import { linearTest } from './linear-pattern';
import { parsePattern, type PatternNode } from './parse-pattern';
import { timedPattern, type PatternVerdict } from './timed-pattern';

/** How a pattern is judged: by the engine of Node, in linear time, or by the engine of Node and a clock. */
export type PatternEngine = 'native' | 'linear' | 'timed';

/** A compiled `pattern` (JSON Schema Validation §6.3.3): it is searched for, not anchored. */
export interface CompiledPattern {
  readonly engine: PatternEngine;
  /** What cannot be decided in time is no match. */
  test(text: string): boolean;
  judge(text: string): PatternVerdict;
  /** The pattern itself; patterns of one text are taken for one. */
  toString(): string;
}

const COMPILED = new Map<string, CompiledPattern>();
const MOST_KEPT = 5000;

/**
 * Compiles a pattern of ECMA-262. Many were written without the flag `u` in mind, so that one is tried first only. One
 * that could try endlessly many ways is given to an engine that takes linear time.
 *
 * @throws SyntaxError when it is no regular expression
 */
export function compilePattern(source: string): CompiledPattern {
  let compiled = COMPILED.get(source);
  if (compiled === undefined) {
    compiled = compile(source);
    if (COMPILED.size >= MOST_KEPT) COMPILED.clear();
    COMPILED.set(source, compiled);
  }
  return compiled;
}

function compile(source: string): CompiledPattern {
  const regExp = regExpOf(source);
  const tree = treeOf(source, regExp.unicode);
  if (tree !== undefined && !isCareless(tree)) {
    const test = (text: string): boolean => regExp.test(text);
    return {
      engine: 'native',
      test,
      toString: () => source,
      judge: (text) => (regExp.test(text) ? 'matches' : 'differs'),
    };
  }
  const timed = timedPattern(regExp);
  const linear = tree === undefined ? undefined : linearTest(tree);
  if (linear === undefined)
    return { engine: 'timed', toString: () => source, test: (text) => timed(text) === 'matches', judge: timed };
  // Without `u` a character beyond the first plane is two, which RE2 does not know.
  const isReadable = (text: string): boolean => regExp.unicode || !/[\ud800-\udfff]/.test(text);
  const judge = (text: string): PatternVerdict => {
    if (!isReadable(text)) return timed(text);
    return linear(text) ? 'matches' : 'differs';
  };
  return { engine: 'linear', toString: () => source, test: (text) => judge(text) === 'matches', judge };
}

function regExpOf(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

/** @returns `undefined` for a pattern that our reader does not know; it is judged with a clock then */
function treeOf(source: string, unicode: boolean): PatternNode | undefined {
  try {
    return parsePattern(source, unicode);
  } catch {
    return undefined;
  }
}
