import { memberOf, setMember } from '../../json/member';
import { problem, type Problem } from '../../checks/problem';
import { parseMediaType } from '../../http/media-type';
import { MAX_BODY_DEPTH } from '../../checks/request/body-check';
import { equalJson } from '../../json/equal-json';
import { extentOf, type JsonExtent } from '../../json/json-extent';
import { applyJsonPatch } from '../../json/json-patch';
import { joinPointer } from '../../json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import { mergePatch } from '../../json/merge-patch';
import type { Property } from '../../openapi/model';
import type { Item, ItemDraft } from '../item';
import { visible } from '../representation';
import type { Task } from './task';

/** What a PATCH asks for, whatever language it is written in. */
export type Patch =
  | {
      readonly kind: 'patch';
      /** New values by member; `undefined` for one that goes. */
      readonly changes: ItemDraft;
      /** The members that the client set, as it sent them. */
      readonly input: Item;
      /** A member was sent that cannot change. */
      readonly fault: Problem | undefined;
    }
  | { readonly kind: 'bad'; readonly problem: Problem };

/**
 * Reads the body of a PATCH by its media type: JSON Patch (RFC 6902), JSON Merge Patch (RFC 7396), and plain JSON as a
 * merge patch in which a member that may be `null` becomes `null`.
 */
export function readPatch(task: Task, before: Item): Patch {
  const essence = parseMediaType(task.call.mediaType ?? '')?.essence;
  if (essence === 'application/json-patch+json') return readJsonPatch(task, before);
  return readMergePatch(task, before, essence === 'application/merge-patch+json');
}

function readMergePatch(task: Task, before: Item, isStandard: boolean): Patch {
  const { call, plan, resource } = task;
  const sent = plan.input.sent(call);
  const input = plan.input.writable(call, sent);
  const changes: ItemDraft = {};
  for (const [name, value] of Object.entries(input)) {
    const property = resource.properties.get(name);
    if (value !== null) setDraft(changes, name, mergePatch(memberOf(before, name), value));
    else setDraft(changes, name, staysNull(property, isStandard) && plan.making.takes(name, null) ? null : undefined);
  }
  const tooLarge = checkExtent(task, before, changes);
  if (tooLarge !== undefined) return { kind: 'bad', problem: tooLarge };
  const locked = [...resource.properties.values()].filter(
    ({ name, readOnly }) => readOnly && !plan.input.maySet(call, name),
  );
  const fault = checkReadOnly(plan.input.path, locked, sent, before);
  return { kind: 'patch', changes, input, fault };
}

/** A member that every item has, and that may be null, becomes null even where the standard would remove it. */
function staysNull(property: Property | undefined, isStandard: boolean): boolean {
  if (property === undefined) return !isStandard;
  const { type, nullable } = property.schema;
  const isNullable = nullable === true || type === 'null' || (Array.isArray(type) && type.includes('null'));
  return isNullable && (property.required || !isStandard);
}

function setDraft(draft: ItemDraft, name: string, value: JsonValue | undefined): void {
  setMember(draft, name, value);
}

/** A patch that names a read-only member with its current value changes nothing; with another one it cannot be done. */
function checkReadOnly(
  path: readonly string[],
  locked: readonly Property[],
  body: JsonValue | undefined,
  before: Item,
): Problem | undefined {
  if (!isJsonObject(body)) return undefined;
  for (const { name } of locked) {
    const sent = memberOf(body, name);
    const current = memberOf(before, name);
    if (sent === undefined || (current !== undefined && equalJson(sent, current))) continue;
    return immutable([...path, name].reduce(joinPointer, ''));
  }
  return undefined;
}

function immutable(pointer: string): Problem {
  return problem('immutable_field', `The field ${pointer} cannot be changed`, { pointer });
}

const REFUSALS = { malformed: 'invalid_patch', conflict: 'patch_conflict', 'too-large': 'item_too_large' } as const;

function readJsonPatch(task: Task, before: Item): Patch {
  const { call, resource } = task;
  const shown = visible(before, resource);
  const outcome = applyJsonPatch(shown, call.body ?? null, roomFor(task, shown));
  if (outcome.kind !== 'patched') {
    const code = REFUSALS[outcome.kind];
    const message = `Operation ${outcome.index} of the JSON Patch ${outcome.reason}`;
    return { kind: 'bad', problem: problem(code, message, { pointer: `/${outcome.index}` }) };
  }
  if (!isJsonObject(outcome.value)) {
    return {
      kind: 'bad',
      problem: problem('patch_conflict', 'The JSON Patch makes the item something else than an object'),
    };
  }
  const changes = differences(shown, outcome.value);
  const own = Object.keys(changes).find(
    (name) => name === resource.keyMember || resource.properties.get(name)?.readOnly === true,
  );
  const fault = own === undefined ? undefined : immutable(joinPointer('', own));
  const set = Object.entries(changes).filter((change): change is [string, JsonValue] => change[1] !== undefined);
  return { kind: 'patch', changes, input: Object.fromEntries(set), fault };
}

/** A patched item may be as large as a body, which could replace it; one that is larger already may stay so. */
function roomFor({ maxItemLength }: Task, before: JsonValue): JsonExtent {
  const most = { length: maxItemLength, depth: MAX_BODY_DEPTH };
  if (extentOf(before, most) !== undefined) return most;
  const { length = 0, depth = 0 } = extentOf(before) ?? {};
  return { length: Math.max(length, most.length), depth: Math.max(depth, most.depth) };
}

/** Merge patches add up: each of them is as small as a body may be, what they make of an item need not be. */
function checkExtent(task: Task, before: Item, changes: ItemDraft): Problem | undefined {
  const after = Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(
      (member): member is [string, JsonValue] => member[1] !== undefined,
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
    const left = memberOf(before, name);
    const right = memberOf(after, name);
    if (left === undefined || right === undefined || !equalJson(left, right)) setDraft(changes, name, right);
  }
  return changes;
}
