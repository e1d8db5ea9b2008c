import { fieldProblem, problem, type Problem } from '../../core/http/problem';
import { joinPointer, parsePointer } from '../../core/json/json-pointer';
import {
  equalJson,
  isJsonObject,
  type JsonValue,
  ownProperty,
  pickProperties,
  setProperty,
} from '../../core/json/json-value';
import { scalarText, stringifyJson } from '../../core/json/stringify-json';
import { foldedName } from '../../core/text/inflection';
import type { Key } from '../../lists/sort-values';
import { typesOf } from '../../openapi/view/schema-view';
import { fillTemplate, namePattern, type PropertyReference } from '../../resources/model/resource';
import { type FixedProperty, type Outcome, rejected } from '../calls/call';
import { FULL_NAMES, parentCollectionOf, parentObjectValues, showAddress } from '../fitting/item-address';
import type { BehaviourContext } from '../plans/operation-plan';
import { checkSaid } from './said-rules';
import { referredCollection } from '../rules/rule-store';
import { toKey } from '../rules/rules';
import { coerceKey, type Item, type ItemDraft } from '../state/item';
import { findItem } from '../state/item-lookup';
import { arrange, violationsOf, visible } from '../state/item-representation';
import { isRooted, type Resource } from '../state/prepared-resource';
import { showNamedItems } from '../state/shown-items';

/** Every reference that the rules or the words of the operation speak of, and that a write sets, must lead to an item. */
export function checkReferences(
  task: BehaviourContext,
  item: ItemDraft,
  before: Item | undefined,
): Problem | undefined {
  for (const reference of task.rules?.references ?? []) {
    const { collection, member: property } = reference;
    if (collection !== task.resource.path) continue;
    const value = ownProperty(item, property);
    if (value === undefined || value === null) continue;
    const earlier = before === undefined ? undefined : ownProperty(before, property);
    if (earlier !== undefined && equalJson(earlier, value)) continue;
    const key = toKey(value);
    const to = referredCollection(reference, task.resources, task.scope.values);
    if (key !== undefined && task.draft.get(to, key) !== undefined) continue;
    const what = `names ${stringifyJson(value)}, which does not exist in ${to}`;
    return fieldProblem('unknown_reference', joinPointer('', property), what);
  }
  return checkSaid(task, item, before);
}

/**
 * An item of another collection that was sent inside this one by its key, or another name that will do for it, is stored as
 * it is there: what the client left out of it is filled in. One that does not exist stays as it was sent.
 */
export function resolveEmbedded(task: BehaviourContext, item: ItemDraft): void {
  showNamedItems(task, task.resource, task.scope.values, item, ({ by }, key, shown) =>
    task.plan.serverValues.filled(by.schema, key, shown),
  );
  for (const reference of task.resource.references) {
    if (reference.by !== undefined) {
      if (ownProperty(item, reference.by.property) !== null) continue;
      setProperty(
        item,
        reference.property,
        task.plan.serverValues.accepts(reference.property, null) ? null : undefined,
      );
      continue;
    }
    const other = reference.form.startsWith('embedded') ? task.resources.get(reference.to) : undefined;
    const value = ownProperty(item, reference.property);
    if (other === undefined || value === undefined || !isRooted(other)) continue;
    setProperty(item, reference.property, resolved(task, reference, other, value));
  }
}

function resolved(task: BehaviourContext, { form }: PropertyReference, other: Resource, value: JsonValue): JsonValue {
  const one = (sent: JsonValue): JsonValue => {
    const name = isJsonObject(sent)
      ? [other.keyMember, ...other.otherNames].map((each) => ownProperty(sent, each)).find((each) => each !== undefined)
      : undefined;
    const stored = name === undefined ? undefined : findItem(other, other.path, name, task.draft)?.item;
    return stored === undefined ? sent : { ...visible(stored, other), ...(sent as Item) };
  };
  return form === 'embedded-list' && Array.isArray(value) ? value.map(one) : one(value);
}

/**
 * What is stored elsewhere of an item that was put here by its name, as far as items here have it; empty where nothing is.
 *
 * @param collection - name of the collection here
 */
export function copyFromCollection(
  { resource, resources, draft }: BehaviourContext,
  collection: string,
  key: Key,
): Item {
  const other = resource.itemsOf === undefined ? undefined : resources.get(resource.itemsOf);
  if (other === undefined) return {};
  const above = namePattern(resource.path).exec(collection)?.slice(1) ?? [];
  const names = [...above.map((value) => coerceKey(decodeURIComponent(value), 'any') ?? value), key];
  const [last, ...rest] = names.slice(-other.scope.length - 1).toReversed();
  const theirs = other.toKey(last);
  const item = theirs === undefined ? undefined : draft.get(fillTemplate(other.path, rest.toReversed()), theirs);
  if (item === undefined) return {};
  return pickProperties(
    visible(item, other),
    (name) => name !== resource.keyMember && (resource.properties.has(name) || resource.isOpen),
  );
}

/** Items that were put here by their names, as they are stored elsewhere by now. */
export function refreshCopies(
  task: BehaviourContext,
  items: readonly Item[],
  collectionOf: (item: Item) => string | undefined,
): readonly Item[] {
  const { resource, scope } = task;
  if (resource.itemsOf === undefined) return items;
  return items.map((item) => {
    const key = resource.toKey(ownProperty(item, resource.keyMember));
    const shown = key === undefined ? {} : copyFromCollection(task, collectionOf(item) ?? scope.collection, key);
    return { ...item, ...shown };
  });
}

