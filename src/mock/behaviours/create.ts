import { fieldProblem, problem, type Problem } from '../../core/http/problem';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { scalarText, stringifyJson } from '../../core/json/stringify-json';
import { foldedName } from '../../core/text/inflection';
import type { Key } from '../../lists/sort-values';
import { type Outcome, rejected } from '../calls/call';
import { isRequestable } from '../fitting/key-generator';
import { findResponse } from '../../openapi/view/responses';
import { storeUpload } from '../effects/uploads';
import type { BehaviourContext } from '../plans/operation-plan';
import { type Item, type ItemDraft, keyBeginning, shownKey, valueAt } from '../state/item';
import { keepHiddenLinks, linkBack } from '../state/linkage';
import { findItem } from '../state/item-lookup';
import { isRooted, keyOf, keyOfProperty, type Resource } from '../state/prepared-resource';
import { addToParent, checkReferences, resolveEmbedded, setParentObjects } from './related-items';
import { applyRule, isRuled } from './rule-calls';
import { changeAmounts, checkUnique } from './said-rules';
import { validateWholeItem, warnLeftOut } from './stored-item';
import { warnIgnoredProperties } from './preconditions';

/**
 * Sets the key of what was sent where items show both, `projectId` beside `project`: of the item that a key or a name
 * finds, else what was sent. The object is that of the same item.
 *
 * @param sent - properties that came from the client
 */
function setKeyProperties(task: BehaviourContext, item: ItemDraft, sent: Item): void {
  const { properties } = task.resource;
  for (const [name, value] of Object.entries(sent)) {
    const companion = properties.get(`${name}Id`) ?? properties.get(`${name}_id`);
    if (companion !== undefined && ownProperty(item, companion.name) === undefined)
      setKeyProperty(task, item, companion.name, name, value);
  }
}

function setKeyProperty(
  task: BehaviourContext,
  item: ItemDraft,
  companion: string,
  name: string,
  value: JsonValue,
): void {
  const { draft, plan, resource } = task;
  const sent = keySent(value);
  if (sent === undefined) return;
  const other = referredBy(task, companion);
  const key = other === undefined ? undefined : findItem(other, other.path, sent, draft)?.key;
  const shown = keyOfProperty(resource, companion, key ?? sent);
  if (plan.serverValues.accepts(companion, shown)) setProperty(item, companion, shown);
  // Where items hold the object, a name is not a key of it.
  if (key !== undefined && !isJsonObject(value) && !plan.serverValues.accepts(name, key)) setProperty(item, name, key);
}

function keySent(value: JsonValue | undefined): Key | undefined {
  const key = isJsonObject(value) ? ownProperty(value, 'id') : value;
  return typeof key === 'string' || typeof key === 'number' || typeof key === 'bigint' ? key : undefined;
}

function referredBy({ resource, resources }: BehaviourContext, property: string): Resource | undefined {
  const reference = resource.references.find((each) => each.property === property && each.form === 'key');
  const other = reference === undefined ? undefined : resources.get(reference.to);
  return other !== undefined && isRooted(other) ? other : undefined;
}

/** Stores a new item, under a key that the service assigns unless the client may choose it. */
export function create(task: BehaviourContext): Outcome {
  const sent = task.plan.input.sent(task.call);
  const { many } = task.plan;
  if (many !== undefined && Array.isArray(sent)) return createEach({ ...task, plan: many });
  const { linkedBy } = task.plan.binding;
  // A body that names nothing asks for a new one.
  const isNamed = linkedBy !== undefined && isJsonObject(sent) && ownProperty(sent, linkedBy) !== undefined;
  if (isNamed) return addToParent(task, linkedBy);
  return createdOutcome(task, createOne(task, sent, undefined));
}

export function createdOutcome({ scope }: BehaviourContext, stored: Stored): Outcome {
  if (stored.kind === 'rejected') return rejected(stored.problem);
  return { kind: stored.isChange ? 'changed' : 'created', scope, item: stored.item };
}

