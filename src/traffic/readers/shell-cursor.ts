/** What is left open at the end of the text. */
export interface OpenQuote {
  readonly line: number;
  readonly quote: string;
}

/** Escapes of `$'…'` that stand for one character. */
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const CODE_POINT = /x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})/y;

/** A place in a shell script, and what is read there whatever stands around it. */
export class ShellCursor {
  protected readonly text: string;
  protected at = 0;
  protected open: OpenQuote | undefined;
  private readonly firstLine: number;
  /** Where the last offset that was asked for is, so that lines are counted once. */
  private counted = { offset: 0, line: 0 };

  /** @param firstLine - what the first line of the text is counted as */
  constructor(text: string, firstLine: number) {
    this.text = text;
    this.firstLine = firstLine;
  }

  /** From `$'` on, passed to the end. */
  protected ansiQuoted(): string {
    const from = this.at;
    this.at += 2;
    let text = '';
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) {
        this.leaveOpen(from, "$'");
        return text;
      }
      this.at += 1;
      if (character === "'") return text;
      text += character === '\\' ? this.ansiEscape() : character;
    }
  }

  private ansiEscape(): string {
    CODE_POINT.lastIndex = this.at;
    const code = CODE_POINT.exec(this.text);
    if (code !== null) {
      this.at += code[0].length;
      const [, two, four, eight, octal] = code;
      const point = octal === undefined ? Number.parseInt(two ?? four ?? eight ?? '0', 16) : Number.parseInt(octal, 8);
      return String.fromCodePoint(Math.min(point, 0x10ffff));
    }
    const character = this.text[this.at] ?? '';
    this.at += 1;
    return Object.hasOwn(ESCAPES, character) ? (ESCAPES[character] ?? '') : character;
  }

  /** The text from behind a quote to the next one like it, which is passed. */
  protected until(quote: string): string {
    const from = this.at;
    const end = this.text.indexOf(quote, from + 1);
    if (end === -1) {
      this.leaveOpen(from, quote);
      return this.text.slice(from + 1);
    }
    this.at = end + 1;
    return this.text.slice(from + 1, end);
  }

  /** What stands between brackets that begin behind the `$` here, quoted ones left aside. */
  protected balanced(opening: string, closing: string): string {
    const from = this.at + 2;
    let depth = 1;
    let quote = '';
    for (this.at = from; this.at < this.text.length; this.at++) {
      const character = this.text[this.at] ?? '';
      if (character === '\\') this.at += 1;
      else if (quote !== '') quote = character === quote ? '' : quote;
      else if (character === "'" || character === '"') quote = character;
      else if (character === opening) depth += 1;
      else if (character === closing && --depth === 0) break;
    }
    if (depth > 0) this.leaveOpen(from - 2, `$${opening}`);
    const inner = this.text.slice(from, this.at);
    this.at += 1;
    return inner;
  }

  protected leaveOpen(from: number, quote: string): void {
    this.open ??= { line: this.lineOf(from), quote };
    this.at = this.text.length;
  }

  protected indexOrEnd(text: string): number {
    const index = this.text.indexOf(text, this.at);
    return index === -1 ? this.text.length : index;
  }

  protected lineOf(offset: number): number {
    if (offset < this.counted.offset) this.counted = { offset: 0, line: 0 };
    let { line } = this.counted;
    for (let index = this.counted.offset; index < offset; index++) if (this.text[index] === '\n') line += 1;
    this.counted = { offset, line };
    return this.firstLine + line;
  }
}
