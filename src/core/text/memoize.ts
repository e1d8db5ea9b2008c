const DEFAULT_LIMIT = 256;

// Longer texts are computed each time: a client could otherwise fill the memory with header values of its choice.
const MAX_CACHED_LENGTH = 512;

/**
 * Remembers what a pure function gave for the texts it was asked lately.
 *
 * A full memo is emptied at once. That costs nothing per call, and a client that never repeats itself slows a request
 * down to an uncached one and no further.
 *
 * @param compute - pure; its result is shared by all callers, so it must be treated as read-only
 * @param limit - how many results are stored at most
 */
export function memoize<Value>(compute: (text: string) => Value, limit = DEFAULT_LIMIT): (text: string) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.value;

    const value = compute(text);
    if (text.length <= MAX_CACHED_LENGTH) {
      if (known.size >= limit) known.clear();
      known.set(text, { value });
    }
    return value;
  };
}

/**
 * Like {@link memoize}, for a function that also depends on a list which stays the same for many calls, such as the
 * keys of a `content` map.
 *
 * @param compute - pure
 * @returns a function that knows a list by identity: hand over the same array each time, and never change it
 */
export function memoizePerList<Value>(
  compute: (text: string, list: readonly string[]) => Value,
): (text: string, list: readonly string[]) => Value {
  const memos = new WeakMap<readonly string[], (text: string) => Value>();
  return (text, list) => {
    let memo = memos.get(list);
    if (memo === undefined) {
      memo = memoize((unknownText) => compute(unknownText, list));
      memos.set(list, memo);
    }
    return memo(text);
  };
}

/** Makes a value when it is first asked for, and keeps it. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

interface MapLike<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key, which is made and kept when it is first asked for. */
export function getOrCreate<Key, Value>(map: MapLike<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Adds to the list of a key. */
export function addToList<Key, Item>(map: MapLike<Key, Item[]>, key: Key, item: Item): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [item]);
  else known.push(item);
}
