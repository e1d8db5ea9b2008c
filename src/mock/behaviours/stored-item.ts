import { parseMediaType } from '../../core/http/media-type';
import { problem, type Problem } from '../../core/http/problem';
import { joinPointer, parsePointer } from '../../core/json/json-pointer';
import {
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  pickProperties,
  setProperty,
} from '../../core/json/json-value';
import type { Key } from '../../lists/sort-values';
import { matchesSeveral, type Violation } from '../../schema/validator';
import { type Outcome, rejected } from '../calls/call';
import type { BehaviourContext } from '../plans/operation-plan';
import type { Item, ItemDraft } from '../state/item';
import { linkBack } from '../state/linkage';
import { arrange, conform, violationsOf } from '../state/item-representation';
import { putChanged } from './new-keys';
import { resolveEmbedded } from './related-items';
import type { Resource } from '../state/prepared-resource';
import { isRuled } from './rule-calls';

type ValidatedItem =
  | { readonly kind: 'valid'; readonly item: Item }
  | { readonly kind: 'rejected'; readonly problem: Problem; readonly misfits: readonly SchemaMismatch[] };

/** A property that was sent and that items cannot hold. */
interface SchemaMismatch {
  readonly name: string;
  /** JSON pointer to what does not fit. */
  readonly place: string;
  /** `/size must be at most 9`. */
  readonly text: string;
}

/**
 * The item as it will be stored, checked by the schema in which it is read. What the client sent and that schema does
 * not allow rejects the request, unless it only lacks what can be filled in; what was generated, and is not needed, is left
 * out again.
 *
 * @param sent - properties that came from the client
 * @param made - properties that were generated
 * @throws Error when a rule made an item that the schema does not allow
 */
function validateItem(
  task: BehaviourContext,
  asked: ItemDraft,
  sent: Item,
  made: readonly string[] = [],
): ValidatedItem {
  const { resource } = task;
  if (isRuled(task)) return { kind: 'valid', item: conform(resource, asked) };
  let draft = asked;
  let item = arrange(resource, draft);
  let violations = violationsOf(resource, item);
  if (violations.length > 0) {
    for (const candidate of coercedForms(task, asked, mismatchesOf(sent, violations))) {
      draft = task.plan.serverValues.fillParts(candidate);
      item = arrange(resource, draft);
      violations = violationsOf(resource, item);
      if (mismatchesOf(sent, violations).length === 0) break;
    }
  }
  if (violations.length === 0) return { kind: 'valid', item };
  if (matchesSeveral(violations)) return acceptNonconforming(task, item);
  const misfits = mismatchesOf(sent, violations);
  const [misfit] = misfits;
  if (misfit !== undefined) {
    const { place: pointer, text } = misfit;
    const message = `The field ${text}, as every item of ${resource.path} is read`;
    return { kind: 'rejected', misfits, problem: problem('invalid_result', message, { pointer }) };
  }
  const spare = made.filter((name) => resource.properties.get(name)?.required !== true);
  if (spare.length > 0) {
    item = arrange(resource, { ...draft, ...Object.fromEntries(spare.map((name) => [name, undefined])) });
    violations = violationsOf(resource, item);
  }
  return violations.length > 0 ? acceptNonconforming(task, item) : { kind: 'valid', item };
}

/** What is left is a gap between what the description lets in and what it lets out; the responses that show it tell it. */
function acceptNonconforming({ draft, resource }: BehaviourContext, item: Item): ValidatedItem {
  draft.markNonconforming(resource);
  return { kind: 'valid', item };
}

/**
 * An item whose properties are as items have them where requests write them otherwise, such as the key of an owner for the
 * owner: completed from what is stored of the owner, else with its key alone.
 */
function coercedForms(task: BehaviourContext, draft: ItemDraft, misfits: readonly SchemaMismatch[]): ItemDraft[] {
  if (misfits.length === 0) return [draft];
  const { plan, resource, resources } = task;
  const held: ItemDraft = { ...draft };
  for (const { name } of misfits) {
    const value = ownProperty(draft, name);
    const reference = resource.references.find(({ property }) => property === name);
    const key = reference === undefined ? undefined : resources.get(reference.to)?.keyMember;
    if (value !== undefined) setProperty(held, name, plan.serverValues.coerce(name, value, key));
  }
  const completed: ItemDraft = { ...held };
  resolveEmbedded(task, completed);
  return [completed, held];
}

function mismatchesOf(properties: Item, violations: readonly Violation[]): SchemaMismatch[] {
  const told = violations.filter(
    (each) => !matchesSeveral([each, ...violations.filter(({ isAmbiguous }) => isAmbiguous)]),
  );
  return told.flatMap(({ pointer, property, message }) => {
    const [name = property] = parsePointer(pointer);
    if (name === undefined || !Object.hasOwn(properties, name)) return [];
    const place = pointer === '' ? joinPointer('', name) : pointer;
    return [{ name, place, text: `${place} ${message}` }];
  });
}

/**
 * {@link validateItem} for a whole item that was sent. What requests may say and items cannot hold, such as the name of a
 * machine where the item has the machine, or a word that its `enum` lacks, says nothing that can be kept: the item gets
 * what it has without it, and the journal is reported. It is rejected where the client wants strict handling (RFC 7240 §4.4),
 * and where the item cannot be without.
 *
 * @param before - the item that is replaced
 */
