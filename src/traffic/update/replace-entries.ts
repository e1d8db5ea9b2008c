import type { TextEdits } from './text-edits';
import type { Entry } from './written-tree';

/** An entry of a map or a list that the file has; without a name when it goes. */
interface NamedEntry {
  readonly name: string | undefined;
  readonly entry: Entry;
}

/**
 * Removes entries that have no name any more, and puts in what the file does not have yet, each behind the one that comes
 * before it.
 *
 * @param order - the names of all that are there afterwards
 * @param print - the text of a new one, with a line feed at its end
 * @param editInside - changes what is in the entries that stay: what comes in at the end of one stands before what comes in
 *   behind it
 */
export function replaceEntries(
  edits: TextEdits,
  text: string,
  entries: readonly NamedEntry[],
  order: readonly string[],
  print: (name: string, column: number, isFirst: boolean) => string,
  editInside: () => void,
): void {
  const first = entries.findIndex(({ name }) => name !== undefined);
  const begin = entries[first]?.entry;
  if (begin === undefined) throw new Error('Nothing of a map or list is left to put something beside');
  const gone = entries.slice(0, first).map(({ entry }) => entry);
  const known = new Map(entries.map(({ name, entry }) => [name, entry]));
  const later: { readonly entry: Entry; readonly printed: string }[] = [];
  let behind: Entry | undefined;
  let hasNewFirst = false;
  for (const name of order) {
    const entry = known.get(name);
    if (entry !== undefined) {
      behind = entry;
      continue;
    }
    const printed = print(name, begin.column, behind === undefined);
    hasNewFirst ||= behind === undefined;
    if (behind === undefined) putFirst(edits, gone[0] ?? begin, printed);
    else later.push({ entry: behind, printed });
  }
  removeFirst(edits, text, gone, begin, hasNewFirst);
  for (const { name, entry } of entries.slice(first)) {
    if (name === undefined) edits.replace(entry.lead, entry.end, '');
  }
  editInside();
  for (const { entry, printed } of later) edits.putBehind(entry.end, printed);
}

function putFirst(edits: TextEdits, { isBehindDash, lead, start, column }: Entry, printed: string): void {
  if (isBehindDash) edits.putBefore(start, `${printed.trimStart()}${' '.repeat(column)}`);
  else edits.putBefore(lead, printed);
}

/** Removes what stands before the first entry that stays, which then is the first. */
function removeFirst(edits: TextEdits, text: string, gone: readonly Entry[], begin: Entry, hasNewFirst: boolean): void {
  const [first] = gone;
  if (first === undefined) return;
  const lead = text.slice(begin.lead, begin.start);
  if (first.isBehindDash) {
    // Comments of what comes next have to begin on a line of their own.
    if (lead.trim() === '') edits.replace(first.start, begin.start, '');
    else edits.replace(text.slice(0, first.start).trimEnd().length, begin.lead, '\n');
    return;
  }
  const blank = hasNewFirst ? 0 : (/^(?:[ \t]*\n)*/.exec(lead)?.[0].length ?? 0);
  edits.replace(first.lead, begin.lead + blank, '');
}