/**
 * Sets the properties of an item that are objects and show where it lies, such as its `owner`, whatever was sent in them:
 * the path tells. One whose schema does not take that stays as it is.
 */
export function setParentObjects(task: BehaviourContext, item: ItemDraft): void {
  const { resource, scope } = task;
  showFullName(task, item);
  showAddress(task.resource, task.scope.values, item);
  for (const [index, variable] of resource.scope.entries()) {
    const { object } = variable;
    const value = scope.values[index];
    if (object === undefined || value === undefined) continue;
    const held = ownProperty(item, object.property);
    for (const shown of parentObjectValues(
      object,
      held,
      value,
      visibleFrom(task, parentCollectionOf(resource, variable), scope.values, value),
    )) {
      const violations = violationsOf(resource, arrange(resource, { ...item, [object.property]: shown }));
      const isGood = violations.every(
        ({ pointer, property = '' }) => (parsePointer(pointer)[0] ?? property) !== object.property,
      );
      if (isGood) setProperty(item, object.property, shown);
    }
  }
}

/** `full_name: ada/emma`: where the item lies, and its key. One that clients write, as the name of a person, is theirs. */
function showFullName({ resource, scope, plan, call }: BehaviourContext, item: ItemDraft): void {
  const key = ownProperty(item, resource.keyMember);
  if (scope.values.length === 0 || key === undefined) return;
  const written = plan.input.properties(call);
  for (const { name, schema } of resource.properties.values()) {
    if (written.has(name)) continue;
    if (!FULL_NAMES.has(foldedName(name)) || !typesOf(schema).includes('string')) continue;
    setProperty(item, name, [...scope.values, scalarText(key)].join('/'));
  }
}

/** What others are shown of an item of another resource, as far as it lies below the same items. */
export function visibleFrom(
  { resources, draft }: Pick<BehaviourContext, 'resources' | 'draft'>,
  path: string | undefined,
  values: readonly Key[],
  value: JsonValue | undefined,
): Item | undefined {
  const other = path === undefined ? undefined : resources.get(path);
  const key = other?.toKey(value);
  if (other === undefined || key === undefined) return undefined;
  const item = draft.get(fillTemplate(other.path, values.slice(0, other.scope.length)), key);
  return item === undefined ? undefined : visible(item, other);
}

/** `POST /people/7/tags { id: 3 }`: the item is there as well from now on, and stays where else it is. */
export function addToParent(task: BehaviourContext, name: string): Outcome {
  const { plan, call, resource, scope, draft } = task;
  const sent = plan.input.sent(call);
  const value = isJsonObject(sent) ? ownProperty(sent, name) : undefined;
  const other = task.resources.get(resource.itemsOf ?? '');
  const { from, key } = sourceOf(task, other, value);
  const before = key === undefined ? undefined : draft.get(from, key);
  if (key === undefined || before === undefined) {
    const shown = value === undefined ? '' : ` with ${resource.keyMember} ${stringifyJson(value)}`;
    return rejected(problem('resource_not_found', `There is no item${shown} in ${from}`));
  }
  const item: ItemDraft =
    other === undefined
      ? { ...before }
      : { ...copyFromCollection(task, scope.collection, key), [resource.keyMember]: key };
  for (const place of parentListsIn(task)) setProperty(item, place.member, [...without(before, place), place.value]);
  return { kind: 'changed', scope, item: draft.put(scope.collection, key, item as Item) };
}

/** Where the item is kept that is put somewhere else by one of its names. */
function sourceOf(
  { resource, scope, draft }: BehaviourContext,
  other: Resource | undefined,
  value: JsonValue | undefined,
): { readonly from: string; readonly key: Key | undefined } {
  if (other === undefined) return { from: scope.collection, key: resource.toKey(value) };
  return { from: other.path, key: resource.toKey(findItem(other, other.path, value, draft)?.key) };
}

/** Does the path name an item at one of the places where it was put? What is removed there is there no more. */
export function isInParentList(task: BehaviourContext): boolean {
  return parentListsIn(task).length > 0;
}

/** `DELETE /people/7/tags/3`: the item stays, and is there no more. */
export function removeFromParent(task: BehaviourContext, key: Key, before: Item): Outcome {
  const { scope, draft } = task;
  const item: ItemDraft = { ...before };
  for (const place of parentListsIn(task)) setProperty(item, place.member, without(before, place));
  return { kind: 'removed', scope, item: draft.put(scope.collection, key, item as Item) };
}

function parentListsIn({ resource, scope }: BehaviourContext): readonly FixedProperty[] {
  return scope.restrictions.filter(({ member: property }) => resource.parentLists.has(property));
}

/** The places of an item without one. What was made at a place has that alone, and no list. */
function without(item: Item, { member: property, value }: FixedProperty): JsonValue[] {
  const own = ownProperty(item, property);
  const all: readonly JsonValue[] = own === undefined ? [] : Array.isArray(own) ? own : [own];
  return all.filter((each) => scalarText(each) !== scalarText(value));
}
