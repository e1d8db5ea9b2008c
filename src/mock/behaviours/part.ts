import { isJsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { problem } from '../../core/http/problem';
import { scalarText } from '../../core/json/stringify-json';
import { foldedName } from '../../core/text/inflection';
import { lastLiteral, parseTemplate } from '../../openapi/view/path-template';
import type { ArrayProperty } from '../../resources/model/binding';
import { rejected, type Outcome } from '../calls/call';
import type { Item } from '../state/item';
import { visibleFrom } from './related-items';
import { checkIfMatch } from './preconditions';
import { storeChange } from './stored-item';
import { findTarget, type Target } from './item-selection';
import type { BehaviourContext } from '../plans/operation-plan';

/** What is at the same time a property of an item and a place below it: `/things/{id}/labels`. */
export function part(task: BehaviourContext): Outcome {
  const does = task.plan.binding.arrayProperty;
  if (does === undefined) throw new Error(`${task.call.operation.id} names no part of its item`);
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const entries = entriesIn(target.item, does);
  if (does.effect === 'list') return shown(task, target.item, entries, does);
  const after = changedEntries(entries, sentEntries(task, does), does);
  return after === undefined ? missingEntry(task, does) : store(task, target, after, does);
}

function entriesIn(item: Item, { property }: ArrayProperty): readonly JsonValue[] {
  const value = ownProperty(item, property);
  return Array.isArray(value) ? value : [];
}

/** @returns `undefined` where the one that is to be removed is not there */
function changedEntries(
  entries: readonly JsonValue[],
  sent: readonly JsonValue[] | undefined,
  does: ArrayProperty,
): readonly JsonValue[] | undefined {
  if (does.effect === 'add') return [...entries, ...added(sent ?? [], entries, does)];
  if (does.effect === 'replace' || sent === undefined) return sent ?? [];
  const names = new Set(sent.map((entry) => nameOf(entry, does)));
  const others = entries.filter((entry) => !names.has(nameOf(entry, does)));
  return does.parameter !== undefined && others.length === entries.length ? undefined : others;
}

function store(
  task: BehaviourContext,
  { key, item: before }: Extract<Target, { kind: 'target' }>,
  entries: readonly JsonValue[],
  does: ArrayProperty,
): Outcome {
  const rejection = checkIfMatch(task, before);
  if (rejection !== undefined) return rejected(rejection);
  const input = { [does.property]: entries.map((entry) => storedForm(task, entry, does)) };
  const changed = storeChange(task, key, before, { ...before, ...input }, input);
  if (changed.kind !== 'changed' || task.plan.binding.response?.form !== 'list') return changed;
  return shown(task, changed.item, entriesIn(changed.item, does), does);
}

function added(sent: readonly JsonValue[], entries: readonly JsonValue[], does: ArrayProperty): readonly JsonValue[] {
  const names = new Set(entries.map((entry) => nameOf(entry, does)));
  return sent.filter((entry) => !names.has(nameOf(entry, does)));
}

/** The entries as they are answered, or the whole item; of one that is named, whether it is there. */
function shown(task: BehaviourContext, item: Item, entries: readonly JsonValue[], does: ArrayProperty): Outcome {
  const { plan, scope, call } = task;
  if (does.effect === 'list' && does.parameter !== undefined) {
    const name = scalarText(call.parameters.path.get(does.parameter) ?? '');
    const isThere = entries.some((entry) => nameOf(entry, does) === name);
    return isThere ? { kind: 'found', scope, item } : missingEntry(task, does);
  }
  if (plan.binding.response?.form !== 'list') return { kind: 'found', scope, item };
  const limit = plan.list.limit(call);
  const skip = plan.list.skip(call, limit);
  const page = does.effect === 'list' ? entries.slice(skip, skip + limit) : entries;
  return { kind: 'value', value: page.map((entry) => shownEntry(task, entry, does)) };
}

function missingEntry({ call, plan }: BehaviourContext, { property, parameter = '' }: ArrayProperty): Outcome {
  const name = scalarText(call.parameters.path.get(parameter) ?? '');
  const message = `There is no ${JSON.stringify(name)} in "${property}" of this item of ${plan.resource.path}`;
  return rejected(problem('resource_not_found', message));
}

/** What was sent as entries: the body, its property of the name of the place, or what the path names. */
function sentEntries(
  { call }: BehaviourContext,
  { parameter, property, key }: ArrayProperty,
): readonly JsonValue[] | undefined {
  const named = parameter === undefined ? undefined : call.parameters.path.get(parameter);
  if (named !== undefined) return [named];
  const { body } = call;
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body)) return body === undefined || body === null ? undefined : [body];
  const template = parseTemplate(call.operation.path);
  const names = [property, template === undefined ? '' : lastLiteral(template.segments)].map(foldedName);
  const list = Object.entries(body).find(([name]) => names.includes(foldedName(name)))?.[1];
  if (Array.isArray(list)) return list;
  return key !== undefined && ownProperty(body, key) !== undefined ? [body] : undefined;
}

/** By what an entry is known. */
function nameOf(entry: JsonValue, { key }: ArrayProperty): string {
  const own = isJsonObject(entry) && key !== undefined ? ownProperty(entry, key) : entry;
  return own === undefined ? '' : scalarText(own);
}

/** As the item holds it: the whole entry where it can, else as it was sent. */
function storedForm(task: BehaviourContext, entry: JsonValue, does: ArrayProperty): JsonValue {
  const { plan } = task;
  const forms = [shownEntry(task, entry, does), entry];
  return forms.find((form) => plan.serverValues.accepts(does.property, [form])) ?? entry;
}

/** As it is answered: what is stored of it elsewhere, what was sent, and what it must have. */
function shownEntry(task: BehaviourContext, entry: JsonValue, does: ArrayProperty): JsonValue {
  const { entry: item, key } = does;
  if (item === undefined || key === undefined) return entry;
  const sent = isJsonObject(entry) ? entry : { [key]: entry };
  const stored = visibleFrom(task, does.collection, task.scope.values, nameOf(entry, does));
  return task.plan.serverValues.filled(item, nameOf(entry, does), { ...stored, ...sent });
}
