import { memberOf, setMember } from '../../json/member';
import { problem, type Problem } from '../../checks/problem';
import { joinPointer, parsePointer } from '../../json/json-pointer';
import { arrange, conform, violationsOf } from '../conform';
import type { Item, ItemDraft } from '../item';
import { isRuled } from './apply-rule';
import type { Task } from './task';

export type Settled =
  { readonly kind: 'settled'; readonly item: Item } | { readonly kind: 'bad'; readonly problem: Problem };

/**
 * The item as it will be stored, judged by the schema in which it is read. What the client sent and that schema does
 * not allow refuses the request, unless it only lacks what can be filled in; what was made up, and is not needed, is left
 * out again.
 *
 * @param sent - members that came from the client
 * @param made - members that were made up
 * @throws Error when a rule made an item that the schema does not allow
 */
export function settle(task: Task, asked: ItemDraft, sent: Item, made: readonly string[] = []): Settled {
  const { resource } = task;
  if (isRuled(task)) return { kind: 'settled', item: conform(resource, asked) };
  let draft = asked;
  let item = arrange(resource, draft);
  let violations = violationsOf(resource, item);
  if (violations.some(({ pointer }) => pointer !== '')) {
    draft = task.plan.making.fillParts(draft);
    item = arrange(resource, draft);
    violations = violationsOf(resource, item);
  }
  if (violations.length === 0) return { kind: 'settled', item };
  for (const { pointer, member, message } of violations) {
    const [name = member] = parsePointer(pointer);
    if (name === undefined || !Object.hasOwn(sent, name)) continue;
    const place = pointer === '' ? joinPointer('', name) : pointer;
    const shown = `The field ${place} ${message}, as every item of ${resource.path} is read`;
    return { kind: 'bad', problem: problem('invalid_result', shown, { pointer: place }) };
  }
  const spare = made.filter((name) => resource.properties.get(name)?.required !== true);
  if (spare.length > 0) {
    item = arrange(resource, { ...draft, ...Object.fromEntries(spare.map((name) => [name, undefined])) });
    violations = violationsOf(resource, item);
  }
  // What is left is a gap between what the description lets in and what it lets out; the answer is judged once more.
  return { kind: 'settled', item };
}

/**
 * {@link settle} for a whole item that was sent. A member that is of another type in requests than in items, such as the
 * name of a machine where the item has the machine, says nothing that can be kept: the item gets what it has without it.
 *
 * @param before - the item that is replaced
 */
export function settleWhole(
  task: Task,
  draft: ItemDraft,
  sent: Item,
  before: Item | undefined,
  made: readonly string[] = [],
): Settled {
  const settled = settle(task, draft, sent, made);
  if (settled.kind === 'settled') return settled;
  const kept = leaveMisfits(task, draft, sent, before);
  return kept === sent ? settled : settle(task, draft, kept, made);
}

/**
 * Takes out what was sent in another type than items have.
 *
 * @returns what was sent without it
 */
function leaveMisfits(task: Task, draft: ItemDraft, sent: Item, before: Item | undefined): Item {
  const { resource, plan } = task;
  const misfits = violationsOf(resource, arrange(resource, draft)).flatMap(({ pointer, keyword }) => {
    const [name, ...deeper] = parsePointer(pointer);
    return keyword === 'type' && name !== undefined && deeper.length === 0 && Object.hasOwn(sent, name) ? [name] : [];
  });
  if (misfits.length === 0) return sent;
  for (const name of misfits) setMember(draft, name, before === undefined ? undefined : memberOf(before, name));
  plan.making.addDefaults(draft);
  plan.making.complete(draft, task.nowMs);
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !misfits.includes(name)));
}
