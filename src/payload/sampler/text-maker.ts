import { integerBelow, derive, type Chance } from './chance';
import type { FlatSchema } from './flat-schema';
import { formatMaker, word } from './format-text';
import { patternText, type PatternText, toRegExp } from './pattern-text';
import type { Plausible } from './plausible-values';

const MAX_TRIES = 16;
/** No reader wants more, and no memory should have to hold it. */
const MAX_LENGTH = 1_000_000;

type MakeText = (chance: Chance) => string;

/** Makes texts for one schema. */
export type TextMaker = (chance: Chance, plausible: Plausible | undefined) => string | undefined;

/** Works out once how texts for a schema are made. */
export function textMaker(flat: FlatSchema): TextMaker {
  const format = [...flat.formats, ...flat.describedFormats].map(formatMaker).find((maker) => maker !== undefined);
  if (flat.patterns.length > 0) return patternMaker(flat, format);
  if (format !== undefined) {
    const named = (plausible: Plausible | undefined): MakeText | undefined =>
      [...flat.formats].map((name) => plausible?.formats?.[name]).find((maker) => maker !== undefined);
    return (chance, plausible) => {
      const own = plausible?.formats === undefined ? undefined : named(plausible);
      return (own && fitting(flat, chance, own)) ?? fitting(flat, chance, format);
    };
  }
  return (chance, plausible) => freeText(flat, chance, plausible);
}

/** Several patterns hold at once: what one of them makes must please the others. */
function patternMaker(flat: FlatSchema, format: ((chance: Chance) => string) | undefined): TextMaker {
  const makers = flat.patterns.map(patternText).filter((maker): maker is PatternText => maker !== undefined);
  const tests = flat.patterns.flatMap((pattern) => toRegExp(pattern) ?? []);
  const [only] = makers;
  return (chance, plausible) => {
    const known = format ?? plausible?.text;
    const preferred = known && fitting(flat, chance, known);
    if (preferred !== undefined && tests.every((test) => test.test(preferred))) return preferred;
    if (makers.length === 1) return only?.(chance, flat.minLength, flat.maxLength);
    for (let attempt = 0; attempt < MAX_TRIES * makers.length; attempt++) {
      const text = makers[attempt % makers.length]?.(derive(chance, attempt), flat.minLength, flat.maxLength);
      if (text !== undefined && tests.every((test) => test.test(text))) return text;
    }
    return undefined;
  };
}

function fitting(flat: FlatSchema, chance: Chance, make: (chance: Chance) => string): string | undefined {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const text = make(attempt === 0 ? chance : derive(chance, attempt));
    if (text.length >= flat.minLength && text.length <= flat.maxLength) return text;
  }
  return undefined;
}

function freeText(flat: FlatSchema, chance: Chance, plausible: Plausible | undefined): string | undefined {
  if (flat.minLength > MAX_LENGTH) return undefined;
  let text = (plausible?.text ?? word)(chance);
  if (text.length < flat.minLength) {
    const filler = `${word(derive(chance, 1))} `;
    text = `${text} ${filler.repeat(Math.ceil(flat.minLength / filler.length))}`.slice(0, flat.minLength);
    // White space at an end is what servers like to trim.
    if (text.endsWith(' ')) text = `${text.slice(0, -1)}x`;
  }
  return text.length > flat.maxLength ? text.slice(0, flat.maxLength) : text;
}

/** The text with other digits, for items that must not all look alike; as it is where it has none. */
export function withOtherDigits(text: string, chance: Chance): string {
  let index = 0;
  // The first digit of a run stays one that a number may begin with.
  return text.replaceAll(/\d/g, (digit, place: number) => {
    index += 1;
    const isFirst = place === 0 || !/\d/.test(text.charAt(place - 1));
    return digit === '0' && isFirst
      ? '0'
      : String(isFirst ? integerBelow(derive(chance, index), 9) + 1 : integerBelow(derive(chance, index), 10));
  });
}
