import type { JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';

/** As many characters of JSON are kept read: what is made of them takes more than ten times as much memory. */
const MOST_CHARACTERS = 2_000_000;

const read = new Map<string, { readonly value: JsonValue | undefined }>();
let characters = 0;

/**
 * The value of a text that may be JSON, `undefined` where it is none. A recording is looked through several times, and what
 * all of its bodies mean at once would be many times as large as its file: those that were read lately are kept, and
 * others read again.
 */
export function jsonInText(text: string): JsonValue | undefined {
  const known = read.get(text);
  if (known !== undefined) return known.value;
  const value = parsed(text);
  characters += text.length;
  for (const oldest of read.keys()) {
    if (characters <= MOST_CHARACTERS) break;
    read.delete(oldest);
    characters -= oldest.length;
  }
  read.set(text, { value });
  return value;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
