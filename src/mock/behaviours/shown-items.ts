import { memberOf } from '../../json/member';
import { fillTemplate, namePattern } from '../../resources/collection-name';
import { coerceKey } from '../key';
import type { Item } from '../item';
import type { Key } from '../order';
import { visible } from '../representation';
import type { Task } from './task';

/**
 * What is kept elsewhere of an item that was put here by its name, as far as items here have it; empty where nothing is.
 *
 * @param collection - name of the collection here
 */
export function shownFrom({ resource, resources, draft }: Task, collection: string, key: Key): Item {
  const other = resource.shows === undefined ? undefined : resources.get(resource.shows);
  if (other === undefined) return {};
  const above = namePattern(resource.path).exec(collection)?.slice(1) ?? [];
  const names = [...above.map((value) => coerceKey(decodeURIComponent(value), 'any') ?? value), key];
  const [last, ...rest] = names.slice(-other.scope.length - 1).toReversed();
  const theirs = other.toKey(last);
  const item = theirs === undefined ? undefined : draft.get(fillTemplate(other.path, rest.toReversed()), theirs);
  if (item === undefined) return {};
  return Object.fromEntries(
    Object.entries(visible(item, other)).filter(
      ([name]) => name !== resource.keyMember && (resource.properties.has(name) || resource.isOpen),
    ),
  );
}

/** Items that were put here by their names, as they are kept elsewhere by now. */
export function shownNow(
  task: Task,
  items: readonly Item[],
  collectionOf: (item: Item) => string | undefined,
): readonly Item[] {
  const { resource, scope } = task;
  if (resource.shows === undefined) return items;
  return items.map((item) => {
    const key = resource.toKey(memberOf(item, resource.keyMember));
    const shown = key === undefined ? {} : shownFrom(task, collectionOf(item) ?? scope.collection, key);
    return { ...item, ...shown };
  });
}
