import fc from 'fast-check';
import { parseJson } from '../../src/core/json/parse-json';
import { readCursor, writeCursor, type CursorScope } from '../../src/lists/cursor';
import { type SortPosition, sortValueReader } from '../../src/lists/sort-values';
import { anyKey, anySortValue } from '../mock/library';
import { anyCharacter } from '../support/any-character';

const SCOPE: CursorScope = {
  collection: '/books',
  sortBy: 'title',
  descending: false,
  filters: [
    { property: 'year', values: [1999, 2000] },
    { property: 'title', values: ['A'] },
  ],
};

const PLACE: SortPosition = { value: 'Emma', key: 7 };

/** An integer beyond 2^53 is a bigint wherever it comes from. */
const double = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));

const place: fc.Arbitrary<SortPosition> = fc.record({
  value: fc.oneof(anySortValue, fc.string({ unit: anyCharacter }), double),
  key: fc.oneof(anyKey, fc.string({ unit: anyCharacter })),
});

const scope: fc.Arbitrary<CursorScope> = fc.record({
  collection: fc.constantFrom('/books', '/authors'),
  sortBy: fc.constantFrom('id', 'title'),
  descending: fc.boolean(),
  filters: fc.uniqueArray(
    fc.record({
      property: fc.constantFrom('year', 'title'),
      values: fc.uniqueArray(anySortValue, { minLength: 1, maxLength: 2 }),
    }),
    { maxLength: 2, selector: ({ property }) => property },
  ),
});

/** Which items a scope is about, whatever the order in which it was said. */
function sense({ collection, sortBy, descending, filters }: CursorScope): string {
  const said = filters.map(({ property, values }) => {
    return [property, values.map((value) => `${typeof value} ${String(value)}`).sort()] as const;
  });
  return JSON.stringify([collection, sortBy, descending, said.sort(([left], [right]) => (left < right ? -1 : 1))]);
}

test('a cursor gives back the place that it was made from', () => {
  fc.assert(
    fc.property(place, scope, (from, where) => {
      const cursor = writeCursor(from, where);
      expect(readCursor(cursor, where)).toStrictEqual({
        value: Object.is(from.value, -0) ? 0 : from.value,
        key: Object.is(from.key, -0) ? 0 : from.key,
      });
    }),
  );
});

test('a cursor needs no encoding in a query and is short', () => {
  const cursor = writeCursor({ value: 'ü&=+ #/😀', key: 9223372036854775807n }, SCOPE);
  expect(cursor).toMatch(/^[A-Za-z0-9_.-]+$/);
  expect(cursor).not.toContain('Emma');
  expect(cursor.length).toBeLessThan(200);
});

test('a place beyond what a double holds comes back as the same place', () => {
  const value = sortValueReader(undefined)(parseJson('1e400'));
  expect(readCursor(writeCursor({ value, key: 1 }, SCOPE), SCOPE)).toStrictEqual({ value, key: 1 });
});

describe('a cursor is refused', () => {
  test.each<[string, Partial<CursorScope>]>([
    ['in another collection', { collection: '/authors' }],
    ['in another order', { sortBy: 'id' }],
    ['in the other direction', { descending: true }],
    ['with another filter', { filters: [{ property: 'year', values: [1999] }] }],
    ['without the filters', { filters: [] }],
    [
      'with the same values of another member',
      { filters: [SCOPE.filters[0]!, { property: 'authorName', values: ['A'] }] },
    ],
  ])('%s', (_, other) => {
    expect(readCursor(writeCursor(PLACE, SCOPE), { ...SCOPE, ...other })).toBeUndefined();
  });

  test('wherever the query is another one', () => {
    fc.assert(
      fc.property(place, scope, scope, (from, where, elsewhere) => {
        const isSame = sense(where) === sense(elsewhere);
        expect(readCursor(writeCursor(from, where), elsewhere) !== undefined).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['one text with a comma and two texts', ['a,b'], ['a', 'b']],
    ['a number and its text', [1], ['1']],
    ['null and its text', [null], ['null']],
  ])('%s are different filters', (_, left, right) => {
    const cursor = writeCursor(PLACE, { ...SCOPE, filters: [{ property: 'title', values: left }] });
    expect(readCursor(cursor, { ...SCOPE, filters: [{ property: 'title', values: right }] })).toBeUndefined();
  });

  test('when a character of it was changed, left out or added', () => {
    const cursor = writeCursor(PLACE, SCOPE);
    fc.assert(
      fc.property(
        fc.nat({ max: cursor.length - 1 }),
        fc.constantFrom('A', 'a', '0', '_', '-', '.', '=', '%', ' ', ''),
        (at, character) => {
          fc.pre(cursor[at] !== character);
          expect(readCursor(cursor.slice(0, at) + character + cursor.slice(at + 1), SCOPE)).toBeUndefined();
          expect(readCursor(cursor.slice(0, at) + 'x' + cursor.slice(at), SCOPE)).toBeUndefined();
        },
      ),
    );
  });

  test('when it is any other text, and nothing is thrown', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: fc.constantFrom('.', 'A', '=') })),
        (text) => {
          expect(readCursor(text, SCOPE)).toBeUndefined();
        },
      ),
    );
  });
});

test('the order in which filters and their values were given does not matter', () => {
  const [years, titles] = SCOPE.filters as [CursorScope['filters'][0], CursorScope['filters'][0]];
  const filters = [titles, { ...years, values: [...years.values].reverse() }];
  expect(readCursor(writeCursor(PLACE, SCOPE), { ...SCOPE, filters })).toStrictEqual(PLACE);
});

test('the same place has the same cursor, after a restart too', () => {
  expect(writeCursor(PLACE, SCOPE)).toBe(writeCursor({ ...PLACE }, { ...SCOPE }));
});
