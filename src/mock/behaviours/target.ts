import { memberOf, setMember } from '../../json/member';
import { problem } from '../../checks/problem';
import { equalJson } from '../../json/equal-json';
import { isJsonObject, type JsonValue } from '../../json/json-value';
import { scalarText } from '../../json/scalar-text';
import { stringifyJson } from '../../json/stringify-json';
import type { Choice } from '../../resources/resource-model';
import { refused, type Outcome } from '../call';
import { conform } from '../conform';
import { findItem, ownItem, type FoundItem } from '../find-item';
import { isAskable } from '../key-maker';
import type { Item, ItemDraft } from '../item';
import type { Key } from '../order';
import { runListQuery } from '../list-query';
import { keyOf, SINGLE_KEY } from '../resource';
import { NOBODY, type Scope, type ShownIn } from '../scope';
import type { Task } from './task';
import { sourceOf } from './wanted-items';

export type Target =
  | { readonly kind: 'target'; readonly key: Key; readonly item: Item }
  /** Nothing is stored under the key. */
  | { readonly kind: 'absent'; readonly key: Key | undefined; readonly answer: Outcome };

/** The item that a path names. A single record that nobody has written yet may be what the schema itself shows. */
export function findTarget(task: Task): Target {
  const { call, plan, resource, scope, draft } = task;
  const { keyParameter } = plan.binding;
  if (resource.kind === 'singleton') {
    const item = draft.get(scope.collection, SINGLE_KEY) ?? unwritten(task);
    if (item !== undefined) return { kind: 'target', key: SINGLE_KEY, item };
    return { kind: 'absent', key: SINGLE_KEY, answer: notFound(`${scope.collection} is not there`) };
  }
  const { choice } = plan.binding;
  if (choice !== undefined) return choice.by === 'caller' ? callerTarget(task) : chosenTarget(task, choice);
  const value = keyParameter === undefined ? keyInBody(task) : call.parameters.path.get(keyParameter);
  const found = findItem(resource, scope.collection, value, draft);
  if (found !== undefined && belongsTo(scope, found.item)) return { kind: 'target', ...found };
  const key = resource.toKey(value);
  const shown = value === undefined ? '' : ` with ${keyParameter ?? resource.keyMember} ${stringifyJson(value)}`;
  // A key that an item of another place has is not free.
  const free = found === undefined ? key : undefined;
  return { kind: 'absent', key: free, answer: notFound(`There is no item${shown} in ${scope.collection}`) };
}

/** The item that is chosen by something else than its key, among those that the path speaks of. */
function chosenTarget(task: Task, choice: Exclude<Choice, { by: 'caller' }>): Target {
  const { call, resource, scope } = task;
  const none = (text: string): Target => ({ kind: 'absent', key: undefined, answer: notFound(text) });
  const isLatest = choice.by === 'latest';
  const value = isLatest ? undefined : call.parameters.path.get(choice.parameter);
  const text = value === undefined ? '' : scalarText(value);
  const test = (item: Item): boolean => {
    const own = isLatest ? undefined : memberOf(item, choice.member);
    return belongsTo(scope, item) && (isLatest || (own !== undefined && scalarText(own) === text));
  };
  const { collection, collectionOf } = sourceOf(task);
  const page = runListQuery(collection, resource, {
    filters: [],
    tests: [test],
    sortBy: (isLatest ? choice.member : undefined) ?? resource.keyMember,
    descending: isLatest,
    isByMaking: true,
    collectionOf,
    limit: 1,
    after: undefined,
  });
  const [item] = page.items;
  const key = item === undefined ? undefined : keyOf(resource, item);
  if (item !== undefined && key !== undefined) return { kind: 'target', key, item };
  return none(
    isLatest
      ? `There is no item in ${scope.collection}`
      : `There is no item with ${choice.member} ${JSON.stringify(text)} in ${scope.collection}`,
  );
}

/** The item of whoever asks, which comes to be where there is no item at all. */
function callerTarget(task: Task): Target {
  const { resource, scope, draft } = task;
  const found = ownItem(resource, scope.collection, draft) ?? newCaller(task);
  if (found !== undefined) return { kind: 'target', ...found };
  return { kind: 'absent', key: undefined, answer: notFound(`The item of whoever asks is not in ${scope.collection}`) };
}

function newCaller(task: Task): FoundItem | undefined {
  const { plan, resource, scope, draft, idStart } = task;
  if ((draft.beginning(scope.collection)?.size ?? 0) > 0) return undefined;
  const isFree = plan.making.keys.refusal(NOBODY) === undefined && isAskable(resource, NOBODY);
  const key = isFree ? NOBODY : plan.making.keys.take(scope.collection, draft, idStart);
  const item = key === undefined ? undefined : bare(task, { [resource.keyMember]: key });
  if (key === undefined || item === undefined) return undefined;
  return { key, item: draft.put(scope.collection, key, item) };
}

/** `PUT /things`: which item is meant stands in the item itself. */
function keyInBody({ call, plan, resource }: Task): JsonValue | undefined {
  const sent = plan.input.sent(call);
  return isJsonObject(sent) ? memberOf(sent, resource.keyMember) : undefined;
}

function notFound(message: string): Outcome {
  return refused(problem('resource_not_found', message));
}

/** Is the item one of those that the path of the request speaks of? */
export function belongsTo({ restrictions }: Scope, item: Item): boolean {
  return restrictions.every(({ member, value, shownIn }) => {
    const shown = shownIn === undefined ? [] : keysShown(item, shownIn);
    if (shown.length > 0) return shown.includes(String(value));
    const own = memberOf(item, member);
    const all: readonly (JsonValue | undefined)[] = Array.isArray(own) ? own : [own];
    return all.some((each) => each !== undefined && (equalJson(each, value) || scalarText(each) === String(value)));
  });
}

function keysShown(item: Item, { member, key }: ShownIn): string[] {
  const held = memberOf(item, member);
  return (Array.isArray(held) ? held : [held]).flatMap((each: JsonValue | undefined) => {
    const own = isJsonObject(each) ? memberOf(each, key) : each;
    return own === undefined || own === null ? [] : [scalarText(own)];
  });
}

/**
 * A record as it is before anybody wrote it: its defaults, and what is required. There is none where the schema has no
 * such value, and none after it was removed.
 */
function unwritten(task: Task): Item | undefined {
  return task.resource.isMembership || task.draft.has(task.scope.collection) ? undefined : bare(task, {});
}

/** What every item has that nobody made: `undefined` where the schema has no such value. */
function bare({ plan, resource, scope }: Task, known: ItemDraft): Item | undefined {
  const item: ItemDraft = { ...known };
  for (const { member, value } of scope.members) setMember(item, member, value);
  plan.making.addDefaults(item);
  plan.making.complete(item, undefined);
  try {
    return conform(resource, item);
  } catch {
    return undefined;
  }
}
