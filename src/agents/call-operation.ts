import { StandinError } from '../core/errors/standin-error';
import type { JsonObject, JsonValue } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import type { ExplainedMock } from '../explain/explained-mock';
import { findRoute } from '../explain/route';
import type { Operation } from '../openapi/model/operation';
import { chooseScheme } from '../security/registry';
import { sendRequest, type WrittenRequest } from '../server/actions/send-request';
import { type AgentHost, asJson, Refused, refused, type ToolResult } from './agent-tool';

/** Characters of a body that a call shows. */
const LONGEST_BODY = 8000;

/** Headers of a response that tell an agent something. */
const TOLD_HEADERS =
  /^(?:content-type|location|etag|allow|link|retry-after|www-authenticate|x-standin-.*|x-total-count|ratelimit.*|deprecation|sunset)$/i;

/** A request as an agent wrote it. */
interface Called {
  readonly method: string;
  readonly target: string;
  readonly headers: JsonObject;
  readonly body: JsonValue | undefined;
  /** Is a key that the mock accepts added? */
  readonly withKey: boolean;
}

/** Sends a request to the mock. @returns what of the response tells an agent something */
export async function callOperation(host: AgentHost, called: Called, sandbox: string | undefined): Promise<ToolResult> {
  const { method } = called;
  if (!host.mayWrite && method !== 'GET' && method !== 'HEAD')
    return refused(
      'forbidden',
      `${method} may change the mock, and this server only reads; start it with --allow-writes`,
    );
  const { server, address } = host;
  const written = writtenRequest(host, called, sandbox);
  const sent = await sendRequest(server.engine(), server.requests, written, undefined, new URL(address).host);
  if ('code' in sent) return new Refused(sent);
  const { seq, status, delivery } = sent;
  const found = server.requests.find(seq);
  // Very many requests of others came meanwhile.
  if (found === undefined) return asJson({ seq, status });
  const { responseHeaders, responseBody, message, changedItems } = server.requests.details(found, address);
  return asJson({
    seq,
    status,
    headers: toldHeaders(responseHeaders),
    body: responseBody.text?.slice(0, LONGEST_BODY) ?? null,
    size: responseBody.size,
    refused: message ?? undefined,
    changed: changedItems.length === 0 ? undefined : changedItems,
    delivery: delivery ?? undefined,
  });
}

function writtenRequest(
  host: AgentHost,
  { method, target, headers, body, withKey }: Called,
  sandbox: string | undefined,
): WrittenRequest {
  const { mock } = host.mock();
  const routed = route(host.mock(), method, target);
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const own = Object.entries(headers).flatMap(([name, value]) => [name, bodyText(value)]);
  const credentials = withKey && !names.has('authorization') ? credentialsFor(host, routed.operation) : NO_CREDENTIALS;
  const { header } = mock.context.options.sandboxes;
  const added = [
    ...(body === undefined || names.has('content-type') ? [] : ['Content-Type', 'application/json']),
    ...credentials.headers,
    ...(sandbox === undefined || header === undefined ? [] : [header, sandbox]),
  ];
  return {
    method,
    target: withQuery(routed.target, credentials.query),
    headers: [...own, ...added],
    body: body === undefined ? undefined : bodyText(body),
  };
}

function withQuery(target: string, query: readonly string[]): string {
  return query.length === 0 ? target : `${target}${target.includes('?') ? '&' : '?'}${query.join('&')}`;
}

interface Credentials {
  readonly headers: readonly string[];
  readonly query: readonly string[];
}

const NO_CREDENTIALS: Credentials = { headers: [], query: [] };

/** With the base path, which an agent may leave out; what no operation matches is sent as it was given. */
function route(
  parts: ExplainedMock,
  method: string,
  target: string,
): { readonly target: string; readonly operation: Operation | undefined } {
  try {
    const { path, query, plan } = findRoute(parts, method, target);
    return { target: query === '' ? path : `${path}?${query}`, operation: plan.operation };
  } catch (error) {
    if (error instanceof StandinError) return { target, operation: undefined };
    throw error;
  }
}

function credentialsFor({ server, mock }: AgentHost, operation: Operation | undefined): Credentials {
  const { key } = server.credentials();
  const scheme = chooseScheme(mock().api, operation);
  return key === null || scheme.kind !== 'known' ? NO_CREDENTIALS : scheme.scheme.send(key);
}

/** A text as it is, everything else as JSON. */
export function bodyText(body: JsonValue): string {
  return typeof body === 'string' ? body : stringifyJson(body);
}

function toldHeaders(raw: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    raw.flatMap((name, at) => (at % 2 === 0 && TOLD_HEADERS.test(name) ? [[name, raw[at + 1] ?? '']] : [])),
  );
}
