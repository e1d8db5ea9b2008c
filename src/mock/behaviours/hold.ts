import { isJsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { LinkedItems } from '../../resources/model/binding';
import { rejected, type Call, type Outcome } from '../calls/call';
import type { Item } from '../state/item';
import { isRooted } from '../state/prepared-resource';
import { createFrom } from './create';
import { removeAll } from './remove';
import type { BehaviourContext } from '../plans/operation-plan';
import { selectedItems } from './item-selection';

/** Puts things there that are named, takes them away, or tells which of them are there. */
export function updateLinks(task: BehaviourContext): Outcome {
  const { linkedItems } = task.plan.binding;
  if (linkedItems === undefined) return { kind: 'many', items: [] };
  const names = namesSent(task.call, linkedItems);
  const there = new Map<string, Item>();
  for (const item of selectedItems(task)) {
    const name = nameOf(item, linkedItems);
    if (name !== undefined) there.set(name, item);
  }
  if (linkedItems.effect === 'check') return { kind: 'value', value: names.map((name) => there.has(name)) };
  if (linkedItems.effect === 'remove')
    return removeAll(
      task,
      [...there].flatMap(([name, item]) => (names.includes(name) ? [item] : [])),
    );
  // What says nothing of what is to be there changes its order alone.
  if (linkedItems.effect === 'replace' && names.length > 0) {
    const gone = removeAll(task, [...there.values()]);
    if (gone.kind === 'rejected') return gone;
    there.clear();
  }
  const items: Item[] = [];
  for (const name of names.filter((each) => !there.has(each))) {
    const stored = createFrom(task, undefined, { [linkedItems.property]: thingNamed(task, linkedItems, name) });
    if (stored.kind === 'rejected') return rejected(stored.problem);
    items.push(stored.item);
  }
  return { kind: 'many', items };
}

function nameOf(item: Item, { property, by }: LinkedItems): string | undefined {
  const thing = ownProperty(item, property);
  const name = isJsonObject(thing) ? ownProperty(thing, by) : undefined;
  return name === undefined || name === null ? undefined : scalarText(name);
}

/** The thing as it is stored elsewhere, else as much as its name tells of it. */
function thingNamed(
  { resource, resources, draft }: BehaviourContext,
  { property, by }: LinkedItems,
  name: string,
): JsonValue {
  const reference = resource.references.find((each) => each.property === property);
  const other = reference === undefined ? undefined : resources.get(reference.to);
  const isKey = other !== undefined && isRooted(other) && other.keyMember === by;
  const key = isKey ? other.toKey(name) : undefined;
  return (isKey && key !== undefined ? draft.get(other.path, key) : undefined) ?? { [by]: name };
}

/** Names in the query, else in the body: a list, texts with commas, or objects that have them. */
function namesSent({ parameters, body }: Call, { by, query, body: property }: LinkedItems): string[] {
  const inQuery = query === undefined ? undefined : parameters.query.get(query);
  const inBody = isJsonObject(body) && property !== undefined ? ownProperty(body, property) : undefined;
  const sent = inQuery ?? inBody;
  const values: readonly (JsonValue | undefined)[] = Array.isArray(sent) ? sent : [sent];
  const names = values.flatMap((each) => {
    const name = isJsonObject(each) ? ownProperty(each, by) : each;
    return name === undefined || name === null ? [] : scalarText(name).split(',');
  });
  return [...new Set(names)];
}
