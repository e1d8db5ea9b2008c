import { memberOf, setMember } from '../../json/member';
import { problem, type Problem } from '../../checks/problem';
import { isJsonObject, type JsonValue } from '../../json/json-value';
import { joinPointer } from '../../json/json-pointer';
import { scalarText } from '../../json/scalar-text';
import { stringifyJson } from '../../json/stringify-json';
import { foldedName } from '../../resources/inflection';
import { refused, type Outcome } from '../call';
import type { Item, ItemDraft } from '../item';
import type { Key } from '../order';
import { keyOf } from '../resource';
import { applyRule, isRuled } from './apply-rule';
import { setCompanions } from './companions';
import { showHolders } from './holders';
import { checkReferences, resolveEmbedded } from './references';
import { keyBeginning, shownKey } from '../shown-key';
import { takeFile } from './take-file';
import { putThere } from './places';
import { noteLeftOut, settleWhole } from './settle';
import type { Task } from './task';
import { tellUnkept } from './tell-unkept';

/** Stores a new item, under a key that the service assigns unless the client may choose it. */
export function create(task: Task): Outcome {
  const sent = task.plan.input.sent(task.call);
  const { many } = task.plan;
  if (many !== undefined && Array.isArray(sent)) return createEach({ ...task, plan: many });
  if (task.plan.binding.relatesBy !== undefined) return putThere(task, task.plan.binding.relatesBy);
  const stored = createOne(task, sent, undefined);
  if (stored.kind === 'bad') return refused(stored.problem);
  return { kind: 'created', scope: task.scope, item: stored.item };
}

/** The same of a list; where an answer has no list, it tells of the first. */
function createEach(task: Task): Outcome {
  const outcome = createMany(task);
  const [first] = outcome.kind === 'many' && task.plan.binding.response === undefined ? outcome.items : [];
  return first === undefined ? outcome : { kind: 'created', scope: task.scope, item: first };
}

/** Stores every item of a list, or none. */
export function createMany(task: Task): Outcome {
  const sent = task.plan.input.sent(task.call);
  const items: Item[] = [];
  for (const [index, each] of (Array.isArray(sent) ? sent : []).entries()) {
    const stored = createOne(task, each, undefined);
    if (stored.kind === 'bad') return refused(inList(stored.problem, index));
    items.push(stored.item);
  }
  return { kind: 'many', items };
}

export type Stored =
  { readonly kind: 'stored'; readonly item: Item } | { readonly kind: 'bad'; readonly problem: Problem };

/**
 * @param sent - the item as it was sent
 * @param wanted - the key, where the path of the request names it
 */
export function createOne(task: Task, sent: JsonValue | undefined, wanted: Key | undefined): Stored {
  const taken = wanted === undefined ? takenBy(task, sent) : undefined;
  return taken === undefined ? createFrom(task, sent, undefined, wanted) : createFrom(task, sent, ...taken);
}

/** The key that was chosen where an item has it that gives way, and what stays of that item. */
function takenBy(task: Task, sent: JsonValue | undefined): [ground: Item | undefined, key: Key] | undefined {
  const { call, plan, scope, draft } = task;
  const { askedWhenTaken, foundBy } = plan.binding;
  const asked = askedWhenTaken && call.parameters.query.get(askedWhenTaken.parameter);
  const whenTaken = asked === undefined ? plan.binding.whenTaken : askedWhenTaken?.values.get(scalarText(asked));
  if (whenTaken === undefined || !isJsonObject(sent)) return undefined;
  const key = foundBy === undefined ? chosenIn(task, sent) : keyWith(task, foundBy, memberOf(sent, foundBy));
  const before = key === undefined ? undefined : draft.get(scope.collection, key);
  if (key === undefined || before === undefined) return undefined;
  return [whenTaken === 'update' ? before : undefined, key];
}

function chosenIn(task: Task, sent: Item): Key | undefined {
  return task.resource.key.isClientChosen ? keyChosen(task, sent) : undefined;
}

/** The key of the item whose member has the value. */
function keyWith({ resource, draft, scope }: Task, member: string, value: JsonValue | undefined): Key | undefined {
  if (value === undefined || value === null) return undefined;
  const toSortValue = resource.sortValues(member);
  const [item] = draft.collection(scope.collection).where(member, [toSortValue(value)], toSortValue, {});
  return item === undefined ? undefined : keyOf(resource, item);
}

/**
 * The same on the ground of another item.
 *
 * @param ground - members that the new item has where nothing else was sent
 */
