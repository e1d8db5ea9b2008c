import { joinPointer } from './json-pointer';
import { LazyJsonPositions, OpenPath, type PositionRecorder, PositionTree } from './json-positions';
import { END_OF_TEXT, JsonScanner, QUOTE } from './json-scanner';
import { describePosition, JsonSyntaxError, LineMap } from './json-syntax-error';
import type { JsonValue } from './json-value';

const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const LOWER_T = 116;
const LOWER_F = 102;
const LOWER_N = 110;

const LONGEST_QUOTED_NAME = 60;
const ORDINARY = { enumerable: true, configurable: true, writable: true };

/** Bounds on a text; exceeding one is an error. */
interface ParserLimits {
  /** Levels of arrays and objects. */
  readonly maxDepth: number;
  /** UTF-16 units of one number. */
  readonly maxNumberLength: number;
}

/**
 * Builds the value of one JSON text by recursive descent.
 *
 * Given a recorder of positions it also records where values stand, which is slower; without one its errors know no
 * pointer. That it is optional is what lets parsing, error reports and positions share one grammar.
 */
export class JsonParser extends JsonScanner {
  readonly #tree: PositionRecorder | undefined;
  readonly #maxDepth: number;
  #depth = 0;

  constructor(text: string, limits: ParserLimits, tree?: PositionRecorder) {
    super(text, limits.maxNumberLength);
    this.#maxDepth = limits.maxDepth;
    this.#tree = tree;
  }

  /** Reads the whole text. Throws JsonSyntaxError. */
  readDocument(): JsonValue {
    const value = this.#readValue(this.peek());
    if (this.peek() !== END_OF_TEXT) this.failUnexpected('the end of the text');
    return value;
  }

  protected override pointer(): string {
    return this.#tree?.pointer() ?? '';
  }

  #readValue(first: number): JsonValue {
    this.#tree?.start(this.position);
    switch (first) {
      case QUOTE:
        return this.readString();
      case OPEN_BRACE:
        return this.#readObject();
      case OPEN_BRACKET:
        return this.#readArray();
      case LOWER_T:
        return this.readWord('true', true);
      case LOWER_F:
        return this.readWord('false', false);
      case LOWER_N:
        return this.readWord('null', null);
      default:
        return this.readNumber(first);
    }
  }

  #readArray(): JsonValue[] {
    this.#open();
    const items: JsonValue[] = [];
    let next = this.peek();
    if (next === CLOSE_BRACKET) return this.#close(items);
    for (;;) {
      this.#tree?.enter(items.length);
      items.push(this.#readValue(next));
      this.#tree?.leave();
      next = this.peek();
      if (next === CLOSE_BRACKET) return this.#close(items);
      if (next !== COMMA) this.failUnexpected('"," or "]"');
      this.position++;
      next = this.peek();
    }
  }

  #readObject(): JsonValue {
    this.#open();
    const properties: Record<string, JsonValue> = {};
    let next = this.peek();
    if (next === CLOSE_BRACE) return this.#close(properties);
    for (;;) {
      if (next !== QUOTE) this.#failName(properties);
      this.#readMember(properties);
      next = this.peek();
      if (next === CLOSE_BRACE) return this.#close(properties);
      if (next !== COMMA) this.failUnexpected('"," or "}"');
      this.position++;
      next = this.peek();
    }
  }

  #readMember(members: Record<string, JsonValue>): void {
    const offset = this.position;
    const name = this.readString();
    if (Object.hasOwn(members, name)) this.#failDuplicate(name, offset);
    if (this.peek() !== COLON) this.failUnexpected('":"');
    this.position++;
    this.#tree?.enter(name, offset);
    const value = this.#readValue(this.peek());
    this.#tree?.leave();
    // Assigning to __proto__ would set the prototype instead of making a property.
    if (name === '__proto__') Object.defineProperty(members, name, { value, ...ORDINARY });
    else members[name] = value;
  }

  #open(): void {
    if (++this.#depth > this.#maxDepth) {
      this.fail(
        'too-deep',
        this.position,
        'Nested too deep',
        `: expected at most ${this.#maxDepth} levels of arrays and objects`,
      );
    }
    this.position++;
  }

  #close<Value>(container: Value): Value {
    this.#depth--;
    this.position++;
    return container;
  }

  #failName(members: object): never {
    const closing = Object.keys(members).length === 0 ? ' or "}"' : '';
    this.failUnexpected(`a property name in double quotes${closing}`);
  }

  #failDuplicate(name: string, offset: number): never {
    const first = this.#tree?.keyOffset(name);
    const addition = first === undefined ? '' : ` (first at ${describePosition(this.locate(first))})`;
    const shown = name.length > LONGEST_QUOTED_NAME ? `${name.slice(0, LONGEST_QUOTED_NAME)}…` : name;
    this.fail(
      'duplicate-member',
      offset,
      `Duplicate property ${JSON.stringify(shown)}`,
      addition,
      joinPointer(this.pointer(), name),
    );
  }
}

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
 * Throws JsonSyntaxError for a text outside the grammar, a repeated property name (which section 4 leaves open) or an
 * exceeded limit (section 9).
 */
