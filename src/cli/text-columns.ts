import { printable } from '../errors/printable';

/** Columns of a terminal that are written to. */
export const WIDTH = 80;
/** A column before the last is not wider: what does not fit pushes its line to the right, or the rest to the next one. */
const WIDEST = 34;

/** Breaks a text into lines of {@link WIDTH} at its spaces; those after the first are indented further. */
export function wrap(text: string, indent: string, further: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of printable(text).split(' ')) {
    const limit = WIDTH - indent.length - (lines.length === 0 ? 0 : further);
    if (line !== '' && line.length + 1 + word.length > limit) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each, index) => `${indent}${index === 0 ? '' : ' '.repeat(further)}${each}`);
}

/** Rows as aligned columns; the last column is broken into lines below itself. */
export function columns(rows: readonly (readonly string[])[], indent: string): string[] {
  const last = Math.max(0, ...rows.map((row) => row.length)) - 1;
  const widths = Array.from({ length: Math.max(0, last) }, (_, column) =>
    Math.min(WIDEST, Math.max(0, ...rows.map((row) => printable(row[column] ?? '').length))),
  );
  return rows.flatMap((row) => {
    let head = indent;
    for (const [column, width] of widths.entries()) head += `${printable(row[column] ?? '').padEnd(width)}  `;
    const at = indent.length + widths.reduce((sum, width) => sum + width + 2, 0);
    const text = row[last] ?? '';
    if (text === '') return [head.trimEnd()];
    const [first = '', ...others] = wrap(text, ' '.repeat(at), 0);
    // A cell that is too wide has its line for itself.
    if (head.length > at) return [head.trimEnd(), first, ...others];
    return [`${head}${first.trimStart()}`, ...others];
  });
}

/** The first of many, and how many there are beside them. */
export function bounded<Item>(
  items: readonly Item[],
  most: number,
): { readonly shown: readonly Item[]; readonly rest: number } {
  // One more is shown rather than counted.
  const shown = items.length <= most + 1 ? items : items.slice(0, most);
  return { shown, rest: items.length - shown.length };
}

/** `a, b, c and 4 more`. */
export function listText(items: readonly string[], most: number): string {
  const { shown, rest } = bounded(items, most);
  return `${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}
