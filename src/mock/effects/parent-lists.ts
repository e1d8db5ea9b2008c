import { equalJson, isJsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import type { Key } from '../../lists/sort-values';
import { fillTemplate, parseCollectionName } from '../../resources/model/resource';
import type { Outcome } from '../calls/call';
import type { MockContext } from '../context/context';
import type { Draft } from '../state/draft';
import type { Item } from '../state/item';
import { arrange, violationsOf, visible } from '../state/item-representation';
import type { Resource } from '../state/prepared-resource';
import type { Change } from '../state/state';

/**
 * Shows what a request did below items in the lists that they have of it: what was made below `/things/{id}/labels` stands in
 * the `labels` of that thing, and what is gone does not. A write that does not name such a list leaves in it what is stored.
 */
export function showInParents<Done extends Outcome>({ resources }: MockContext, draft: Draft, outcome: Done): Done {
  const parents = [...resources.values()].filter(({ lists }) => lists.length > 0);
  if (parents.length === 0) return outcome;
  let shown = outcome;
  for (const change of [...draft.changes]) {
    const place = parseCollectionName([...resources.values()], change.collection);
    if (place === undefined) continue;
    const values = place.values.map((value) => place.resource.toKey(value) ?? value);
    for (const parent of parents)
      for (const list of parent.lists.filter(({ child }) => child === place.resource.path))
        showChange(draft, { parent, list, child: place.resource, values }, change);
    const kept = keepLists(draft, resources, place.resource, values, change);
    if ('item' in shown && shown.item === change.after && kept !== undefined) shown = { ...shown, item: kept };
  }
  return shown;
}

interface Listing {
  readonly parent: Resource;
  readonly list: Resource['lists'][number];
  readonly child: Resource;
  readonly values: readonly Key[];
}

function showChange(draft: Draft, { parent, list, child, values }: Listing, { key, before, after }: Change): void {
  const above = list.by === undefined ? values.slice(0, -1) : values;
  const namedIn = (item: Item | undefined): readonly Key[] =>
    item === undefined ? [] : list.by === undefined ? values.slice(-1) : keysIn(ownProperty(item, list.by));
  const [from, to] = [before, after].map((item) => namedIn(item).map((each) => parent.toKey(each)));
  for (const at of new Set([...(from ?? []), ...(to ?? [])])) {
    const collection = fillTemplate(parent.path, above);
    const item = at === undefined ? undefined : draft.get(collection, at);
    if (at === undefined || item === undefined) continue;
    const entry = after !== undefined && to?.includes(at) === true ? visible(after, child) : undefined;
    const held = ownProperty(item, list.property);
    put(draft, parent, collection, at, item, { [list.property]: withEntry(held, child, key, entry) });
  }
}

/** @param entry - `undefined` where it is there no more */
function withEntry(held: JsonValue | undefined, child: Resource, key: Key, entry: Item | undefined): JsonValue[] {
  const entries: readonly JsonValue[] = Array.isArray(held) ? held : [];
  const at = entries.findIndex((each) => keyIn(each, child) === key);
  if (entry === undefined) return entries.filter((_, index) => index !== at);
  return at === -1 ? [...entries, entry] : entries.with(at, entry);
}

/** Of a write that left out a list: what is stored stays in it. */
function keepLists(
  draft: Draft,
  resources: MockContext['resources'],
  parent: Resource,
  values: readonly Key[],
  { collection, key, before, after }: Change,
): Item | undefined {
  if (before === undefined || after === undefined) return undefined;
  const kept: Record<string, JsonValue> = {};
  for (const { property, child: path, by } of parent.lists) {
    const child = resources.get(path);
    const held = ownProperty(after, property) === undefined ? ownProperty(before, property) : undefined;
    if (child === undefined || !Array.isArray(held)) continue;
    const place = fillTemplate(path, by === undefined ? [...values, key] : values);
    const stored = held.filter((entry) => {
      const own = keyIn(entry, child);
      return own !== undefined && draft.get(place, own) !== undefined;
    });
    if (stored.length > 0) kept[property] = stored;
  }
  const item = Object.keys(kept).length === 0 ? undefined : draft.get(collection, key);
  return item && put(draft, parent, collection, key, item, kept);
}

function put(draft: Draft, parent: Resource, collection: string, key: Key, item: Item, properties: Item): Item {
  const after = arrange(parent, { ...item, ...properties });
  if (equalJson(after, item) || violationsOf(parent, after).length > 0) return item;
  return draft.put(collection, key, after);
}

function keyIn(entry: JsonValue, child: Resource): Key | undefined {
  return isJsonObject(entry) ? child.toKey(ownProperty(entry, child.keyMember)) : undefined;
}

function keysIn(value: JsonValue | undefined): readonly Key[] {
  const all: readonly JsonValue[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return all.filter((each): each is Key => ['string', 'number', 'bigint'].includes(typeof each));
}
