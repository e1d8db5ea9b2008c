import { fillTemplate, placeOfName } from '../resources/collection-name';
import type { Key } from './order';
import type { Resource } from './resource';

/** An item by where it is kept. */
export interface ItemAddress {
  /** Name of its collection. */
  readonly collection: string;
  /** As the names of collections below it show it, decoded. */
  readonly key: string;
}

/** One text for each item: `/shelves/7`. */
export function addressText(collection: string, key: Key): string {
  return `${collection}/${encodeURIComponent(String(key))}`;
}

export function addressOf(text: string): ItemAddress {
  const end = text.lastIndexOf('/');
  return { collection: text.slice(0, end), key: decodeURIComponent(text.slice(end + 1)) };
}

/** The resource that one lies below: each item of it has a collection, or a record, of the other. */
export function parentOf(resources: Iterable<Resource>, { scope }: Resource): Resource | undefined {
  const path = scope.at(-1)?.parent;
  if (path === undefined) return undefined;
  for (const parent of resources) if (parent.path === path) return isAbove(parent, scope.length) ? parent : undefined;
  return undefined;
}

/** The resources that lie below the items of one. */
export function childrenOf(resources: Iterable<Resource>, parent: Resource): Resource[] {
  return [...resources].filter(({ scope }) => scope.at(-1)?.parent === parent.path && isAbove(parent, scope.length));
}

/** Nothing lies below a single record. */
function isAbove({ kind, scope }: Resource, depth: number): boolean {
  return kind === 'collection' && scope.length === depth - 1;
}

/** The items that a collection lies below, the nearest first. */
export function itemsAbove(resources: readonly Resource[], name: string): ItemAddress[] {
  const addresses: ItemAddress[] = [];
  const place = placeOfName(resources, name);
  let parent = place === undefined ? undefined : parentOf(resources, place.resource);
  let values = place?.values ?? [];
  while (parent !== undefined) {
    const key = values.at(-1) ?? '';
    values = values.slice(0, -1);
    addresses.push({ collection: fillTemplate(parent.path, values), key });
    parent = parentOf(resources, parent);
  }
  return addresses;
}
