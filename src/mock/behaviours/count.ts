import type { JsonObject } from '../../json/json-value';
import { scalarText } from '../../json/scalar-text';
import { isTotalName } from '../../resources/counts';
import type { Outcome } from '../call';
import type { Task } from './task';
import { wantedItems } from './wanted-items';

/** How many items have each value of a member: every value that the schema names is counted, if only as 0. */
export function count(task: Task): Outcome {
  const { plan, resource } = task;
  const { countBy } = plan.binding;
  const words = countBy === undefined ? undefined : resource.properties.get(countBy)?.schema['enum'];
  const counts = new Map<string, number>();
  for (const word of Array.isArray(words) ? words : []) if (word !== null) counts.set(scalarText(word), 0);
  const items = wantedItems(task);
  for (const item of items) {
    const value = countBy === undefined ? undefined : item[countBy];
    if (value === undefined || value === null || typeof value === 'object') continue;
    counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  }
  return { kind: 'counted', counts: shown(counts, items.length, plan.binding.countedNames) };
}

/** Only the numbers that the answer has, where it is no map of any. */
function shown(counts: ReadonlyMap<string, number>, total: number, names?: readonly string[]): JsonObject {
  const numbers = names?.map((name) => [name, counts.get(name) ?? (isTotalName(name) ? total : 0)] as const);
  return Object.fromEntries(numbers ?? counts);
}
