import type { JsonObject } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { isTotalName } from '../../resources/passes/counts';
import type { Outcome } from '../calls/call';
import type { BehaviourContext } from '../plans/operation-plan';
import { findTarget, selectedItems } from './item-selection';
import { isNotModified } from './preconditions';

export function read(task: BehaviourContext): Outcome {
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const { item } = target;
  if (isNotModified(task.call, item, task.resource)) return { kind: 'not-modified', item };
  return { kind: 'found', scope: task.scope, item };
}

/**
 * How many items have each value of a property: every value that the schema names is counted, if only as 0. Without a
 * property how many items there are, or whether there is any.
 */
export function count(task: BehaviourContext): Outcome {
  const { plan, resource } = task;
  const { countBy, countNames } = plan.binding;
  if (countBy === undefined) return { kind: 'value', value: total(task) };
  const words = resource.properties.get(countBy)?.schema['enum'];
  const counts = new Map<string, number>();
  for (const word of Array.isArray(words) ? words : []) if (word !== null) counts.set(scalarText(word), 0);
  const items = selectedItems(task);
  for (const item of items) {
    const value = item[countBy];
    if (value === undefined || value === null || typeof value === 'object') continue;
    counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  }
  return { kind: 'counted', counts: shown(counts, items.length, countNames) };
}

/** How many items a request selects; whether there is any where the response is a truth value. */
function total(task: BehaviourContext): number | boolean {
  const { keyParameter, response } = task.plan.binding;
  const isOne = keyParameter !== undefined;
  const number = isOne ? Number(findTarget(task).kind === 'target') : selectedItems(task).length;
  return response?.item?.value['type'] === 'boolean' ? number > 0 : number;
}

/** Only the numbers that the response has, where it is not a map of any. */
function shown(counts: ReadonlyMap<string, number>, total: number, names?: readonly string[]): JsonObject {
  const numbers = names?.map((name) => [name, counts.get(name) ?? (isTotalName(name) ? total : 0)] as const);
  return Object.fromEntries(numbers ?? counts);
}
