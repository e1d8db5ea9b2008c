import { headerValue } from '../core/http/headers';
import type { HttpResponse } from '../core/http/message';
import { JsonSyntaxError } from '../core/json/json-syntax-error';
import type { JsonValue } from '../core/json/json-value';
import { parseJson } from '../core/json/parse-json';
import { observeRequest } from '../formats/contract/runtime-expression';
import type { DoneRequest } from '../mock/context/context';
import { subjectOf } from './event-occurrences';
import type { CallbackRecord } from './event-records';
import { callbackUrl } from './event-targets';
import type { EventPlan } from './event-triggers';

/**
 * Where the callbacks go that a request asked for; none for an expression that leads nowhere.
 *
 * @param template - path of the operation, below the origin
 */
export function askedCallbacks(
  plans: readonly EventPlan[],
  { operation, head, body, call, changes }: DoneRequest,
  response: HttpResponse,
  template: string,
): CallbackRecord[] {
  const own = plans.filter(({ registeredBy }) => registeredBy !== undefined && registeredBy === operation);
  if (own.length === 0) return [];
  const origin = new URL(call?.baseUrl ?? 'http://localhost').origin;
  const request = observeRequest({ ...head, body: body ?? new Uint8Array() }, origin, template);
  const observed = {
    body: jsonOf(response.body),
    header: (name: string) => headerValue(response.headers, name),
    status: response.status,
    // A form is no JSON text: what was read of it by its schema is looked at.
    request: { ...request, body: request.body ?? call?.body },
  };
  const change = changes.find(({ before, after }) => before === undefined && after !== undefined);
  const subject = change === undefined ? null : subjectOf(change);
  const collection = change?.collection ?? null;
  const addresses = new Map(own.map(({ event }) => [event.pointer, event.address ?? '']));
  return [...addresses].flatMap(([pointer, address]) => {
    const url = callbackUrl(address, observed);
    return url === undefined ? [] : [{ kind: 'callback' as const, pointer, url, subject, collection }];
  });
}

function jsonOf(body: HttpResponse['body']): JsonValue | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
