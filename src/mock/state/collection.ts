import { type Item, valueAt } from './item';
import BTree from 'sorted-btree';
import type { JsonValue } from '../../core/json/json-value';
import { compareKeys, compareSortValues, type Key, type SortValue, type ToSortValue } from '../../lists/sort-values';

type Bucket = BTree<Key, Item>;

/** Items that share one value of a property, by key; the buckets by that value. */
interface Index {
  readonly toSortValue: ToSortValue;
  readonly buckets: BTree<SortValue, Bucket>;
}

/**
 * The items of one collection, ordered by key, with an index for each property that was asked for.
 *
 * Copies share their nodes until one of them changes: a copy costs nothing, the first change of a node copies it. A
 * collection that somebody keeps is sealed, and is copied before it is changed.
 */
export class Collection {
  private readonly items: Bucket;
  private readonly indexes: Map<string, Index>;
  private sealed = false;

  private constructor(items: Bucket, indexes: Map<string, Index>) {
    this.items = items;
    this.indexes = indexes;
  }

  static empty(): Collection {
    return new Collection(new BTree<Key, Item>(undefined, compareKeys), new Map());
  }

  get size(): number {
    return this.items.size;
  }

  /** Must be copied before it is changed. */
  get isSealed(): boolean {
    return this.sealed;
  }

  /** From now on somebody relies on it as it is. */
  seal(): void {
    this.sealed = true;
  }

  copy(): Collection {
    const indexes = new Map<string, Index>();
    for (const [name, { toSortValue, buckets }] of this.indexes) {
      indexes.set(name, { toSortValue, buckets: buckets.clone() });
    }
    return new Collection(this.items.clone(), indexes);
  }

  get(key: Key): Item | undefined {
    return this.items.get(key);
  }

  highestKey(): Key | undefined {
    return this.items.maxKey();
  }

  /** @returns the item that was there before */
  set(key: Key, item: Item): Item | undefined {
    const before = this.items.get(key);
    this.items.set(key, item);
    for (const [name, index] of this.indexes) {
      if (before !== undefined) {
        if (Object.is(valueAt(before, name), valueAt(item, name))) {
          editBucket(index, valueAt(before, name), (bucket) => bucket.set(key, item));
          continue;
        }
        removeFromBucket(index, valueAt(before, name), key);
      }
      editBucket(index, valueAt(item, name), (bucket) => bucket.set(key, item));
    }
    return before;
  }

  /** @returns the item that was there */
  delete(key: Key): Item | undefined {
    const before = this.items.get(key);
    if (before === undefined) return undefined;
    this.items.delete(key);
    for (const [name, index] of this.indexes) removeFromBucket(index, valueAt(before, name), key);
    return before;
  }

  /** Keys with their items, in the order of the keys. */
  entries(): IterableIterator<readonly [Key, Item]> {
    return this.items.entries();
  }

  /** Items in the order of their keys, from a key on or after it. */
  byKey(options: { from?: Key | undefined; after?: Key | undefined; descending?: boolean } = {}): Generator<Item> {
    return walk(this.items, options.after ?? options.from, options.after !== undefined, options.descending === true);
  }

  countWhere(name: string, values: readonly SortValue[], toSortValue: ToSortValue): number {
    return this.bucketsFor(name, values, toSortValue).reduce((sum, bucket) => sum + bucket.size, 0);
  }

  /** Items that have one of the values, in the order of their keys, after a key. */
  where(
    name: string,
    values: readonly SortValue[],
    toSortValue: ToSortValue,
    options: { after?: Key | undefined; descending?: boolean } = {},
  ): Generator<Item> {
    const descending = options.descending === true;
    const buckets = this.bucketsFor(name, values, toSortValue);
    const [only] = buckets;
    if (only !== undefined && buckets.length === 1)
      return walk(only, options.after, options.after !== undefined, descending);
    return merge(
      buckets.map((bucket) => walkPairs(bucket, options.after, options.after !== undefined, descending)),
      descending,
    );
  }

