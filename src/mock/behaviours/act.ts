import { isJsonObject, type JsonValue, ownProperty, pickProperties, setProperty } from '../../core/json/json-value';
import { mergePatch } from '../../core/json/json-patches';
import { scalarText } from '../../core/json/stringify-json';
import type { Property } from '../../openapi/model/operation';
import type { Action } from '../../resources/model/binding';
import { isStateName } from '../../openapi/naming/states';
import { namesKind } from '../fitting/new-item-hints';
import { effectOf } from '../../resources/actions/verb-effects';
import { rejected, type Outcome } from '../calls/call';
import type { Item, ItemDraft } from '../state/item';
import { applyRule } from './rule-calls';
import { createdOutcome, createFrom } from './create';
import { checkNewKey, newKeySent } from './new-keys';
import { checkIfMatch, warnIgnoredProperties } from './preconditions';
import { checkReferences } from './related-items';
import { changeAmounts } from './said-rules';
import { storeChange } from './stored-item';
import { storeUpload } from '../effects/uploads';
import { findTarget } from './item-selection';
import type { BehaviourContext } from '../plans/operation-plan';

/** `POST /things/{id}/verb`: the verb sets a property, the body changes others; else the item is answered as it is. */
export function act(task: BehaviourContext): Outcome {
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const { key, item: before } = target;
  const { action } = task.plan.binding;
  const sent = sentTo(task);
  if (action?.creates !== undefined) return makeAnother(task, before, sent, action.creates);
  const item: ItemDraft = { ...before };
  storeUpload(task, item, before);
  const kinds = kindsOfMessage(task, before);
  const newKey = action?.verb === 'rename' ? newKeySent(task, sent, key) : {};
  Object.assign(item, newKey);
  const input = { ...mergeBody(task, without(sent, kinds), before, item), ...newKey };
  const named = setNamedStates(task, sent, item);
  if (action !== undefined) applyEffect(task, action, item);
  const rejection =
    checkIfMatch(task, before) ??
    checkNewKey(task, item, key) ??
    checkReferences(task, item, before) ??
    applyRule(task, { item, before, input });
  if (rejection !== undefined) return rejected(rejection);
  const changed = storeChange(task, key, before, item, input);
  if (changed.kind === 'changed') {
    changeAmounts(task, changed.item);
    const shown = pickProperties(changed.item, (name) => !kinds.includes(name));
    warnIgnoredProperties(task, without(sent, named), shown);
  }
  return changed;
}

function sentTo({ call, plan }: BehaviourContext): JsonValue | undefined {
  return plan.binding.action?.mergesBody === true ? plan.input.sent(call) : undefined;
}

/** The body of an action is not an item: what items do not declare is about the action. */
function mergeBody(
  { call, plan, resource }: BehaviourContext,
  sent: JsonValue | undefined,
  before: Item,
  item: ItemDraft,
): Item {
  const isDeclared = (name: string): boolean => resource.properties.size === 0 || resource.properties.has(name);
  const input = Object.entries(plan.input.writable(call, sent)).filter(([name]) => isDeclared(name));
  for (const [name, value] of input) setProperty(item, name, mergePatch(ownProperty(before, name), value));
  return Object.fromEntries(input);
}

/** Properties that say of what kind a message is, in words of which none is the kind of the item: `type: admin`. */
function kindsOfMessage({ call, plan, resource }: BehaviourContext, before: Item): string[] {
  return [...plan.input.properties(call).values()].flatMap(({ name, schema: { enum: words } }) => {
    const own = resource.properties.get(name)?.schema;
    const kind = ownProperty(before, name) ?? own?.['const'] ?? own?.['example'];
    const isOther = Array.isArray(words) && typeof kind === 'string' && !words.includes(kind);
    return isOther && namesKind(name) ? [name] : [];
  });
}

/** What an action makes of an item, whatever was sent. */
export function applyEffect(
  { plan, nowMs }: BehaviourContext,
  { assignments, timestamps }: Action,
  item: ItemDraft,
): void {
  for (const member of timestamps) plan.serverValues.setTimestamp(item, member, nowMs);
  for (const { property, value, isMerged } of assignments)
    if (value === null && !plan.serverValues.accepts(property, null)) setProperty(item, property, undefined);
    else setProperty(item, property, isMerged === true ? mergePatch(ownProperty(item, property), value) : value);
}

/** Does a change say in its query that it brings the item back? Then that is what it does, beside what it sends. */
export function bringItemBack(task: BehaviourContext): Outcome | undefined {
  const { call, plan } = task;
  const { bringsBack } = plan.binding;
  if (bringsBack === undefined || !isFlagSet(call, bringsBack.parameter)) return undefined;
  return act({ ...task, plan: { ...plan, binding: { ...plan.binding, action: bringsBack.action } } });
}

/** Is a flag of the query true, or a text that says so? */
export function isFlagSet({ parameters }: BehaviourContext['call'], name: string): boolean {
  return ['true', '1'].includes(scalarText(parameters.query.get(name) ?? null));
}

/** A copy has what the item has, but for what only the service sets; another one has what was sent. Both lie beside it. */
function makeAnother(
  task: BehaviourContext,
  before: Item,
  sent: JsonValue | undefined,
  makes: 'copy' | 'other',
): Outcome {
  const { plan, resource } = task;
  const own = (name: string): boolean =>
    name === resource.keyMember ||
    resource.properties.get(name)?.readOnly === true ||
    plan.serverValues.isServerSet(name);
  const ground = makes === 'copy' ? pickProperties(before, (name) => !own(name)) : {};
  return createdOutcome(task, createFrom(task, sent, ground));
}

/** Names under which the body of an action says where it leads. */
const TO_STATE =
  /^(?:to|target|new|next|desired)?[_-]?(?:state|status|to|phase|stage|transition|action|event|target|(?:message|action|event|command)[_-]?type)?$/i;

/**
 * Sets a state that is sent under a name that items do not have: `{ "to": "DONE" }`, `{ "action": "close" }`.
 *
 * @returns the names under which one was sent
 */
function setNamedStates(
  { call, plan, resource }: BehaviourContext,
  sent: JsonValue | undefined,
  item: ItemDraft,
): string[] {
  if (!isJsonObject(sent)) return [];
  return Object.entries(sent).flatMap(([name, value]) => {
    const isOther = !resource.properties.has(plan.input.nameInItem(call, name));
    if (!isOther || typeof value !== 'string' || !TO_STATE.test(name)) return [];
    const found = stateNamed(value, resource.properties);
    if (found === undefined) return [];
    setProperty(item, found.property, found.value);
    return [name];
  });
}

function stateNamed(
  word: string,
  properties: ReadonlyMap<string, Property>,
): { readonly property: string; readonly value: JsonValue } | undefined {
  for (const { name, schema } of properties.values()) {
    const words: JsonValue | undefined = schema['enum'];
    const value = Array.isArray(words) && isStateName(name) ? words.find((each) => isSame(each, word)) : undefined;
    if (value !== undefined) return { property: name, value };
  }
  return effectOf(word, properties);
}

function isSame(value: JsonValue, word: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === word.toLowerCase();
}

function without(sent: JsonValue | undefined, names: readonly string[]): JsonValue | undefined {
  if (names.length === 0 || !isJsonObject(sent)) return sent;
  return pickProperties(sent, (name) => !names.includes(name));
}
