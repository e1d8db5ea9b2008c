import { memberOf, setMember } from '../../json/member';
import { problem, type Problem } from '../../checks/problem';
import { parseMediaType } from '../../http/media-type';
import { isAmbiguous, type Violation } from '../../json-schema/violation';
import { joinPointer, parsePointer } from '../../json/json-pointer';
import { arrange, conform, violationsOf } from '../conform';
import type { Item, ItemDraft } from '../item';
import { isRuled } from './apply-rule';
import { resolveEmbedded } from './references';
import type { Task } from './task';

export type Settled =
  | { readonly kind: 'settled'; readonly item: Item }
  | { readonly kind: 'bad'; readonly problem: Problem; readonly misfits: readonly Misfit[] };

/** A member that was sent and that items cannot hold. */
interface Misfit {
  readonly name: string;
  /** JSON pointer to what does not fit. */
  readonly place: string;
  /** `/size must be at most 9`. */
  readonly text: string;
}

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
  if (violations.length > 0) {
    for (const candidate of inHeldForms(task, asked, misfitsOf(sent, violations))) {
      draft = task.plan.making.fillParts(candidate);
      item = arrange(resource, draft);
      violations = violationsOf(resource, item);
      if (misfitsOf(sent, violations).length === 0) break;
    }
  }
  if (violations.length === 0) return { kind: 'settled', item };
  if (isAmbiguous(violations)) return unsure(resource, item);
  const misfits = misfitsOf(sent, violations);
  const [misfit] = misfits;
  if (misfit !== undefined) {
    const { place: pointer, text } = misfit;
    const message = `The field ${text}, as every item of ${resource.path} is read`;
    return { kind: 'bad', misfits, problem: problem('invalid_result', message, { pointer }) };
  }
  const spare = made.filter((name) => resource.properties.get(name)?.required !== true);
  if (spare.length > 0) {
    item = arrange(resource, { ...draft, ...Object.fromEntries(spare.map((name) => [name, undefined])) });
    violations = violationsOf(resource, item);
  }
  return violations.length > 0 ? unsure(resource, item) : { kind: 'settled', item };
}

/** What is left is a gap between what the description lets in and what it lets out; the answers that show it tell it. */
function unsure({ conformity }: Task['resource'], item: Item): Settled {
  conformity.isSure = false;
  return { kind: 'settled', item };
}

/**
 * An item whose members are as items have them where requests write them otherwise, such as the key of an owner for the
 * owner: completed from what is kept of the owner, else with its key alone.
 */
function inHeldForms(task: Task, draft: ItemDraft, misfits: readonly Misfit[]): ItemDraft[] {
  if (misfits.length === 0) return [draft];
  const { plan, resource, resources } = task;
  const held: ItemDraft = { ...draft };
  for (const { name } of misfits) {
    const value = memberOf(draft, name);
    const reference = resource.references.find(({ member }) => member === name);
    const key = reference === undefined ? undefined : resources.get(reference.to)?.keyMember;
    if (value !== undefined) setMember(held, name, plan.making.held(name, value, key));
  }
  const completed: ItemDraft = { ...held };
  resolveEmbedded(task, completed);
  return [completed, held];
}

function misfitsOf(members: Item, violations: readonly Violation[]): Misfit[] {
  return violations.flatMap(({ pointer, member, message }) => {
    const [name = member] = parsePointer(pointer);
    if (name === undefined || !Object.hasOwn(members, name)) return [];
    const place = pointer === '' ? joinPointer('', name) : pointer;
    return [{ name, place, text: `${place} ${message}` }];
  });
}

/**
 * {@link settle} for a whole item that was sent. What requests may say and items cannot hold, such as the name of a
 * machine where the item has the machine, or a word that its `enum` lacks, says nothing that can be kept: the item gets
 * what it has without it, and the journal is told. It is refused where the client wants strict handling (RFC 7240 §4.4),
 * and where the item cannot be without.
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
  const first = settle(task, draft, sent, made);
  if (first.kind === 'settled') return first;
  let settled: Settled = first;
  let left: Item = {};
  const texts: string[] = [];
  while (settled.kind === 'bad') {
    if (task.call.isStrict) return first;
    texts.push(...settled.misfits.map(({ text }) => text));
    left = { ...left, ...leaveOut(draft, settled.misfits, before) };
    task.plan.making.addDefaults(draft);
    const completed = task.plan.making.complete(draft, task.nowMs);
    settled = settle(task, draft, without(sent, left), [...made, ...completed]);
  }
  if (misfitsOf(left, violationsOf(task.resource, settled.item)).length > 0) return first;
  noteLeftOut(task, first.problem, texts);
  return settled;
}

/**
 * {@link settle} for members that change an item. Those that items cannot hold are left out, as {@link settleWhole} does,
 * where others of the request can be kept. It is refused where none can, and where the media type of the patch is a
 * standard's, all of which is done or nothing (RFC 5789 §2).
 */
export function settlePart(task: Task, draft: ItemDraft, sent: Item, before: Item): Settled {
  const first = settle(task, draft, sent);
  if (first.kind === 'settled' || task.call.isStrict || isStandardPatch(task)) return first;
  const kept: ItemDraft = { ...draft };
  let settled: Settled = first;
  let left: Item = {};
  const texts: string[] = [];
  while (settled.kind === 'bad') {
    texts.push(...settled.misfits.map(({ text }) => text));
    left = { ...left, ...leaveOut(kept, settled.misfits, before) };
    const rest = without(sent, left);
    if (Object.keys(rest).length === 0) return first;
    settled = settle(task, kept, rest);
  }
  Object.assign(draft, kept);
  noteLeftOut(task, first.problem, texts);
  return settled;
}

function isStandardPatch({ call }: Task): boolean {
  return /patch\+json$/.test(parseMediaType(call.mediaType ?? '')?.essence ?? '');
}

/** Tells what was sent and is not kept. */
export function noteLeftOut({ call, resource }: Task, fault: Problem, texts: readonly string[]): void {
  const message = `Left out of the item of ${resource.path}, which is read otherwise: ${texts.join('; ')}`;
  call.warnings.add(fault.code, message);
}

/** @returns the members that were taken out */
function leaveOut(draft: ItemDraft, misfits: readonly Misfit[], before: Item | undefined): Item {
  for (const { name } of misfits) setMember(draft, name, before === undefined ? undefined : memberOf(before, name));
  return Object.fromEntries(misfits.map(({ name }) => [name, null]));
}

function without(sent: Item, left: Item): Item {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(left, name)));
}
