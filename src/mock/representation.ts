import { strongTag } from '../http/entity-tag';
import { stringifyJson } from '../json/stringify-json';
import type { Item } from './item';
import type { Resource } from './resource';

/** An item as it goes out. */
export interface Representation {
  readonly text: string;
  /** Bytes of the text in UTF-8, as the Content-Length header wants them. */
  readonly length: string;
  readonly etag: string;
}

// Items are frozen, so that what was written once stays true; the entry goes when the item does.
const known = new WeakMap<Item, Representation>();

/** The JSON of an item with its strong entity tag, which changes exactly when the JSON does (RFC 9110 §8.8.3). */
export function represent(item: Item, resource: Resource): Representation {
  let representation = known.get(item);
  if (representation === undefined) known.set(item, (representation = write(visible(item, resource))));
  return representation;
}

/** The same, not kept: for an item that was stored just now, and that nobody may ever read. */
export function representOnce(item: Item, resource: Resource): Representation {
  return known.get(item) ?? write(visible(item, resource));
}

/** An item without the members that are never sent. */
export function visible(item: Item, { hidden, secrets }: Resource): Item {
  const own = hidden.size === 0 ? item : Object.fromEntries(Object.entries(item).filter(([name]) => !hidden.has(name)));
  return secrets.without(own);
}

function write(item: Item): Representation {
  const text = stringifyJson(item);
  return { text, length: String(Buffer.byteLength(text)), etag: strongTag(text) };
}
