const BYTE_ORDER_MARK = '\uFEFF';

/** A place in a text. */
export interface TextPosition {
  /** UTF-16 units from the start of the text, from 0. */
  readonly offset: number;
  /** Line number, from 1. CR LF, LF and a lone CR end a line. */
  readonly line: number;
  /** UTF-16 units from the start of the line, from 1. A byte order mark takes no column. */
  readonly column: number;
}

/** A position in words, for messages. */
export function describePosition({ line, column }: TextPosition): string {
  return `line ${line}, column ${column}`;
}

/** Turns offsets in one text into lines and columns, finding each line break once, and only those before an offset. */
export class LineMap {
  readonly #nextStart: (from: number) => number;
  readonly #starts: number[];

  constructor(text: string) {
    this.#nextStart = lineStarts(text);
    this.#starts = [text.startsWith(BYTE_ORDER_MARK) ? 1 : 0];
  }

  /** The position of an offset, in UTF-16 units. */
  at(offset: number): TextPosition {
    this.#readTo(offset);
    let line = 0;
    let after = this.#starts.length;
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) line = middle;
      else after = middle;
    }
    return { offset, line: line + 1, column: Math.max(0, offset - (this.#starts[line] ?? 0)) + 1 };
  }

  /** Makes sure that the first line behind an offset is known; that behind the last one starts at Infinity. */
  #readTo(offset: number): void {
    for (let last = this.#starts.at(-1) ?? 0; last <= offset;) this.#starts.push((last = this.#nextStart(last)));
  }
}

/**
 * Finds where the next line starts behind an offset; Infinity behind the last one. A large text without CR is gone
 * through ten times faster than by the expression.
 */
function lineStarts(text: string): (from: number) => number {
  if (!text.includes('\r')) {
    return (from) => {
      const at = text.indexOf('\n', from);
      return at === -1 ? Infinity : at + 1;
    };
  }
  const lineBreak = /\r\n|[\r\n]/g;
  return (from) => {
    lineBreak.lastIndex = from;
    return lineBreak.test(text) ? lineBreak.lastIndex : Infinity;
  };
}

/** What is wrong with a text: its grammar, a repeated property name, a limit it exceeds, or its bytes. */
export type JsonSyntaxErrorKind = 'syntax' | 'duplicate-member' | 'too-deep' | 'number-too-long' | 'encoding';

/** A text that is not acceptable JSON. The message says what was wrong, where, and what was expected. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly kind: JsonSyntaxErrorKind;
  /** UTF-16 units from the start of the text, from 0; bytes for the kind `encoding`. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** UTF-16 units, from 1. */
  readonly column: number;
  /** JSON pointer (RFC 6901) of the innermost value known to enclose the place; '' for the root. */
  readonly pointer: string;

  constructor(kind: JsonSyntaxErrorKind, message: string, position: TextPosition, pointer: string) {
    super(message);
    this.kind = kind;
    this.offset = position.offset;
    this.line = position.line;
    this.column = position.column;
    this.pointer = pointer;
  }
}

const WORD = /[\p{L}\p{N}_$]{1,20}/uy;
const VISIBLE_ASCII = /^[!-~]+$/;
const PRINTABLE = /^[^\p{C}\p{Z}]$/u;

/** The word or character at an offset as error messages show it; `end of JSON` past the last one. */
export function describeNext(text: string, offset: number): string {
  WORD.lastIndex = offset;
  const word = WORD.exec(text)?.[0];
  if (word !== undefined) return `"${word}"`;
  const code = text.codePointAt(offset);
  if (code === undefined) return 'end of JSON';
  const character = String.fromCodePoint(code);
  if (character === '"') return `'"'`;
  return PRINTABLE.test(character) ? `"${character}"` : `character ${codePointName(code)}`;
}

/** The escape whose backslash is at an offset, as error messages show it. */
export function describeEscape(text: string, offset: number): string {
  const escape = text.slice(offset, offset + (text.startsWith('u', offset + 1) ? 6 : 2));
  return VISIBLE_ASCII.test(escape) ? `escape ${escape}` : 'escape';
}

/** A code point in Unicode notation, such as U+000A. */
export function codePointName(code: number): string {
  return `U+${fourHexDigits(code)}`;
}

/** A UTF-16 unit as JSON escapes it (RFC 8259 section 7), such as `\u000A`. */
export function unicodeEscape(code: number): string {
  return `\\u${fourHexDigits(code)}`;
}

function fourHexDigits(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}
