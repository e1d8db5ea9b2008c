/** Changes to a text that stays as it is everywhere else. */
export class TextEdits {
  private readonly text: string;
  private readonly edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** Puts a text in the place of another one. Several that are put at the same place stand in the order of the calls. */
  replace(start: number, end: number, text: string): void {
    if (this.text.slice(start, end) !== text) this.edits.push({ start, end, text });
  }

  /** @throws Error for changes of the same characters: a defect */
  apply(): string {
    const edits = this.edits
      .map((edit, index) => ({ ...edit, index }))
      // What is put before something comes before what becomes of that.
      .sort((one, other) => one.start - other.start || one.end - other.end || one.index - other.index);
    let at = 0;
    let result = '';
    for (const { start, end, text } of edits) {
      if (start < at) throw new Error(`Two changes of a text overlap at its offset ${start}`);
      result += this.text.slice(at, start) + text;
      at = end;
    }
    return result + this.text.slice(at);
  }
}
