import type { AST } from '@eslint-community/regexpp';

const LOWER = range('a', 'z');
const UPPER = range('A', 'Z');
const DIGITS = range('0', '9');
const LETTERS = [...LOWER, ...UPPER];
/** Printable ASCII, the plainest first. */
const PRINTABLE = [...new Set([...LOWER, ...DIGITS, ...UPPER, ...range('!', '~'), 0x20])];
/** Where to look for a character that is not ASCII: Latin to Hangul, and the emoji. */
const BEYOND: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0xa0, 0x24ff],
  [0x3041, 0x30ff],
  [0x4e00, 0x4e7f],
  [0xac00, 0xac7f],
  [0x1f600, 0x1f64f],
];

type Part = AST.CharacterClass['elements'][number] | AST.CharacterSet;

/** Code points that a part of a pattern matches, a handful of the plain ones; empty when none was found. */
export function poolOf(part: AST.CharacterClass | AST.CharacterSet): readonly number[] {
  if (part.type === 'CharacterSet') return poolOfSet(part);
  const elements: readonly Part[] = part.elements;
  const holds = (code: number): boolean => elements.some((element) => matches(element, code)) !== part.negate;
  // "Anything but a quote" wants a word, not whatever else the keyboard has.
  const plain = part.negate ? [...LETTERS, ...DIGITS].filter(holds) : [];
  if (plain.length > 0) return plain;
  const printable = PRINTABLE.filter(holds);
  return printable.length > 0 ? printable : beyond(holds, elements);
}

function poolOfSet(part: AST.CharacterSet): readonly number[] {
  if (part.kind === 'any') return LETTERS;
  if (part.kind === 'digit') return part.negate ? LETTERS : DIGITS;
  if (part.kind === 'space') return part.negate ? LETTERS : [0x20];
  if (part.kind === 'word') return part.negate ? [0x2d, 0x2e] : [...LOWER, ...DIGITS];
  const holds = (code: number): boolean => matches(part, code);
  const printable = PRINTABLE.filter(holds);
  return printable.length > 0 ? printable : beyond(holds, []);
}

function matches(part: Part, code: number): boolean {
  if (part.type === 'Character') return part.value === code;
  if (part.type === 'CharacterClassRange') return part.min.value <= code && code <= part.max.value;
  return setTest(part.raw).test(String.fromCodePoint(code));
}

const SETS = new Map<string, RegExp>();

function setTest(raw: string): RegExp {
  let test = SETS.get(raw);
  if (test === undefined) SETS.set(raw, (test = new RegExp(`^${raw}$`, 'u')));
  return test;
}

function beyond(holds: (code: number) => boolean, elements: readonly Part[]): number[] {
  const found: number[] = [];
  const limits = elements.flatMap((part): [number, number][] => {
    if (part.type === 'Character') return [[part.value, part.value]];
    return part.type === 'CharacterClassRange' ? [[part.min.value, part.max.value]] : [];
  });
  for (const [first, last] of [...limits, ...BEYOND]) {
    for (let code = first; code <= Math.min(last, first + 0x2000) && found.length < 32; code++) {
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      if (!isSurrogate && holds(code)) found.push(code);
    }
  }
  return found;
}

function range(first: string, last: string): number[] {
  const codes: number[] = [];
  for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code++) codes.push(code);
  return codes;
}

/** Letters, digits and signs, so that each of them comes soon: for patterns that look ahead. */
export const MIXED: readonly number[] = [
  ...LOWER,
  ...UPPER,
  ...DIGITS,
  ...DIGITS,
  ...range('#', '&'),
  0x21,
  0x40,
  0x2d,
  0x5f,
];
