import type { JsonValue } from '../json/json-value';
import { wordsOf } from '../resources/inflection';
import type { Item, ItemDraft } from './item';

/** Words for what comes first, and for what does not come before it: in time, or in size. */
const PAIRS: readonly (readonly [first: string, second: readonly string[]])[] = [
  ['created', ['updated', 'modified', 'changed', 'closed', 'completed', 'deleted', 'archived', 'published']],
  ['start', ['end', 'finish']],
  ['starts', ['ends']],
  ['started', ['ended', 'finished', 'completed', 'stopped']],
  ['begin', ['end']],
  ['opened', ['closed']],
  ['issued', ['expires', 'due']],
  ['from', ['to', 'until']],
  ['since', ['until']],
  ['min', ['max']],
  ['minimum', ['maximum']],
];

const TIME = /^\d{4}-\d{2}-\d{2}|^\d{2}:\d{2}/;

/** Two members of which the first is never the larger one: `createdAt` and `updatedAt`, `min_price` and `max_price`. */
export type OrderedMembers = readonly [first: string, second: string];

/** The pairs among the members of an item, by their names. */
export function orderedMembers(names: Iterable<string>): OrderedMembers[] {
  const byWords = new Map([...names].map((name) => [wordsOf(name).join(' '), name]));
  return [...byWords].flatMap(([text, name]) => {
    const words = text.split(' ');
    return PAIRS.flatMap(([first, seconds]) => {
      const at = words.indexOf(first);
      if (at === -1) return [];
      return seconds.flatMap((second): OrderedMembers[] => {
        const other = byWords.get(words.with(at, second).join(' '));
        return other === undefined ? [] : [[name, other]];
      });
    });
  });
}

/** An item that was made up, with values in the order that their names promise, as far as it stays valid. */
export function inOrder(
  item: ItemDraft,
  pairs: readonly OrderedMembers[],
  isValid: (item: Item) => boolean,
): ItemDraft {
  let ordered = item;
  for (const [first, second] of pairs) {
    const [early, late] = [ordered[first], ordered[second]];
    if (early === undefined || late === undefined || !isLarger(early, late)) continue;
    const swapped: ItemDraft = { ...ordered, [first]: late, [second]: early };
    if (isValid(swapped as Item)) ordered = swapped;
  }
  return ordered;
}

/** Times of one form and numbers can be compared; other texts have no order that means anything. */
function isLarger(left: JsonValue, right: JsonValue): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left > right;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  return TIME.test(left) && TIME.test(right) && left > right;
}
