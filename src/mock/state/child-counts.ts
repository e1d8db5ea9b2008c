import { isJsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { addToList } from '../../core/text/memoize';
import type { Key } from '../../lists/sort-values';
import {
  type ChildCount,
  fillTemplate,
  type NamedCollection,
  parseCollectionName,
} from '../../resources/model/resource';
import type { Collection } from './collection';
import { type Item, valueAt } from './item';
import { arrange } from './item-representation';
import type { Resource } from './prepared-resource';

/** Entries that are stored: what was forgotten is made again, the same. */
const REMEMBERED = 2_000;

/** Enters what can be made anew at any time. The oldest entries make room. */
export function setBounded<T>(map: Map<string, T>, name: string, value: T): void {
  map.set(name, value);
  if (map.size <= REMEMBERED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

/** Where the children are looked up that are counted. */
interface CountSource {
  collection(name: string): Pick<Collection, 'size' | 'countWhere'>;
}

/** An item whose numbers may be others by now. */
interface CountingItem {
  readonly collection: string;
  readonly key: Key;
}

/** What counts the items of one resource. */
interface Counting extends Pick<ChildCount, 'by' | 'inState'> {
  readonly parent: Resource;
}

/** What the name of a collection has to do with numbers that count. */
interface CountedPlace extends NamedCollection<Resource> {
  readonly countedBy: readonly Counting[];
}

/**
 * Keeps the numbers of items true that count what lies below them. They are stored with the item and follow each change
 * of what they count: whatever reads, orders, filters and exports items finds them as any other property. An item is
 * another representation with another number, so that its entity tag changes with it (RFC 9110 §8.8.3), and a write with
 * the If-Match of before is rejected; the time of its last change stays, for nobody changed it.
 */
export class ChildCounts {
  private readonly resources: readonly Resource[];
  private readonly byPath: ReadonlyMap<string, Resource>;
  private readonly countedBy = new Map<string, Counting[]>();
  private readonly places = new Map<string, CountedPlace | undefined>();

  private constructor(resources: readonly Resource[]) {
    this.resources = resources;
    this.byPath = new Map(resources.map((resource) => [resource.path, resource]));
    for (const parent of resources)
      for (const { child, by, inState } of parent.counts) addToList(this.countedBy, child, { parent, by, inState });
  }

  /** @returns `undefined` where nothing is counted */
  static of(resources: readonly Resource[]): ChildCounts | undefined {
    return resources.some(({ counts }) => counts.length > 0) ? new ChildCounts(resources) : undefined;
  }

  isCounting(collection: string): boolean {
    return (this.placeOf(collection)?.resource.counts.length ?? 0) > 0;
  }

  /** The same item with the numbers that it has now. */
  counted(source: CountSource, collection: string, key: Key, item: Item): Item {
    const place = this.placeOf(collection);
    return place === undefined ? item : this.countedAt(source, place, key, item);
  }

  /** The items that count one which was stored or removed. */
  *touchedBy(collection: string, before: Item | undefined, after: Item | undefined): Generator<CountingItem> {
    const place = this.placeOf(collection);
    for (const { parent, by, inState } of place?.countedBy ?? []) {
      const values = place?.values ?? [];
      if (by === undefined) {
        const key = parent.toKey(values.at(-1));
        if (key !== undefined && isCounted(before, inState) !== isCounted(after, inState))
          yield { collection: fillTemplate(parent.path, values.slice(0, -1)), key };
        continue;
      }
      const [from, to] = [before, after].map((item) => item && parent.toKey(valueAt(item, by)));
      for (const key of from === to ? [] : [from, to])
        if (key !== undefined) yield { collection: fillTemplate(parent.path, values), key };
    }
  }

  private countedAt(source: CountSource, { resource, values }: CountedPlace, key: Key, item: Item): Item {
    let counted = item;
    for (const { path, child: of, by, inState } of resource.counts) {
      const child = this.byPath.get(of);
      if (child === undefined) continue;
      const number =
        by === undefined
          ? numberIn(source.collection(fillTemplate(of, [...values, key])), child, inState)
          : source.collection(fillTemplate(of, values)).countWhere(by, formsOf(child, by, key), child.sortValues(by));
      counted = withNumber(counted, path, number) ?? counted;
    }
    return counted === item ? item : arrange(resource, counted);
  }

  private placeOf(collection: string): CountedPlace | undefined {
    if (this.places.has(collection)) return this.places.get(collection);
    const place = parseCollectionName(this.resources, collection);
    const countedBy = place === undefined ? [] : (this.countedBy.get(place.resource.path) ?? []);
    const isPart = place !== undefined && (countedBy.length > 0 || place.resource.counts.length > 0);
    const found = isPart ? { ...place, countedBy } : undefined;
    setBounded(this.places, collection, found);
    return found;
  }
}

type Counted = ReturnType<CountSource['collection']>;

function numberIn(collection: Counted, child: Resource, inState: ChildCount['inState']): number {
  if (inState === undefined) return collection.size;
  const toSortValue = child.sortValues(inState.member);
  return collection.countWhere(inState.member, [toSortValue(inState.word)], toSortValue);
}

function isCounted(item: Item | undefined, inState: ChildCount['inState']): boolean {
  return item !== undefined && (inState === undefined || valueAt(item, inState.member) === inState.word);
}

/** A key as properties may write it. */
function formsOf(child: Resource, by: string, key: Key): ReturnType<ReturnType<Resource['sortValues']>>[] {
  const toSortValue = child.sortValues(by);
  return [key, String(key)].map((form) => toSortValue(form));
}

/** @returns `undefined` where it says so already, and where there is nothing to say it in */
function withNumber(item: Item, [name = '', ...rest]: ChildCount['path'], number: number): Item | undefined {
  const held = ownProperty(item, name);
  if (rest.length === 0) return held === number ? undefined : { ...item, [name]: number };
  if (!isJsonObject(held)) return undefined;
  const inner: JsonValue | undefined = withNumber(held, rest, number);
  return inner === undefined ? undefined : { ...item, [name]: inner };
}
