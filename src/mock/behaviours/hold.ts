import { isJsonObject, type JsonValue } from '../../json/json-value';
import { memberOf } from '../../json/member';
import { scalarText } from '../../json/scalar-text';
import type { HeldThings } from '../../resources/resource-model';
import { refused, type Call, type Outcome } from '../call';
import type { Item } from '../item';
import { isRooted } from '../resource';
import { createFrom } from './create';
import { removeItem } from './remove';
import type { Task } from './task';
import { wantedItems } from './wanted-items';

/** Puts things there that are named, takes them away, or tells which of them are there. */
export function hold(task: Task): Outcome {
  const { held } = task.plan.binding;
  if (held === undefined) return { kind: 'many', items: [] };
  const names = namesSent(task.call, held);
  const there = new Map<string, Item>();
  for (const item of wantedItems(task)) {
    const name = nameOf(item, held);
    if (name !== undefined) there.set(name, item);
  }
  if (held.does === 'check') return { kind: 'told', value: names.map((name) => there.has(name)) };
  if (held.does === 'remove')
    return takeAway(
      task,
      [...there].flatMap(([name, item]) => (names.includes(name) ? [item] : [])),
    );
  // What says nothing of what is to be there changes its order alone.
  if (held.does === 'replace' && names.length > 0) {
    const gone = takeAway(task, [...there.values()]);
    if (gone.kind === 'refused') return gone;
    there.clear();
  }
  const items: Item[] = [];
  for (const name of names.filter((each) => !there.has(each))) {
    const stored = createFrom(task, undefined, { [held.member]: thingNamed(task, held, name) });
    if (stored.kind === 'bad') return refused(stored.problem);
    items.push(stored.item);
  }
  return { kind: 'many', items };
}

function takeAway(task: Task, items: readonly Item[]): Outcome {
  for (const item of items) {
    const key = task.resource.toKey(memberOf(item, task.resource.keyMember));
    const refusal = key === undefined ? undefined : removeItem(task, key, item);
    if (refusal !== undefined) return refused(refusal);
  }
  return { kind: 'many', items };
}

function nameOf(item: Item, { member, by }: HeldThings): string | undefined {
  const thing = memberOf(item, member);
  const name = isJsonObject(thing) ? memberOf(thing, by) : undefined;
  return name === undefined || name === null ? undefined : scalarText(name);
}

/** The thing as it is kept elsewhere, else as much as its name tells of it. */
function thingNamed({ resource, resources, draft }: Task, { member, by }: HeldThings, name: string): JsonValue {
  const reference = resource.references.find((each) => each.member === member);
  const other = reference === undefined ? undefined : resources.get(reference.to);
  const isKey = other !== undefined && isRooted(other) && other.keyMember === by;
  const key = isKey ? other.toKey(name) : undefined;
  return (isKey && key !== undefined ? draft.get(other.path, key) : undefined) ?? { [by]: name };
}

/** Names in the query, else in the body: a list, texts with commas, or objects that have them. */
function namesSent({ parameters, body }: Call, { by, query, body: member }: HeldThings): string[] {
  const inQuery = query === undefined ? undefined : parameters.query.get(query);
  const inBody = isJsonObject(body) && member !== undefined ? memberOf(body, member) : undefined;
  const sent = inQuery ?? inBody;
  const values: readonly (JsonValue | undefined)[] = Array.isArray(sent) ? sent : [sent];
  const names = values.flatMap((each) => {
    const name = isJsonObject(each) ? memberOf(each, by) : each;
    return name === undefined || name === null ? [] : scalarText(name).split(',');
  });
  return [...new Set(names)];
}
