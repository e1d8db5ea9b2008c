import { createHash } from 'node:crypto';

/**
 * Returns `size` of the items in the order of the list, the same ones for the same seed.
 *
 * A seed such as `888-32ab58ac` begins with a number: the turn. Consecutive turns take consecutive parts of a shuffled
 * list, which is shuffled anew when every item has been taken. Any other seed stands for a random turn.
 */
export function pickSample<Item>(items: readonly Item[], size: number, seed: string): Item[] {
  if (!(size >= 1)) throw new Error(`A sample has at least one item, not ${size}`);
  if (size >= items.length) return [...items];
  const turns = Math.ceil(items.length / size);
  const turn = readTurn(seed);
  const round = Math.floor(turn / turns);
  const ranks = items.map((_, index) => hash(`${round} ${index}`));
  const shuffled = ranks.map((_, index) => index).sort((left, right) => ranks[left]! - ranks[right]!);
  // The last part of a round is as large as the others.
  const start = Math.min((turn % turns) * size, items.length - size);
  const chosen = new Set(shuffled.slice(start, start + size));
  return items.filter((_, index) => chosen.has(index));
}

function readTurn(seed: string): number {
  const [, number] = /^(\d+)-/.exec(seed) ?? [];
  return number === undefined ? hash(seed) : Number(number);
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE();
}
