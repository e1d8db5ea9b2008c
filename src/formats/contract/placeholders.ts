import type { SourceFinding } from '../../core/errors/standin-error';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';

/** A `${name}` in a value of a contract. */
export interface Placeholder {
  readonly name: string;
  /** JSON pointer to the string that holds it. */
  readonly pointer: string;
}

/** `$${` stands for the two characters `${`. */
const PLACEHOLDER = /\$\$\{|\$\{([^{}]*)\}/g;
const WHOLE = /^\$\{([^{}]*)\}$/;

/** Every placeholder in the strings of a value; names of properties are not looked at. */
export function placeholdersIn(value: JsonValue, pointer: string): Placeholder[] {
  if (typeof value === 'string') {
    return [...value.matchAll(PLACEHOLDER)].flatMap(([, name]) => (name === undefined ? [] : [{ name, pointer }]));
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => placeholdersIn(item, joinPointer(pointer, index)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, property]) => placeholdersIn(property, joinPointer(pointer, name)));
}

/**
 * Puts values in the place of placeholders. A string that is one placeholder and nothing else becomes the value
 * itself, so that an int64 stays a number with all its digits; elsewhere the value's text is put in.
 *
 * @param values - has every name that `value` uses
 */
export function fillPlaceholders(value: JsonValue, values: ReadonlyMap<string, JsonValue>): JsonValue {
  if (typeof value === 'string') {
    const [, whole] = WHOLE.exec(value) ?? [];
    if (whole !== undefined) return lookUp(whole, values);
    return replacePlaceholders(value, (name) => scalarText(lookUp(name, values)));
  }
  if (Array.isArray(value)) return value.map((item) => fillPlaceholders(item, values));
  if (!isJsonObject(value)) return value;
  // fromEntries defines properties, so that `__proto__` is data.
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [name, fillPlaceholders(property, values)]),
  );
}

/** Puts text in the place of every placeholder, and `${` in that of an escaped one. */
export function replacePlaceholders(text: string, textOf: (name: string) => string): string {
  return text.replace(PLACEHOLDER, (_, name: string | undefined) => (name === undefined ? '${' : textOf(name)));
}

/** Gives placeholders other names, in every text of a value; what escapes one stays as it is. */
export function renamePlaceholders(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') {
    return value.replace(PLACEHOLDER, (all, name: string | undefined) => {
      const now = name === undefined ? undefined : names.get(name);
      return now === undefined ? all : `\${${now}}`;
    });
  }
  if (Array.isArray(value)) return value.map((item) => renamePlaceholders(item, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [name, renamePlaceholders(property, names)]),
  );
}

/** Is the text one placeholder and nothing else, so that any value may come in its place? */
export function isPlaceholder(text: string): boolean {
  return WHOLE.test(text);
}

/** Is it neither null nor a list nor an object, so that it has a text? */
export function isScalar(value: JsonValue | undefined): value is Exclude<JsonValue, null | JsonValue[] | JsonObject> {
  return value !== undefined && value !== null && !Array.isArray(value) && !isJsonObject(value);
}

function lookUp(name: string, values: ReadonlyMap<string, JsonValue>): JsonValue {
  const value = values.get(name);
  if (value === undefined) throw new Error(`No value was given for the placeholder ${name}`);
  return value;
}

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

/** What stands between two separators of a flow mapping, with a placeholder in it. */
const UNQUOTED_VALUE = /(?:\$(?!\{)|[^\s,[\]{}"'$])*(?:\$\{\w*\}(?:\$(?!\{)|[^\s,[\]{}"'$])*)+/g;

/**
 * Says of syntax errors in YAML which of them are a placeholder without quotes: between braces or brackets `{` starts a
 * mapping. What the parser stumbles over behind the first one follows from it, and is left out.
 *
 * @param text - of the whole file
 */
export function explainUnquotedPlaceholders(text: string, findings: readonly SourceFinding[]): SourceFinding[] {
  const lines = text.split(/\r\n|[\r\n]/);
  const values = findings.map((finding) => placeholderAt(lines, finding));
  const first = values.findIndex((value) => value !== undefined);
  if (first === -1) return [...findings];
  return findings.flatMap((finding, index): SourceFinding[] => {
    const value = values[index];
    if (value === undefined) return index < first ? [finding] : [];
    const message = 'A placeholder between braces or brackets has no quotes, so that YAML reads a mapping';
    return [{ ...finding, message, expected: `'${value}'`, hint: `Quote the whole value: '${value}'` }];
  });
}

/** The value whose first placeholder opens with the brace that the finding is about. */
function placeholderAt(lines: readonly string[], { rule, line = 0, column = 0 }: SourceFinding): string | undefined {
  if (rule !== 'yaml-syntax') return undefined;
  const values = (lines[line - 1] ?? '').matchAll(UNQUOTED_VALUE);
  // Columns count from 1, and the brace stands behind its dollar sign.
  return [...values].find(({ 0: value, index }) => index + value.indexOf('${') === column - 2)?.[0];
}
