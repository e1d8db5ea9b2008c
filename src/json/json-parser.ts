import { joinPointer } from './json-pointer';
import { END_OF_TEXT, JsonScanner, QUOTE } from './json-scanner';
import type { JsonValue } from './json-value';
import type { PositionRecorder } from './position-recorder';
import { describePosition } from './text-position';

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
export interface ParserLimits {
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
    this.#tree?.place(this.position);
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
    const members: Record<string, JsonValue> = {};
    let next = this.peek();
    if (next === CLOSE_BRACE) return this.#close(members);
    for (;;) {
      if (next !== QUOTE) this.#failName(members);
      this.#readMember(members);
      next = this.peek();
      if (next === CLOSE_BRACE) return this.#close(members);
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
    // Assigning to __proto__ would set the prototype instead of making a member.
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
    this.failUnexpected(`a member name in double quotes${closing}`);
  }

  #failDuplicate(name: string, offset: number): never {
    const first = this.#tree?.keyOffset(name);
    const addition = first === undefined ? '' : ` (first at ${describePosition(this.locate(first))})`;
    const shown = name.length > LONGEST_QUOTED_NAME ? `${name.slice(0, LONGEST_QUOTED_NAME)}…` : name;
    this.fail(
      'duplicate-member',
      offset,
      `Duplicate member ${JSON.stringify(shown)}`,
      addition,
      joinPointer(this.pointer(), name),
    );
  }
}