/** The same of a list; where a response has no list, it tells of the first. */
function createEach(task: BehaviourContext): Outcome {
  const outcome = createMany(task);
  const [first] = outcome.kind === 'many' && task.plan.binding.response === undefined ? outcome.items : [];
  return first === undefined ? outcome : { kind: 'created', scope: task.scope, item: first };
}

export function createMany(task: BehaviourContext): Outcome {
  const sent = task.plan.input.sent(task.call);
  const items: Item[] = [];
  for (const [index, each] of (Array.isArray(sent) ? sent : []).entries()) {
    const stored = createOne(task, each, undefined);
    if (stored.kind === 'rejected') return rejected(inList(stored.problem, [], index));
    items.push(stored.item);
  }
  return { kind: 'many', items };
}

type Stored =
  /** `isChange`: the item was there before, and what was not sent of it stays. */
  | { readonly kind: 'stored'; readonly item: Item; readonly isChange: boolean }
  | { readonly kind: 'rejected'; readonly problem: Problem };

/**
 * @param sent - the item as it was sent
 * @param wanted - the key, where the path of the request names it
 */
function createOne(task: BehaviourContext, sent: JsonValue | undefined, wanted: Key | undefined): Stored {
  const taken = wanted === undefined ? overwrittenBy(task, sent) : undefined;
  return taken === undefined ? createFrom(task, sent, undefined, wanted) : createFrom(task, sent, ...taken);
}

/** The key that was chosen where an item has it that gives way, and what stays of that item. */
function overwrittenBy(
  task: BehaviourContext,
  sent: JsonValue | undefined,
): [ground: Item | undefined, key: Key] | undefined {
  const { call, plan, scope, draft } = task;
  const { requestedOnExisting, foundBy } = plan.binding;
  const asked = requestedOnExisting && call.parameters.query.get(requestedOnExisting.parameter);
  const whenTaken = asked === undefined ? plan.binding.onExisting : requestedOnExisting?.values.get(scalarText(asked));
  if (whenTaken === undefined || !isJsonObject(sent)) return undefined;
  const key = foundBy.length === 0 ? chosenIn(task, sent) : keyFound(task, foundBy, sent);
  const before = key === undefined ? undefined : draft.get(scope.collection, key);
  if (key === undefined || before === undefined) return undefined;
  return [whenTaken === 'update' ? before : undefined, key];
}

/** Of the item that has the key which was sent, else the same value in one of the properties. */
function keyFound(task: BehaviourContext, properties: readonly string[], sent: Item): Key | undefined {
  const { resource, draft, scope } = task;
  const own = resource.toKey(ownProperty(sent, resource.keyMember));
  if (own !== undefined && draft.get(scope.collection, own) !== undefined) return own;
  return properties.map((each) => keyWith(task, each, valueAt(sent, each))).find((each) => each !== undefined);
}

function chosenIn(task: BehaviourContext, sent: Item): Key | undefined {
  return task.resource.key.isClientChosen ? keyChosen(task, sent) : undefined;
}

function keyWith(
  { resource, draft, scope }: BehaviourContext,
  property: string,
  value: JsonValue | undefined,
): Key | undefined {
  if (value === undefined || value === null) return undefined;
  const toSortValue = resource.sortValues(property);
  const [item] = draft.collection(scope.collection).where(property, [toSortValue(value)], toSortValue, {});
  return item === undefined ? undefined : keyOf(resource, item);
}

/**
 * The same on the ground of another item.
 *
 * @param ground - properties that the new item has where nothing else was sent
 */
