import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { fillPattern, type Placeholder, placeholdersIn } from './placeholders';

/** The words of `$type` (OAS 3.0.3 §4.7.24), and `null`. */
export const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** Limits of a number, with the words that say what they ask for. */
export const BOUNDS = { $min: 'at least', $max: 'at most', $above: 'above', $below: 'below' } as const;
export type Bound = keyof typeof BOUNDS;

/** Every name that a matcher can have, in the order of the documents. */
export const MATCHER_NAMES = [
  '$equals',
  '$type',
  '$pattern',
  '$format',
  '$min',
  '$max',
  '$above',
  '$below',
  '$enum',
  '$length',
  '$present',
  '$absent',
  '$optional',
  '$nullable',
  '$contains',
  '$unlessItems',
  '$each',
  '$minItems',
  '$unordered',
  '$not',
] as const;
export type MatcherName = (typeof MATCHER_NAMES)[number];

/**
 * What a value of a response has to be, read from `expect`. `docs/reference/contract-format.md` explains each. `pointer` leads to
 * the place in the contract, and stands where a placeholder may be.
 */
export type Matcher =
  /** Equal, numbers by value. A scalar, or a string with placeholders until they are filled in. */
  | { readonly kind: 'value'; readonly value: JsonValue; readonly pointer: string }
  /** An object with these properties, and maybe others. */
  | { readonly kind: 'object'; readonly members: readonly { readonly name: string; readonly matcher: Matcher }[] }
  /** A list of as many items, in this order. */
  | { readonly kind: 'list'; readonly items: readonly Matcher[] }
  | { readonly kind: 'all'; readonly matchers: readonly Matcher[] }
  /** Equal through and through: no other properties, nothing in it is read as a matcher. */
  | { readonly kind: 'equals'; readonly value: JsonValue; readonly pointer: string }
  | { readonly kind: 'type'; readonly types: readonly JsonType[] }
  /** ECMAScript with the flag `u`, not anchored. */
  | { readonly kind: 'pattern'; readonly source: string; readonly pointer: string }
  | { readonly kind: 'format'; readonly name: string }
  /** `isOfText`: the value is text that spells a number, as in a header. */
  | {
      readonly kind: 'bound';
      readonly bound: Bound;
      readonly limit: JsonValue;
      readonly isOfText: boolean;
      readonly pointer: string;
    }
  | { readonly kind: 'enum'; readonly values: readonly JsonValue[]; readonly pointer: string }
  /** Characters of a text, or items of a list. */
  | { readonly kind: 'length'; readonly matcher: Matcher }
  | { readonly kind: 'present' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'optional'; readonly matcher: Matcher }
  | { readonly kind: 'nullable'; readonly matcher: Matcher }
  /** `unlessItems`: a list of so many items is as long as its page gets, so that the one may be on another. */
  | { readonly kind: 'contains'; readonly matcher: Matcher; readonly unlessItems?: number }
  | { readonly kind: 'each'; readonly matcher: Matcher; readonly minItems: number }
  | {
      readonly kind: 'unordered';
      readonly by: string;
      readonly items: readonly { readonly key: JsonValue; readonly pointer: string; readonly matcher: Matcher }[];
    }
  | { readonly kind: 'not'; readonly matcher: Matcher };

/** The matcher that a value stands for when nothing in it is read as a matcher: objects may have other properties. */
export function literalMatcher(value: JsonValue, pointer: string): Matcher {
  if (Array.isArray(value)) {
    return { kind: 'list', items: value.map((item, index) => literalMatcher(item, joinPointer(pointer, index))) };
  }
  if (!isJsonObject(value)) return { kind: 'value', value, pointer };
  const properties = Object.entries(value).map(([name, property]) => {
    return { name, matcher: literalMatcher(property, joinPointer(pointer, name)) };
  });
  return { kind: 'object', members: properties };
}

/** Every placeholder that a matcher needs a value for, with its place in the contract. */
export function placeholdersOfMatcher(matcher: Matcher): Placeholder[] {
  switch (matcher.kind) {
    case 'value':
    case 'equals':
      return placeholdersIn(matcher.value, matcher.pointer);
    case 'pattern':
      return placeholdersIn(matcher.source, matcher.pointer);
    case 'bound':
      return placeholdersIn(matcher.limit, matcher.pointer);
    case 'enum':
      return placeholdersIn([...matcher.values], matcher.pointer);
    case 'unordered':
      // The key stands in the item as well, and is found there.
      return matcher.items.flatMap((item) => placeholdersOfMatcher(item.matcher));
    default:
      return partsOf(matcher).flatMap(placeholdersOfMatcher);
  }
}

/**
 * Puts values in the place of placeholders. What comes in so is never read as a matcher, whatever its properties are
 * called; an object that comes in so may have other properties, unless `$equals` holds it.
 *
 * @param fill - gives a value of the contract with its placeholders filled in
 */
export function fillMatcher(matcher: Matcher, fill: (value: JsonValue) => JsonValue): Matcher {
  const again = (part: Matcher): Matcher => fillMatcher(part, fill);
  switch (matcher.kind) {
    case 'value':
      return literalMatcher(fill(matcher.value), matcher.pointer);
    case 'equals':
      return { ...matcher, value: fill(matcher.value) };
    case 'pattern':
      return { ...matcher, source: fillPattern(matcher.source, (name) => scalarText(fill(`\${${name}}`))) };
    case 'bound':
      return { ...matcher, limit: fill(matcher.limit) };
    case 'enum':
      return { ...matcher, values: matcher.values.map(fill) };
    case 'object':
      return {
        ...matcher,
        members: matcher.members.map((property) => ({ ...property, matcher: again(property.matcher) })),
      };
    case 'list':
      return { ...matcher, items: matcher.items.map(again) };
    case 'all':
      return { ...matcher, matchers: matcher.matchers.map(again) };
    case 'unordered': {
      const items = matcher.items.map((item) => ({ ...item, key: fill(item.key), matcher: again(item.matcher) }));
      return { ...matcher, items };
    }
    default:
      return 'matcher' in matcher ? { ...matcher, matcher: again(matcher.matcher) } : matcher;
  }
}

/** The matchers that a matcher is made of. */
function partsOf(matcher: Matcher): readonly Matcher[] {
  if (matcher.kind === 'object') return matcher.members.map((property) => property.matcher);
  if (matcher.kind === 'list') return matcher.items;
  if (matcher.kind === 'all') return matcher.matchers;
  return 'matcher' in matcher ? [matcher.matcher] : [];
}
