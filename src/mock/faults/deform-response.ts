import { isJsonMediaType } from '../../http/media-type';
import { toHeaderText } from '../../http/header-text';
import { headerValue } from '../../http/headers';
import type { Delivery, HttpResponse, RawHeaders } from '../../http/message';
import { parseJson } from '../../json/parse-json';
import { stringifyJson } from '../../json/stringify-json';
import { findResponse } from '../../openapi/find-response';
import type { MediaTypeEntry, Operation } from '../../openapi/model';
import type { FaultPlan } from './decide-faults';
import type { Fault } from './fault';
import { isSpent, type SetFault } from './fault-book';
import { violate } from './violate';

/** The header that names what goes wrong with a response, and asks for it in a request. */
export const FAULT_HEADER = 'X-Standin-Fault';

type Deformed = { readonly kind: 'deformed'; readonly response: HttpResponse } | Missed;
interface Missed {
  readonly kind: 'missed';
  readonly reason: string;
}

/** Does to a response what was decided, and says so in a header: also what there was nothing to be done to. */
export function deformResponse(
  response: HttpResponse,
  plan: FaultPlan,
  operation: Operation | undefined,
): HttpResponse {
  const said = [...plan.names];
  let current = response;
  for (const each of plan.deformations) {
    // Another request may have been the last one meanwhile.
    if (isSpent(each)) continue;
    const deformed = deform(current, each.fault, operation);
    count(each, deformed);
    if (deformed.kind === 'deformed') current = deformed.response;
    said.push(deformed.kind === 'deformed' ? each.fault.text : `${each.fault.text};missed="${deformed.reason}"`);
  }
  if (plan.lost === 'reset') current = deliver(current, { end: 'reset' });
  if (plan.delayMs > 0) current = deliver(current, { delayMs: plan.delayMs });
  if (said.length === 0) return response;
  return { ...current, headers: [...current.headers, FAULT_HEADER, said.map(toHeaderText).join(', ')] };
}

function count(each: SetFault, { kind }: Deformed): void {
  if (kind === 'deformed') each.happened += 1;
  else each.missed += 1;
}

function deform(response: HttpResponse, { action }: Fault, operation: Operation | undefined): Deformed {
  switch (action.kind) {
    case 'reset':
      return done(deliver(response, { end: 'reset' }));
    case 'malformed-json':
      return withBrokenJson(response);
    case 'violate': {
      const entry = operation === undefined ? undefined : entryOf(operation, response);
      return withViolation(response, entry, action);
    }
    default:
      return response.body === undefined || response.body.length === 0 ? NO_BODY : deformBody(response, action);
  }
}

/** What can be done to any body. */
function deformBody(response: HttpResponse, action: Fault['action']): Deformed {
  switch (action.kind) {
    case 'empty':
      return withBody(response, undefined);
    case 'truncate':
      return done(deliver(response, { end: 'truncate' }));
    case 'dribble':
      return done(deliver(response, { dribble: { bytes: action.bytes, everyMs: action.everyMs } }));
    case 'wrong-content-type':
      return done({ ...response, headers: retyped(response.headers, action.mediaType) });
    default:
      throw new Error(`The fault ${action.kind} deforms no response`);
  }
}

const NO_BODY: Missed = { kind: 'missed', reason: 'this response has no body' };
const NO_JSON: Missed = { kind: 'missed', reason: 'this response has no JSON body' };

/** The same with another body, whose length is another one. */
function withBody(response: HttpResponse, body: string | undefined): Deformed {
  const headers = response.headers.filter(
    (_, index) => response.headers[index - (index % 2)]?.toLowerCase() !== 'content-length',
  );
  return done({ ...response, headers, body });
}

function done(response: HttpResponse): Deformed {
  return { kind: 'deformed', response };
}

function deliver(response: HttpResponse, delivery: Delivery): HttpResponse {
  return { ...response, delivery: { ...response.delivery, ...delivery } };
}

function jsonTextOf({ headers, body }: HttpResponse): string | undefined {
  if (body === undefined || !isJsonMediaType(headerValue(headers, 'content-type') ?? '')) return undefined;
  return typeof body === 'string' ? body : Buffer.from(body).toString();
}

/** Without its last character no JSON text of an object, an array or a text is one. A number gets a bracket in front. */
function withBrokenJson(response: HttpResponse): Deformed {
  const text = jsonTextOf(response);
  if (text === undefined) return NO_JSON;
  return withBody(response, /[\]}"]$/.test(text) ? text.slice(0, -1) : `{${text}`);
}

function withViolation(
  response: HttpResponse,
  entry: MediaTypeEntry | undefined,
  { path, breach }: Extract<Fault['action'], { kind: 'violate' }>,
): Deformed {
  const text = jsonTextOf(response);
  if (text === undefined) return NO_JSON;
  if (entry?.schema === undefined) return { kind: 'missed', reason: 'the description has no schema for this response' };
  const violated = violate(parseJson(text, { maxDepth: 500 }), path, breach, entry.schema.validate('response'));
  return violated.kind === 'missed' ? violated : withBody(response, stringifyJson(violated.value));
}

function entryOf(operation: Operation, { status, headers }: HttpResponse): MediaTypeEntry | undefined {
  const content = findResponse(operation, status)?.content ?? [];
  const type = headerValue(headers, 'content-type')?.split(';')[0]?.trim();
  return (
    content.find(({ mediaType }) => mediaType === type) ?? content.find(({ mediaType }) => isJsonMediaType(mediaType))
  );
}

function retyped(headers: RawHeaders, mediaType: string): RawHeaders {
  return headers.map((text, index) =>
    index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'content-type' ? mediaType : text,
  );
}
