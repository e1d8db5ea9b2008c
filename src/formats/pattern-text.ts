import { replacePlaceholders } from './placeholders';

const SYNTAX_CHARACTER = /[\\^$.*+?()[\]{}|/]/g;
/** As text between parentheses this compiles, and as a range of a character class it does not. */
const PROBE = '(?:z-a)';

/**
 * Why a regular expression of a contract cannot be used, in the words of the engine; `undefined` when it can.
 * Expressions are ECMAScript's with the flag `u` (ECMA-262 §22.2.1), in which `${` means nothing, so that a placeholder
 * can stand in one, though not in a character class.
 */
export function patternFault(source: string): string | undefined {
  try {
    new RegExp(
      replacePlaceholders(source, () => PROBE),
      'u',
    );
    return undefined;
  } catch (error) {
    return (error as SyntaxError).message.replace(/^Invalid regular expression: /, '');
  }
}

/** Puts text in the place of placeholders; every character of it stands for itself. */
export function fillPattern(source: string, textOf: (name: string) => string): string {
  return replacePlaceholders(source, (name) => `(?:${textOf(name).replace(SYNTAX_CHARACTER, '\\$&')})`);
}

/** How many groups of a regular expression capture. */
export function countGroups(source: string): number {
  // With an empty alternative it matches everything, and the result has a place for each group.
  return (new RegExp(`${source}|`, 'u').exec('')?.length ?? 1) - 1;
}
