import { compilePattern, type PatternEngine } from '../../schema/pattern/compile-pattern';
import { isSchemaObject, type SchemaObject } from '../../schema/schema-object';

import type { Lint } from './lint';

/**
 * Every pattern can be matched in bounded time. One that only a backtracking engine can read, and that some string
 * would keep busy for ever, is matched with a time limit.
 */
export const patternBounded: Lint = {
  id: 'pattern-bounded',
  source: 'OAS 3.2.0 §5 Security Considerations',
  severity: 'warning',
  // Patterns of other engines are matched in linear time; those that are no regular expression are `schema-compiles`'s.
  run: ({ objects }) =>
    objects.flatMap(({ kind, at }) => {
      if (kind !== 'schema' || !isSchemaObject(at.value)) return [];
      const unbounded = patternsOf(at.value).filter((pattern) => engineOf(pattern) === 'timed');
      return unbounded.map((pattern) => ({
        pointer: at.pointer,
        message: `The pattern ${pattern} can take for ever: a value that is not matched in 50 ms is rejected`,
        hint: 'Write it without look-around, back-references or octal escapes, or without loops that share a text.',
      }));
    }),
};

function patternsOf({ pattern, patternProperties }: SchemaObject): string[] {
  const names = isSchemaObject(patternProperties) ? Object.keys(patternProperties) : [];
  return typeof pattern === 'string' ? [pattern, ...names] : names;
}

function engineOf(pattern: string): PatternEngine | undefined {
  try {
    return compilePattern(pattern).engine;
  } catch {
    return undefined;
  }
}
