import type * as Re2 from 're2js';
import type { CharSet } from './char-set';
import type { PatternNode } from './parse-pattern';

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
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with every description
    const { RE2JS } = require('re2js') as typeof Re2;
    const compiled = RE2JS.compile(source);
    return (text) => compiled.test(text);
  } catch {
    // RE2 has limits of its own, on counts for example.
    return undefined;
  }
}
