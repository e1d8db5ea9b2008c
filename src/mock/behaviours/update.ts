import { MAX_BODY_DEPTH } from '../../checks/request/body-validation';
import { parseMediaType } from '../../core/http/media-type';
import { fieldProblem, problem, type Problem } from '../../core/http/problem';
import { applyJsonPatch, mergePatch } from '../../core/json/json-patches';
import { joinPointer } from '../../core/json/json-pointer';
import {
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  setProperty,
} from '../../core/json/json-value';
import type { Key } from '../../lists/sort-values';
import { extentOf, type JsonExtent } from '../../core/json/patched-document';
import type { Property } from '../../openapi/model/operation';
import { type Outcome, rejected } from '../calls/call';
import { storeUpload } from '../effects/uploads';
import type { BehaviourContext } from '../plans/operation-plan';
import type { Item, ItemDraft } from '../state/item';
import { visible } from '../state/item-representation';
import { keepHiddenLinks } from '../state/linkage';
import { findTarget } from './item-selection';
import { checkReferences, setParentObjects } from './related-items';
import { applyRule } from './rule-calls';
import { checkUnique } from './said-rules';
import { storeChange } from './stored-item';
import { checkNewKey, checkSameKey, newKeySent } from './new-keys';
import { checkIfMatch, warnIgnoredProperties } from './preconditions';

/** What a PATCH asks for, whatever language it is written in. */
type Patch =
  | {
      readonly kind: 'patch';
      /** New values by property; `undefined` for one that goes. */
      readonly changes: ItemDraft;
      /** The properties that the client set, as it sent them. */
      readonly input: Item;
      readonly fault: Problem | undefined;
    }
  | { readonly kind: 'rejected'; readonly problem: Problem };

/**
 * Reads the body of a PATCH by its media type: JSON Patch (RFC 6902), JSON Merge Patch (RFC 7396), and plain JSON as a
 * merge patch in which a property that may be `null` becomes `null`; a list of operations, which no merge patch of an item
 * is, as the JSON Patch that it is.
 */
function readPatch(task: BehaviourContext, key: Key, before: Item): Patch {
  const essence = parseMediaType(task.call.mediaType ?? '')?.essence;
  if (essence === 'application/json-patch+json' || hasOperations(task.call.body)) return readJsonPatch(task, before);
  return readMergePatch(task, key, before, essence === 'application/merge-patch+json');
}

function hasOperations(body: JsonValue | undefined): boolean {
  const isOperation = (each: JsonValue): boolean =>
    isJsonObject(each) && typeof each['op'] === 'string' && typeof each['path'] === 'string';
  return Array.isArray(body) && body.length > 0 && body.every(isOperation);
}

function readMergePatch(task: BehaviourContext, key: Key, before: Item, isStandard: boolean): Patch {
  const { call, plan, resource } = task;
  const sent = plan.input.sent(call);
  const input = { ...plan.input.writable(call, sent), ...newKeySent(task, sent, key) };
  const changes: ItemDraft = {};
  for (const [name, value] of Object.entries(input)) {
    const property = resource.properties.get(name);
    if (value !== null) setDraft(changes, name, mergePatch(ownProperty(before, name), value));
    else
      setDraft(
        changes,
        name,
        staysNull(property, isStandard) && plan.serverValues.accepts(name, null) ? null : undefined,
      );
  }
  const tooLarge = checkExtent(task, before, changes);
  if (tooLarge !== undefined) return { kind: 'rejected', problem: tooLarge };
  const locked = [...resource.properties.values()].filter(
    ({ name, readOnly }) => readOnly && !plan.input.maySet(call, name),
  );
  const fault = checkReadOnly(plan.input.path, locked, sent, before);
  return { kind: 'patch', changes, input, fault };
}

/** A property that every item has, and that may be null, becomes null even where the standard would remove it. */
function staysNull(property: Property | undefined, isStandard: boolean): boolean {
  if (property === undefined) return !isStandard;
  const { type, nullable } = property.schema;
  const isNullable = nullable === true || type === 'null' || (Array.isArray(type) && type.includes('null'));
  return isNullable && (property.required || !isStandard);
}

function setDraft(draft: ItemDraft, name: string, value: JsonValue | undefined): void {
  setProperty(draft, name, value);
}

/** A patch that names a read-only property with its current value changes nothing; with another one it cannot be done. */
function checkReadOnly(
  path: readonly string[],
  locked: readonly Property[],
  body: JsonValue | undefined,
  before: Item,
): Problem | undefined {
  if (!isJsonObject(body)) return undefined;
  for (const { name } of locked) {
    const sent = ownProperty(body, name);
    const current = ownProperty(before, name);
    if (sent === undefined || (current !== undefined && equalJson(sent, current))) continue;
    return immutable([...path, name]);
  }
  return undefined;
}

function immutable(path: readonly string[]): Problem {
  return fieldProblem('immutable_field', path.reduce(joinPointer, ''), 'cannot be changed');
}

