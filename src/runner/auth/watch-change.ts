import { shownValue } from '../../checks/response/shown';
import type { HttpRequest } from '../../http/message';
import { equalJson } from '../../json/equal-json';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import type { Operation } from '../../openapi/model';
import { pathOf } from '../guard';
import { sentParameters } from '../needed-parameters';
import type { Run } from '../run';
import { callOperation, type CallAnswer } from '../call-operation';
import { jsonOf } from './marked-body';
import { blindWatch, type Effect, type Watch } from './watch';

/**
 * Watches a write to something that can be read at the same path: it is read before and after.
 *
 * @returns `undefined` for a write that asks for what is there already, of which nothing could be seen
 */
export async function watchChange(run: Run, read: Operation, request: HttpRequest): Promise<Watch | undefined> {
  const path = pathOf(run, request);
  const like = sentParameters(request);
  const before = await callOperation(run, read, path, { like });
  if (before === undefined || !isSeen(before)) {
    return blindWatch(request, `${read.id} with the key answered ${before?.status ?? 'nothing'}`);
  }
  if (asksForNothingNew(request, before.body)) return undefined;
  const look = async (): Promise<Effect> => {
    const after = await callOperation(run, read, path, { like });
    if (after === undefined || !tells(after)) return unseen(read, after);
    if (after.status !== before.status) {
      return { kind: 'changed', before: shownAnswer(before), after: shownAnswer(after) };
    }
    const members = changedMembers(before.body, after.body);
    if (members.length === 0) return { kind: 'none' };
    // A member that is another one at each look, such as a counter of reads, says nothing.
    const again = await callOperation(run, read, path, { like });
    if (again === undefined || !tells(again)) return unseen(read, again);
    const restless = changedMembers(after.body, again.body);
    const changed = members.filter((name) => !restless.includes(name));
    if (changed.length === 0) return { kind: 'none' };
    return { kind: 'changed', before: shownPart(before.body, changed), after: shownPart(after.body, changed) };
  };
  return { request, look };
}

function asksForNothingNew(request: HttpRequest, before: JsonValue | undefined): boolean {
  const body = jsonOf(request);
  if (!isJsonObject(body) || !isJsonObject(before)) return false;
  return Object.entries(body).every(([name, value]) => {
    const old = memberOf(before, name);
    return old !== undefined && equalJson(old, value);
  });
}

function isSeen({ status, body }: CallAnswer): boolean {
  return status === 200 && body !== undefined;
}

/** Does an answer say what there is? A 503 does not. */
function tells(answer: CallAnswer): boolean {
  return isSeen(answer) || answer.status === 404 || answer.status === 410;
}

function unseen(read: Operation, answer: CallAnswer | undefined): Effect {
  return { kind: 'unseen', reason: `${read.id} with the key answered ${answer?.status ?? 'nothing'} afterwards` };
}

/** Stands for the whole of a value that is no object. */
const WHOLE = '';

function changedMembers(before: JsonValue | undefined, after: JsonValue | undefined): string[] {
  if (!isJsonObject(before) || !isJsonObject(after)) {
    const isSame = before !== undefined && after !== undefined && equalJson(before, after);
    return isSame ? [] : [WHOLE];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => {
    const [old, now] = [memberOf(before, name), memberOf(after, name)];
    return old === undefined || now === undefined ? old !== now : !equalJson(old, now);
  });
}

function memberOf(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function shownAnswer({ status, body }: CallAnswer): string {
  return status === 200 ? shownValue(body) : String(status);
}

function shownPart(value: JsonValue | undefined, names: readonly string[]): string {
  if (!isJsonObject(value)) return shownValue(value);
  return shownValue(Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))));
}
