import { memberOf } from '../../json/member';
import { problem } from '../../checks/problem';
import { isJsonObject, type JsonValue } from '../../json/json-value';
import { scalarText } from '../../json/scalar-text';
import { fillTemplate } from '../../resources/collection-name';
import { foldedName } from '../../resources/inflection';
import { lastLiteral, parseTemplate } from '../../resources/path-template';
import type { Part } from '../../resources/resource-model';
import { refused, type Outcome } from '../call';
import type { Item } from '../item';
import { visible } from '../representation';
import { checkIfMatch } from './preconditions';
import { storeChange } from './store-change';
import { findTarget, type Target } from './target';
import type { Task } from './task';

/** What is at the same time a member of an item and a place below it: `/things/{id}/labels`. */
export function part(task: Task): Outcome {
  const does = task.plan.binding.part;
  if (does === undefined) throw new Error(`${task.call.operation.id} names no part of its item`);
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const entries = entriesIn(target.item, does);
  if (does.does === 'list') return shown(task, target.item, entries, does);
  const after = changedEntries(entries, sentEntries(task, does), does);
  return after === undefined ? notThere(task, does) : store(task, target, after, does);
}

function entriesIn(item: Item, { member }: Part): readonly JsonValue[] {
  const value = memberOf(item, member);
  return Array.isArray(value) ? value : [];
}

/** @returns `undefined` where the one that is to be removed is not there */
function changedEntries(
  entries: readonly JsonValue[],
  sent: readonly JsonValue[] | undefined,
  does: Part,
): readonly JsonValue[] | undefined {
  if (does.does === 'add') return [...entries, ...added(sent ?? [], entries, does)];
  if (does.does === 'replace' || sent === undefined) return sent ?? [];
  const names = new Set(sent.map((entry) => nameOf(entry, does)));
  const others = entries.filter((entry) => !names.has(nameOf(entry, does)));
  return does.parameter !== undefined && others.length === entries.length ? undefined : others;
}

function store(
  task: Task,
  { key, item: before }: Extract<Target, { kind: 'target' }>,
  entries: readonly JsonValue[],
  does: Part,
): Outcome {
  const refusal = checkIfMatch(task, before);
  if (refusal !== undefined) return refused(refusal);
  const input = { [does.member]: entries.map((entry) => heldEntry(task, entry, does)) };
  const changed = storeChange(task, key, before, { ...before, ...input }, input);
  if (changed.kind !== 'changed' || task.plan.binding.response?.form !== 'list') return changed;
  return shown(task, changed.item, entriesIn(changed.item, does), does);
}

function added(sent: readonly JsonValue[], entries: readonly JsonValue[], does: Part): readonly JsonValue[] {
  const names = new Set(entries.map((entry) => nameOf(entry, does)));
  return sent.filter((entry) => !names.has(nameOf(entry, does)));
}

/** The entries as they are answered, or the whole item; of one that is named, whether it is there. */
function shown(task: Task, item: Item, entries: readonly JsonValue[], does: Part): Outcome {
  const { plan, scope, call } = task;
  if (does.does === 'list' && does.parameter !== undefined) {
    const name = scalarText(call.parameters.path.get(does.parameter) ?? '');
    const isThere = entries.some((entry) => nameOf(entry, does) === name);
    return isThere ? { kind: 'found', scope, item } : notThere(task, does);
  }
  if (plan.binding.response?.form !== 'list') return { kind: 'found', scope, item };
  const limit = plan.list.limit(call);
  const skip = plan.list.skip(call, limit);
  const page = does.does === 'list' ? entries.slice(skip, skip + limit) : entries;
  return { kind: 'told', value: page.map((entry) => shownEntry(task, entry, does)) };
}

function notThere({ call, plan }: Task, { member, parameter = '' }: Part): Outcome {
  const name = scalarText(call.parameters.path.get(parameter) ?? '');
  const message = `There is no ${JSON.stringify(name)} in "${member}" of this item of ${plan.resource.path}`;
  return refused(problem('resource_not_found', message));
}

/** What was sent as entries: the body, its member of the name of the place, or what the path names. */
function sentEntries({ call }: Task, { parameter, member, key }: Part): readonly JsonValue[] | undefined {
  const named = parameter === undefined ? undefined : call.parameters.path.get(parameter);
  if (named !== undefined) return [named];
  const { body } = call;
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body)) return body === undefined || body === null ? undefined : [body];
  const template = parseTemplate(call.operation.path);
  const names = [member, template === undefined ? '' : lastLiteral(template.segments)].map(foldedName);
  const list = Object.entries(body).find(([name]) => names.includes(foldedName(name)))?.[1];
  if (Array.isArray(list)) return list;
  return key !== undefined && memberOf(body, key) !== undefined ? [body] : undefined;
}

/** By what an entry is known. */
function nameOf(entry: JsonValue, { key }: Part): string {
  const own = isJsonObject(entry) && key !== undefined ? memberOf(entry, key) : entry;
  return own === undefined ? '' : scalarText(own);
}

/** As the item holds it: the whole entry where it can, else as it was sent. */
function heldEntry(task: Task, entry: JsonValue, does: Part): JsonValue {
  const { plan } = task;
  const forms = [shownEntry(task, entry, does), entry];
  return forms.find((form) => plan.making.takes(does.member, [form])) ?? entry;
}

/** As it is answered: what is kept of it elsewhere, what was sent, and what it must have. */
function shownEntry(task: Task, entry: JsonValue, does: Part): JsonValue {
  const { row, key } = does;
  if (row === undefined || key === undefined) return entry;
  const sent = isJsonObject(entry) ? entry : { [key]: entry };
  const stored = storedEntry(task, nameOf(entry, does), does);
  return task.plan.making.filled(row, nameOf(entry, does), { ...stored, ...sent });
}

/** The item of the collection that keeps such entries. */
function storedEntry({ resources, draft, scope }: Task, name: string, { kept }: Part): Item {
  const other = kept === undefined ? undefined : resources.get(kept);
  const key = other?.toKey(name);
  if (other === undefined || key === undefined) return {};
  const item = draft.get(fillTemplate(other.path, scope.values.slice(0, other.scope.length)), key);
  return item === undefined ? {} : visible(item, other);
}
