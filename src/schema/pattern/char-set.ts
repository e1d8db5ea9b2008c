/** Code points as sorted ranges that do not touch, each with its first and its last. */
export type CharSet = readonly (readonly [number, number])[];

const LAST = 0x10ffff;

export const EVERYTHING: CharSet = [[0, LAST]];

export function charSet(ranges: readonly (readonly [number, number])[]): CharSet {
  const sorted = [...ranges].sort(([left], [right]) => left - right);
  const joined: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

export function union(...sets: readonly CharSet[]): CharSet {
  return charSet(sets.flat());
}

export function complement(set: CharSet): CharSet {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) gaps.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST) gaps.push([next, LAST]);
  return gaps;
}

export function overlap(left: CharSet, right: CharSet): boolean {
  return left.some(([first, last]) => right.some(([from, to]) => first <= to && from <= last));
}

const DIGITS: CharSet = [[0x30, 0x39]];
const WORDS = charSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
/** White space and line ends of ECMA-262 §12.2, §12.3. */
const SPACES = charSet([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);
const LINE_ENDS = charSet([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]);

/** What `.` matches (ECMA-262 §22.2.2.7). */
export const ANY_BUT_LINE_ENDS = complement(LINE_ENDS);

const CLASSES: Readonly<Record<string, CharSet>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORDS,
  W: complement(WORDS),
  s: SPACES,
  S: complement(SPACES),
};

/** `\d`, `\w`, `\s` and their opposites, by their letter. */
export function classOf(letter: string): CharSet | undefined {
  return Object.hasOwn(CLASSES, letter) ? CLASSES[letter] : undefined;
}

const PROPERTIES = new Map<string, CharSet>();

/**
 * The code points of a `\p{…}` or `\P{…}`, found by asking the engine of Node for each.
 *
 * @throws SyntaxError when there is no such property
 */
export function propertySet(escape: string): CharSet {
  let known = PROPERTIES.get(escape);
  if (known === undefined) PROPERTIES.set(escape, (known = searchProperty(escape)));
  return known;
}

const SURROGATES = [0xd800, 0xdfff] as const;

/** Looks for runs in a text of all characters: a million single questions take five times as long. */
function searchProperty(escape: string): CharSet {
  const ranges: [number, number][] = [];
  const runs = new RegExp(`${escape}+`, 'gu');
  const search = (first: number, last: number): void => {
    for (const { 0: run, index } of textOf(first, last).matchAll(runs)) {
      const from = first + (first > 0xffff ? index / 2 : index);
      ranges.push([from, from + (first > 0xffff ? run.length / 2 : run.length) - 1]);
    }
  };
  search(0, SURROGATES[0] - 1);
  for (let point: number = SURROGATES[0]; point <= SURROGATES[1]; point++) search(point, point);
  search(SURROGATES[1] + 1, 0xffff);
  for (let plane = 1; plane <= 16; plane++) search(plane * 0x10000, plane * 0x10000 + 0xffff);
  return charSet(ranges);
}

function textOf(first: number, last: number): string {
  let text = '';
  for (let point = first; point <= last; point++) text += String.fromCodePoint(point);
  return text;
}
