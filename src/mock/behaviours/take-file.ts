import type { Item, ItemDraft } from '../item';
import { setUploaded } from '../uploaded';
import type { Task } from './task';

/**
 * Gives an item the file that was sent, where files are something to such items.
 *
 * @param before - the item as it was; `undefined` for a new one
 */
export function takeFile({ call, plan, resource }: Task, item: ItemDraft, before: Item | undefined): void {
  const member = plan.fileMember;
  if (call.file === undefined || member === undefined) return;
  const takes = (name: string, value: string | number): boolean => plan.making.takes(name, value);
  setUploaded(resource, item, call.file, { member, isChange: before !== undefined, takes });
}
