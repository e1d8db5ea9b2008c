const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const QUOTED_STRING = /"((?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*)"/y;
const WHITESPACE = /[ \t]*/y;

/**
 * Reads the pieces that header fields are made of, one after the other (RFC 9110 §5.6). Each `read` moves past what
 * it gave, and stays in place when it gives `undefined`. A value costs time in proportion to its length, whatever is
 * in it; one regular expression for a whole field would not keep to that.
 */
export class FieldScanner {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#text.length;
  }

  /** Passes optional white space (RFC 9110 §5.6.3). */
  skipWhitespace(): void {
    this.readPattern(WHITESPACE);
  }

  /** Passes all up to the next comma, to go on after an element that cannot be read. */
  skipToComma(): void {
    const comma = this.#text.indexOf(',', this.#position);
    this.#position = comma === -1 ? this.#text.length : comma;
  }

  /** Passes one character if it is next. */
  accept(character: string): boolean {
    if (this.#text[this.#position] !== character) return false;
    this.#position += 1;
    return true;
  }

  /** RFC 9110 §5.6.2 */
  readToken(): string | undefined {
    return this.readPattern(TOKEN)?.[0];
  }

  /** A token, or the content of a quoted string without its escapes (RFC 9110 §5.6.4). */
  readWord(): string | undefined {
    const token = this.readToken();
    if (token !== undefined) return token;
    return this.readPattern(QUOTED_STRING)?.[1]?.replace(/\\(.)/g, '$1');
  }

  /** `[ BWS "=" BWS word ]`: empty when there is no `=`, `undefined` when no word follows it. */
  readOptionalValue(): string | undefined {
    this.skipWhitespace();
    if (!this.accept('=')) return '';
    this.skipWhitespace();
    return this.readWord();
  }

  /** Tells whether a list element ends here, and passes the comma behind it (RFC 9110 §5.6.1). */
  readElementEnd(): boolean {
    this.skipWhitespace();
    return this.isAtEnd || this.accept(',');
  }

  /** @param pattern - sticky */
  readPattern(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#position = pattern.lastIndex;
    return match;
  }
}

/** The elements of a list field that could be read, and whether that was all of the field. */
export interface ListElements<Element> {
  readonly elements: readonly Element[];
  /** `false` when an element was left out because it breaks the grammar. */
  readonly isWhole: boolean;
}

/**
 * Reads a comma-separated list (RFC 9110 §5.6.1). Empty elements are allowed. After an element that breaks the grammar
 * it goes on behind the next comma.
 *
 * @param readElement - starts at the first character of an element; gives `undefined` when it breaks the grammar
 */
export function readList<Element>(
  value: string,
  readElement: (scanner: FieldScanner) => Element | undefined,
): ListElements<Element> {
  const scanner = new FieldScanner(value);
  const elements: Element[] = [];
  let isWhole = true;
  while (!scanner.isAtEnd) {
    if (scanner.readElementEnd()) continue;
    const element = readElement(scanner);
    if (element !== undefined && scanner.readElementEnd()) {
      elements.push(element);
    } else {
      isWhole = false;
      scanner.skipToComma();
    }
  }
  return { elements, isWhole };
}

const ESCAPED = String.raw`\$&`;

/**
 * Writes text as a quoted string (RFC 9110 §5.6.4). What a header cannot carry, control characters and all beyond
 * ASCII, becomes `?`, so that no text can end the field and start another.
 */
export function quote(text: string): string {
  return `"${text.replace(/[^\t -~]/gu, '?').replace(/["\\]/g, ESCAPED)}"`;
}
