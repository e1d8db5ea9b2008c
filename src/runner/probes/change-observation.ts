import type { HttpRequest } from '../../core/http/message';
import { equalJson, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import type { Operation } from '../../openapi/model/operation';
import { callOperation, type CallResult } from '../exchange/operation-call';
import { pathOf } from '../exchange/request-guard';
import type { Run } from '../exchange/run-state';
import { jsonBodyOf, sentParameters } from '../ownership/sent-content';

/** What was seen of a write that was rejected. */
export type Effect =
  | { readonly kind: 'none' }
  /** Nothing can be said; `reason` goes on after "effect not visible: ". */
  | { readonly kind: 'unseen'; readonly reason: string }
  /** It was done all the same: what there was, and what there is now; `hint`: what else to know. */
  | { readonly kind: 'changed'; readonly before: string; readonly after: string; readonly hint?: string | undefined };

/** A write to be sent without a key, and a way to see whether it was done. */
export interface WriteObservation {
  readonly request: HttpRequest;
  /** To be called once the request was answered. */
  readonly observeEffect: () => Promise<Effect>;
}

export function unobservableWrite(request: HttpRequest, reason: string): WriteObservation {
  return { request, observeEffect: () => Promise.resolve({ kind: 'unseen', reason }) };
}

/**
 * Watches a write to something that can be read at the same path: it is read before and after.
 *
 * @returns `undefined` for a write that asks for what is there already, of which nothing could be seen
 */
export async function observeChange(
  run: Run,
  read: Operation,
  request: HttpRequest,
): Promise<WriteObservation | undefined> {
  const path = pathOf(run, request);
  const basedOn = sentParameters(request);
  const before = await callOperation(run, read, path, { basedOn });
  if (before === undefined || !isReadable(before)) {
    return unobservableWrite(request, `${read.id} with the key returned ${before?.status ?? 'nothing'}`);
  }
  if (changesNothing(request, before.body)) return undefined;
  const observeEffect = async (): Promise<Effect> => {
    const after = await callOperation(run, read, path, { basedOn });
    if (after === undefined || !isConclusive(after)) return unobserved(read, after);
    if (after.status !== before.status) {
      return { kind: 'changed', before: describeCallResult(before), after: describeCallResult(after) };
    }
    const properties = changedProperties(before.body, after.body);
    if (properties.length === 0) return { kind: 'none' };
    // A property that is another one at each look, such as a counter of reads, says nothing.
    const again = await callOperation(run, read, path, { basedOn });
    if (again === undefined || !isConclusive(again)) return unobserved(read, again);
    const restless = changedProperties(after.body, again.body);
    const changed = properties.filter((name) => !restless.includes(name));
    if (changed.length === 0) return { kind: 'none' };
    return {
      kind: 'changed',
      before: describeProperties(before.body, changed),
      after: describeProperties(after.body, changed),
    };
  };
  return { request, observeEffect };
}

function changesNothing(request: HttpRequest, before: JsonValue | undefined): boolean {
  const body = jsonBodyOf(request);
  return isJsonObject(body) && before !== undefined && hasProperties(before, body);
}

/** Does an item have every property of a body, with the same value? */
export function hasProperties(item: JsonValue, body: JsonObject): boolean {
  if (!isJsonObject(item)) return false;
  return Object.entries(body).every(([name, value]) => {
    const own = ownProperty(item, name);
    return own !== undefined && equalJson(own, value);
  });
}

function isReadable({ status, body }: CallResult): boolean {
  return status === 200 && body !== undefined;
}

/** Does a response say what there is? A 503 does not. */
function isConclusive(response: CallResult): boolean {
  return isReadable(response) || response.status === 404 || response.status === 410;
}

function unobserved(read: Operation, response: CallResult | undefined): Effect {
  return { kind: 'unseen', reason: `${read.id} with the key returned ${response?.status ?? 'nothing'} afterwards` };
}

/** Stands for the whole of a value that is not an object. */
const WHOLE = '';

function changedProperties(before: JsonValue | undefined, after: JsonValue | undefined): string[] {
  if (!isJsonObject(before) || !isJsonObject(after)) {
    const isSame = before !== undefined && after !== undefined && equalJson(before, after);
    return isSame ? [] : [WHOLE];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => {
    const [old, now] = [ownProperty(before, name), ownProperty(after, name)];
    return old === undefined || now === undefined ? old !== now : !equalJson(old, now);
  });
}

function describeCallResult({ status, body }: CallResult): string {
  return status === 200 ? previewValue(body) : String(status);
}

function describeProperties(value: JsonValue | undefined, names: readonly string[]): string {
  if (!isJsonObject(value)) return previewValue(value);
  return previewValue(Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))));
}