export function createFrom(
  task: BehaviourContext,
  sent: JsonValue | undefined,
  ground: Item | undefined,
  wanted?: Key,
): Stored {
  const { call, plan, resource, scope, draft } = task;
  const written = plan.input.writable(call, sent);
  const input = withChanges(resource, ground, written);
  const unknown = checkReferences(task, input, undefined);
  if (unknown !== undefined) return { kind: 'rejected', problem: unknown };
  const key = wanted ?? chooseKey(task, sent);
  if (typeof key === 'object') return { kind: 'rejected', problem: key };
  const item: ItemDraft = { ...input };
  if (resource.kind === 'collection') setProperty(item, resource.keyMember, keyAsSent(task, sent, key));
  for (const { member: property, value } of scope.members) setProperty(item, property, value);
  keepHiddenLinks(resource, sent, item);
  setParentReferences(task, item);
  plan.input.addDefaults(call, item);
  storeUpload(task, item, undefined);
  plan.serverValues.addDefaults(item);
  setKeyProperties(task, item, input);
  resolveEmbedded(task, item);
  const rejection =
    applyRule(task, { item, before: undefined, input }) ??
    checkUnique(task, item, undefined) ??
    changeAmounts(task, item);
  if (rejection !== undefined) return { kind: 'rejected', problem: rejection };
  // A rule says itself what a new item is like.
  const made = isRuled(task) ? [] : plan.serverValues.complete(item, task.nowMs);
  setParentObjects(task, item);
  const settled = validateWholeItem(task, item, input, undefined, made);
  if (settled.kind === 'rejected') return settled;
  const before = draft.get(scope.collection, key);
  const stored = draft.put(scope.collection, key, settled.item);
  linkBack(task, resource, key, before, stored);
  warnIgnoredProperties(task, sent, stored);
  return { kind: 'stored', item: stored, isChange: (ground && before) !== undefined };
}

/** What was sent of a resource object leaves the rest of its parts as it is. */
function withChanges({ attributes }: Resource, ground: Item | undefined, written: Item): Item {
  if (ground === undefined) return written;
  const parts = attributes.size === 0 ? [] : ['attributes', 'relationships'];
  const merged = parts.flatMap((part): [string, JsonValue][] => {
    const [old, sent] = [ownProperty(ground, part), ownProperty(written, part)];
    return isJsonObject(old) && isJsonObject(sent) ? [[part, { ...old, ...sent }]] : [];
  });
  return { ...ground, ...written, ...Object.fromEntries(merged) };
}

/** Where nothing is declared of the key, an item shows it as it was sent: the number 7, which its path writes as a text. */
function keyAsSent({ resource }: BehaviourContext, sent: JsonValue | undefined, key: Key): JsonValue {
  const { keyMember: keyProperty, properties } = resource;
  const own = isJsonObject(sent) && !properties.has(keyProperty) ? ownProperty(sent, keyProperty) : undefined;
  return own !== undefined && resource.toKey(own) === key ? own : key;
}

/** An item that is made below another one shows that one where items show what they belong to. */
function setParentReferences({ scope }: BehaviourContext, item: ItemDraft): void {
  for (const { value, shownIn } of scope.restrictions) {
    if (shownIn === undefined || ownProperty(item, shownIn.member) !== undefined) continue;
    const shown = { [shownIn.key]: value };
    setProperty(item, shownIn.member, shownIn.isList ? [shown] : shown);
  }
}

/** The key that the client chose where it may and items can have it, else the next one. Keys are never given out twice. */
function chooseKey(task: BehaviourContext, sent: JsonValue | undefined): Key | Problem {
  const { call, plan, resource, scope, draft, idStart } = task;
  const { key } = resource;
  const { keys } = plan.serverValues;
  const own = key.isClientChosen && isJsonObject(sent) ? sent : {};
  const chosen = keyChosen(task, own) ?? composedKey(task, sent);
  const rejection = chosen === undefined ? undefined : keys.rejectionReason(chosen);
  const pointer = [...plan.input.path, ...placeOfKey(resource)].reduce(joinPointer, '');
  if (rejection !== undefined) {
    const fault = fieldProblem('invalid_result', pointer, `${rejection}, as every item of ${resource.path} is read`);
    if (call.isStrict) return fault;
    warnLeftOut(task, fault, [{ place: pointer, text: `${pointer} ${rejection}` }]);
  }
  if (chosen === undefined || rejection !== undefined) {
    const next = keys.take(scope.collection, draft, idStart, keyBeginning(own, key));
    return next !== undefined && isFree(task, next)
      ? next
      : problem('id_space_exhausted', `${scope.collection} has given out its last key`);
  }
  if (isFree(task, chosen)) return chosen;
  const what = `names ${stringifyJson(chosen)}, which an item of ${scope.collection} has already`;
  return fieldProblem('key_taken', pointer, what);
}

