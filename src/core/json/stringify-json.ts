import { ExactNumber, isJsonNumber, toLexeme } from './exact-number';
import type { JsonObject, JsonValue } from './json-value';

// Surrogates too, paired or not: telling them apart is left to JSON.stringify.
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * The compact JSON text of a value, every digit as it is (RFC 8259).
 * Lone surrogates are escaped, properties that are undefined skipped, and NaN and the infinities written as null, all as
 * JSON.stringify does. Throws RangeError for values nested some thousands of levels deep.
 */
export function stringifyJson(value: JsonValue): string {
  // Looking first and then using the native writer measured faster than writing everything here.
  return needsExactWriter(value) ? write(value, '', '') : JSON.stringify(value);
}

/** A text as it is, everything else as JSON. */
export function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** The same text with every property and element on a line of its own, indented by 1 to 10 spaces a level. */
export function stringifyJsonPretty(value: JsonValue, indent = 2): string {
  return needsExactWriter(value) ? write(value, ' '.repeat(indent), '\n') : JSON.stringify(value, null, indent);
}

/** Whether the value holds a number that JSON.stringify would reject or misspell. */
function needsExactWriter(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  if (value instanceof ExactNumber) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (needsExactWriter(item)) return true;
    return false;
  }
  // for…in makes no array of names; JSON objects inherit nothing enumerable.
  for (const name in value) if (needsExactWriter((value as JsonObject)[name])) return true;
  return false;
}

// Loops and not map or filter, here and above, to spend less stack on each level of a deep value.

/** `lineStart` is a line break and the current indentation, or '' to write compactly. */
function write(value: JsonValue, step: string, lineStart: string): string {
  if (typeof value === 'string') return writeString(value);
  if (isJsonNumber(value)) return toLexeme(value);
  // What is left of the numbers are NaN and the infinities, for which JSON has no text.
  if (typeof value !== 'object') return typeof value === 'number' ? 'null' : String(value);
  if (value === null) return 'null';
  return Array.isArray(value) ? writeArray(value, step, lineStart) : writeObject(value, step, lineStart);
}

function writeString(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function writeArray(items: readonly JsonValue[], step: string, lineStart: string): string {
  const inner = lineStart === '' ? '' : lineStart + step;
  let text = '';
  for (const item of items) text += (text === '' ? inner : `,${inner}`) + write(item, step, inner);
  return text === '' ? '[]' : `[${text}${lineStart}]`;
}

function writeObject(value: JsonObject, step: string, lineStart: string): string {
  const inner = lineStart === '' ? '' : lineStart + step;
  const colon = lineStart === '' ? ':' : ': ';
  let text = '';
  for (const name of Object.keys(value)) {
    const property = value[name];
    if (property === undefined) continue;
    text += (text === '' ? inner : `,${inner}`) + writeString(name) + colon + write(property, step, inner);
  }
  return text === '' ? '{}' : `{${text}${lineStart}}`;
}

/** The text of a scalar as it stands in a URL or a header: strings without quotes, numbers with every digit. */
export function scalarText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return isJsonNumber(value) ? toLexeme(value) : stringifyJson(value);
}

const LONGEST_PREVIEW = 200;

/** A value as findings show it: JSON on one line, not too long. */
export function previewValue(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : previewText(stringifyJson(value));
}

/** What a server sent, shortened; a report is not a place for a page of HTML. */
export function previewText(text: string): string {
  return text.length > LONGEST_PREVIEW ? `${text.slice(0, LONGEST_PREVIEW)}…` : text;
}
