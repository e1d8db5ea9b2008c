import { compilePattern } from '../../json-schema/pattern/compile-pattern';
import type { JsonValue } from '../../json/json-value';
import type { Mend } from './mend';

/** Begin and end of a text in the languages of many services; ECMA-262 has `^` and `$` (JSON Schema Core §6.4). */
const ANCHORS = { begin: /^\\A/, end: /\\[zZ]$/ };

/** What follows a backslash, in pairs from the left; a name of a class behind two of them is the first group. */
const ESCAPES = /\\\\([wdsWDS])|\\[^]/g;

/** Lists of characters whose backslashes were written for a text within a text: `[\\w-]` for `[\w-]`. */
function unescaped(pattern: string): string {
  const isAware = [...pattern.matchAll(ESCAPES)].some(([found, name]) => name === undefined && /[wdsWDS]$/.test(found));
  if (isAware) return pattern;
  // Elsewhere a backslash may be meant.
  return pattern.replace(/\[\^?(?:[^\]\\]|\\[^])*\]/g, (list) =>
    list.replace(ESCAPES, (found: string, name?: string) => (name === undefined ? found : `\\${name}`)),
  );
}

/**
 * Patterns that do not say what their author meant: with the anchors of another language, and those that even the example
 * of the same schema does not fit.
 */
export const patterns: Mend = ({ kind, value, tell, set }) => {
  const { pattern } = value;
  if (kind !== 'schema' || typeof pattern !== 'string') return;
  const plain = unescaped(pattern);
  const meant = plain.replace(ANCHORS.begin, '^').replace(ANCHORS.end, '$');
  if (isRefuted(meant, [value['example'], ...listOf(value['examples'])])) {
    tell('pattern', {
      message: 'The pattern does not fit the example beside it and is read as if it were not there',
      hint: 'Give an example that fits the pattern, or correct the pattern.',
    });
    set('pattern', undefined);
  } else if (meant !== pattern) {
    tell('pattern', {
      message: `The pattern ${plain === pattern ? 'has the anchors of another language' : 'is escaped twice'}; it is read as ${meant}`,
      hint: plain === pattern ? 'Write ^ and $ (ECMA-262).' : 'Write one backslash before the name of a class.',
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
