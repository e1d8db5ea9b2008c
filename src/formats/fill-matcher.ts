import type { JsonValue } from '../json/json-value';
import { literalMatcher, type Matcher } from './matcher';
import { fillPattern } from './pattern-text';
import { placeholdersIn, type Placeholder } from './placeholders';
import { scalarText } from '../json/scalar-text';

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
 * Puts values in the place of placeholders. What comes in so is never read as a matcher, whatever its members are
 * called; an object that comes in so may have other members, unless `$equals` holds it.
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
      return { ...matcher, members: matcher.members.map((member) => ({ ...member, matcher: again(member.matcher) })) };
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
  if (matcher.kind === 'object') return matcher.members.map((member) => member.matcher);
  if (matcher.kind === 'list') return matcher.items;
  if (matcher.kind === 'all') return matcher.matchers;
  return 'matcher' in matcher ? [matcher.matcher] : [];
}
