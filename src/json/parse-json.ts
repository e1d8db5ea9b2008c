import { JsonParser } from './json-parser';
import type { JsonValue } from './json-value';
import { PositionTree } from './position-tree';

/** What a JSON text may hold at most. */
export interface JsonLimits {
  /** Levels of arrays and objects: 64 unless told, and never more than MAX_DEPTH. */
  readonly maxDepth?: number;
  /** Characters of one number: 1,000 unless told. */
  readonly maxNumberLength?: number;
}

/**
 * The most levels any limit allows. Whatever walks a parsed value recursively, here or in a caller, is then known to
 * stay within the stack.
 */
export const MAX_DEPTH = 500;

const DEFAULT_MAX_DEPTH = 64;
const DEFAULT_MAX_NUMBER_LENGTH = 1000;

/**
 * The value of a JSON text, every digit kept (RFC 8259, strict; a leading byte order mark is skipped, section 8.1).
 *
 * Throws JsonSyntaxError for a text outside the grammar, a repeated member name (which section 4 leaves open) or an
 * exceeded limit (section 9).
 */
export function parseJson(text: string, limits: JsonLimits = {}): JsonValue {
  const bounds = {
    maxDepth: Math.min(limits.maxDepth ?? DEFAULT_MAX_DEPTH, MAX_DEPTH),
    maxNumberLength: limits.maxNumberLength ?? DEFAULT_MAX_NUMBER_LENGTH,
  };
  try {
    return new JsonParser(text, bounds).readDocument();
  } catch (error) {
    // The same text fails the same way a second time, now with the pointers known.
    new JsonParser(text, bounds, new PositionTree()).readDocument();
    throw error;
  }
}
