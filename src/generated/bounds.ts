import { isJsonNumber } from '../core/json/exact-number';
import type { JsonValue } from '../core/json/json-value';
import type { Place, Remedy } from './remedy';
import { fitLength } from './text-forms';

interface Bounds {
  readonly least: number | undefined;
  readonly most: number | undefined;
}

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;

/** What a sentence says of the least: the number itself, or one more. */
const LEAST: readonly (readonly [RegExp, number])[] = [
  [
    new RegExp(
      String.raw`(?:at least|minimum(?: \w+)?(?: of| is|:)?|min\.?|no (?:fewer|less|shorter) than|not (?:be )?(?:less|fewer|shorter|smaller) than|(?:greater|more|longer|larger) than or equal to|>=|≥)\s*${NUMBER}`,
      'i',
    ),
    0,
  ],
  [
    new RegExp(
      String.raw`(?<!not )(?<!not be )(?<!no )(?:greater|more|longer|larger|higher|bigger|over|above) than\s*${NUMBER}`,
      'i',
    ),
    1,
  ],
];

const MOST: readonly (readonly [RegExp, number])[] = [
  [
    new RegExp(
      String.raw`(?:at most|maximum(?: \w+)?(?: of| is|:)?|max\.?|up to|no (?:more|longer|greater) than|not (?:be )?(?:greater|more|longer|larger|higher) than|not exceed|(?:less|fewer|shorter) than or equal to|<=|≤)\s*${NUMBER}`,
      'i',
    ),
    0,
  ],
  [
    new RegExp(
      String.raw`(?<!not )(?<!not be )(?<!no )(?:less|fewer|shorter|smaller|lower|under|below) than\s*${NUMBER}`,
      'i',
    ),
    -1,
  ],
];

const BETWEEN = new RegExp(
  String.raw`(?:between|from|range(?: of)?)?\s*${NUMBER}\s*(?:and|to|-|–|\.\.\.?)\s*${NUMBER}`,
  'i',
);
const POSITIVE = /\bpositive\b|greater than zero/i;

/** What a sentence says of how large, how long, or how many. */
export function boundsIn(text: string): Remedy[] {
  const { least, most } = readBounds(text);
  if (least === undefined && most === undefined) return [];
  const words = [
    ...(least === undefined ? [] : [`is ${least} or more`]),
    ...(most === undefined ? [] : [`is ${most} or less`]),
  ].join(' and ');
  const change = (value: JsonValue | undefined, at: Place): JsonValue =>
    within(value ?? at.sample() ?? at.own, least, most, at);
  return [{ words: isAboutLength(text) ? `has a length that ${words}` : words, change }];
}

function isAboutLength(text: string): boolean {
  return /\b(?:char|letter|long|length|item|element|entr|short)/i.test(text);
}

function readBounds(text: string): Bounds {
  const [, low, high] = /\b(?:between|from|range)\b|\d\s*(?:-|–|\.\.)\s*\d/i.test(text)
    ? (BETWEEN.exec(text) ?? [])
    : [];
  if (low !== undefined && high !== undefined) return { least: Number(low), most: Number(high) };
  const least = first(LEAST, text) ?? (POSITIVE.test(text) ? 1 : undefined);
  return { least, most: first(MOST, text) };
}

function first(patterns: readonly (readonly [RegExp, number])[], text: string): number | undefined {
  for (const [pattern, more] of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return Number(found) + more;
  }
  return undefined;
}

/** Longer is nothing that anybody asks for. */
const LONGEST = 2000;

function within(value: JsonValue, least = -Infinity, most = Infinity, at: Place): JsonValue {
  if (isJsonNumber(value)) return Math.min(Math.max(Number(value), least), most);
  if (typeof value === 'string') return fitLength(value, Math.min(least, LONGEST), most);
  if (!Array.isArray(value)) return value;
  const filler = value[0] ?? at.own;
  const filled = [...value, ...Array<JsonValue>(Math.max(0, Math.min(least, LONGEST) - value.length)).fill(filler)];
  return filled.slice(0, Math.max(most, 0));
}
