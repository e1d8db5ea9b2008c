/**
 * Chance that depends on nothing but where it is asked: a 32-bit number for each place of a sample, derived from the
 * seed, the ordinal and the path. A property that is added or left out changes no other one.
 */
export type Chance = number;

/** The chance of a text, such as a seed or the name of a property (FNV-1a, 32 bit). */
export function chanceOf(text: string): Chance {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return spread(hash);
}

/** The chance of a place within another: of the item 3 in a list, of the property whose name has this chance. */
export function derive(chance: Chance, salt: number): Chance {
  return spread((chance ^ Math.imul(salt + 1, 0x9e3779b1)) >>> 0);
}

/** A whole number from 0 up to and without `count`. */
export function integerBelow(chance: Chance, count: number): number {
  return Math.floor((spread(chance ^ 0x5bd1e995) / 2 ** 32) * count);
}

/** One of the items; a list that is empty has none. */
export function pick<T>(chance: Chance, items: readonly T[]): T | undefined {
  return items[integerBelow(chance, items.length)];
}

/** So many hexadecimal digits. */
export function hexDigits(chance: Chance, count: number): string {
  let digits = '';
  for (let part = 0; digits.length < count; part++) digits += derive(chance, part).toString(16).padStart(8, '0');
  return digits.slice(0, count);
}

/** Spreads the bits, so that neighbours have nothing in common (the finaliser of MurmurHash3). */
function spread(value: number): Chance {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
