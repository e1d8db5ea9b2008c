import type { JsonNumber } from './exact-number';
import { joinPointer } from './json-pointer';
import { END_OF_TEXT, JsonScanner, QUOTE } from './json-scanner';
import type { JsonValue } from './json-value';
import { MAX_DEPTH } from './parse-json';
import { stringifyJson } from './stringify-json';

/** What is put in the place of the texts and numbers of a JSON text. */
export interface JsonRewrites {
  /**
   * @param path - names and indexes that lead to it; only to be read while the function runs
   * @returns the very value where it stays
   */
  scalar(value: string | JsonNumber, path: readonly string[]): JsonValue;
  /** Of a property; left out: names stay. */
  readonly name?: ((name: string) => string) | undefined;
}

/**
 * A JSON text with other scalars in it. All else stays as it was written: white space, the order of properties, the
 * digits of numbers, a name that stands there twice.
 *
 * @throws JsonSyntaxError for a text outside the grammar, and for one nested deeper than `MAX_DEPTH`
 */
export function rewriteJson(text: string, rewrites: JsonRewrites): string {
  return new JsonRewriter(text, rewrites).rewrite();
}

const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const WORDS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

class JsonRewriter extends JsonScanner {
  readonly #rewrites: JsonRewrites;
  readonly #path: string[] = [];
  #written = '';
  /** Offset up to which the text is written. */
  #done = 0;

  constructor(text: string, rewrites: JsonRewrites) {
    super(text, Infinity);
    this.#rewrites = rewrites;
  }

  rewrite(): string {
    this.#value(this.peek());
    if (this.peek() !== END_OF_TEXT) this.failUnexpected('the end of the text');
    return this.#done === 0 ? this.text : this.#written + this.text.slice(this.#done);
  }

  protected override pointer(): string {
    return this.#path.reduce(joinPointer, '');
  }

  #value(first: number): void {
    if (first === OPEN_BRACE) {
      this.#object();
      return;
    }
    if (first === OPEN_BRACKET) {
      this.#array();
      return;
    }
    const start = this.position;
    const word = first === END_OF_TEXT ? undefined : WORDS[String.fromCharCode(first)];
    if (word !== undefined) {
      this.readWord(word, undefined);
      return;
    }
    const value = first === QUOTE ? this.readString() : this.readNumber(first);
    const other = this.#rewrites.scalar(value, this.#path);
    if (other !== value) this.#replace(start, stringifyJson(other));
  }

  #replace(start: number, written: string): void {
    this.#written += this.text.slice(this.#done, start) + written;
    this.#done = this.position;
  }

  #object(): void {
    this.#open();
    let next = this.peek();
    for (; next !== CLOSE_BRACE;) {
      if (next !== QUOTE) this.failUnexpected('a property name in double quotes');
      this.#property();
      next = this.#next(CLOSE_BRACE, '"," or "}"');
    }
    this.position++;
  }

  #property(): void {
    const start = this.position;
    const name = this.readString();
    const other = this.#rewrites.name?.(name) ?? name;
    if (other !== name) this.#replace(start, stringifyJson(other));
    if (this.peek() !== COLON) this.failUnexpected('":"');
    this.position++;
    this.#path.push(name);
    this.#value(this.peek());
    this.#path.pop();
  }

  #array(): void {
    this.#open();
    let next = this.peek();
    for (let index = 0; next !== CLOSE_BRACKET; index++) {
      this.#path.push(String(index));
      this.#value(next);
      this.#path.pop();
      next = this.#next(CLOSE_BRACKET, '"," or "]"');
    }
    this.position++;
  }

  #open(): void {
    if (this.#path.length >= MAX_DEPTH)
      this.fail('too-deep', this.position, 'Nested too deep', `: expected at most ${MAX_DEPTH} levels`);
    this.position++;
  }

  /** @returns the first character of what comes next, or the closing one */
  #next(closing: number, expected: string): number {
    const next = this.peek();
    if (next === closing) return next;
    if (next !== COMMA) this.failUnexpected(expected);
    this.position++;
    const following = this.peek();
    if (following === closing) this.failUnexpected('a value');
    return following;
  }
}
