import fc from 'fast-check';
import { Collection } from '../../../src/mock/state/collection';
import type { Item } from '../../../src/mock/state/item';
import { ABSENT, type Key, type SortPosition, type SortValue, sortValueReader } from '../../../src/lists/sort-values';
import { anyKey, anyMember, anySortValue, itemOf, naiveOrder, type Member } from '../library';

const read = sortValueReader(undefined);

/** The same collection as a plain list of pairs. */
class NaiveCollection {
  readonly pairs: [Key, Item][];

  constructor(pairs: readonly [Key, Item][] = []) {
    this.pairs = pairs.map(([key, item]) => [key, item]);
  }

  set(key: Key, item: Item): void {
    this.delete(key);
    this.pairs.push([key, item]);
    this.pairs.sort(([left], [right]) => naiveOrder(left, right));
  }

  delete(key: Key): void {
    const index = this.pairs.findIndex(([known]) => known === key);
    if (index !== -1) this.pairs.splice(index, 1);
  }

  get(key: Key): Item | undefined {
    return this.pairs.find(([known]) => known === key)?.[1];
  }
}

type Step =
  | {
      readonly kind: 'set';
      readonly on: number;
      readonly key: Key;
      readonly group: Member;
      readonly rank: Member;
    }
  | { readonly kind: 'delete'; readonly on: number; readonly key: Key }
  | { readonly kind: 'copy'; readonly on: number }
  | { readonly kind: 'index'; readonly on: number; readonly member: 'group' | 'rank' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      on: fc.nat(),
      key: anyKey,
      group: anyMember,
      rank: anyMember,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), on: fc.nat(), key: anyKey }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const), on: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('index' as const),
      on: fc.nat(),
      member: fc.constantFrom('group' as const, 'rank' as const),
    }),
  },
);

/** Runs the steps on collections and on lists; a copy makes one more of both. */
function run(steps: readonly Step[]): [Collection, NaiveCollection][] {
  const pairs: [Collection, NaiveCollection][] = [[Collection.empty(), new NaiveCollection()]];
  for (const { on, ...action } of steps) {
    const [collection, naive] = pairs[on % pairs.length]!;
    if (action.kind === 'copy') pairs.push([collection.copy(), new NaiveCollection(naive.pairs)]);
    else if (action.kind === 'index') collection.countWhere(action.member, [], read);
    else if (action.kind === 'delete') {
      collection.delete(action.key);
      naive.delete(action.key);
    } else {
      const item = itemOf({ key: action.key, group: action.group, rank: action.rank });
      collection.set(action.key, item);
      naive.set(action.key, item);
    }
  }
  return pairs;
}

function expectEach(check: (collection: Collection, naive: NaiveCollection, key: Key, value: SortValue) => void): void {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), anyKey, anySortValue, (steps, key, value: SortValue) => {
      for (const [collection, naive] of run(steps)) check(collection, naive, key, value);
    }),
    { numRuns: 300 },
  );
}

const itemsOf = (pairs: readonly [Key, Item][]): Item[] => pairs.map(([, item]) => item);

