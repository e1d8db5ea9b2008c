import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import { joinPointer } from '../../json/json-pointer';
import { memberOf } from '../../json/member';
import { scalarText } from '../../json/scalar-text';
import type { Item } from '../item';
import type { Task } from './task';

const MAX_DEPTH = 20;
const MOST_TOLD = 10;
const LONGEST_TOLD = 100;
/** Members that say how to answer, and nothing of the item. */
const INSTRUCTIONS = /^(?:expand|include|includes|embed|fields|select|stream|dry_?run)$/i;

/**
 * Tells what was sent and is not in the item: members that items do not have, deeper ones too, and values that the
 * service decides itself.
 *
 * @param sent - the item as it was sent
 * @param item - as it is stored
 */
export function tellUnkept(task: Task, sent: JsonValue | undefined, item: Item): void {
  const lost = isJsonObject(sent) ? lostOf(task, sent, item) : [];
  if (lost.length === 0) return;
  const { call, resource } = task;
  // What cannot be held was told already, and why.
  const isTold = (pointer: string): boolean =>
    call.warnings.all.some(({ message }) => message.includes(`${pointer} `) || message.includes(`${pointer}/`));
  const untold = lost.filter((pointer) => !isTold(pointer));
  if (untold.length === 0) return;
  const more = untold.length > MOST_TOLD ? ` and ${untold.length - MOST_TOLD} more` : '';
  const shown = untold.slice(0, MOST_TOLD).map((pointer) => pointer.slice(0, LONGEST_TOLD));
  call.warnings.add('not_kept', `Items of ${resource.path} do not keep ${shown.join(', ')}${more}`);
}

/** JSON pointers of what was sent and is not in the item. */
function lostOf({ call, plan, namesForSubject }: Task, sent: JsonObject, item: Item): string[] {
  const place = plan.input.path.reduce(joinPointer, '');
  const lost: string[] = [];
  // Its octets are kept beside the item.
  const file = plan.fileMember === undefined ? undefined : call.file?.member;
  for (const name of Object.keys(sent)) {
    const value = memberOf(sent, name) ?? null;
    const kept = plan.input.kept(call, item, name);
    if (kept === value || name === file) continue;
    if (kept === undefined && (isNothing(value) || INSTRUCTIONS.test(name))) continue;
    if (plan.input.path.length === 0 && namesForSubject().includes(name)) continue;
    gather(value, kept, joinPointer(place, name), lost);
  }
  return lost;
}

function gather(sent: JsonValue, kept: JsonValue | undefined, pointer: string, lost: string[], depth = 0): void {
  if (kept === undefined) {
    if (!isNothing(sent)) lost.push(pointer);
    return;
  }
  const parts = depth > MAX_DEPTH ? undefined : partsOf(sent, kept);
  if (parts === undefined && isOther(sent, kept)) lost.push(pointer);
  for (const [name, value, own] of parts ?? []) gather(value, own, joinPointer(pointer, name), lost, depth + 1);
}

/**
 * The members that differ, or the items of two lists of one length that do; `undefined` where there is nothing to
 * compare within.
 */
function partsOf(
  sent: JsonValue,
  kept: JsonValue,
): (readonly [string | number, JsonValue, JsonValue | undefined])[] | undefined {
  if (isJsonObject(sent) && isJsonObject(kept))
    return Object.entries(sent)
      .filter(([name, value]) => value !== kept[name])
      .map(([name, value]) => [name, value, memberOf(kept, name)]);
  if (!Array.isArray(sent) || !Array.isArray(kept) || sent.length !== kept.length) return undefined;
  return sent.map((value: JsonValue, index) => [index, value, kept[index]]);
}

/** A value that is written otherwise, such as a time, is the same; one of another thing is not. */
function isOther(sent: JsonValue, kept: JsonValue): boolean {
  const areNumbers = typeof sent === 'number' && typeof kept === 'number';
  const areFlags = typeof sent === 'boolean' && typeof kept === 'boolean';
  return (areNumbers || areFlags) && scalarText(sent) !== scalarText(kept);
}

function isNothing(value: JsonValue): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}
