import { type Context, createContext, Script } from 'node:vm';
import type * as Re2 from 're2js';
import type { CharSet } from './char-set';
import { parsePattern, type PatternNode } from './parse-pattern';
import { isRedosProne } from './redos-detection';

/** How a pattern is checked: by the engine of Node, in linear time, or by the engine of Node and a clock. */
export type PatternEngine = 'native' | 'linear' | 'timed';

/** A compiled `pattern` (JSON Schema Validation §6.3.3): it is searched for, not anchored. */
interface CompiledPattern {
  readonly engine: PatternEngine;
  /** What cannot be decided in time is not a match. */
  test(text: string): boolean;
  match(text: string): PatternMatch;
  /** The pattern itself; patterns of one text are taken for one. */
  toString(): string;
}

const COMPILED = new Map<string, CompiledPattern>();
const MOST_STORED = 5000;

/**
 * Compiles a pattern of ECMA-262. Many were written without the flag `u` in mind, so that one is tried first only. One
 * that could try endlessly many ways is given to an engine that takes linear time.
 *
 * @throws SyntaxError when it is not a regular expression
 */
export function compilePattern(source: string): CompiledPattern {
  let compiled = COMPILED.get(source);
  if (compiled === undefined) {
    compiled = compile(source);
    if (COMPILED.size >= MOST_STORED) COMPILED.clear();
    COMPILED.set(source, compiled);
  }
  return compiled;
}

function compile(source: string): CompiledPattern {
  const regExp = regExpOf(source);
  const tree = treeOf(source, regExp.unicode);
  if (tree !== undefined && !isRedosProne(tree)) {
    const test = (text: string): boolean => regExp.test(text);
    return {
      engine: 'native',
      test,
      toString: () => source,
      match: (text) => (regExp.test(text) ? 'matches' : 'differs'),
    };
  }
  const timed = timedPattern(regExp);
  const linear = tree === undefined ? undefined : linearTest(tree);
  if (linear === undefined)
    return { engine: 'timed', toString: () => source, test: (text) => timed(text) === 'matches', match: timed };
  // Without `u` a character beyond the first plane is two, which RE2 does not know.
  const isReadable = (text: string): boolean => regExp.unicode || !/[\ud800-\udfff]/.test(text);
  const match = (text: string): PatternMatch => {
    if (!isReadable(text)) return timed(text);
    return linear(text) ? 'matches' : 'differs';
  };
  return { engine: 'linear', toString: () => source, test: (text) => match(text) === 'matches', match };
}

function regExpOf(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

/** @returns `undefined` for a pattern that our reader does not know; it is checked with a clock then */
function treeOf(source: string, unicode: boolean): PatternNode | undefined {
  try {
    return parsePattern(source, unicode);
  } catch {
    return undefined;
  }
}

/**
 * A pattern in the syntax of RE2, whose engine takes a time that grows with the text and not faster. Every character
 * class is written out, so that nothing means something else there: `\s` and `.` do in RE2's own words.
 *
 * @returns `undefined` for look-around and back-references, which RE2 does not have
 */
function linearSource(node: PatternNode): string | undefined {
  switch (node.kind) {
    case 'char':
      return writeSet(node.set);
    case 'assertion':
      return node.sign === '^' ? '\\A' : node.sign === '$' ? '\\z' : node.sign;
    case 'sequence':
    case 'choice': {
      const parts = node.parts.map(linearSource);
      if (parts.includes(undefined)) return undefined;
      return `(?:${parts.join(node.kind === 'choice' ? '|' : '')})`;
    }
    case 'repeat': {
      const part = linearSource(node.part);
      if (part === undefined) return undefined;
      const { min, max } = node;
      return `(?:${part}){${min},${max === Infinity ? '' : max}}`;
    }
    default:
      return undefined;
  }
}

function writeSet(set: CharSet): string {
  const hex = (point: number): string => `\\x{${point.toString(16)}}`;
  // A class that nothing is in.
  if (set.length === 0) return '[^\\x{0}-\\x{10ffff}]';
  return `[${set.map(([first, last]) => `${hex(first)}-${hex(last)}`).join('')}]`;
}

/**
 * Looks for a pattern in a time that grows with the text and not faster.
 *
 * @returns `undefined` for a pattern that RE2 cannot read
 */
export function linearTest(tree: PatternNode): ((text: string) => boolean) | undefined {
  const source = linearSource(tree);
  if (source === undefined) return undefined;
  try {
    // Loaded on first use: hardly a description has a pattern that needs it.
    // oxlint-disable-next-line typescript/no-require-imports -- an import would load it with every description
    const { RE2JS } = require('re2js') as typeof Re2;
    const compiled = RE2JS.compile(source);
    return (text) => compiled.test(text);
  } catch {
    // RE2 has limits of its own, on counts for example.
    return undefined;
  }
}

/** A text that takes longer is not checked. */
const LIMIT_MS = 50;
/** Texts up to this length are checked without a clock: the worst pattern is through with them in no time. */
const SHORT = 12;

/** What came of looking for a pattern in a text. */
type PatternMatch = 'matches' | 'differs' | 'undecided';

/**
 * A pattern that only the engine of Node can read, and that some texts keep busy for ever: after 50 ms it is stopped.
 * A text as long as one that was given up is not tried again, so that a hundred of them take no longer than one.
 */
function timedPattern(regExp: RegExp): (text: string) => PatternMatch {
  let context: Context | undefined;
  let script: Script | undefined;
  let givenUpAt = Infinity;
  return (text) => {
    if (text.length <= SHORT) return regExp.test(text) ? 'matches' : 'differs';
    if (text.length >= givenUpAt) return 'undecided';
    context ??= createContext({ regExp });
    script ??= new Script('regExp.test(text)');
    context['text'] = text;
    try {
      return script.runInContext(context, { timeout: LIMIT_MS }) === true ? 'matches' : 'differs';
    } catch {
      givenUpAt = text.length;
      return 'undecided';
    }
  };
}