const REJECTIONS = { malformed: 'invalid_patch', conflict: 'patch_conflict', 'too-large': 'item_too_large' } as const;

function readJsonPatch(task: BehaviourContext, before: Item): Patch {
  const { call, resource } = task;
  const shown = visible(before, resource);
  const outcome = applyJsonPatch(shown, call.body ?? null, roomFor(task, shown));
  if (outcome.kind !== 'patched') {
    const code = REJECTIONS[outcome.kind];
    const message = `Operation ${outcome.index} of the JSON Patch ${outcome.reason}`;
    return { kind: 'rejected', problem: problem(code, message, { pointer: `/${outcome.index}` }) };
  }
  if (!isJsonObject(outcome.value)) {
    return {
      kind: 'rejected',
      problem: problem('patch_conflict', 'The JSON Patch makes the item something else than an object'),
    };
  }
  const changes = differences(shown, outcome.value);
  const own = Object.keys(changes).find(
    (name) =>
      (name === resource.keyMember && !resource.isNamedByClients) || resource.properties.get(name)?.readOnly === true,
  );
  const fault = own === undefined ? undefined : immutable([own]);
  const set = Object.entries(changes).filter((change): change is [string, JsonValue] => change[1] !== undefined);
  return { kind: 'patch', changes, input: Object.fromEntries(set), fault };
}

/** A patched item may be as large as a body, which could replace it; one that is larger already may stay so. */
function roomFor({ maxItemLength }: BehaviourContext, before: JsonValue): JsonExtent {
  const most = { length: maxItemLength, depth: MAX_BODY_DEPTH };
  if (extentOf(before, most) !== undefined) return most;
  const { length = 0, depth = 0 } = extentOf(before) ?? {};
  return { length: Math.max(length, most.length), depth: Math.max(depth, most.depth) };
}

/** Merge patches add up: each of them is as small as a body may be, what they make of an item need not be. */
function checkExtent(task: BehaviourContext, before: Item, changes: ItemDraft): Problem | undefined {
  const after = Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(
      (property): property is [string, JsonValue] => property[1] !== undefined,
    ),
  );
  if (extentOf(after, { length: task.maxItemLength, depth: MAX_BODY_DEPTH }) !== undefined) return undefined;
  const most = roomFor(task, before);
  if (extentOf(after, most) !== undefined) return undefined;
  return problem(
    'item_too_large',
    `The patch makes the item larger than ${most.length} characters of JSON, or deeper than ${most.depth} levels`,
  );
}

function differences(before: JsonObject, after: JsonObject): ItemDraft {
  const changes: ItemDraft = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const left = ownProperty(before, name);
    const right = ownProperty(after, name);
    if (left === undefined || right === undefined || !equalJson(left, right)) setDraft(changes, name, right);
  }
  return changes;
}

/** PATCH: what was sent changes the item, everything else stays (RFC 5789 §2). All of it happens, or nothing. */
export function update(task: BehaviourContext): Outcome {
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const { call, plan } = task;
  const { key, item: before } = target;
  const patch = readPatch(task, key, before);
  if (patch.kind === 'rejected') return rejected(checkIfMatch(task, before) ?? patch.problem);
  const { input } = patch;
  const item: ItemDraft = { ...before, ...patch.changes };
  keepHiddenLinks(task.resource, plan.input.sent(call), item);
  storeUpload(task, item, before);
  // A PUT may send the whole item back, with what the service says of it.
  const isPut = call.operation.method === 'PUT';
  if (isPut) setParentObjects(task, item);
  const fault = isPut ? undefined : patch.fault;
  const rejection = checkChange(task, target, item, patch, fault);
  if (rejection !== undefined) return rejected(rejection);
  const changed = storeChange(task, key, before, item, input);
  // The body of a JSON Patch is a list of what to do, and is done or rejected.
  if (changed.kind === 'changed') warnIgnoredProperties(task, plan.input.sent(call), changed.item);
  return changed;
}

/** Why a change cannot be made; what other requests may have changed meanwhile is looked at first. */
function checkChange(
  task: BehaviourContext,
  { key, item: before }: { readonly key: Key; readonly item: Item },
  item: ItemDraft,
  { changes, input }: { readonly changes: ItemDraft; readonly input: Item },
  fault: Problem | undefined,
): Problem | undefined {
  return (
    checkIfMatch(task, before) ??
    checkReferences(task, item, before) ??
    checkSameKey(task, task.plan.input.sent(task.call), key) ??
    checkNewKey(task, item, key) ??
    fault ??
    applyRule(task, { item, before, input }) ??
    checkUnique(task, item, before) ??
    checkRequired(task, changes)
  );
}

/** What every item has cannot be taken away. */
function checkRequired({ resource }: BehaviourContext, changes: ItemDraft): Problem | undefined {
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined || resource.properties.get(name)?.required !== true) continue;
    const what = `cannot be removed: every item of ${resource.path} has it`;
    return fieldProblem('invalid_result', joinPointer('', name), what);
  }
  return undefined;
}
