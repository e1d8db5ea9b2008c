import type { JsonValue } from '../core/json/json-value';
import { patternText } from '../payload/sampler/pattern-text';
import { compilePattern } from '../schema/pattern/compile-pattern';
import { boundsIn } from './bounds';
import { ABSENT, asForm, DISTINCT, exactly, PLAIN, PRESENT, type Remedy, texts } from './remedy';
import { formsNamedIn, slugOf } from './text-forms';

/** A constraint as sentences tell it, and what to do about it. */
interface Constraint {
  readonly pattern: RegExp;
  readonly remedies: (match: RegExpExecArray, text: string) => readonly Remedy[];
}

/** What of a sentence says how a value has to be, the surest first. */
const CONSTRAINTS: readonly Constraint[] = [
  {
    pattern:
      /\b(?:already|duplicate[ds]?|not unique|(?:must|has to|should) be unique|(?:is|been) (?:taken|used)|in use|exists(?! not)|conflict)/i,
    remedies: () => [DISTINCT],
  },
  {
    pattern:
      /\b(?:one of|allowed(?: values)?(?: are)?:|(?:valid|permitted|possible|supported|accepted) \w+ (?:are|is)|choose from|either|expected)[\s:=([{]*(.{2,400})/is,
    remedies: ([, rest = '']) => listedIn(rest).map(exactly),
  },
  {
    pattern:
      /\b(?:must be|should be|use|may be|options are)\s+((?:["'`“”][^"'`“”]+["'`“”]|[A-Z_]{2,})(?:(?:,\s*(?:or\s+)?|\s+or\s+)(?:["'`“”][^"'`“”]+["'`“”]|[A-Z_]{2,}))*)/,
    remedies: ([, rest = '']) => listedIn(rest).map(exactly),
  },
  {
    pattern:
      /\b(?:end|ends|ending|terminated?)(?: up)? (?:with|in|by) (?:an? |the )?(?:["'`“](\S+?)["'`”]|(\w+)|(\S))/i,
    remedies: ([, quoted, word, sign]) => endings(quoted ?? (word === undefined ? sign : signNamed(word))),
  },
  { pattern: /\btrailing (\w+)/i, remedies: ([, word = '']) => endings(signNamed(word)) },
  {
    pattern:
      /\b(?:start|starts|begin|begins|prefixed)(?:ning|ing)? (?:with|by) (?:an? |the )?(?:["'`“](\S+?)["'`”]|(\w+)|(\S))/i,
    remedies: ([, quoted, word, sign]) => beginnings(quoted ?? (word === undefined ? sign : signNamed(word))),
  },
  { pattern: /\bleading (\w+)/i, remedies: ([, word = '']) => beginnings(signNamed(word)) },
  { pattern: /./s, remedies: (_, text) => formsNamedIn(text).map(asForm) },
  { pattern: /./s, remedies: (_, text) => boundsIn(text) },
  {
    pattern: /\b(?:match\w*|pattern|regex\w*|format)\b[^/^"'`]*(?:\/(\^?[^/\s]+)\/|["'`](\^.+?)["'`]|(\^\S+\$))/i,
    remedies: ([, slashed, quoted, plain]) => byPattern(slashed ?? quoted ?? plain ?? ''),
  },
  {
    pattern:
      /\b(?:lower-?case|alphanumeric|slug|letters|(?:unsupported|invalid|illegal|special|forbidden|disallowed) character|spaces?|whitespace|characters that|url-safe)/i,
    remedies: () => [
      PLAIN,
      { words: 'has small letters and digits alone', change: texts((text) => slugOf(text).replaceAll('-', '')) },
    ],
  },
  {
    pattern:
      /\b(?:not (?:allowed|permitted|accepted|supported|writable)|unexpected|unknown (?:field|property|key|parameter|attribute|column)|must not be (?:set|sent|given|present|provided|specified)|read-?only|cannot be (?:set|changed|specified)|additional propert|extra (?:inputs?|fields?)|prohibited)/i,
    remedies: () => [ABSENT],
  },
];

const REQUIRED =
  /\b(?:requir|missing|not present|must be (?:present|given|provided|set|specified)|mandatory|must have|(?:not|n't) be (?:blank|empty|null|undefined)|is (?:blank|empty|null)|no value|not (?:given|provided|specified|supplied|set))/i;

/** Does a sentence say that something has to be there? */
export function saysRequired(text: string): boolean {
  return REQUIRED.test(text);
}

/** What to do about a value, by the words that are said of it. */
export function remediesOf(text: string, allowed: readonly JsonValue[] = []): Remedy[] {
  const listed = allowed.map(exactly);
  const ofWords = CONSTRAINTS.flatMap(({ pattern, remedies }) => {
    const match = pattern.exec(text);
    return match === null ? [] : remedies(match, text);
  });
  return [...(saysRequired(text) ? [PRESENT] : []), ...listed, ...ofWords];
}

/** The values that a sentence lists, in quotes or with commas between them. */
function listedIn(text: string): string[] {
  const sentence = text.split(/\.\s|[;\n\])}]/)[0] ?? '';
  const quoted = [...text.matchAll(/["'`“‘]([^"'`“”‘’]{1,60})["'`”’]/g)].map(([, word = '']) => word);
  if (quoted.length > 0) return quoted.slice(0, MOST_VALUES);
  const words = sentence
    .replace(/^(?:the following|these|values?|are|is|be|of|:|\[|\(|\{|\s)+/i, '')
    .split(/\s*(?:,|\||\/|\bor\b|\band\b)\s*/)
    .map((word) => word.trim().replace(/\.$/, ''))
    .filter((word) => word !== '');
  const isList = words.length > 1 && words.every((word) => /^[\w.:+-]{1,60}$/.test(word));
  return isList ? words.slice(0, MOST_VALUES) : [];
}

const MOST_VALUES = 3;

const SIGNS: Readonly<Record<string, string>> = {
  dot: '.',
  period: '.',
  slash: '/',
  hyphen: '-',
  dash: '-',
  underscore: '_',
  colon: ':',
  hash: '#',
  at: '@',
};

function signNamed(word: string): string | undefined {
  return SIGNS[word.toLowerCase()];
}

function endings(end: string | undefined): Remedy[] {
  if (end === undefined) return [];
  const words = `ends with ${JSON.stringify(end)}`;
  const ending = (text: string): string => (text.endsWith(end) ? text : `${text}${end}`);
  const plain: Remedy = { words, change: texts(ending) };
  // With a dot at its end it is the name of a host, as those of DNS are (RFC 1035 §5.1).
  const host: Remedy = {
    words: `is the name of a host and ${words}`,
    change: texts((text) => ending(`${slugOf(text)}.example`)),
  };
  return end === '.' ? [host, plain] : [plain, { words, change: texts((text) => ending(slugOf(text))) }];
}

function beginnings(begin: string | undefined): Remedy[] {
  if (begin === undefined) return [];
  const words = `begins with ${JSON.stringify(begin)}`;
  const beginning = (text: string): string => (text.startsWith(begin) ? text : `${begin}${text}`);
  return [
    { words, change: texts(beginning) },
    { words, change: texts((text) => beginning(slugOf(text))) },
  ];
}

/** A text of a pattern, as a message has it; none of one that a target could keep a run busy with. */
function byPattern(pattern: string): Remedy[] {
  const make = patternText(pattern);
  if (make === undefined || compilePattern(pattern).engine !== 'native') return [];
  const fits = (text: string): boolean => compilePattern(pattern).test(text);
  const change = texts((text, { chance }) => [text, slugOf(text)].find(fits) ?? make(chance, 0, 64) ?? text);
  return [{ words: `is of the form ${pattern}`, change }];
}
