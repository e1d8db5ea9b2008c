import type { Property } from '../openapi/model';
import { foldedName, singularWords, wordsOf } from './inflection';
import type { Segment } from './path-template';

/** Names of variables that only say that something is identified, not what. */
const GENERIC = new Set(['id', 'uuid', 'guid', 'key', 'slug', 'name', 'code', 'number', 'identifier']);

/**
 * What a variable before the collection stands for, in words: `shelf id` for `{id}` in `/shelves/{id}/books`, and for
 * `{shelfId}` as well.
 */
function meaningOf(segments: readonly Segment[], index: number): readonly string[] {
  const variable = segments[index];
  const words = variable?.kind === 'variable' ? wordsOf(variable.name) : [];
  const before = segments[index - 1];
  const isGeneric = words.length === 1 && GENERIC.has(words[0] ?? '');
  return isGeneric && before?.kind === 'literal' ? [...singularWords(before.text), ...words] : words;
}

/** The member of an item that shows the value of a variable of its path, other than its own key. */
export function memberForVariable(
  segments: readonly Segment[],
  index: number,
  members: ReadonlyMap<string, Property>,
  key: string,
): string | undefined {
  const meaning = meaningOf(segments, index);
  const full = meaning.join('');
  const noun = singularNoun(segments, index);
  const wanted = [
    full,
    ...(GENERIC.has(meaning.at(-1) ?? '') ? [] : [`${full}id`]),
    ...(noun === '' ? [] : [`${noun}id`]),
  ];
  for (const name of wanted) {
    const found = [...members.values()].find(
      (property) => property.name !== key && foldedName(property.name) === name && isPlain(property),
    );
    if (found !== undefined) return found.name;
  }
  return undefined;
}

/**
 * What a variable before the collection names, as members could be called: `shelf` for `{shelfId}`, and for `{id}` in
 * `/shelves/{id}/books`.
 *
 * @param isItem - does it name an item of the collection before it?
 */
export function thingsOf(segments: readonly Segment[], index: number, isItem: boolean): readonly string[] {
  const meaning = meaningOf(segments, index);
  const isNamed = meaning.length > 1 && GENERIC.has(meaning.at(-1) ?? '');
  const noun = singularNoun(segments, index);
  return [(isNamed ? meaning.slice(0, -1) : meaning).join(''), ...(isItem && noun !== '' ? [noun] : [])];
}

function singularNoun(segments: readonly Segment[], index: number): string {
  const before = segments[index - 1];
  return before?.kind === 'literal' ? singularWords(before.text).join('') : '';
}

function isPlain({ schema }: Property): boolean {
  const { type } = schema;
  const isNamed = type !== 'object' && type !== 'array';
  return isNamed && ['properties', 'items', 'allOf'].every((keyword) => schema[keyword] === undefined);
}

/** The name under which the value is stored beside the item where no member shows it: `$ownerId`. */
export function hiddenMember(segments: readonly Segment[], index: number): string {
  const [first = '', ...rest] = meaningOf(segments, index);
  return `$${first}${rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`;
}
