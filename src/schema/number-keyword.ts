import type { JsonNumber } from '../core/json/exact-number';
import { toLexeme, isInteger, compareNumbers, isMultipleOf, isJsonNumber } from '../core/json/exact-number';
import type { JsonValue } from '../core/json/json-value';
import type { ExactKeyword } from './exact-keyword';
import type { KeywordViolation } from './exact-keyword';

/** Operand of the `exactNumber` keyword. */
export interface NumberConstraints {
  readonly minimum?: JsonValue;
  readonly maximum?: JsonValue;
  readonly exclusiveMinimum?: JsonValue;
  readonly exclusiveMaximum?: JsonValue;
  readonly multipleOf?: JsonValue;
  readonly format?: JsonValue;
}
export interface NumberRule {
  readonly broken: KeywordViolation;
  holds(value: JsonNumber): boolean;
}
export const INT32_MIN = -2147483648;
export const INT32_MAX = 2147483647;
export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;
export const FLOAT_MAX = 3.4028235e38;
export function rangeRule(format: string, lowest: JsonNumber, highest: JsonNumber, whole: boolean): NumberRule {
  const kind = whole ? 'an integer' : 'a number';
  return {
    broken: {
      brokenKeyword: 'format',
      message: `must be ${kind} in the range of ${format} (${toLexeme(lowest)} to ${toLexeme(highest)})`,
    },
    holds: (value) =>
      (!whole || isInteger(value)) && compareNumbers(value, lowest) >= 0 && compareNumbers(value, highest) <= 0,
  };
}
/** The ranges of the OpenAPI number formats (OAS 3.0.3 "Data Types"; format registry). */
export function formatRule(format: JsonValue | undefined): NumberRule | undefined {
  switch (format) {
    case 'int32':
      return rangeRule(format, INT32_MIN, INT32_MAX, true);
    case 'int64':
      return rangeRule(format, INT64_MIN, INT64_MAX, true);
    case 'float':
      return rangeRule(format, -FLOAT_MAX, FLOAT_MAX, false);
    case 'double':
      return rangeRule(format, -Number.MAX_VALUE, Number.MAX_VALUE, false);
    default:
      return undefined;
  }
}
export function numberRules(constraints: NumberConstraints): NumberRule[] {
  const rules: NumberRule[] = [];
  const bound = (keyword: keyof NumberConstraints, words: string, holds: (order: number) => boolean): void => {
    const limit = constraints[keyword];
    if (!isJsonNumber(limit)) return;
    const message = `must be ${words} ${toLexeme(limit)}`;
    rules.push({ broken: { brokenKeyword: keyword, message }, holds: (value) => holds(compareNumbers(value, limit)) });
  };
  bound('minimum', 'at least', (order) => order >= 0);
  bound('exclusiveMinimum', 'greater than', (order) => order > 0);
  bound('maximum', 'at most', (order) => order <= 0);
  bound('exclusiveMaximum', 'less than', (order) => order < 0);
  const divisor = constraints.multipleOf;
  if (isJsonNumber(divisor)) {
    rules.push({
      broken: { brokenKeyword: 'multipleOf', message: `must be a multiple of ${toLexeme(divisor)}` },
      holds: (value) => isMultipleOf(value, divisor),
    });
  }
  const format = formatRule(constraints.format);
  if (format !== undefined) rules.push(format);
  return rules;
}

/** Bounds, multiples and number formats, compared mathematically whatever the size (JSON Schema Validation §6.2). */
export const exactNumberKeyword: ExactKeyword<NumberConstraints> = {
  keyword: 'exactNumber',
  schemaType: 'object',
  createValidator(constraints) {
    const rules = numberRules(constraints);
    return (value) => {
      if (!isJsonNumber(value)) return undefined;
      for (const rule of rules) if (!rule.holds(value)) return rule.broken;
      return undefined;
    };
  },
};
