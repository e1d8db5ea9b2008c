import { fieldProblem, type Problem } from '../../core/http/problem';
import { joinPointer } from '../../core/json/json-pointer';
import { equalJson, isJsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Key } from '../../lists/sort-values';
import { findResponse } from '../../openapi/view/responses';
import { fillTemplate, namePattern } from '../../resources/model/resource';
import { showAddress } from '../fitting/item-address';
import { isRequestable } from '../fitting/key-generator';
import type { BehaviourContext } from '../plans/operation-plan';
import { removeWithDescendants } from '../state/descendants';
import { FORMER_KEY, type Item, type ItemDraft } from '../state/item';
import { isRooted, keyOf, keyOfProperty, type Resource } from '../state/prepared-resource';
import { childrenOf } from '../state/remaining-seed';

/** Where a body that may name the key of its item names another one than the path. A read-only key is ignored. */
function otherKeySent(
  { call, plan, resource }: BehaviourContext,
  sent: JsonValue | undefined,
  key: Key,
): { readonly name: string; readonly value: JsonValue } | undefined {
  if (resource.kind === 'singleton' || !isJsonObject(sent)) return undefined;
  const name = Object.keys(sent).findLast((each) => plan.input.nameInItem(call, each) === resource.keyMember);
  const value = name === undefined ? null : (ownProperty(sent, name) ?? null);
  if (name === undefined || value === null || resource.toKey(value) === key) return undefined;
  if (resource.properties.get(resource.keyMember)?.readOnly === true) return undefined;
  return plan.input.properties(call).get(name)?.readOnly === false ? { name, value } : undefined;
}

/** What a PUT makes under the key of its path has that key. */
function mayRename({ plan, resource }: BehaviourContext): boolean {
  return resource.isNamedByClients && plan.kind !== 'upsert';
}

/** The new key that an item gets by what was sent, as a property of it; else nothing. */
export function newKeySent(task: BehaviourContext, sent: JsonValue | undefined, key: Key): Item {
  const other = mayRename(task) ? otherKeySent(task, sent, key) : undefined;
  return other === undefined ? {} : { [task.resource.keyMember]: other.value };
}

/**
 * A body names the key of the path, or a new name for its item. An id that the service makes stays as it is: where no
 * refusal is documented, another one is ignored.
 */
export function checkSameKey(task: BehaviourContext, sent: JsonValue | undefined, key: Key): Problem | undefined {
  const { call, plan, resource } = task;
  const other = otherKeySent(task, sent, key);
  if (other === undefined || mayRename(task)) return undefined;
  const pointer = [...plan.input.path, other.name].reduce(joinPointer, '');
  if (call.isStrict || [400, 409, 422].some((status) => findResponse(call.operation, status) !== undefined))
    return mismatch(pointer, other.value, key);
  call.warnings.add('not_kept', `Items of ${resource.path} do not keep ${pointer}: the path names the item`, [pointer]);
  return undefined;
}

function mismatch(pointer: string, named: JsonValue, key: Key): Problem {
  return fieldProblem('key_mismatch', pointer, `names ${stringifyJson(named)}, the path names ${stringifyJson(key)}`);
}

/** A new key must be one that paths can name, and that nothing else has. */
export function checkNewKey(task: BehaviourContext, item: ItemDraft, key: Key): Problem | undefined {
  const { plan, resource, scope, draft } = task;
  const named = resource.isNamedByClients ? ownProperty(item, resource.keyMember) : undefined;
  const to = resource.toKey(named);
  if (named === undefined || to === key) return undefined;
  const pointer = [...plan.input.path, resource.keyMember].reduce(joinPointer, '');
  if (to === undefined || to === '' || !isRequestable(resource, to)) return mismatch(pointer, named, key);
  const what = `names ${stringifyJson(named)}, which an item of ${scope.collection} has already`;
  return draft.get(scope.collection, to) === undefined ? undefined : fieldProblem('key_taken', pointer, what);
}

/**
 * Stores an item that was there under a key. One that has another key by now is moved, with what lies below it and what
 * refers to it; it is found by its former key as well.
 */
export function putChanged(task: BehaviourContext, key: Key, item: Item): Item {
  const { draft, resource, scope } = task;
  const to = resource.isNamedByClients ? (keyOf(resource, item) ?? key) : key;
  if (to === key) return draft.put(scope.collection, key, item);
  draft.move(() => {
    moveItem(task, resource, [scope.values, scope.values], [key, to]);
    if (isRooted(resource)) renameReferences(task, key, to);
    removeWithDescendants(task, resource, scope.values, key);
  });
  return draft.put(scope.collection, to, { ...item, [FORMER_KEY]: key });
}

type Pair<Value> = readonly [from: Value, to: Value];

/** Puts what is stored at one place to another one as well, and what lies below it. */
function moveItem(
  task: BehaviourContext,
  resource: Resource,
  [scope, newScope]: Pair<readonly Key[]>,
  [key, newKey]: Pair<Key>,
): void {
  const { draft, resources } = task;
  const stored = draft.get(fillTemplate(resource.path, scope), key);
  if (stored === undefined) return;
  const item: ItemDraft = { ...stored };
  if (resource.kind === 'collection')
    setProperty(item, resource.keyMember, keyOfProperty(resource, resource.keyMember, newKey));
  for (const [index, { property }] of resource.scope.entries())
    if (property !== undefined) setProperty(item, property, keyOfProperty(resource, property, newScope[index] ?? ''));
  showAddress(resource, newScope, item);
  draft.put(fillTemplate(resource.path, newScope), newKey, item as Item);
  const [below, newBelow] = [
    [...scope, key],
    [...newScope, newKey],
  ];
  for (const child of childrenOf(resources.values(), resource)) {
    const name = fillTemplate(child.path, below);
    const next = draft.nextKey(name);
    if (next !== undefined) draft.setNextKey(fillTemplate(child.path, newBelow), next);
    for (const [own] of [...draft.collection(name).entries()]) moveItem(task, child, [below, newBelow], [own, own]);
  }
}

/**
 * What other items say of the one that has another name now: its key, a list of keys, or the item itself. What was put
 * elsewhere by its key is there by the new one.
 */
function renameReferences({ draft, resource, resources }: BehaviourContext, from: Key, to: Key): void {
  for (const other of resources.values()) {
    const referring = other.references.filter((each) => each.to === resource.path && each.isGuess !== true);
    const names = new Set([...referring.map(({ property }) => property), ...other.belongingTo(resource.path)]);
    if (other.itemsOf === resource.path) names.add(other.keyMember);
    else names.delete(other.keyMember);
    const pattern = namePattern(other.path);
    const collections = new Set(names.size === 0 ? [] : [...draft.seededNames(other), ...draft.names()]);
    for (const collection of collections)
      for (const [key, item] of pattern.test(collection) ? [...draft.collection(collection).entries()] : []) {
        const after: ItemDraft = { ...item };
        for (const name of names) setProperty(after, name, renamed(resource, ownProperty(item, name), from, to));
        if (!equalJson(after as Item, item)) draft.put(collection, keyOf(other, after as Item) ?? key, after as Item);
      }
  }
}

function renamed(resource: Resource, value: JsonValue | undefined, from: Key, to: Key): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((each: JsonValue) => renamed(resource, each, from, to) ?? null);
  if (!isJsonObject(value)) return resource.toKey(value) === from ? to : value;
  const isIt = resource.toKey(ownProperty(value, resource.keyMember)) === from;
  return isIt ? { ...value, [resource.keyMember]: to } : value;
}
