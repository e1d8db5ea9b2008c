import { JsonParser, type ParserLimits } from './json-parser';
import type { JsonValue } from './json-value';
import { LazyJsonPositions } from './lazy-positions';
import { OpenPath } from './open-path';
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
  const bounds = boundsOf(limits);
  try {
    return new JsonParser(text, bounds).readDocument();
  } catch (error) {
    return failAgain(text, bounds, error);
  }
}

/** A text that was read, and what was learnt of it on the way. */
export interface ReadJson {
  readonly value: JsonValue;
  /** Are all of its numbers of the language's own kind, none a `bigint` or an `ExactNumber`? */
  readonly isPlain: boolean;
  readonly positions: LazyJsonPositions;
}

/** Where most of a large text can be passed over when a place is looked for, and what that may take of the memory. */
const OUTLINE_LEVELS = 3;
const MOST_OUTLINED = 50_000;

/** {@link parseJson} of a text that its reader will be asked about. */
export function readJson(text: string, limits: JsonLimits = {}): ReadJson {
  const bounds = boundsOf(limits);
  const outline = new PositionTree(OUTLINE_LEVELS, MOST_OUTLINED);
  const parser = new JsonParser(text, bounds, outline);
  try {
    const value = parser.readDocument();
    return { value, isPlain: !parser.hasExact, positions: new LazyJsonPositions(text, outline.root) };
  } catch (error) {
    return failAgain(text, bounds, error);
  }
}

function boundsOf(limits: JsonLimits): ParserLimits {
  return {
    maxDepth: Math.min(limits.maxDepth ?? DEFAULT_MAX_DEPTH, MAX_DEPTH),
    maxNumberLength: limits.maxNumberLength ?? DEFAULT_MAX_NUMBER_LENGTH,
  };
}

/** The same text fails the same way a second time, now with the pointers known. */
function failAgain(text: string, bounds: ParserLimits, error: unknown): never {
  new JsonParser(text, bounds, new OpenPath(text)).readDocument();
  throw error;
}
