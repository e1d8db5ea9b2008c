import { isJsonNumber } from '../../core/json/exact-number';
import type { SchemaObject } from '../../schema/schema-object';
import { type Chance, chanceOf, derive, integerBelow } from './chance';
import { formatMaker } from './format-text';
import { patternText, type PatternText } from './pattern-text';
import { sameShape } from './text-shapes';

/** What a key has to fit. */
export interface KeySchema {
  readonly value: SchemaObject;
  accepts(value: string | number): boolean;
}

/** A key that was drawn by chance. */
export interface DrawnKey {
  readonly value: string | number;
  /** Does it hold the id of the run, so that nobody else has it? */
  readonly isOfRun: boolean;
  /** About so many others could have been drawn in its place. */
  readonly space: number;
}

/** From so many keys on, one that was drawn is probably nobody's, which a look has to show. */
export const WIDE = 1_000_000;

const TRIES = 8;
/** A text that may be longer or shorter is of this length: the longer, the fewer have it. */
const USUAL_LENGTH = 12;
const LONGEST = 255;
const LARGEST_INT32 = 2_147_483_647;

/**
 * Draws a key by its schema: a whole number, or a text with the id of the run wherever there is room for it.
 *
 * @param words - other ones give another key
 * @returns `undefined` where a program reads more out of such keys than their schema says: a date, an address, one of a few words
 */
export function drawKey(schema: KeySchema, runId: string, words: string): DrawnKey | undefined {
  const { type: types, format, enum: values, const: only } = schema.value;
  const [type] = [types].flat().filter((each) => each !== 'null');
  if (values !== undefined || only !== undefined) return undefined;
  const chance = chanceOf(`${runId}\n${words}`);
  if (type === 'integer') return drawInteger(schema, chance);
  if (type !== 'string' || (typeof format === 'string' && formatMaker(format) !== undefined)) return undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const text = drawText(schema.value, derive(chance, attempt));
    if (text === undefined || !schema.accepts(text) || sameShape(text, chance) !== undefined) continue;
    const own = withRun(schema, text, runId);
    return { value: own ?? text, isOfRun: own !== undefined, space: spaceAround(schema, text) };
  }
  return undefined;
}

function drawInteger(schema: KeySchema, chance: Chance): DrawnKey | undefined {
  const { minimum, maximum } = schema.value;
  const [least, most] = [numberOf(minimum) ?? 1, Math.min(numberOf(maximum) ?? LARGEST_INT32, LARGEST_INT32) - 1];
  // Services that count begin with the lower ones.
  const space = Math.floor((most - least) / 2);
  if (space < 1) return undefined;
  const value = Math.floor(most) - integerBelow(chance, space);
  return schema.accepts(value) ? { value, isOfRun: false, space } : undefined;
}

function numberOf(limit: unknown): number | undefined {
  return isJsonNumber(limit) ? Number(limit) : undefined;
}

const MAKERS = new Map<string, PatternText | undefined>();

function drawText({ pattern, minLength, maxLength }: SchemaObject, chance: Chance): string | undefined {
  const source = typeof pattern === 'string' ? pattern : '^[a-z0-9]+$';
  if (!MAKERS.has(source)) MAKERS.set(source, patternText(source));
  const make = MAKERS.get(source);
  const [least, most] = [numberOf(minLength) ?? 1, Math.min(numberOf(maxLength) ?? LONGEST, LONGEST)];
  const usual = Math.max(least, Math.min(most, USUAL_LENGTH));
  return make?.(chance, usual, Math.min(most, usual + USUAL_LENGTH)) ?? make?.(chance, least, most);
}

/** The same with the id of the run in the place of some of its characters, as far behind as there is room. */
function withRun(schema: KeySchema, text: string, runId: string): string | undefined {
  for (let at = text.length - runId.length; at >= 0; at--) {
    const own = text.slice(0, at) + runId + text.slice(at + runId.length);
    if (schema.accepts(own)) return own;
  }
  return undefined;
}

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.split('');

/** How many keys there are like one: at each of its places as many characters as the schema takes there. */
function spaceAround(schema: KeySchema, text: string): number {
  let space = 1;
  for (let at = 0; at < text.length && space < Number.MAX_SAFE_INTEGER; at++) {
    const others = CHARACTERS.filter((each) => schema.accepts(text.slice(0, at) + each + text.slice(at + 1)));
    space *= Math.max(1, others.length);
  }
  return space;
}