export function parseJson(text: string, limits: JsonLimits = {}): JsonValue {
  const bounds = boundsOf(limits);
  try {
    return new JsonParser(text, bounds).readDocument();
  } catch (error) {
    return rethrowWithPointer(text, bounds, error);
  }
}

/** A text that was read, and what was learnt of it on the way. */
interface ParsedJson {
  readonly value: JsonValue;
  /** Are all of its numbers of the language's own kind, none a `bigint` or an `ExactNumber`? */
  readonly isPlain: boolean;
  readonly positions: LazyJsonPositions;
}

/** Where most of a large text can be passed over when a place is looked for, and what that may take of the memory. */
const OUTLINE_LEVELS = 3;
const MAX_OUTLINED = 50_000;

/** {@link parseJson} of a text that its reader will be asked about. */
export function parseJsonWithPositions(text: string, limits: JsonLimits = {}): ParsedJson {
  const bounds = boundsOf(limits);
  const outline = new PositionTree(OUTLINE_LEVELS, MAX_OUTLINED);
  const parser = new JsonParser(text, bounds, outline);
  try {
    const value = parser.readDocument();
    return { value, isPlain: !parser.hasExact, positions: new LazyJsonPositions(text, outline.root) };
  } catch (error) {
    return rethrowWithPointer(text, bounds, error);
  }
}

function boundsOf(limits: JsonLimits): ParserLimits {
  return {
    maxDepth: Math.min(limits.maxDepth ?? DEFAULT_MAX_DEPTH, MAX_DEPTH),
    maxNumberLength: limits.maxNumberLength ?? DEFAULT_MAX_NUMBER_LENGTH,
  };
}

/** The same text fails the same way a second time, now with the pointers known. */
function rethrowWithPointer(text: string, bounds: ParserLimits, error: unknown): never {
  new JsonParser(text, bounds, new OpenPath(text)).readDocument();
  throw error;
}

const REPLACEMENT = '\uFFFD';
const REPLACEMENT_BYTES = [0xef, 0xbf, 0xbd];
// The fatal TextDecoder measured faster than isUtf8 or isAscii followed by a Buffer slice, at 60 bytes and at 1 MB.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The text of UTF-8 bytes, the encoding JSON requires (RFC 8259 section 8.1).
 *
 * A leading byte order mark is stored, so that the text is the bytes and nothing less; `parseJson` skips it.
 * Throws JsonSyntaxError of kind `encoding`, with the byte offset of the first sequence that is not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw describeBadByte(bytes);
  }
}

/** Not by Buffer: browsers read JSON by this file too. */
function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The text before the first bad sequence is valid, so its length in bytes is the offset of that sequence. */
function describeBadByte(bytes: Uint8Array): JsonSyntaxError {
  const text = lenient.decode(bytes);
  let index = text.indexOf(REPLACEMENT);
  let offset = utf8Length(text.slice(0, index));
  while (isGenuineReplacement(bytes, offset)) {
    const next = text.indexOf(REPLACEMENT, index + 1);
    offset += utf8Length(text.slice(index, next));
    index = next;
  }
  const place = { ...new LineMap(text).at(index), offset };
  const byte = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  const message = `Invalid UTF-8 at byte ${offset} (0x${byte}), ${describePosition(place)}: expected UTF-8 text`;
  return new JsonSyntaxError('encoding', message, place, '');
}

function isGenuineReplacement(bytes: Uint8Array, offset: number): boolean {
  return REPLACEMENT_BYTES.every((byte, index) => bytes[offset + index] === byte);
}
