import { compilePattern } from '../../json-schema/pattern/compile-pattern';
import type { JsonValue } from '../../json/json-value';
import type { Mend } from './mend';

/** Begin and end of a text in the languages of many services; ECMA-262 has `^` and `$` (JSON Schema Core §6.4). */
const ANCHORS = { begin: /^\\A/, end: /\\[zZ]$/ };

/**
 * Patterns that do not say what their author meant: with the anchors of another language, and those that even the example
 * of the same schema does not fit.
 */
export const patterns: Mend = ({ kind, value, tell, set }) => {
  const { pattern } = value;
  if (kind !== 'schema' || typeof pattern !== 'string') return;
  const meant = pattern.replace(ANCHORS.begin, '^').replace(ANCHORS.end, '$');
  if (isRefuted(meant, [value['example'], ...listOf(value['examples'])])) {
    tell('pattern', {
      message: 'The pattern does not fit the example beside it and is read as if it were not there',
      hint: 'Give an example that fits the pattern, or correct the pattern.',
    });
    set('pattern', undefined);
  } else if (meant !== pattern) {
    tell('pattern', {
      message: `The pattern has the anchors of another language; it is read as ${meant}`,
      hint: 'Write ^ and $ (ECMA-262).',
    });
    set('pattern', meant);
  }
};

function listOf(value: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  return Array.isArray(value) ? value : [];
}

function isRefuted(pattern: string, examples: readonly (JsonValue | undefined)[]): boolean {
  const texts = examples.filter((example) => typeof example === 'string');
  if (texts.length === 0) return false;
  try {
    const compiled = compilePattern(pattern);
    return texts.every((text) => compiled.judge(text) === 'differs');
  } catch {
    // No regular expression at all: whoever compiles the schema tells of it.
    return false;
  }
}
