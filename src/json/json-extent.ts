import { isJsonNumber, toLexeme } from './exact-number';
import { isJsonObject, type JsonValue } from './json-value';

/** How large a value is, or may be. */
export interface JsonExtent {
  /** Characters of its compact text, escapes not counted. */
  readonly length: number;
  /** Levels of arrays and objects. */
  readonly depth: number;
}

/** @returns `undefined` as soon as the value is known to be larger than `most` in either way */
export function extentOf(value: JsonValue, most?: JsonExtent): JsonExtent | undefined {
  const { length: longest, depth: deepest } = most ?? { length: Infinity, depth: Infinity };
  let length = 0;
  let depth = 0;
  const measure = (part: JsonValue, level: number): boolean => {
    length += ownLength(part);
    if (length > longest) return false;
    if (Array.isArray(part) || isJsonObject(part)) {
      depth = Math.max(depth, level);
      if (level > deepest) return false;
    }
    if (Array.isArray(part)) return part.every((item) => measure(item, level + 1));
    return !isJsonObject(part) || Object.values(part).every((member) => measure(member, level + 1));
  };
  return measure(value, 1) ? { length, depth } : undefined;
}

/** Without the values in it: the brackets, commas and names of a container, the text of a scalar. */
function ownLength(value: JsonValue): number {
  if (typeof value === 'string') return value.length + 2;
  if (isJsonNumber(value)) return toLexeme(value).length;
  if (Array.isArray(value)) return value.length + 2;
  if (!isJsonObject(value)) return String(value).length;
  let length = 2;
  for (const name of Object.keys(value)) length += name.length + 4;
  return length;
}
