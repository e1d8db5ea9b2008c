import { problem } from '../../core/http/problem';
import { isHeaderName, joinedHeaders } from '../../core/http/headers';
import type { HttpRequest, RawHeaders } from '../../core/http/message';
import { isJsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import type { AnsweringEngine } from '../../mock/pipeline/mock-engine';
import type { Rejection } from './action';
import { type FoundRequest, type RequestLog, shownDelivery } from './request-log';
import type { RequestDetails, SentRequest } from './shapes';

/** A request as somebody wrote it. */
export interface WrittenRequest {
  readonly method: string;
  readonly target: string;
  /** Names and values by turns. */
  readonly headers: RawHeaders;
  readonly body: string | null | undefined;
}

/** A remembered request, and as it was shown: what was masked in it is taken from it. */
export interface Pattern {
  readonly found: FoundRequest;
  readonly shown: RequestDetails;
}

const MASK = '[redacted]';
const OF_THE_MESSAGE = new Set(['connection', 'content-length', 'transfer-encoding', 'expect', 'keep-alive']);

/**
 * Sends a request through the engine of this process: no socket, no CORS, the same response. How a client would have got
 * it is told, not done: nobody who looks at it gains by waiting, and a connection that is reset shows nothing.
 *
 * @param host - of the mock, for a request that names none
 */
export async function sendRequest(
  engine: AnsweringEngine,
  log: RequestLog,
  written: WrittenRequest,
  pattern: Pattern | undefined,
  host: string,
): Promise<SentRequest | Rejection> {
  const wrong = checkWritten(written);
  if (wrong !== undefined) return wrong;
  const request = toRequest(pattern === undefined ? written : unmasked(written, pattern), host);
  const before = log.last;
  const { status, delivery } = await engine.handle(request, { canDeliver: true });
  await log.catchUp();
  const sent = log.newest(before, 100, undefined).requests.findLast((each) => {
    return each.method === request.method && each.status === status;
  });
  return { seq: sent?.seq ?? log.last, status, delivery: shownDelivery(delivery) };
}

function checkWritten({ method, target, headers }: WrittenRequest): Rejection | undefined {
  if (!isHeaderName(method)) return fieldProblem('/method', 'must be a method, such as GET');
  // Blanks and control characters end a request line (RFC 9112 §3).
  if (!/^\/[\x21-\x7e]*$/.test(target))
    return fieldProblem('/target', 'must be a path with its query, percent-encoded, such as /books?limit=5');
  if (headers.length % 2 !== 0) return fieldProblem('/headers', 'must have names and values by turns');
  // RFC 9110 §5.5: what is beyond Latin-1 would be read as another character, a line end among them.
  const wrong = headers.findIndex((text, index) =>
    index % 2 === 0 ? !isHeaderName(text) : /[^\t\x20-\x7e\x80-\xff]/.test(text),
  );
  return wrong === -1 ? undefined : fieldProblem(`/headers/${wrong}`, 'is no name or value of a header');
}

function fieldProblem(pointer: string, what: string): Rejection {
  return problem('invalid_field', `The field ${pointer} ${what}`, { pointer });
}

function toRequest({ method, target, headers: given, body }: WrittenRequest, host: string): HttpRequest {
  const bytes = new TextEncoder().encode(body ?? '');
  const own: string[] = [];
  for (let index = 0; index < given.length; index += 2) {
    const [name = '', value = ''] = [given[index], given[index + 1]];
    if (!OF_THE_MESSAGE.has(name.toLowerCase())) own.push(name, value);
  }
  const hasHost = own.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  const rawHeaders = [
    ...(hasHost ? [] : ['Host', host]),
    ...own,
    ...(bytes.length === 0 ? [] : ['Content-Length', String(bytes.length)]),
  ];
  return { method, target, headers: joinedHeaders(rawHeaders), rawHeaders, body: bytes };
}

/** With the secrets of the remembered request where what was written still has its masks. */
function unmasked(written: WrittenRequest, { found: { stored }, shown }: Pattern): WrittenRequest {
  const headers = written.headers.map((value, index) => {
    if (index % 2 === 0 || !value.includes(MASK)) return value;
    const name = written.headers[index - 1]?.toLowerCase();
    const at = shown.requestHeaders.findIndex(
      (text, place) => place % 2 === 1 && text === value && shown.requestHeaders[place - 1]?.toLowerCase() === name,
    );
    return at === -1 ? value : (stored.requestHeaders[at] ?? value);
  });
  return {
    method: written.method,
    target: unmaskedTarget(written.target, shown.target, stored.target),
    headers,
    // Elsewhere a property of the same name may be one that everybody sees.
    body: isSameCall(written, shown)
      ? unmaskedBody(written.body, shown, stored.requestBody.bytes.toString())
      : written.body,
  };
}

function isSameCall(written: WrittenRequest, shown: RequestDetails): boolean {
  const pathOf = (target: string): string | undefined => target.split('?', 1)[0];
  return written.method === shown.method && pathOf(written.target) === pathOf(shown.target);
}

/** Parts of the target between `/`, `?` and `&` that are masked are those at the same place, or of the same name. */
function unmaskedTarget(written: string, shown: string, raw: string): string {
  if (written === shown) return raw;
  const pairs = raw.split(/[?&]/).slice(1);
  return written.replaceAll(/([?&])([^=&]*)=\[redacted\]/g, (text, before: string, name: string) => {
    const pair = pairs.find((each) => each.startsWith(`${name}=`));
    return pair === undefined ? text : `${before}${pair}`;
  });
}

function unmaskedBody(
  written: string | null | undefined,
  { requestBody }: RequestDetails,
  raw: string,
): string | null | undefined {
  if (written == null || requestBody.isCut || !written.includes(MASK)) return written;
  if (written === requestBody.text) return raw;
  try {
    return stringifyJson(withSecrets(parseJson(written), parseJson(raw)));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return written;
    throw error;
  }
}

/** Each value that is a mask is the one that was sent at its place. */
function withSecrets(value: JsonValue, raw: JsonValue | undefined): JsonValue {
  if (value === MASK) return raw ?? value;
  if (Array.isArray(value))
    return value.map((item, index) => withSecrets(item, Array.isArray(raw) ? raw[index] : undefined));
  if (!isJsonObject(value)) return value;
  const below = (name: string): JsonValue | undefined => (isJsonObject(raw) ? ownProperty(raw, name) : undefined);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withSecrets(item, below(name))]));
}
