import fc from 'fast-check';
import { matchValue } from '../../src/checks/matchers/match-value';
import { fillMatcher, literalMatcher } from '../../src/formats/contract/matcher';
import { fillPlaceholders } from '../../src/formats/contract/placeholders';
import { equalJson, type JsonValue } from '../../src/core/json/json-value';
import { parseJson } from '../../src/core/json/parse-json';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { jsonValue } from '../core/json/arbitrary-json';
import { readExpected } from './read-expected';

const holds = (expected: JsonValue, actual: JsonValue | undefined): boolean =>
  matchValue(readExpected(expected), actual).mismatches.length === 0;

/** A value as it comes over the wire: another object with the same digits. */
const again = (value: JsonValue): JsonValue => parseJson(stringifyJson(value));

test('any value matches itself, exactly and as it is written', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      expect(holds({ $equals: value }, again(value))).toBe(true);
      expect(matchValue(literalMatcher(value, ''), again(value)).mismatches).toEqual([]);
    }),
  );
});

test('$equals fails on any other value, and $not $equals holds on it', () => {
  fc.assert(
    fc.property(jsonValue, jsonValue, (left, right) => {
      expect(holds({ $equals: left }, right)).toBe(equalJson(left, right));
      expect(holds({ $not: { $equals: left } }, right)).toBe(!equalJson(left, right));
      expect(holds({ $enum: [left] }, right)).toBe(equalJson(left, right));
    }),
  );
});

test('one change anywhere in a value is found, and at its place', () => {
  fc.assert(
    fc.property(fc.array(jsonValue, { minLength: 1, maxLength: 4 }), fc.nat(3), jsonValue, (items, at, other) => {
      const index = at % items.length;
      fc.pre(!equalJson(items[index]!, other));
      const changed = items.with(index, other);
      const { mismatches } = matchValue(readExpected({ $equals: { a: items } }), { a: changed });
      expect(mismatches.length).toBeGreaterThan(0);
      for (const { pointer } of mismatches) expect(pointer.startsWith(`/a/${index}`)).toBe(true);
    }),
  );
});

test('a value that comes in by a placeholder matches itself and no other one, whatever it holds', () => {
  fc.assert(
    fc.property(jsonValue, jsonValue, (value, other) => {
      const values = new Map([['x', value]]);
      const filled = fillMatcher(readExpected({ $equals: '${x}' }), (part) => fillPlaceholders(part, values));
      expect(matchValue(filled, again(value)).mismatches).toEqual([]);
      expect(matchValue(filled, other).mismatches.length === 0).toBe(equalJson(value, other));
    }),
  );
});

const FALSY: readonly JsonValue[] = [0, false, '', null, [], {}];

test('a falsy value is never taken for another one, nor for none', () => {
  for (const expected of FALSY) {
    for (const actual of FALSY) {
      expect([expected, actual, holds({ $equals: expected }, actual)]).toEqual([expected, actual, expected === actual]);
      expect([expected, actual, holds({ a: { $nullable: { $equals: expected } } }, { a: actual })]).toEqual([
        expected,
        actual,
        expected === actual || actual === null,
      ]);
    }
    expect([expected, holds(expected, undefined)]).toEqual([expected, false]);
    expect([expected, holds({ a: expected }, {})]).toEqual([expected, false]);
    expect([expected, holds({ a: { $present: true } }, { a: expected })]).toEqual([expected, true]);
    expect([expected, holds({ a: { $absent: true } }, { a: expected })]).toEqual([expected, false]);
    expect([expected, holds({ a: { $not: { $equals: expected } } }, {})]).toEqual([expected, false]);
  }
});

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test('an int64 is compared with all its digits, by every matcher of numbers', () => {
  fc.assert(
    fc.property(int64, int64, (left, right) => {
      const [a, b] = [again(left), again(right)];
      expect(holds(a, b)).toBe(left === right);
      expect(holds({ $equals: a }, again(left + 1n))).toBe(false);
      expect([holds({ $min: a }, b), holds({ $max: a }, b)]).toEqual([right >= left, right <= left]);
      expect([holds({ $above: a }, b), holds({ $below: a }, b)]).toEqual([right > left, right < left]);
      expect(holds({ $type: 'integer', $format: 'int64' }, b)).toBe(true);
    }),
  );
});

test('decimals are compared with all their digits', () => {
  const decimal = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat(29)).map(([digits, places]) => {
    const text = String(digits).padStart(places + 1, '0');
    return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
  });
  fc.assert(
    fc.property(decimal, (text) => {
      const value = parseJson(text);
      const next = parseJson(text.includes('.') ? `${text}1` : `${text}.1`);
      expect(holds(value, next)).toBe(false);
      expect(holds({ $above: value }, next)).toBe(true);
      expect(holds({ $max: value }, next)).toBe(false);
    }),
  );
});
