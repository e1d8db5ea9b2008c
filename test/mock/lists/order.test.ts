import fc from 'fast-check';
import { ExactNumber } from '../../../src/core/json/exact-number';
import { parseJson } from '../../../src/core/json/parse-json';
import {
  ABSENT,
  compareKeys,
  compareSortValues,
  sortValueReader,
  successor,
  type SortValue,
} from '../../../src/lists/sort-values';
import { anyKey, naiveOrder } from '../library';
import { anyCharacter } from '../../support/any-character';

const sortValue: fc.Arbitrary<SortValue> = fc.oneof(
  fc.constantFrom(ABSENT, null, true, false),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.bigInt({ min: 2n ** 53n }),
  fc.bigInt({ max: -(2n ** 53n) }),
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('a', 'b', '\uff5e', '\ud7ff', '\ue000', '😀', '😁', '\ud800', '\udc00') }),
);

/** A value as a sort value comes out of a stored number: the same number may come as `number` and as `bigint`. */
const fromJson: fc.Arbitrary<SortValue> = fc
  .constantFrom('1', '1.0', '1e0', '9007199254740992', '9007199254740992.0', '9007199254740993', '18014398509481984')
  .map((text) => sortValueReader(undefined)(parseJson(text)));

describe('compareSortValues', () => {
  test.each<[SortValue, SortValue]>([
    [1, 2],
    [9, 10],
    [-1, 0],
    [1, 9007199254740993n],
    [9007199254740992n, 9007199254740993n],
    [-9007199254740993n, 1],
    [1.5, 2],
    [10, '9'],
    ['10', '9'],
    ['', 'a'],
    ['a', 'ab'],
    ['Z', 'a'],
    ['\uff5e', '😀'],
    ['a\uff5e', 'a😀'],
    ['z', false],
    [false, true],
    [true, null],
    [null, ABSENT],
    [1, ABSENT],
  ])('%p comes before %p', (left, right) => {
    expect(compareSortValues(left, right)).toBeLessThan(0);
    expect(compareSortValues(right, left)).toBeGreaterThan(0);
  });

  test.each<SortValue>([ABSENT, null, true, 0, 5n, 'a'])('%p is where itself is', (value) => {
    expect(compareSortValues(value, value)).toBe(0);
  });

  const values = fc.oneof({ weight: 4, arbitrary: sortValue }, { weight: 1, arbitrary: fromJson });

  it('orders any two values one way or the other', () => {
    fc.assert(
      fc.property(values, values, (left, right) => {
        expect(Math.sign(compareSortValues(left, right)) + Math.sign(compareSortValues(right, left))).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        fc.pre(compareSortValues(a, b) <= 0 && compareSortValues(b, c) <= 0);
        expect(compareSortValues(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the order of kinds, sizes and code points', () => {
    fc.assert(
      fc.property(sortValue, sortValue, (left, right) => {
        // Half a surrogate pair is no code point; it only has to have a place.
        fc.pre([left, right].every((value) => typeof value !== 'string' || value.isWellFormed()));
        expect(Math.sign(compareSortValues(left, right))).toBe(Math.sign(naiveOrder(left, right)));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes the same number for the same, however it is spelled', () => {
    const read = sortValueReader(undefined);
    expect(compareSortValues(read(parseJson('1')), read(parseJson('1.0')))).toBe(0);
    expect(compareSortValues(read(parseJson('9007199254740992')), read(parseJson('9007199254740992.0')))).toBe(0);
  });
});

test('compareKeys orders keys as values are ordered', () => {
  fc.assert(
    fc.property(anyKey, anyKey, (left, right) => {
      expect(Math.sign(compareKeys(left, right))).toBe(Math.sign(naiveOrder(left, right)));
    }),
  );
});

describe('sortValueReader', () => {
  test.each([
    ['a', 'a'],
    [1, 1],
    [5n, 5n],
    [true, true],
    [null, null],
    [undefined, ABSENT],
    [[1], ABSENT],
    [{ a: 1 }, ABSENT],
    [new ExactNumber('2.50'), 2.5],
  ])('reads %p as %p', (value, read) => {
    expect(sortValueReader(undefined)(value)).toBe(read);
    expect(sortValueReader({ type: 'string' })(value)).toBe(read);
  });

  it('reads a date-time as the instant it is', () => {
    const read = sortValueReader({ type: 'string', format: 'date-time' });
    expect(read('2030-12-05T12:00:00Z')).toBe(read('2030-12-05T14:00:00+02:00'));
    expect(read('2030-12-05T12:00:00.000001Z')).toBeGreaterThan(read('2030-12-05T12:00:00Z') as number);
    expect(read('2030-12-05')).toBe(ABSENT);
    expect(read(undefined)).toBe(ABSENT);
    expect(read(7)).toBe(ABSENT);
  });
});

test.each([
  [1, 2],
  [9007199254740990, 9007199254740991],
  [9007199254740991, 9007199254740992n],
  [9007199254740992n, 9007199254740993n],
  [9223372036854775806n, 9223372036854775807n],
])('the key after %p is %p', (key, next) => {
  expect(successor(key)).toBe(next);
});
