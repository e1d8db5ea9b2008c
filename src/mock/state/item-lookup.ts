import type { JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Draft } from './draft';
import { type Item, partAddress } from './item';
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

/** A text that is no other item's name by chance: a UUID, an ARN, a path. */
const DISTINCTIVE = /^(?=.*\D)\S{12,}$/su;

function byOtherName(
  resource: Resource,
  collection: string,
  value: JsonValue | undefined,
  draft: Pick<Draft, 'collection' | 'get' | 'initialCollection' | 'caller'>,
): FoundItem | undefined {
  if (value === undefined) return undefined;
  const text = scalarText(value);
  const inParts = resource.otherNamesInParts.flatMap((name) => resource.parts().map((part) => partAddress(part, name)));
  const identifiers = DISTINCTIVE.test(text) ? resource.identifiers : [];
  const prefix = resource.namePrefixes.find((each) => text.startsWith(each)) ?? '';
  for (const address of [...resource.otherNames, ...inParts, ...identifiers]) {
    const named = findByProperty(resource, collection, address, text.slice(prefix.length), draft);
    if (named !== undefined) return named;
  }
  return resource.selfWords.has(text) ? ownItem(resource, collection, draft) : undefined;
}

/**
 * The item that has a value in a property.
 *
 * @param address - the name of the property, or the address of one in a part of the item
 */
function findByProperty(
  resource: Resource,
  collection: string,
  address: string,
  text: string,
  draft: Pick<Draft, 'collection'>,
): FoundItem | undefined {
  const toSortValue = resource.sortValues(address);
  // No segment of a path begins with a slash: a name that does is asked for without it.
  const wanted = [keyOfProperty(resource, address, text), `/${text}`].map(toSortValue);
  const [named] = draft.collection(collection).where(address, wanted, toSortValue, {});
  return named === undefined ? undefined : found(resource, named);
}

/**
 * The item that has a value in the property that a request names, `?idProperty=email`: one of the item, or of a part of it.
 * `undefined` where no item has it.
 */
export function findByNamedProperty(
  resource: Resource,
  collection: string,
  name: string,
  value: JsonValue,
  draft: Pick<Draft, 'collection'>,
): FoundItem | undefined {
  const addresses = [name, ...resource.parts().map((part) => partAddress(part, name))];
  for (const address of addresses) {
    const named = findByProperty(resource, collection, address, scalarText(value), draft);
    if (named !== undefined) return named;
  }
  return undefined;
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
