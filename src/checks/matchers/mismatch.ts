import { type CheckFinding, namedValues } from '../../core/errors/finding';
import type { JsonValue } from '../../core/json/json-value';
import { stringifyJson, previewText } from '../../core/json/stringify-json';
import { counted } from '../../core/text/printable';
import { BOUNDS, type Matcher } from '../../formats/contract/matcher';

/** A part of a value that is not what a matcher asks for. */
export interface Mismatch {
  /** JSON pointer into the value. */
  readonly pointer: string;
  /** What is violated, for fingerprints: never reworded. It goes on after the name of the part. */
  readonly rule: string;
  /** Says it better than what was expected and what came: it goes on after the name of the part. */
  readonly message?: string | undefined;
  /** The value itself that was expected, where that is one. */
  readonly wanted?: JsonValue | undefined;
  /** In words; `undefined` when the message says it. */
  readonly expected: string | undefined;
  /** `undefined` when it is not there. */
  readonly actual: JsonValue | undefined;
}

/** So much of both values stands in a message; they have lines of their own in every report. */
const LONGEST_IN_MESSAGE = 60;
/** Behind a longer name values are not shown: a message that is cut must not end in the middle of one. */
const LONGEST_NAME = 1000;

/** `/0/id: expected 7, got 8`; of values that are long only that they differ. */
export function mismatchMessage(
  name: string,
  message: string | undefined,
  expected: string | undefined,
  actual: string,
): string {
  if (message !== undefined) return `${name}${message}`;
  const isShort = expected !== undefined && Math.max(expected.length, actual.length) <= LONGEST_IN_MESSAGE;
  return isShort && name.length <= LONGEST_NAME
    ? `${name}${namedValues(expected, actual)}`
    : `${name} is not as expected`;
}

/** A part of what was expected that nothing was compared with. */
export interface Unevaluated {
  /** JSON pointer into the value, to the part that gave no occasion. */
  readonly pointer: string;
  /** `the list is empty`. */
  readonly reason: string;
  /** What would have been asked for, in words. */
  readonly expected: string;
  /** What helps, where nothing that an earlier step could create does. */
  readonly hint?: string | undefined;
}

/** What comparing a value with a matcher gave. */
export interface MatchOutcome {
  readonly mismatches: readonly Mismatch[];
  readonly unevaluated: readonly Unevaluated[];
}

/** Id of the warning about an expectation that nothing was compared with. */
const NOT_EVALUATED = 'not-evaluated';

/**
 * Says that a part of what a contract expects was not put to the test. Nothing is wrong with the response; but a run
 * where it stays so has not shown what the contract claims.
 *
 * @param at - place in the exchange of the value that was compared
 * @param spec - JSON pointer into the description
 */
export function notEvaluated(
  { pointer, reason, expected, hint }: Unevaluated,
  at: string,
  spec: string | undefined,
): CheckFinding {
  return {
    check: NOT_EVALUATED,
    severity: 'warning',
    at: `${at}${pointer}`,
    message: `Nothing was compared with what the contract expects here: ${reason}`,
    expected: previewText(expected),
    actual: 'nothing',
    spec,
    hint: hint ?? 'Let an earlier step create something that this response then has.',
  };
}

/** What a matcher asks for, in words that go on after "expected": `a string or null`, `at least 3`. */
export function describeMatcher(matcher: Matcher): string {
  switch (matcher.kind) {
    case 'value':
      return stringifyJson(matcher.value);
    case 'object':
      return `an object with ${listed(matcher.members.map(({ name }) => name)) || 'any properties'}`;
    case 'list':
      return `a list of ${matcher.items.length} ${matcher.items.length === 1 ? 'item' : 'items'}`;
    case 'all':
      return matcher.matchers.map(describeMatcher).join(' and ');
    case 'unordered':
      return `these items in any order: ${listed(matcher.items.map(({ key }) => `${matcher.by} ${stringifyJson(key)}`))}`;
    default:
      return 'matcher' in matcher ? describeNested(matcher) : describeLeaf(matcher);
  }
}

type Nested = Extract<Matcher, { matcher: Matcher }>;
type Leaf = Exclude<Matcher, Nested | { kind: 'value' | 'object' | 'list' | 'all' | 'unordered' }>;

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
      return matcher.unlessItems === undefined
        ? `something that contains ${inner}`
        : `a list that contains ${inner}, or at least ${counted(matcher.unlessItems, 'item')}`;
    case 'each':
      return `a list of at least ${matcher.minItems}, each item ${inner}`;
    case 'not':
      return `not ${inner}`;
  }
}

function describeLeaf(matcher: Leaf): string {
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
