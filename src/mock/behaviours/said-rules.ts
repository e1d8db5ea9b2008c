import { fieldProblem, problem, type Problem } from '../../core/http/problem';
import { joinPointer } from '../../core/json/json-pointer';
import { equalJson, type JsonValue, ownProperty } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Key } from '../../lists/sort-values';
import type { PropertyReference } from '../../resources/model/resource';
import type { BehaviourContext } from '../plans/operation-plan';
import { DraftRuleStore, referredCollection } from '../rules/rule-store';
import type { Item, ItemDraft } from '../state/item';
import { findItem } from '../state/item-lookup';
import { keyOf } from '../state/prepared-resource';

/** What the words of the operation say of the item as it is, and of what there has to be. */
export function checkSaid(task: BehaviourContext, item: ItemDraft, before: Item | undefined): Problem | undefined {
  return (before && checkState(task, before)) ?? checkNeeded(task, item, before);
}

/** What the words of the operation say that there has to be. Examples of the description will do, there or not. */
function checkNeeded(task: BehaviourContext, item: ItemDraft, before: Item | undefined): Problem | undefined {
  const { needs } = task.plan.binding.said;
  for (const reference of needs.size === 0 ? [] : task.resource.references) {
    const { property, to } = reference;
    const examples = needs.get(property)?.flat();
    const value = ownProperty(item, property) ?? null;
    const isAsBefore = before !== undefined && equalJson(ownProperty(before, property) ?? null, value);
    if (examples === undefined || value === null || isAsBefore) continue;
    const isExample = (key: JsonValue): boolean => examples.some((each) => equalJson(each, key));
    const unknown = [value].flat().find((key) => !isExample(key) && isNobody(task, reference, key));
    if (unknown === undefined) continue;
    const what = `names ${stringifyJson(unknown)}, which does not exist in ${to}`;
    return fieldProblem('unknown_reference', joinPointer('', property), what);
  }
  return undefined;
}

/** Where nothing is there and nothing can be made, nobody could name anything. */
function isNobody({ resources, scope, draft }: BehaviourContext, { to }: PropertyReference, value: JsonValue): boolean {
  const other = resources.get(to);
  if (other === undefined || other.scope.length > scope.values.length) return false;
  const collection = referredCollection({ to }, resources, scope.values);
  const [any] = draft.collection(collection).byKey();
  return (any !== undefined || other.isMade) && findItem(other, collection, value, draft) === undefined;
}

/** What the words of the operation say that cannot be done in the state in which an item is. */
export function checkState({ plan: { binding } }: BehaviourContext, before: Item): Problem | undefined {
  const { closed } = binding.said;
  const value = closed?.isCertain === true ? ownProperty(before, closed.property) : undefined;
  if (closed === undefined || value === undefined || !closed.values.some((each) => equalJson(each, value)))
    return undefined;
  return problem('conflict', `${closed.property} is ${stringifyJson(value)}: ${binding.operation.id} is refused then`);
}

/** What the words of the operation say that no two items have. What nobody sent is in nobody's way. */
export function checkUnique(task: BehaviourContext, item: ItemDraft, before: Item | undefined): Problem | undefined {
  const { plan, scope } = task;
  const { names = [], ignoresCase = false } = plan.binding.said.unique ?? {};
  const own = names.map((name) => ownProperty(item, name) ?? null);
  const folded = (value: JsonValue): JsonValue =>
    ignoresCase && typeof value === 'string' ? value.toLowerCase() : value;
  const isSame = (other: Item): boolean =>
    names.every((name, at) => equalJson(folded(ownProperty(other, name) ?? null), folded(own[at] ?? null)));
  const [name] = names;
  if (name === undefined || own.includes(null) || (before !== undefined && isSame(before))) return undefined;
  if (!isTaken(task, name, ignoresCase ? undefined : (own[0] ?? null), isSame)) return undefined;
  const what = `is ${stringifyJson(own[0] ?? null)}, which an item of ${scope.collection} has already`;
  return fieldProblem('key_taken', [...plan.input.path, name].reduce(joinPointer, ''), what);
}

function isTaken(
  { resource, scope: { collection }, draft }: BehaviourContext,
  name: string,
  value: JsonValue | undefined,
  isSame: (other: Item) => boolean,
): boolean {
  const toSortValue = resource.sortValues(name);
  const all = draft.collection(collection);
  const others = value === undefined ? all.byKey() : all.where(name, [toSortValue(value)], toSortValue);
  return [...others].some((other) => {
    const key = keyOf(resource, other);
    return key !== undefined && isSame(other) && !draft.isUnchangedSeed(collection, key);
  });
}

/** Does to what refers to an item that is removed what the words of the removal say, unless they say that it keeps that item. */
export function settleReferrers({ draft, resources, rules, plan }: BehaviourContext, key: Key): Problem | undefined {
  const store = new DraftRuleStore(draft, resources);
  const all = plan.binding.said.referrers.flatMap(({ from, property = '', effect, state }) => {
    const isRuled = rules?.references?.some(({ collection, member }) => collection === from && member === property);
    const resource = property === '' || isRuled === true ? undefined : resources.get(from);
    if (resource === undefined) return [];
    const isMeant = (item: Item): boolean =>
      state === undefined || state.among.some((each) => each === ownProperty(item, state.property));
    return store.collections(from).flatMap((collection) =>
      store
        .find(collection, property, key)
        .filter(isMeant)
        .map((item) => ({ collection, key: keyOf(resource, item), property, effect, state })),
    );
  });
  const kept = all.find(({ effect }) => effect === 'keep');
  if (kept !== undefined) {
    const message = `An item of ${kept.collection} still refers to ${stringifyJson(key)} through ${kept.property}`;
    return problem('still_referenced', message);
  }
  for (const { collection, key: own, effect, state } of all)
    if (effect === 'remove') store.remove(collection, own);
    else if (state?.to !== undefined) store.update(collection, own, { [state.property]: state.to });
  return undefined;
}

/** Changes the numbers of what an item names as the words of the operation say, unless there is not enough. */
export function changeAmounts(
  { draft, resources, scope, plan }: BehaviourContext,
  item: ItemDraft,
): Problem | undefined {
  for (const { of, property, sign, by, refusal } of plan.binding.said.amounts) {
    const other = resources.get(of);
    if (other === undefined || other.scope.length > scope.values.length) continue;
    const collection = referredCollection({ to: of }, resources, scope.values);
    const [named] = Object.values(item).flatMap((value) => {
      const key = typeof value === 'string' ? other.toKey(value) : undefined;
      const found = key === undefined ? undefined : draft.get(collection, key);
      return key === undefined || found === undefined ? [] : [{ key, found }];
    });
    const before = Number(named === undefined ? Number.NaN : ownProperty(named.found, property));
    const after = before + sign * (by === undefined ? 1 : Number(ownProperty(item, by)));
    if (after < 0 && refusal !== undefined)
      return problem(
        refusal === 409 ? 'conflict' : 'unknown_reference',
        `There is not enough: ${property} is ${before}`,
      );
    if (named !== undefined && after >= 0) draft.put(collection, named.key, { ...named.found, [property]: after });
  }
  return undefined;
}
