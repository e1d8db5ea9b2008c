import type { SourceFinding } from '../errors/source-finding';
import { compilePattern, type PatternEngine } from '../json-schema/pattern/compile-pattern';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import { findingAt, type SourceDocument } from './source-document';
import type { VisitedObject } from './visit-objects';

/**
 * Warnings about patterns that only a backtracking engine can read and that some text would keep busy for ever: they are
 * judged with a clock, and a value that is not through in time is refused. Patterns that are merely careless are judged
 * in linear time and not spoken of; those that are no regular expression are another rule's concern.
 *
 * @param objects - every object of the document
 */
export function carelessPatterns(document: SourceDocument, objects: readonly VisitedObject[]): SourceFinding[] {
  return objects.flatMap(({ kind, at }) => {
    if (kind !== 'schema' || !isSchemaObject(at.value)) return [];
    return patternsOf(at.value).flatMap((pattern) => {
      if (engineOf(pattern) !== 'timed') return [];
      return findingAt(document, at.pointer, {
        rule: 'pattern-bounded',
        severity: 'warning',
        message: `The pattern ${pattern} can take for ever: a value that is not judged in 50 ms is refused`,
        hint: 'Write it without look-around, back-references or octal escapes, or without loops that share a text.',
      });
    });
  });
}

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
