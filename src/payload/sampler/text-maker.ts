import { type Chance, derive, hexDigits } from './chance';
import type { FlatSchema } from './flat-schema';
import { formatMaker, word } from './format-text';
import { patternText, type PatternText, testOfPattern } from './pattern-text';
import type { Plausible } from './plausible-values';
import { sameShape } from './text-shapes';

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
    const isOnlySaid = ![...flat.formats].some((name) => formatMaker(name) !== undefined);
    return (chance, plausible) => {
      const own = namedFormat(flat, plausible);
      const text = (own && fitting(flat, chance, own)) ?? fitting(flat, chance, format);
      return (
        text ?? resized(flat, chance, format(chance)) ?? (isOnlySaid ? freeText(flat, chance, plausible) : undefined)
      );
    };
  }
  return (chance, plausible) => freeText(flat, chance, plausible);
}

/** @returns how texts of the schema's format are made for a name that says more than the format */
function namedFormat(flat: FlatSchema, plausible: Plausible | undefined): MakeText | undefined {
  const named = plausible?.formats;
  return (
    named && [...flat.formats, ...flat.describedFormats].map((name) => named[name]).find((make) => make !== undefined)
  );
}

/** @returns the text, and a time in the other spellings that RFC 3339 §5.6 has for it */
function spellingsOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  const isTime = /T\d\d:\d\d:\d\dZ$/.test(text);
  const start = text.slice(0, -1);
  return isTime ? [text, `${start}.000Z`, `${start}+00:00`, `${start}.000000Z`, start] : [text];
}

/** Several patterns hold at once: what one of them makes must please the others. */
function patternMaker(flat: FlatSchema, format: ((chance: Chance) => string) | undefined): TextMaker {
  const makers = flat.patterns.map(patternText).filter((maker): maker is PatternText => maker !== undefined);
  const tests = flat.patterns.flatMap((pattern) => testOfPattern(pattern) ?? []);
  const [only] = makers;
  const fits = (text: string): boolean => tests.every((test) => test.test(text));
  return (chance, plausible) => {
    const known = namedFormat(flat, plausible) ?? format ?? plausible?.text;
    const spelling = known && spellingsOf(fitting(flat, chance, known)).find(fits);
    if (spelling !== undefined) return spelling;
    if (makers.length === 1) return realText(only?.(chance, flat.minLength, flat.maxLength), chance, fits);
    for (let attempt = 0; attempt < MAX_TRIES * makers.length; attempt++) {
      const text = makers[attempt % makers.length]?.(derive(chance, attempt), flat.minLength, flat.maxLength);
      if (text !== undefined && fits(text)) return text;
    }
    return undefined;
  };
}

/** A pattern of digits also allows days that no calendar has. @returns a text of the same form that is real, else the text */
function realText(text: string | undefined, chance: Chance, fits: (text: string) => boolean): string | undefined {
  const real = text === undefined ? undefined : sameShape(text, chance);
  return real !== undefined && fits(real) ? real : text;
}

function fitting(flat: FlatSchema, chance: Chance, make: (chance: Chance) => string): string | undefined {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const text = make(attempt === 0 ? chance : derive(chance, attempt));
    if (text.length >= flat.minLength && text.length <= flat.maxLength) return text;
  }
  return undefined;
}

/** @returns an e-mail address or a URL that is as short or as long as its schema asks; `undefined` for other texts */
function resized({ minLength, maxLength }: FlatSchema, chance: Chance, text: string): string | undefined {
  const isUrl = text.includes('://');
  if (minLength > MAX_LENGTH || !(isUrl || text.includes('@'))) return undefined;
  const [before, after] = isUrl ? ['http://a.co/', ''] : ['', '@a.co'];
  const room = Math.min(maxLength, Math.max(minLength, 12)) - before.length - after.length;
  return room > 0 ? `${before}${hexDigits(chance, room)}${after}` : undefined;
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
