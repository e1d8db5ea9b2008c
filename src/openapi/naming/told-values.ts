import type { JsonValue } from '../../core/json/json-value';
import type { SchemaObject } from '../../schema/schema-object';
import { typesOf } from '../view/schema-view';

/** Values that the description of a schema names in words. Nothing is validated against them. */
export interface ToldValues {
  /** All values that there are: "one of: draft, sent". At least two, or none. */
  readonly words: readonly string[];
  /** Values that are shown: "e.g. `node-20180912`". */
  readonly examples: readonly JsonValue[];
}

const NOTHING: ToldValues = { words: [], examples: [] };

const ALLOWED = '(?:available|possible|valid|allowed|supported|accepted|permitted)(?: \\w+)?';
const VALUES = '(?:values?|options?|types?|states?|status(?:es)?)';
/** How a sentence begins to list all values. What follows may stand without quotes. */
const LISTS = new RegExp(
  `\\b(?:${ALLOWED} ${VALUES}(?: (?:are|is|include))?|(?<!at least )one of(?: the following| these)?(?: ${VALUES})?) ?[:=]\\s*[[({]?`,
  'i',
);
/** The same, before values in quotes alone. */
const LISTS_QUOTED = new RegExp(
  `(?:\\b${ALLOWED} ${VALUES}(?: (?:are|is|include))?|\\b(?<!at least )one of(?: the following)?(?: ${VALUES})?|(?:^|[.:] |\\b(?:is|be|as) )either|\\b(?:can|may|must|could|will)(?: only| also)? be(?: set to)?)\\s*:?\\s*[[({]?`,
  'i',
);
/** Capital words in parentheses: `(READY, BUSY, DONE)`. */
const CAPITALS = /\(([A-Z][A-Z\d_]+(?:\s*[,|]\s*[A-Z][A-Z\d_]+)+)\)/;
const SHOWS = /\b(?:e\.\s?g\.?|eg\.|for (?:example|instance)|such as|examples?(?= ?[:=]))\s*[:=,]?\s*/i;
const NEGATION = /\bnot\b|n't\b|n’t\b/i;

const QUOTED = /^(?:`([^`\n]{1,80})`|"([^"\n]{1,80})"|'([^\n]{1,80}?)'(?!\w)|[“‘]([^”’\n]{1,80})[”’])/;
const BARE = /^[\w.+-]*\w/;
const BETWEEN = /^(?:\s*(?:,|\||\/|;)\s*(?:(?:or|and)\s+)?|\s+(?:or|and)\s+)/;
const END = /^\s*(?:$|[.,;:()\]}\n<…]|etc|for\b|or\b|and\b)/;
/** A word without quotes that no sentence has: `size_2`, `2008-12-31`, `a@b.c`. */
const NO_PROSE = /\d|[_@/]|\w[.:-]\w/;

/** More words are no list of values. */
const MOST_WORDS = 40;

/**
 * Values that the description of a text or a number names. Of a schema with an `enum` or a `const` it tells nothing more;
 * where it has an example, the examples in words count no more.
 */
export function toldValues(schema: SchemaObject): ToldValues {
  const { description, enum: listed, const: only } = schema;
  if (typeof description !== 'string' || listed !== undefined || only !== undefined) return NOTHING;
  const types = typesOf(schema);
  const isText = types.includes('string');
  const isNumber = types.includes('integer') || types.includes('number');
  if (!isText && !isNumber) return NOTHING;
  const isShown = schema['example'] !== undefined || schema['examples'] !== undefined;
  const examples = isShown ? [] : examplesIn(description);
  return {
    words: isText && schema['format'] === undefined ? wordsIn(description) : [],
    examples: isText
      ? examples
      : examples.filter((text) => /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/.test(text)).map(Number),
  };
}

function wordsIn(text: string): string[] {
  const found = [
    listBehind(text, LISTS, true),
    listBehind(text, LISTS_QUOTED, false),
    CAPITALS.exec(text)?.[1]?.split(/\s*[,|/]\s*/) ?? [],
  ].find(({ length }) => length > 1);
  const words = [...new Set(found)].filter((word) => !/^(?:null|etc)$/.test(word));
  // A quote that was not closed runs into the next one.
  const isWhole = words.length > 1 && words.every((word) => word === word.trim() && !/["'`]/.test(word));
  return isWhole ? words.slice(0, MOST_WORDS) : [];
}

function listBehind(text: string, phrase: RegExp, isBare: boolean): string[] {
  const at = phrase.exec(text);
  return at === null ? [] : listAt(text.slice(at.index + at[0].length), isBare);
}

/** The values with which a text begins; a list without quotes has to end with its sentence. */
function listAt(text: string, isBare: boolean): string[] {
  const words: string[] = [];
  let rest = text;
  let isQuoted = true;
  for (let next = valueAt(rest, isBare); next !== undefined; next = valueAt(rest, isBare)) {
    words.push(next.value);
    isQuoted &&= next.isQuoted;
    rest = rest.slice(next.length);
    const [between = ''] = BETWEEN.exec(rest) ?? [];
    if (between === '') break;
    rest = rest.slice(between.length);
  }
  return isQuoted || END.test(rest) ? words : [];
}

interface ToldValue {
  readonly value: string;
  readonly isQuoted: boolean;
  /** Characters of the text that it takes, its quotes among them. */
  readonly length: number;
}

function valueAt(text: string, isBare: boolean): ToldValue | undefined {
  const [whole = '', ...inner] = QUOTED.exec(text) ?? [];
  const word = inner.join('');
  // Some put the comma or the full stop of the sentence before the closing quote.
  if (whole !== '') return { value: word.replace(/(?<=\w)[.,;]$/, ''), isQuoted: true, length: whole.length };
  const [bare = ''] = isBare ? (BARE.exec(text) ?? []) : [];
  return bare === '' ? undefined : { value: bare, isQuoted: false, length: bare.length };
}

function examplesIn(text: string): string[] {
  const at = SHOWS.exec(text);
  const before =
    text
      .slice(0, at?.index)
      .split(/[.;]\s/)
      .at(-1) ?? '';
  if (at === null || NEGATION.test(before)) return [];
  const rest = text.slice(at.index + at[0].length);
  const quoted = listAt(rest, false);
  const [first = ''] = /^[^\s,;()<>`'"]+/.exec(rest) ?? [];
  const bare = first.replace(/[.:…]+$/, '');
  const isBare = NO_PROSE.test(bare) && END.test(rest.slice(bare.length));
  return quoted.length > 0 ? quoted : isBare ? [bare] : [];
}
