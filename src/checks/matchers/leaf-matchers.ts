import type { Bound, JsonType, Matcher } from '../../formats/contract/matcher';
import { formatTest } from '../../schema/formats';
import { compilePattern } from '../../schema/pattern/compile-pattern';
import { equalJson, isJsonObject, type JsonValue } from '../../core/json/json-value';
import {
  compareNumbers,
  isInteger,
  isJsonNumber,
  numberFromLexeme,
  type JsonNumber,
} from '../../core/json/exact-number';
import { joinPointer } from '../../core/json/json-pointer';
import { describeMatcher, type Mismatch } from './mismatch';

/** Matchers that look at one value and at nothing in it. */
export type LeafMatcher = Extract<Matcher, { kind: 'value' | 'type' | 'pattern' | 'format' | 'bound' | 'enum' }>;

/** What is not there at all. */
export const MISSING = { rule: 'is missing', message: ' is missing' } as const;
export const DIFFERENT = 'is not the expected value';
export const LIMIT_UNUSABLE = 'cannot be compared: the limit is no number';

/** @returns the violated rule, as in {@link Mismatch}; `undefined` for a value that matches */
export function leafMismatch(matcher: LeafMatcher, actual: JsonValue): string | undefined {
  switch (matcher.kind) {
    case 'value':
      return equalJson(matcher.value, actual) ? undefined : DIFFERENT;
    case 'type':
      return matcher.types.some((type) => isOfType(type, actual)) ? undefined : 'does not have the expected type';
    case 'pattern':
      return patternMismatch(matcher.source, actual);
    case 'format':
      return formatTest(matcher.name)(actual) ? undefined : `is no valid ${matcher.name}`;
    case 'bound':
      return boundMismatch(matcher, actual);
    case 'enum':
      return matcher.values.some((value) => equalJson(value, actual)) ? undefined : 'is not one of the expected values';
  }
}

function patternMismatch(source: string, actual: JsonValue): string | undefined {
  if (typeof actual !== 'string') return 'is no text';
  return compilePattern(source).test(actual) ? undefined : 'does not match the pattern';
}

function isOfType(type: JsonType, value: JsonValue): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'number':
      return isJsonNumber(value);
    // The number counts and not its spelling: 1.0 is an integer (OAS 3.0.4; JSON Schema 2020-12 §4.2.3).
    case 'integer':
      return isJsonNumber(value) && isInteger(value);
    default:
      return typeof value === type;
  }
}

const BOUND_HOLDS: Readonly<Record<Bound, (order: number) => boolean>> = {
  $min: (order) => order >= 0,
  $max: (order) => order <= 0,
  $above: (order) => order > 0,
  $below: (order) => order < 0,
};

function boundMismatch(
  { bound, limit, isOfText }: Extract<Matcher, { kind: 'bound' }>,
  actual: JsonValue,
): string | undefined {
  const value = numberOf(actual, isOfText);
  if (value === undefined) return 'is no number';
  const against = numberOf(limit, isOfText);
  if (against === undefined) return LIMIT_UNUSABLE;
  return BOUND_HOLDS[bound](compareNumbers(value, against)) ? undefined : 'is out of range';
}

function numberOf(value: JsonValue, isOfText: boolean): JsonNumber | undefined {
  if (isJsonNumber(value)) return value;
  if (!isOfText || typeof value !== 'string') return undefined;
  try {
    return numberFromLexeme(value);
  } catch {
    return undefined;
  }
}

/** Every part in which two values differ: nothing may be missing, and nothing more may be there. */
export function differences(expected: JsonValue, actual: JsonValue, pointer: string): Mismatch[] {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => differenceAt(item, actual[index], joinPointer(pointer, index)));
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    const more = Object.keys(actual).filter((name) => !Object.hasOwn(expected, name));
    return [
      ...Object.entries(expected).flatMap(([name, property]) => {
        const found = Object.hasOwn(actual, name) ? actual[name] : undefined;
        return differenceAt(property, found, joinPointer(pointer, name));
      }),
      ...more.map((name) => {
        const found = actual[name];
        return { pointer: joinPointer(pointer, name), rule: 'is not expected', expected: 'nothing', actual: found };
      }),
    ];
  }
  if (equalJson(expected, actual)) return [];
  const words = describeMatcher({ kind: 'equals', value: expected, pointer: '' });
  return [{ pointer, rule: DIFFERENT, expected: words, actual }];
}

function differenceAt(expected: JsonValue, actual: JsonValue | undefined, pointer: string): Mismatch[] {
  if (actual !== undefined) return differences(expected, actual, pointer);
  const words = describeMatcher({ kind: 'equals', value: expected, pointer: '' });
  return [{ pointer, ...MISSING, expected: words, actual }];
}
