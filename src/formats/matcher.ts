import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonValue } from '../json/json-value';

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
  '$each',
  '$minItems',
  '$unordered',
  '$not',
] as const;
export type MatcherName = (typeof MATCHER_NAMES)[number];

/**
 * What a value of an answer has to be, read from `expect`. `docs/contract-format.md` explains each. `pointer` leads to
 * the place in the contract, and stands where a placeholder may be.
 */
export type Matcher =
  /** Equal, numbers by value. A scalar, or a string with placeholders until they are filled in. */
  | { readonly kind: 'value'; readonly value: JsonValue; readonly pointer: string }
  /** An object with these members, and maybe others. */
  | { readonly kind: 'object'; readonly members: readonly { readonly name: string; readonly matcher: Matcher }[] }
  /** A list of as many items, in this order. */
  | { readonly kind: 'list'; readonly items: readonly Matcher[] }
  | { readonly kind: 'all'; readonly matchers: readonly Matcher[] }
  /** Equal through and through: no other members, nothing in it is read as a matcher. */
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
  | { readonly kind: 'contains'; readonly matcher: Matcher }
  | { readonly kind: 'each'; readonly matcher: Matcher; readonly minItems: number }
  | {
      readonly kind: 'unordered';
      readonly by: string;
      readonly items: readonly { readonly key: JsonValue; readonly pointer: string; readonly matcher: Matcher }[];
    }
  | { readonly kind: 'not'; readonly matcher: Matcher };

/** The matcher that a value stands for when nothing in it is read as a matcher: objects may have other members. */
export function literalMatcher(value: JsonValue, pointer: string): Matcher {
  if (Array.isArray(value)) {
    return { kind: 'list', items: value.map((item, index) => literalMatcher(item, joinPointer(pointer, index))) };
  }
  if (!isJsonObject(value)) return { kind: 'value', value, pointer };
  const members = Object.entries(value).map(([name, member]) => {
    return { name, matcher: literalMatcher(member, joinPointer(pointer, name)) };
  });
  return { kind: 'object', members };
}
