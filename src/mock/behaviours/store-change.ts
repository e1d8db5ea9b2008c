import { equalJson } from '../../json/equal-json';
import { refused, type Outcome } from '../call';
import type { Item, ItemDraft } from '../item';
import type { Key } from '../order';
import { resolveEmbedded } from './references';
import { settle, settlePart } from './settle';
import type { Task } from './task';

/**
 * Stores an item that was changed, with the time of its change where it has one. Where nothing changed, the same item
 * keeps its entity tag, and there is no change to record.
 *
 * @param input - members that came from the client
 */
export function storeChange(task: Task, key: Key, before: Item, item: ItemDraft, input: Item): Outcome {
  const { plan, scope, draft } = task;
  resolveEmbedded(task, item);
  const settled = settlePart(task, item, input, before);
  if (settled.kind === 'bad') return refused(settled.problem);
  if (equalJson(settled.item, before)) return { kind: 'changed', scope, item: before };
  let after = settled.item;
  if (plan.making.touched.length > 0) {
    const touched: ItemDraft = { ...settled.item };
    plan.making.touch(touched, task.nowMs);
    const again = settle(task, touched, {});
    if (again.kind === 'settled') after = again.item;
  }
  return { kind: 'changed', scope, item: draft.put(scope.collection, key, after) };
}
