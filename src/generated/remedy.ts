import { isJsonNumber } from '../core/json/exact-number';
import { isJsonObject, type JsonValue } from '../core/json/json-value';
import { type Chance, derive, integerBelow } from '../payload/sampler/chance';
import { uuidText } from '../payload/sampler/format-text';
import { RUN_ID } from './run-text';
import { digitsOf, slugOf, type TextForm } from './text-forms';

/** Another value for one property: what is wrong with it may be over then. */
export interface Remedy {
  /** What is true of the value then: `ends with "."`. */
  readonly words: string;
  /** @returns `undefined` to leave the property out */
  readonly change: (value: JsonValue | undefined, at: Place) => JsonValue | undefined;
}

/** The place of a value, and what can be made for it. */
export interface Place {
  readonly chance: Chance;
  /** What stands for the id of the run, different for each thing. */
  readonly own: string;
  /** A value by the description, or by the name of the property. */
  readonly sample: () => JsonValue | undefined;
}

/** What is left out. */
export const ABSENT: Remedy = { words: 'is left out', change: () => undefined };

/** What stands in URLs and names of hosts as it is. */
export const PLAIN: Remedy = {
  words: 'has small letters, digits and hyphens alone',
  change: (value, at) => texts(slugOf)(value, at),
};

/** What was left out, or is empty. */
export const PRESENT: Remedy = {
  words: 'is given',
  change: (value, at) => (isEmpty(value) ? nonEmpty(at) : value),
};

/** Another value for each thing. */
export const DISTINCT: Remedy = { words: 'is different for each', change: distinct };

/** One value for all. */
export function exactly(value: JsonValue): Remedy {
  return { words: `is ${JSON.stringify(value)}`, change: ofItems(() => value) };
}

/** A value like another one, with the id of the run in it where it is a name. */
export function like(example: string): Remedy {
  const change = texts((text, { own }) => (text.includes(RUN_ID) ? namedLike(example, own) : example));
  return { words: `is like ${JSON.stringify(example)}`, change };
}

/** A text with what is a thing’s own in it: before the dot or the `@` of a name of a host or a mailbox. */
export function namedLike(example: string, own: string): string {
  const [, first, rest] = /^([\w-]+?)([.@].*)$/.exec(example) ?? [];
  if (first !== undefined && rest !== undefined) return `${first}-${own}${rest}`;
  return /\s/.test(example) ? `${example} ${own}` : `${example}-${own}`;
}

export function asForm({ words, make }: TextForm): Remedy {
  return { words, change: texts(make) };
}

/** A change of texts; a text in the place of what is no text, and of each item of a list. */
export function texts(change: (text: string, at: Place) => string): Remedy['change'] {
  return ofItems((value, at) => {
    const sample = typeof value === 'string' && value !== '' ? value : nonEmpty(at);
    return change(typeof sample === 'string' && sample !== '' ? sample : `standin-${at.own}`, at);
  });
}

/** A list has items of its own. */
export function ofItems(change: (value: JsonValue | undefined, at: Place) => JsonValue): Remedy['change'] {
  return (value, at) => {
    const list = Array.isArray(value) ? value : value === undefined ? at.sample() : undefined;
    return Array.isArray(list)
      ? (list.length === 0 ? [undefined] : list).map((item) => change(item, at))
      : change(value, at);
  };
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}

function nonEmpty({ sample, own }: Place): JsonValue {
  const value = sample();
  return value === undefined || isEmpty(value) ? `standin-${own}` : value;
}

/** The same for no two things, in the form that it has. */
function distinct(value: JsonValue | undefined, at: Place): JsonValue {
  if (Array.isArray(value)) return value.map((item) => distinct(item, at));
  if (value !== undefined && isJsonNumber(value)) return integerBelow(derive(at.chance, 1), 1_000_000) + 1;
  const text = typeof value === 'string' && value !== '' ? value : nonEmpty(at);
  if (typeof text !== 'string') return text;
  if (text.includes(RUN_ID)) return text;
  if (/^[\da-f]{8}-[\da-f]{4}-/i.test(text)) return uuidText(at.chance);
  if (/^[+\d][\d\s-]*$/.test(text))
    return text.slice(0, -DIGITS) + digitsOf(String(at.chance), Math.min(text.length, DIGITS));
  return /^\w+:\/\//.test(text) ? `${text.replace(/\/$/, '')}/${at.own}` : namedLike(text, at.own);
}

/** So many digits at the end of a number that is written as text differ. */
const DIGITS = 6;