export function validateWholeItem(
  task: BehaviourContext,
  draft: ItemDraft,
  sent: Item,
  before: Item | undefined,
  made: readonly string[] = [],
): ValidatedItem {
  const first = validateItem(task, draft, sent, made);
  if (first.kind === 'valid') return first;
  let settled: ValidatedItem = first;
  let left: Item = {};
  const reported: SchemaMismatch[] = [];
  while (settled.kind === 'rejected') {
    if (task.call.isStrict) return first;
    reported.push(...settled.misfits);
    left = { ...left, ...leaveOut(task.resource, draft, settled.misfits, before) };
    task.plan.serverValues.addDefaults(draft);
    const completed = task.plan.serverValues.complete(draft, task.nowMs);
    settled = validateItem(task, draft, without(sent, left), [...made, ...completed]);
  }
  if (mismatchesOf(left, violationsOf(task.resource, settled.item)).length > 0) return first;
  warnLeftOut(task, first.problem, reported);
  return settled;
}

/**
 * {@link validateItem} for properties that change an item. Those that items cannot hold are left out, as {@link validateWholeItem} does,
 * where others of the request can be kept. It is rejected where none can, and where the media type of the patch is a
 * standard's, all of which is done or nothing (RFC 5789 §2).
 */
function validateChange(task: BehaviourContext, draft: ItemDraft, sent: Item, before: Item): ValidatedItem {
  const first = validateItem(task, draft, sent);
  if (first.kind === 'valid' || task.call.isStrict || isStandardPatch(task)) return first;
  const stored: ItemDraft = { ...draft };
  let settled: ValidatedItem = first;
  let left: Item = {};
  const reported: SchemaMismatch[] = [];
  while (settled.kind === 'rejected') {
    reported.push(...settled.misfits);
    left = { ...left, ...leaveOut(task.resource, stored, settled.misfits, before) };
    const rest = without(sent, left);
    if (Object.keys(rest).length === 0) return first;
    settled = validateItem(task, stored, rest);
  }
  Object.assign(draft, stored);
  warnLeftOut(task, first.problem, reported);
  return settled;
}

function isStandardPatch({ call }: BehaviourContext): boolean {
  return /patch\+json$/.test(parseMediaType(call.mediaType ?? '')?.essence ?? '');
}

export function warnLeftOut(
  { call, resource }: BehaviourContext,
  fault: Problem,
  misfits: readonly Pick<SchemaMismatch, 'place' | 'text'>[],
): void {
  const texts = misfits.map(({ text }) => text).join('; ');
  const message = `Left out of the item of ${resource.path}, which is read otherwise: ${texts}`;
  const pointers = misfits.map(({ place }) => place);
  call.warnings.add(fault.code, message, pointers);
}

/** @returns the properties that are left out, each as `null`; of a map, only the values that do not fit go */
function leaveOut(
  { properties }: Resource,
  draft: ItemDraft,
  misfits: readonly SchemaMismatch[],
  before: Item | undefined,
): Item {
  const left: Record<string, JsonValue> = {};
  for (const { name, place } of misfits) {
    const held = ownProperty(draft, name);
    const old = before === undefined ? undefined : ownProperty(before, name);
    const [, entry] = parsePointer(place);
    const isMap = properties.get(name)?.schema['properties'] === undefined;
    if (isMap && entry !== undefined && isJsonObject(held) && Object.keys(held).length > 1) {
      const whole: ItemDraft = { ...held };
      setProperty(whole, entry, isJsonObject(old) ? ownProperty(old, entry) : undefined);
      setProperty(draft, name, withoutUndefined(whole));
    } else {
      setProperty(draft, name, old);
      setProperty(left, name, null);
    }
  }
  return left;
}

function withoutUndefined(draft: ItemDraft): JsonObject {
  return Object.fromEntries(Object.entries(draft).filter((each): each is [string, JsonValue] => each[1] !== undefined));
}

function without(sent: Item, left: Item): Item {
  return pickProperties(sent, (name) => !Object.hasOwn(left, name));
}

/**
 * Stores an item that was changed, with the time of its change where it has one. Where nothing changed, the same item
 * keeps its entity tag, and there is no change to record.
 *
 * @param input - properties that came from the client
 */
export function storeChange(task: BehaviourContext, key: Key, before: Item, item: ItemDraft, input: Item): Outcome {
  const { plan, scope } = task;
  resolveEmbedded(task, item);
  const settled = validateChange(task, item, input, before);
  if (settled.kind === 'rejected') return rejected(settled.problem);
  if (equalJson(settled.item, before)) return { kind: 'changed', scope, item: before };
  let after = settled.item;
  if (plan.serverValues.changeTimestamps.length > 0) {
    const touched: ItemDraft = { ...settled.item };
    plan.serverValues.setChangeTimestamps(touched, task.nowMs);
    const again = validateItem(task, touched, {});
    if (again.kind === 'valid') after = again.item;
  }
  const stored = putChanged(task, key, after);
  linkBack(task, task.resource, key, before, stored);
  return { kind: 'changed', scope, item: stored };
}