/** The key that follows from what was sent; where an item has it already and no refusal is documented, none does. */
function composedKey({ call, resource, scope, draft }: BehaviourContext, sent: JsonValue | undefined): Key | undefined {
  const parts = isJsonObject(sent) ? (resource.keyParts() ?? []) : [];
  const texts = parts.map((part) => {
    const value = 'text' in part ? part.text : isJsonObject(sent) ? valueAt(sent, part.property) : undefined;
    return value === undefined || value === null || typeof value === 'object' ? undefined : scalarText(value);
  });
  const key = texts.length === 0 || texts.includes(undefined) ? undefined : resource.toKey(texts.join(''));
  const isUsable = key !== undefined && key !== '' && isRequestable(resource, key);
  const isRefused = [409, 422, 400].some((status) => findResponse(call.operation, status) !== undefined);
  return isUsable && (isRefused || draft.get(scope.collection, key) === undefined) ? key : undefined;
}

/** Properties that lead to the key that a client chose. */
function placeOfKey({ key, keyMember: keyProperty }: BehaviourContext['resource']): readonly string[] {
  return key.propertyPath.length > 0 ? key.propertyPath : [key.requestName ?? keyProperty];
}

/** Has no item a key, or one that nobody sent and that gives way? */
export function isFree(task: BehaviourContext, key: Key): boolean {
  return task.draft.get(task.scope.collection, key) === undefined || replacesSeedItem(task, key);
}

/** An example in the description uses the names that its readers choose as well: an item that nobody sent gives way. */
function replacesSeedItem({ call, draft, scope }: BehaviourContext, key: Key): boolean {
  const { collection } = scope;
  if (!draft.isUnchangedSeed(collection, key)) return false;
  if (!call.warnings.allows('key_of_seed', collection)) return false;
  draft.deleteWithSeededDescendants(collection, key);
  return true;
}

function keyChosen(task: BehaviourContext, own: Item): Key | undefined {
  const { keyMember: keyProperty, key } = task.resource;
  if (key.requestName !== undefined) {
    const { body } = task.call;
    const beside = isJsonObject(body) ? ownProperty(body, key.requestName) : undefined;
    return task.resource.toKey(ownProperty(own, key.requestName) ?? beside);
  }
  return task.resource.toKey(ownProperty(own, keyProperty) ?? shownKey(own, key) ?? keyInQuery(task));
}

/**
 * `POST /objects?name=a` with the bytes of one as its body; and, where items show no key of their own,
 * `POST /projects/a/secrets?secretId=b`.
 */
function keyInQuery({ call, resource }: BehaviourContext): JsonValue | undefined {
  if (resource.key.isClientChosen) return call.parameters.query.get(resource.keyMember);
  if (!resource.key.isHidden) return undefined;
  const noun = foldedName(resource.name);
  const named = [...call.parameters.query].find(([name]) => foldedName(name) === `${noun}id`);
  return named?.[1];
}

/** The fault of one entry of a list, at its place in the body. */
export function inList(fault: Problem, path: readonly string[], index: number): Problem {
  const place = [...path, String(index)].reduce(joinPointer, '');
  return { ...fault, message: `Item ${index}: ${fault.message}`, pointer: `${place}${fault.pointer ?? ''}` };
}