  /** Items in the order of a property, those with equal values by key; after a place in that order. */
  *byMember(
    name: string,
    toSortValue: ToSortValue,
    options: { after?: { value: SortValue; key: Key } | undefined; descending?: boolean } = {},
  ): Generator<Item> {
    const { after, descending = false } = options;
    const { buckets } = this.index(name, toSortValue);
    if (after !== undefined) {
      const started = buckets.get(after.value);
      if (started !== undefined) yield* walk(started, after.key, true, descending);
    }
    // A reused pair would be overwritten while the bucket is being walked.
    const rest = descending
      ? buckets.entriesReversed(after?.value, undefined, after !== undefined)
      : buckets.entries(after?.value);
    for (const [value, bucket] of rest) {
      if (after !== undefined && compareSortValues(value, after.value) === 0) continue;
      yield* walk(bucket, undefined, false, descending);
    }
  }

  private bucketsFor(name: string, values: readonly SortValue[], toSortValue: ToSortValue): Bucket[] {
    const { buckets } = this.index(name, toSortValue);
    return [...new Set(values)].flatMap((value) => buckets.get(value) ?? []);
  }

  /** The index of a property; built when it is first asked for, kept up to date from then on. */
  private index(name: string, toSortValue: ToSortValue): Index {
    const known = this.indexes.get(name);
    if (known !== undefined) return known;
    const index: Index = { toSortValue, buckets: new BTree<SortValue, Bucket>(undefined, compareSortValues) };
    for (const [key, item] of this.items.entries()) bucketAt(index, valueAt(item, name)).set(key, item);
    this.indexes.set(name, index);
    return index;
  }
}

function bucketAt({ toSortValue, buckets }: Index, value: JsonValue | undefined): Bucket {
  const sortValue = toSortValue(value);
  let bucket = buckets.get(sortValue);
  if (bucket === undefined) buckets.set(sortValue, (bucket = new BTree<Key, Item>(undefined, compareKeys)));
  return bucket;
}

/** Changes a copy of a bucket: the old one may belong to another state as well. */
function editBucket(index: Index, value: JsonValue | undefined, edit: (bucket: Bucket) => void): void {
  const copy = bucketAt(index, value).clone();
  edit(copy);
  index.buckets.set(index.toSortValue(value), copy);
}

function removeFromBucket(index: Index, value: JsonValue | undefined, key: Key): void {
  editBucket(index, value, (bucket) => bucket.delete(key));
  const sortValue = index.toSortValue(value);
  if (index.buckets.get(sortValue)?.size === 0) index.buckets.delete(sortValue);
}

function* walkPairs(
  bucket: Bucket,
  start: Key | undefined,
  skipStart: boolean,
  descending: boolean,
): Generator<readonly [Key, Item]> {
  const pairs = descending ? bucket.entriesReversed(start, undefined, skipStart) : bucket.entries(start);
  for (const pair of pairs) {
    if (skipStart && start !== undefined && compareKeys(pair[0], start) === 0) continue;
    yield pair;
  }
}

function* walk(bucket: Bucket, start: Key | undefined, skipStart: boolean, descending: boolean): Generator<Item> {
  for (const [, item] of walkPairs(bucket, start, skipStart, descending)) yield item;
}

/** Merges sorted sequences. There are as many as values were asked for, so that a heap would not pay. */
function* merge(sequences: Generator<readonly [Key, Item]>[], descending: boolean): Generator<Item> {
  const heads = sequences.map((sequence) => ({ sequence, head: sequence.next() }));
  for (;;) {
    let next: (typeof heads)[number] | undefined;
    for (const candidate of heads) {
      if (candidate.head.done === true) continue;
      if (next === undefined || next.head.done === true) next = candidate;
      else if (compareKeys(candidate.head.value[0], next.head.value[0]) < 0 !== descending) next = candidate;
    }
    if (next === undefined || next.head.done === true) return;
    yield next.head.value[1];
    next.head = next.sequence.next();
  }
}
