import { problem } from '../../core/http/problem';
import { isJsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { scalarText, stringifyJson } from '../../core/json/stringify-json';
import type { Key, PropertyFilter } from '../../lists/sort-values';
import type { Choice } from '../../resources/model/binding';
import { fillTemplate, namePattern } from '../../resources/model/resource';
import { belongsTo, type Call, type Outcome, rejected, UNKNOWN_CALLER } from '../calls/call';
import { isRequestable } from '../fitting/key-generator';
import type { ItemSelection } from '../lists/item-filters';
import type { BehaviourContext } from '../plans/operation-plan';
import { Collection } from '../state/collection';
import type { Item, ItemDraft } from '../state/item';
import { findByNamedProperty, findItem, type FoundItem, ownItem } from '../state/item-lookup';
import { conform } from '../state/item-representation';
import type { ListQuery } from '../state/list-query';
import { runListQuery } from '../state/query-runner';
import { keyOf, type Resource, shows, SINGLE_KEY } from '../state/prepared-resource';

/** What the path and the query of a request choose among the items of a collection. */
export function selectionOf({ call, plan, resource, scope, ruleFilters }: BehaviourContext): ItemSelection {
  const inferred = plan.list.filters(call, ruleFilters?.parameters);
  const { filters, problem: rejection } = inferred;
  const tests = [...inferred.tests, ...(ruleFilters?.tests ?? []), ...listedTests(plan, resource)];
  if (scope.restrictions.length === 0) return { filters, tests, problem: rejection };
  const fixed = scope.restrictions.flatMap(({ member: property, value, shownIn, isLinked }): PropertyFilter[] =>
    shownIn === undefined && isLinked === undefined && !resource.parentLists.has(property)
      ? [{ property, values: [resource.sortValues(property)(value)] }]
      : [],
  );
  const isShown = scope.restrictions.some(
    ({ member: property, shownIn, isLinked }) =>
      shownIn !== undefined || isLinked !== undefined || resource.parentLists.has(property),
  );
  return {
    filters: [...fixed, ...filters],
    tests: isShown ? [...tests, (item) => belongsTo(scope, item)] : tests,
    problem: rejection,
  };
}

/** What was removed and is kept may be in no list, but for one that is asked for it. */
function listedTests({ list }: BehaviourContext['plan'], { unlisted }: Resource): ItemSelection['tests'] {
  return unlisted
    .filter(({ assignments, timestamps }) => {
      const marks = [...assignments.map(({ property }) => property), ...timestamps];
      return !list.parameters.filters.some(({ property }) => marks.includes(property));
    })
    .map((action) => (item) => !shows(item, action));
}

export interface Source extends Pick<ListQuery, 'collectionOf'> {
  readonly collection: Collection;
}

/** Its collection, or all of those that it means, put together. */
export function sourceOf({ draft, resource, scope }: BehaviourContext): Source {
  if (!scope.isAcross) return { collection: draft.collection(scope.collection) };
  const all = Collection.empty();
  const places = new Map<Item, string>();
  const pattern = namePattern(resource.path);
  const beginning = fillTemplate(resource.path, scope.values).split('{', 1)[0] ?? '';
  for (const name of new Set([...draft.seededNames(resource), ...draft.names()])) {
    if (!name.startsWith(beginning) || !pattern.test(name)) continue;
    for (const [key, item] of draft.collection(name).entries()) {
      // Items of two places may have one key.
      all.set(`${name} ${key}`, item);
      places.set(item, name);
    }
  }
  return { collection: all, collectionOf: (item) => places.get(item) };
}

/** All of those items, in the order of their keys. */
export function selectedItems(task: BehaviourContext): readonly Item[] {
  const { resource } = task;
  const { collection, collectionOf } = sourceOf(task);
  const order = { sortBy: resource.keyMember, descending: false, collectionOf };
  return runListQuery(collection, resource, { ...selectionOf(task), ...order, limit: Infinity, after: undefined })
    .items;
}

export type Target =
  | { readonly kind: 'target'; readonly key: Key; readonly item: Item }
  /** Nothing is stored under the key. */
  | { readonly kind: 'absent'; readonly key: Key | undefined; readonly answer: Outcome };

/** The item that a path names. A single record that nobody has written yet may be what the schema itself shows. */
export function findTarget(task: BehaviourContext): Target {
  const { call, plan, resource, scope, draft } = task;
  const { keyParameter } = plan.binding;
  if (resource.kind === 'singleton') {
    const item = draft.get(scope.collection, SINGLE_KEY) ?? unwrittenSingleton(task);
    if (item !== undefined) return { kind: 'target', key: SINGLE_KEY, item };
    return { kind: 'absent', key: SINGLE_KEY, answer: notFound(`${scope.collection} is not there`) };
  }
  const { itemChoice } = plan.binding;
  if (itemChoice !== undefined) return itemChoice.by === 'caller' ? callerTarget(task) : chosenTarget(task, itemChoice);
  const value = keyParameter === undefined ? keyInBody(task) : call.parameters.path.get(keyParameter);
  const found = namedItem(task, value) ?? findItem(resource, scope.collection, value, draft);
  if (found !== undefined && belongsTo(scope, found.item)) return { kind: 'target', ...found };
  const key = resource.toKey(value);
  // A key that an item of another place has is not free.
  const free = found === undefined ? key : undefined;
  return { kind: 'absent', key: free, answer: notFound(absenceText(task, value)) };
}

function absenceText({ plan, resource, scope }: BehaviourContext, value: JsonValue | undefined): string {
  const name = plan.binding.keyParameter ?? resource.keyMember;
  const shown = value === undefined ? '' : ` with ${name} ${stringifyJson(value)}`;
  return `There is no item${shown} in ${scope.collection}`;
}

/** The item that has what the path says in the property that the query names: `?idProperty=email`. */
function namedItem(
  { call, resource, scope, draft }: BehaviourContext,
  value: JsonValue | undefined,
): FoundItem | undefined {
  const { keyPropertyParameter } = resource;
  const property = keyPropertyParameter === undefined ? undefined : call.parameters.query.get(keyPropertyParameter);
  if (typeof property !== 'string' || value === undefined) return undefined;
  return findByNamedProperty(resource, scope.collection, property, value, draft);
}

/** The item that is chosen by something else than its key, among those that the path speaks of. */
function chosenTarget(task: BehaviourContext, choice: Exclude<Choice, { by: 'caller' }>): Target {
  const { call, resource, scope } = task;
  const none = (text: string): Target => ({ kind: 'absent', key: undefined, answer: notFound(text) });
  const isLatest = choice.by === 'latest';
  const wanted = wantedOf(call, choice);
  const test = (item: Item): boolean =>
    belongsTo(scope, item) &&
    wanted.every(([member, text]) => {
      const own = ownProperty(item, member);
      return own !== undefined && scalarText(own) === text;
    });
  const { collection, collectionOf } = sourceOf(task);
  const page = runListQuery(collection, resource, {
    filters: [],
    tests: [test],
    sortBy: (isLatest ? choice.member : undefined) ?? resource.keyMember,
    descending: isLatest,
    isByCreation: true,
    collectionOf,
    limit: 1,
    after: undefined,
  });
  const [item] = page.items;
  const key = item === undefined ? undefined : keyOf(resource, item);
  if (item !== undefined && key !== undefined) return { kind: 'target', key, item };
  const shown = wanted.map(([member, text]) => `${member} ${JSON.stringify(text)}`).join(' and ');
  return none(`There is no item${shown === '' ? '' : ` with ${shown}`} in ${scope.collection}`);
}

/** The properties by which an item is chosen, with the text of their values. */
function wantedOf({ parameters }: Call, choice: Exclude<Choice, { by: 'caller' }>): (readonly [string, string])[] {
  if (choice.by === 'latest') return [];
  if (choice.by === 'member') return [[choice.member, textOf(parameters.path.get(choice.parameter))]];
  return [...choice.members].flatMap(([name, member]) =>
    parameters.query.has(name) ? [[member, textOf(parameters.query.get(name))] as const] : [],
  );
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : scalarText(value);
}

/** The item of the caller, which comes to be where there is no item at all. */
function callerTarget(task: BehaviourContext): Target {
  const { resource, scope, draft } = task;
  const found = ownItem(resource, scope.collection, draft) ?? newCaller(task);
  if (found !== undefined) return { kind: 'target', ...found };
  return { kind: 'absent', key: undefined, answer: notFound(`The item of whoever asks is not in ${scope.collection}`) };
}

function newCaller(task: BehaviourContext): FoundItem | undefined {
  const { plan, resource, scope, draft, idStart } = task;
  if ((draft.initialCollection(scope.collection)?.size ?? 0) > 0) return undefined;
  const isFree =
    plan.serverValues.keys.rejectionReason(UNKNOWN_CALLER) === undefined && isRequestable(resource, UNKNOWN_CALLER);
  const key = isFree ? UNKNOWN_CALLER : plan.serverValues.keys.take(scope.collection, draft, idStart);
  const item = key === undefined ? undefined : minimalItem(task, { [resource.keyMember]: key });
  if (key === undefined || item === undefined) return undefined;
  return { key, item: draft.put(scope.collection, key, item) };
}

/** `PUT /things`: which item is meant stands in the item itself. */
function keyInBody({ call, plan, resource }: BehaviourContext): JsonValue | undefined {
  const sent = plan.input.sent(call);
  return isJsonObject(sent) ? ownProperty(sent, resource.keyMember) : undefined;
}

function notFound(message: string): Outcome {
  return rejected(problem('resource_not_found', message));
}

/**
 * A record as it is before anybody wrote it: its defaults, and what is required. There is none where the schema has no
 * such value, and none after it was removed.
 */
function unwrittenSingleton(task: BehaviourContext): Item | undefined {
  return task.resource.isMembership || task.draft.has(task.scope.collection) ? undefined : minimalItem(task, {});
}

/** What every item has that nobody made: `undefined` where the schema has no such value. */
function minimalItem({ plan, resource, scope }: BehaviourContext, known: ItemDraft): Item | undefined {
  const item: ItemDraft = { ...known };
  for (const { member: property, value } of scope.members) setProperty(item, property, value);
  plan.serverValues.addDefaults(item);
  plan.serverValues.complete(item, undefined);
  try {
    return conform(resource, item);
  } catch {
    return undefined;
  }
}
