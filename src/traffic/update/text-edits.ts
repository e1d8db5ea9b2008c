/** Where several changes begin at one place: what ends there, what begins there, and what is written anew. */
const ORDER = ['behind', 'before', 'anew'] as const;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly order: (typeof ORDER)[number];
}

/** Changes to a text that stays as it is everywhere else. */
export class TextEdits {
  private readonly text: string;
  private readonly edits: Edit[] = [];

  constructor(text: string) {
    this.text = text;
  }

  replace(start: number, end: number, text: string): void {
    if (this.text.slice(start, end) !== text) this.edits.push({ start, end, text, order: 'anew' });
  }

  /** Puts a text before what begins at a place: what is around something is put there before what is in it. */
  putBefore(offset: number, text: string): void {
    this.edits.push({ start: offset, end: offset, text, order: 'before' });
  }

  /** Puts a text behind what ends at a place: what is in something is put there before what is around it. */
  putBehind(offset: number, text: string): void {
    this.edits.push({ start: offset, end: offset, text, order: 'behind' });
  }

  /** @throws Error for changes of the same characters: a defect */
  apply(): string {
    // Sorting is stable: at one place stands first what was put there first.
    const edits = this.edits.toSorted(
      (one, other) => one.start - other.start || ORDER.indexOf(one.order) - ORDER.indexOf(other.order),
    );
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