describe('a collection is the same as a sorted list, however it was changed and copied', () => {
  test('by its size, its highest key and each key', () => {
    expectEach((collection, naive, key) => {
      expect(collection.size).toBe(naive.pairs.length);
      expect(collection.highestKey()).toBe(naive.pairs.at(-1)?.[0]);
      expect(collection.get(key)).toBe(naive.get(key));
    });
  });

  test('walked by key, up and down, from a key or after it', () => {
    expectEach((collection, { pairs }, key) => {
      const down = pairs.toReversed();
      expect([...collection.byKey()]).toStrictEqual(itemsOf(pairs));
      expect([...collection.byKey({ descending: true })]).toStrictEqual(itemsOf(down));
      const from = pairs.filter(([known]) => naiveOrder(known, key) >= 0);
      expect([...collection.byKey({ from: key })]).toStrictEqual(itemsOf(from));
      const after = pairs.filter(([known]) => naiveOrder(known, key) > 0);
      expect([...collection.byKey({ after: key })]).toStrictEqual(itemsOf(after));
      const below = down.filter(([known]) => naiveOrder(known, key) < 0);
      expect([...collection.byKey({ after: key, descending: true })]).toStrictEqual(itemsOf(below));
    });
  });

  test.each([false, true])('looked up by values of a member, descending: %p', (descending) => {
    expectEach((collection, { pairs }, key, value) => {
      const lists: SortValue[][] = [[value], [value, 'a', ABSENT], [value, value], []];
      for (const values of lists) {
        const matching = pairs.filter(([, item]) => values.includes(read(item['group'])));
        expect(collection.countWhere('group', values, read)).toBe(matching.length);
        const ordered = descending ? matching.toReversed() : matching;
        expect([...collection.where('group', values, read, { descending })]).toStrictEqual(itemsOf(ordered));
        const rest = ordered.filter(([known]) => (descending ? -1 : 1) * naiveOrder(known, key) > 0);
        expect([...collection.where('group', values, read, { after: key, descending })]).toStrictEqual(itemsOf(rest));
      }
    });
  });

  test.each([false, true])('walked by a member, descending: %p', (descending) => {
    const sign = descending ? -1 : 1;
    expectEach((collection, { pairs }) => {
      const ordered = pairs.toSorted(([leftKey, left], [rightKey, right]) => {
        return sign * (naiveOrder(read(left['rank']), read(right['rank'])) || naiveOrder(leftKey, rightKey));
      });
      expect([...collection.byMember('rank', read, { descending })]).toStrictEqual(itemsOf(ordered));
    });
  });

  test.each([false, true])('walked by a member after a place, descending: %p', (descending) => {
    const sign = descending ? -1 : 1;
    expectEach((collection, { pairs }, key, value) => {
      const order = ([key1, value1]: [Key, SortValue], [key2, value2]: [Key, SortValue]): number => {
        return sign * (naiveOrder(value1, value2) || naiveOrder(key1, key2));
      };
      const rest = pairs
        .map(([known, item]): [Key, SortValue, Item] => [known, read(item['rank']), item])
        .filter(([known, rank]) => order([known, rank], [key, value]) > 0)
        .toSorted(([key1, value1], [key2, value2]) => order([key1, value1], [key2, value2]));
      const after: SortPosition = { value, key };
      expect([...collection.byMember('rank', read, { after, descending })]).toStrictEqual(
        rest.map(([, , item]) => item),
      );
    });
  });
});

test('a change of a copy does not show in what it was copied from', () => {
  const first = Collection.empty();
  for (let key = 1; key <= 100; key++) first.set(key, itemOf({ key, group: key % 3 }));
  expect(first.countWhere('group', [1], read)).toBe(34);
  const second = first.copy();
  second.delete(1);
  second.set(2, itemOf({ key: 2, group: 1 }));
  second.set(101, itemOf({ key: 101, group: 1 }));
  expect(first.size).toBe(100);
  expect(first.countWhere('group', [1], read)).toBe(34);
  expect(first.get(2)).toStrictEqual({ key: 2, group: 2 });
  expect([...first.where('group', [1], read)].map(({ key }) => key)).toContain(1);
  expect(second.size).toBe(100);
  expect(second.countWhere('group', [1], read)).toBe(35);
  first.set(1, itemOf({ key: 1, group: 2 }));
  expect(second.get(1)).toBeUndefined();
});

test('the place of a date-time is its instant', () => {
  const instants = sortValueReader({ format: 'date-time' });
  const collection = Collection.empty();
  collection.set(1, itemOf({ key: 1, at: '2030-12-05T12:00:00+02:00' }));
  collection.set(2, itemOf({ key: 2, at: '2030-12-05T10:30:00Z' }));
  collection.set(3, itemOf({ key: 3, at: '2030-12-05T10:00:00Z' }));
  collection.set(4, itemOf({ key: 4 }));
  expect([...collection.byMember('at', instants)].map(({ key }) => key)).toStrictEqual([1, 3, 2, 4]);
  expect(collection.countWhere('at', [instants('2030-12-05T10:00:00.000Z')], instants)).toBe(2);
  collection.set(1, itemOf({ key: 1, at: '2030-12-05T11:00:00Z' }));
  expect([...collection.byMember('at', instants, { descending: true })].map(({ key }) => key)).toStrictEqual([
    4, 1, 2, 3,
  ]);
});

test('values that the collection holds and values that it is asked for meet', () => {
  const collection = Collection.empty();
  collection.set(9007199254740993n, itemOf({ n: 9007199254740993n }));
  expect(collection.countWhere('n', [9007199254740993n], read)).toBe(1);
  expect(collection.countWhere('n', [9007199254740992n], read)).toBe(0);
});
