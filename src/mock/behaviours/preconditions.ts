import { matchesStrong, matchesWeak } from '../../core/http/header-fields';
import { fieldProblem, problem, type Problem } from '../../core/http/problem';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Call } from '../calls/call';
import { documentsHeader } from '../plans/documented-responses';
import type { BehaviourContext, PlannedBehaviour } from '../plans/operation-plan';
import type { Item } from '../state/item';
import { represent } from '../state/item-representation';
import type { Resource } from '../state/prepared-resource';

/**
 * If-Match, where it is documented, and on every change of an item whose read sends an ETag (RFC 9110 §13.1.1): strong
 * comparison, 412 when none matches.
 *
 * @param item - `undefined` when there is none under the key, which nothing matches
 */
export function checkIfMatch(
  { call, plan, resource, requireIfMatch }: BehaviourContext,
  item: Item | undefined,
): Problem | undefined {
  if (!plan.takesIfMatch) return undefined;
  const header = call.head.headers['if-match'];
  if (typeof header !== 'string') {
    // RFC 6585 §3: who documents 428 requires it.
    const isRequired = requireIfMatch || call.operation.responses.has('428');
    if (!isRequired || item === undefined) return undefined;
    return problem(
      'precondition_required',
      'The header If-Match is missing; send the ETag of the item that you mean to change',
    );
  }
  if (item !== undefined && matchesStrong(header, represent(item, resource).etag)) return undefined;
  return problem(
    'precondition_failed',
    'The header If-Match does not name the current version by its ETag, quotes included; read the item again',
  );
}

/** `If-None-Match: *` on a write, where it is documented: only an item that is not there yet (RFC 9110 §13.1.2). */
export function checkIsNew({ call }: BehaviourContext): Problem | undefined {
  if (!documentsHeader(call.operation, 'if-none-match') || call.head.headers['if-none-match'] !== '*') return undefined;
  return problem('precondition_failed', 'The header If-None-Match asks for a new item, and this one exists already');
}

/** If-None-Match on a read (RFC 9110 §13.1.2): weak comparison; `true` means 304. */
export function isNotModified(call: Call, item: Item, resource: Resource): boolean {
  const header = call.head.headers['if-none-match'];
  if (typeof header !== 'string' || !documentsHeader(call.operation, 'if-none-match')) return false;
  return matchesWeak(header, represent(item, resource).etag);
}

/** With `handling=strict`, properties that would be ignored are rejected instead (RFC 7240 §4.4). */
export function checkStrictProperties(call: Call, { resource, input }: PlannedBehaviour): Problem | undefined {
  if (!call.isStrict) return undefined;
  const sent = input.sent(call);
  if (!isJsonObject(sent) || resource.isOpen) return undefined;
  const declared = input.properties(call);
  const place = input.path.reduce(joinPointer, '');
  for (const name of Object.keys(sent)) {
    const property = declared.get(name);
    const pointer = joinPointer(place, name);
    const isReadOnly = (property ?? resource.properties.get(name))?.readOnly === true;
    if (property !== undefined && !isReadOnly) continue;
    const what = isReadOnly ? 'read-only' : 'not known';
    return fieldProblem('invalid_field', pointer, `is ${what}, and handling=strict was asked for`);
  }
  return undefined;
}

const MAX_DEPTH = 20;
const MAX_REPORTED = 10;
const MAX_POINTER_LENGTH = 100;
/** Properties that say how to answer, and nothing of the item. */
const INSTRUCTIONS = /^(?:expand|include|includes|embed|fields|select|stream|dry_?run)$/i;

/**
 * Tells what was sent and is not in the item: properties that items do not have, deeper ones too, and values that the
 * service decides itself.
 *
 * @param sent - the item as it was sent
 * @param item - as it is stored
 */
export function warnIgnoredProperties(task: BehaviourContext, sent: JsonValue | undefined, item: Item): void {
  const lost = isJsonObject(sent) ? ignoredIn(task, sent, item) : [];
  if (lost.length === 0) return;
  const { call, resource } = task;
  // What cannot be held was reported already, and why.
  const unreported = lost.filter((pointer) => !call.warnings.concern(pointer));
  if (unreported.length === 0) return;
  const more = unreported.length > MAX_REPORTED ? ` and ${unreported.length - MAX_REPORTED} more` : '';
  const shown = unreported.slice(0, MAX_REPORTED).map((pointer) => pointer.slice(0, MAX_POINTER_LENGTH));
  call.warnings.add('not_kept', `Items of ${resource.path} do not keep ${shown.join(', ')}${more}`);
}

/** JSON pointers of what was sent and is not in the item. */
function ignoredIn({ call, plan, propertiesForParent }: BehaviourContext, sent: JsonObject, item: Item): string[] {
  const place = plan.input.path.reduce(joinPointer, '');
  const lost: string[] = [];
  // Its bytes are stored beside the item.
  const file = plan.fileMember === undefined ? undefined : call.file?.property;
  for (const name of Object.keys(sent)) {
    const value = ownProperty(sent, name) ?? null;
    const stored = plan.input.storedValue(call, item, name);
    if (stored === value || name === file) continue;
    if (stored === undefined && (isNothing(value) || INSTRUCTIONS.test(name))) continue;
    if (plan.input.path.length === 0 && propertiesForParent().includes(name)) continue;
    gather(value, stored, joinPointer(place, name), lost);
  }
  return lost;
}

function gather(sent: JsonValue, stored: JsonValue | undefined, pointer: string, lost: string[], depth = 0): void {
  if (stored === undefined) {
    if (!isNothing(sent)) lost.push(pointer);
    return;
  }
  const parts = depth > MAX_DEPTH ? undefined : partsOf(sent, stored);
  if (parts === undefined && isOther(sent, stored)) lost.push(pointer);
  for (const [name, value, own] of parts ?? []) gather(value, own, joinPointer(pointer, name), lost, depth + 1);
}

/**
 * The properties that differ, or the items of two lists of one length that do; `undefined` where there is nothing to
 * compare within.
 */
function partsOf(
  sent: JsonValue,
  stored: JsonValue,
): (readonly [string | number, JsonValue, JsonValue | undefined])[] | undefined {
  if (isJsonObject(sent) && isJsonObject(stored))
    return Object.entries(sent)
      .filter(([name, value]) => value !== stored[name])
      .map(([name, value]) => [name, value, ownProperty(stored, name)]);
  if (!Array.isArray(sent) || !Array.isArray(stored) || sent.length !== stored.length) return undefined;
  return sent.map((value: JsonValue, index) => [index, value, stored[index]]);
}

/** A value that is written otherwise, such as a time, is the same; one of another thing is not. */
function isOther(sent: JsonValue, stored: JsonValue): boolean {
  const areNumbers = typeof sent === 'number' && typeof stored === 'number';
  const areFlags = typeof sent === 'boolean' && typeof stored === 'boolean';
  return (areNumbers || areFlags) && scalarText(sent) !== scalarText(stored);
}

function isNothing(value: JsonValue): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}
