import { numberFromLexeme, type JsonNumber } from './exact-number';
import {
  codePointName,
  describeEscape,
  describeNext,
  describePosition,
  JsonSyntaxError,
  type JsonSyntaxErrorKind,
  LineMap,
  type TextPosition,
  unicodeEscape,
} from './json-syntax-error';

/** Character code that `peek` answers at the end of the text. */
export const END_OF_TEXT = -1;
/** UTF-16 code of a double quote. */
export const QUOTE = 34;

const BACKSLASH = 92;
const SPACE = 32;
const MINUS = 45;
const PLUS = 43;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const LOWER_E = 101;
const UPPER_E = 69;
const BYTE_ORDER_MARK = 0xfeff;

/** Any decimal of at most this many digits survives the way to a double and back. */
const DOUBLE_DIGITS = 15;
/** Below this, `String` writes a number with an exponent. */
const SMALLEST_PLAIN = 1e-6;
const POWERS_OF_TEN = Array.from({ length: DOUBLE_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const FOUR_HEX_DIGITS = /^[0-9a-fA-F]{4}$/;

/**
 * Reads the tokens of one JSON text (RFC 8259), moving a position along it.
 *
 * Every read of a character is guarded by the length: an out-of-range `charCodeAt` answers NaN, and meeting one makes
 * V8 drop the fast code for all later reads.
 */
export abstract class JsonScanner {
  protected position: number;
  protected readonly text: string;
  #hasExact = false;
  readonly #end: number;
  readonly #maxNumberLength: number;

  constructor(text: string, maxNumberLength: number) {
    this.text = text;
    this.#end = text.length;
    this.#maxNumberLength = maxNumberLength;
    this.position = text.length > 0 && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  }

  /** Skips whitespace and answers the character code at the position, or END_OF_TEXT. */
  protected peek(): number {
    const { text } = this;
    const end = this.#end;
    let position = this.position;
    while (position < end) {
      const code = text.charCodeAt(position);
      if (code > SPACE || !isWhitespace(code)) {
        this.position = position;
        return code;
      }
      position++;
    }
    this.position = position;
    return END_OF_TEXT;
  }

  /** Reads one of the literal names `true`, `false` and `null`. */
  protected readWord<Value>(word: string, value: Value): Value {
    if (!this.text.startsWith(word, this.position)) this.failUnexpected('a value');
    this.position += word.length;
    return value;
  }

  /** Reads a string from its opening quote on. Lone surrogates are allowed, as the grammar allows them. */
  protected readString(): string {
    const start = ++this.position;
    const stop = this.#skipPlain();
    if (stop === QUOTE) return this.text.slice(start, this.position++);
    return this.#readEscapedString(start, stop);
  }

  /** Reads a number whose first character is `first`. Short ones are added up without taking a slice. */
  protected readNumber(first: number): JsonNumber {
    const start = this.position;
    const negative = first === MINUS;
    if (negative) this.position++;
    const whole = this.#readWhole(start);
    const short = this.#readShortRest(whole, start + (negative ? 1 : 0));
    const length = this.position - start;
    if (length > this.#maxNumberLength) this.#failTooLong(start, length);
    // -0 is left to the slow path, which keeps its sign, and so is whatever is not short (NaN).
    if (short > 0 || (short === 0 && !negative)) return negative ? -short : short;
    const number = numberFromLexeme(this.text.slice(start, this.position));
    if (typeof number !== 'number') this.#hasExact = true;
    return number;
  }

  /** Was a number met that no `number` of the language spells? */
  get hasExact(): boolean {
    return this.#hasExact;
  }

  /** Throws for the character at the position, or for the end of the text, where something else was expected. */
  protected failUnexpected(expected: string, offset = this.position): never {
    this.fail('syntax', offset, `Unexpected ${describeNext(this.text, offset)}`, `: expected ${expected}`);
  }

  /** Throws a JsonSyntaxError: the problem, the place, and what there is to add. */
  protected fail(
    kind: JsonSyntaxErrorKind,
    offset: number,
    problem: string,
    addition: string,
    pointer = this.pointer(),
  ): never {
    const place = this.locate(offset);
    throw new JsonSyntaxError(kind, `${problem} at ${describePosition(place)}${addition}`, place, pointer);
  }

  /** JSON pointer of the innermost value being read, as far as it is known. */
  protected abstract pointer(): string;

  /** Line and column of an offset. */
  protected locate(offset: number): TextPosition {
    return new LineMap(this.text).at(offset);
  }

  /** Moves to the next character that a string cannot hold as it is, and answers its code. */
  #skipPlain(): number {
    const { text } = this;
    const end = this.#end;
    let position = this.position;
    while (position < end) {
      const code = text.charCodeAt(position);
      if (code === QUOTE || code === BACKSLASH || code < SPACE) {
        this.position = position;
        return code;
      }
      position++;
    }
    this.position = position;
    return END_OF_TEXT;
  }

  #readEscapedString(start: number, stop: number): string {
    let value = this.text.slice(start, this.position);
    let code = stop;
    while (code !== QUOTE) {
      if (code !== BACKSLASH) this.#failInString(code, start - 1);
      value += this.#readEscape();
      const from = this.position;
      code = this.#skipPlain();
      value += this.text.slice(from, this.position);
    }
    this.position++;
    return value;
  }

  #readEscape(): string {
    const offset = this.position;
    const escaped = this.text.charAt(offset + 1);
    const value = ESCAPES[escaped];
    if (value !== undefined) {
      this.position = offset + 2;
      return value;
    }
    const hex = this.text.slice(offset + 2, offset + 6);
    if (escaped !== 'u' || !FOUR_HEX_DIGITS.test(hex)) this.#failEscape(offset);
    this.position = offset + 6;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  /** Reads the digits before the point; past 15 of them the sum is no longer exact and is not used. */
  #readWhole(start: number): number {
    const from = this.position;
    const whole = this.#readDigits(0);
    const count = this.position - from;
    if (count === 0) this.failUnexpected(from === start ? 'a value' : 'a digit');
    if (count > 1 && this.text.charCodeAt(from) === ZERO) {
      this.fail('syntax', start, 'Number with a leading zero', ': expected no zero before other digits');
    }
    return whole;
  }

  /** Reads the rest of a number; NaN unless a double of at most 15 digits without exponent spells the same text. */
  #readShortRest(whole: number, from: number): number {
    const wholeEnd = this.position;
    let code = this.#current();
    if (code !== POINT) {
      const isShort = !this.#readExponent(code) && wholeEnd - from <= DOUBLE_DIGITS;
      return isShort ? whole : Number.NaN;
    }
    this.position++;
    const all = this.#readDigits(whole);
    const end = this.position;
    const places = end - wholeEnd - 1;
    if (places === 0) this.failUnexpected('a digit');
    code = this.#current();
    if (this.#readExponent(code) || end - from - 1 > DOUBLE_DIGITS) return Number.NaN;
    if (this.text.charCodeAt(end - 1) === ZERO) return Number.NaN;
    // Both operands are exact, so the quotient is the double nearest to the decimal.
    const value = all / (POWERS_OF_TEN[places] ?? 1);
    return value >= SMALLEST_PLAIN ? value : Number.NaN;
  }

  #readExponent(code: number): boolean {
    if (code !== LOWER_E && code !== UPPER_E) return false;
    this.position++;
    const sign = this.#current();
    if (sign === PLUS || sign === MINUS) this.position++;
    const from = this.position;
    this.#readDigits(0);
    if (this.position === from) this.failUnexpected('a digit');
    return true;
  }

  /** Reads digits, adding them to the decimal number `seed`. */
  #readDigits(seed: number): number {
    const { text } = this;
    const end = this.#end;
    let position = this.position;
    let sum = seed;
    while (position < end) {
      const code = text.charCodeAt(position);
      if (code < ZERO || code > NINE) break;
      sum = sum * 10 + (code - ZERO);
      position++;
    }
    this.position = position;
    return sum;
  }

  #current(): number {
    return this.position < this.#end ? this.text.charCodeAt(this.position) : END_OF_TEXT;
  }

  #failInString(code: number, opening: number): never {
    if (code !== END_OF_TEXT) {
      const problem = `Unescaped control character ${codePointName(code)} in a string`;
      this.fail('syntax', this.position, problem, `: expected the escape ${unicodeEscape(code)}`);
    }
    const opened = describePosition(this.locate(opening));
    this.failUnexpected(`the closing quote of the string opened at ${opened}`);
  }

  #failEscape(offset: number): never {
    const escaped = this.text.charAt(offset + 1);
    if (escaped === '') this.failUnexpected('an escaped character', offset + 1);
    const addition = String.raw`: expected \", \\, \/, \b, \f, \n, \r, \t or \u with four hex digits`;
    this.fail('syntax', offset, `Invalid ${describeEscape(this.text, offset)} in a string`, addition);
  }

  #failTooLong(start: number, length: number): never {
    const addition = `: expected at most ${this.#maxNumberLength}`;
    this.fail('number-too-long', start, `Number of ${length} characters`, addition);
  }
}

function isWhitespace(code: number): boolean {
  return code === SPACE || code === 10 || code === 13 || code === 9;
}
