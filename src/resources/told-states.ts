import type { SchemaObject } from '../json-schema/schema';
import { typesOf } from './schema-reader';
import { isStateName, stageOf } from './state-words';

/** Phrases after which a description names what something is at first. */
const AT_FIRST =
  /\b(?:initial(?:ly| status| state| value)?|default(?:s|ed)?(?: value| status| state)?(?: is| to)?|by default|starts?(?: out)?(?: as| in| with)|begins?(?: as| in| with)|newly[ -]created|when (?:first |it is )?created|(?:up)?on creation|after (?:creation|being created)|first created|just created|new \w+ (?:is|are|has|have|starts?))\b(?<told>[^.;\n]{0,100})/gi;
/** The same before the phrase: `pending` by default. */
const FIRST_BEFORE =
  /(?<told>[^.;,\n(]{0,40})\s\(?(?:by default|initially|is the default|when (?:first )?created|(?:up)?on creation|\(default\))/gi;
/** `Creates a draft invoice`, `opened in the pending state`. */
const MAKES_A =
  /\b(?:creat|add|plac|open|submit|start|mak|schedul)\w*\s+(?:an?|the|this|your)\s+(?:new\s+)?(?<told>[\w-]+)|\b(?:in|with)(?: the| an?| its)?(?: status| state)?(?: of| set to)?(?<then>\s+[`'"<]?[^.;,\n]{1,30})\s+(?:status|state)\b/gi;

/**
 * The word of several that texts of a description say something has at first: "Initially `pending`", "defaults to open",
 * "creates a draft invoice".
 *
 * @param member - what is said of the member that holds it
 * @param creation - what is said of the operation that makes the thing
 */
export function toldBeginning(
  words: readonly string[],
  member: readonly string[],
  creation: readonly string[],
): string | undefined {
  for (const text of member) {
    const found = afterPhrase(words, text, AT_FIRST) ?? afterPhrase(words, text, FIRST_BEFORE);
    if (found !== undefined) return found;
  }
  for (const text of creation) {
    const found = afterPhrase(words, text, MAKES_A);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A truth value that a text says a member has at first. */
export function toldFlag(text: string): boolean | undefined {
  const found = afterPhrase(['true', 'false'], text, AT_FIRST);
  return found === undefined ? undefined : found === 'true';
}

/** Words for states that a text names in quotes or capitals, where no enum lists them; else the one of its example. */
export function statesInProse(name: string, schema: SchemaObject): string[] {
  if (!isStateName(name) || !typesOf(schema).includes('string') || schema['format'] !== undefined) return [];
  const { description: text, example } = schema;
  const told = typeof text === 'string' ? text : '';
  for (const pattern of [/[`'"“‘]([A-Za-z][\w-]{1,30})[`'"”’]/g, /\b([A-Z][A-Z_]{2,30})\b/g]) {
    const words = [...new Set([...told.matchAll(pattern)].map(([, word = '']) => word))];
    if (words.length > 1) return words;
  }
  return typeof example === 'string' && stageOf(example) !== 'end' ? [example] : [];
}

/** Words in the order in which a text names them, if it names them all; else as they are. */
export function orderInText(words: readonly string[], texts: readonly string[]): readonly string[] {
  for (const text of texts) {
    const places = words.map((word) => placeOf(word, text));
    if (places.includes(-1)) continue;
    return words
      .map((word, index) => ({ word, place: places[index] ?? 0 }))
      .sort((left, right) => left.place - right.place)
      .map(({ word }) => word);
  }
  return words;
}

function afterPhrase(words: readonly string[], text: string, phrase: RegExp): string | undefined {
  for (const { groups } of text.matchAll(phrase)) {
    const told = groups?.['told'] ?? groups?.['then'] ?? '';
    const found = words
      .map((word) => ({ word, place: placeOf(word, told) }))
      .filter(({ place }) => place !== -1)
      .sort((left, right) => left.place - right.place || right.word.length - left.word.length)[0];
    if (found !== undefined) return found.word;
  }
  return undefined;
}

/** Where a text has a word as a whole; -1 where it has not. A word of several, `in_progress`, may be written apart. */
export function placeOf(word: string, text: string): number {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/[_-]/g, '[ _-]');
  return text.search(new RegExp(String.raw`(?<![\w-])${escaped}(?![\w-])`, 'i'));
}