export function createFrom(task: Task, sent: JsonValue | undefined, ground: Item | undefined, wanted?: Key): Stored {
  const { call, plan, resource, scope, draft } = task;
  const written = plan.input.writable(call, sent);
  const input = ground === undefined ? written : { ...ground, ...written };
  const unknown = checkReferences(task, input, undefined);
  if (unknown !== undefined) return { kind: 'bad', problem: unknown };
  const key = wanted ?? chooseKey(task, sent);
  if (typeof key === 'object') return { kind: 'bad', problem: key };
  const item: ItemDraft = { ...input };
  if (resource.kind === 'collection') setMember(item, resource.keyMember, keyAsSent(task, sent, key));
  for (const { member, value } of scope.members) setMember(item, member, value);
  showPlace(task, item);
  plan.input.addDefaults(call, item);
  takeFile(task, item, undefined);
  plan.making.addDefaults(item);
  setCompanions(task, item, input);
  resolveEmbedded(task, item);
  const refusal = applyRule(task, { item, before: undefined, input });
  if (refusal !== undefined) return { kind: 'bad', problem: refusal };
  // A rule says itself what a new item is like.
  const made = isRuled(task) ? [] : plan.making.complete(item, task.nowMs);
  showHolders(task, item);
  const settled = settleWhole(task, item, input, undefined, made);
  if (settled.kind === 'bad') return settled;
  const stored = draft.put(scope.collection, key, settled.item);
  tellUnkept(task, sent, stored);
  return { kind: 'stored', item: stored };
}

/** Where nothing is declared of the key, an item shows it as it was sent: the number 7, which its path writes as a text. */
function keyAsSent({ resource }: Task, sent: JsonValue | undefined, key: Key): JsonValue {
  const { keyMember, properties } = resource;
  const own = isJsonObject(sent) && !properties.has(keyMember) ? memberOf(sent, keyMember) : undefined;
  return own !== undefined && resource.toKey(own) === key ? own : key;
}

/** An item that is made below another one shows that one where items show what they belong to. */
function showPlace({ scope }: Task, item: ItemDraft): void {
  for (const { value, shownIn } of scope.restrictions) {
    if (shownIn === undefined || memberOf(item, shownIn.member) !== undefined) continue;
    const shown = { [shownIn.key]: value };
    setMember(item, shownIn.member, shownIn.isList ? [shown] : shown);
  }
}

/** The key that the client chose where it may and items can have it, else the next one. Keys are never given out twice. */
function chooseKey(task: Task, sent: JsonValue | undefined): Key | Problem {
  const { call, plan, resource, scope, draft, idStart } = task;
  const { key } = resource;
  const { keys } = plan.making;
  const own = key.isClientChosen && isJsonObject(sent) ? sent : {};
  const chosen = keyChosen(task, own);
  const refusal = chosen === undefined ? undefined : keys.refusal(chosen);
  const pointer = [...plan.input.path, ...placeOfKey(resource)].reduce(joinPointer, '');
  if (refusal !== undefined) {
    const message = `The field ${pointer} ${refusal}, as every item of ${resource.path} is read`;
    const fault = problem('invalid_result', message, { pointer });
    if (call.isStrict) return fault;
    noteLeftOut(task, fault, [`${pointer} ${refusal}`]);
  }
  if (chosen === undefined || refusal !== undefined) {
    const next = keys.take(scope.collection, draft, idStart, keyBeginning(own, key));
    return next ?? problem('id_space_exhausted', `${scope.collection} has given out its last key`);
  }
  if (draft.get(scope.collection, chosen) === undefined || makesRoom(task, chosen)) return chosen;
  const message = `The field ${pointer} names ${stringifyJson(chosen)}, which an item of ${scope.collection} has already`;
  return problem('key_taken', message, { pointer });
}

/** Members that lead to the key that a client chose. */
function placeOfKey({ key, keyMember }: Task['resource']): readonly string[] {
  return key.shownAt.length > 0 ? key.shownAt : [key.chosenAs ?? keyMember];
}

/** An example in the description uses the names that its readers choose as well: a row that nobody sent gives way. */
function makesRoom({ call, draft, scope }: Task, key: Key): boolean {
  const { collection } = scope;
  if (!draft.isAsBegun(collection, key)) return false;
  const message = `The new item takes the place of one that ${collection} began with, by an example or made up, and that has its key`;
  if (!call.warnings.allows('key_of_seed', message)) return false;
  draft.fell(collection, key);
  return true;
}

function keyChosen(task: Task, own: Item): Key | undefined {
  const { keyMember, key } = task.resource;
  if (key.chosenAs !== undefined) return task.resource.toKey(memberOf(own, key.chosenAs));
  return task.resource.toKey(memberOf(own, keyMember) ?? shownKey(own, key) ?? keyInQuery(task));
}

/**
 * `POST /objects?name=a` with the octets of one as its body; and, where items show no key of their own,
 * `POST /projects/a/secrets?secretId=b`.
 */
function keyInQuery({ call, resource }: Task): JsonValue | undefined {
  if (resource.key.isClientChosen) return call.parameters.query.get(resource.keyMember);
  if (!resource.key.isHidden) return undefined;
  const noun = foldedName(resource.name);
  const named = [...call.parameters.query].find(([name]) => foldedName(name) === `${noun}id`);
  return named?.[1];
}

function inList(fault: Problem, index: number): Problem {
  return { ...fault, message: `Item ${index}: ${fault.message}`, pointer: `/${index}${fault.pointer ?? ''}` };
}
