import type { JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Draft } from './draft';
import type { Item } from './item';
import type { Key } from '../../lists/sort-values';
import { keyOf, keyOfProperty, type Resource } from './prepared-resource';

export interface FoundItem {
  readonly key: Key;
  readonly item: Item;
}

/**
 * The item of a collection that a path names: by its key, by another name where the description says that one will do
 * ("ID or name"), and the caller's own where it has a word for that ("me").
 *
 * @param value - as it stands in the path
 */
export function findItem(
  resource: Resource,
  collection: string,
  value: JsonValue | undefined,
  draft: Pick<Draft, 'collection' | 'get' | 'initialCollection' | 'caller'>,
): FoundItem | undefined {
  const key = resource.toKey(value);
  const item = key === undefined ? undefined : draft.get(collection, key);
  if (key !== undefined && item !== undefined) return { key, item };
  return longKey(collection, key, draft) ?? byOtherName(resource, collection, value, draft);
}

function byOtherName(
  resource: Resource,
  collection: string,
  value: JsonValue | undefined,
  draft: Pick<Draft, 'collection' | 'get' | 'initialCollection' | 'caller'>,
): FoundItem | undefined {
  if (value === undefined || (resource.otherNames.length === 0 && resource.selfWords.size === 0)) return undefined;
  const text = scalarText(value);
  for (const property of resource.otherNames) {
    const toSortValue = resource.sortValues(property);
    // No segment of a path begins with a slash: a name that does is asked for without it.
    const wanted = [keyOfProperty(resource, property, text), `/${text}`].map(toSortValue);
    const [named] = draft.collection(collection).where(property, wanted, toSortValue, {});
    if (named !== undefined) return found(resource, named);
  }
  return resource.selfWords.has(text) ? ownItem(resource, collection, draft) : undefined;
}

/**
 * The item of the caller: the one that the token names, where there is one of that key, else the first that the collection began with, as long as that is there; where it began with
 * none, the first that there is.
 */
export function ownItem(
  resource: Resource,
  collection: string,
  draft: Pick<Draft, 'collection' | 'get' | 'initialCollection' | 'caller'>,
): FoundItem | undefined {
  const signedIn = draft.caller === undefined ? undefined : resource.toKey(draft.caller);
  const own = signedIn === undefined ? undefined : draft.get(collection, signedIn);
  if (signedIn !== undefined && own !== undefined) return { key: signedIn, item: own };
  const [begun] = draft.initialCollection(collection)?.byKey() ?? [];
  const key = begun === undefined ? undefined : keyOf(resource, begun);
  if (key === undefined) {
    const [first] = draft.collection(collection).byKey();
    return first === undefined ? undefined : found(resource, first);
  }
  const item = draft.get(collection, key);
  return item === undefined ? undefined : { key, item };
}

/**
 * A key that begins as the path does in which it stands: `refs/heads/main` at `/git/refs/{ref}` is asked for as
 * `heads/main`, and `projects/7/topics/news` at `/projects/{project}/topics/{topic}` as `news`.
 */
function longKey(collection: string, key: Key | undefined, draft: Pick<Draft, 'get'>): FoundItem | undefined {
  if (typeof key !== 'string') return undefined;
  const segments = collection.split('/').filter((segment) => segment !== '');
  for (let from = segments.length - 1; from >= 0; from--) {
    const whole = [...segments.slice(from), key].join('/');
    const item = draft.get(collection, whole);
    if (item !== undefined) return { key: whole, item };
  }
  return undefined;
}

function found(resource: Resource, item: Item): FoundItem | undefined {
  const key = keyOf(resource, item);
  return key === undefined ? undefined : { key, item };
}
