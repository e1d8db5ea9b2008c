import { BOUNDS, type Matcher } from '../../formats/matcher';
import type { JsonValue } from '../../json/json-value';
import { stringifyJson } from '../../json/stringify-json';

/** What a matcher asks for, in words that go on after "expected": `a string or null`, `at least 3`. */
export function describeMatcher(matcher: Matcher): string {
  switch (matcher.kind) {
    case 'value':
      return stringifyJson(matcher.value);
    case 'object':
      return `an object with ${listed(matcher.members.map(({ name }) => name)) || 'any members'}`;
    case 'list':
      return `a list of ${matcher.items.length} ${matcher.items.length === 1 ? 'item' : 'items'}`;
    case 'all':
      return matcher.matchers.map(describeMatcher).join(' and ');
    case 'unordered':
      return `these items in any order: ${listed(matcher.items.map(({ key }) => `${matcher.by} ${stringifyJson(key)}`))}`;
    default:
      return 'matcher' in matcher ? describeNested(matcher) : describePlain(matcher);
  }
}

type Nested = Extract<Matcher, { matcher: Matcher }>;
type Plain = Exclude<Matcher, Nested | { kind: 'value' | 'object' | 'list' | 'all' | 'unordered' }>;

function describeNested(matcher: Nested): string {
  const inner = describeMatcher(matcher.matcher);
  switch (matcher.kind) {
    case 'length':
      return `a length of ${inner}`;
    case 'optional':
      return `nothing or ${inner}`;
    case 'nullable':
      return `null or ${inner}`;
    case 'contains':
      return `something that contains ${inner}`;
    case 'each':
      return `a list of at least ${matcher.minItems}, each item ${inner}`;
    case 'not':
      return `not ${inner}`;
  }
}

function describePlain(matcher: Plain): string {
  switch (matcher.kind) {
    case 'equals':
      return `exactly ${stringifyJson(matcher.value)}`;
    case 'type':
      return matcher.types.map(withArticle).join(' or ');
    case 'pattern':
      return `text that matches ${matcher.source}`;
    case 'format':
      return `a valid ${matcher.name}`;
    case 'bound':
      return `a number ${BOUNDS[matcher.bound]} ${stringifyJson(matcher.limit)}`;
    case 'enum':
      return `one of ${listed(matcher.values.map((value: JsonValue) => stringifyJson(value)))}`;
    case 'present':
      return 'a value';
    case 'absent':
      return 'nothing';
  }
}

function withArticle(type: string): string {
  if (type === 'null') return type;
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
}

function listed(texts: readonly string[]): string {
  return texts.length > 12 ? `${texts.slice(0, 12).join(', ')} and ${texts.length - 12} more` : texts.join(', ');
}
