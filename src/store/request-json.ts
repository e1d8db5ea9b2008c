import type { Delivery, RawHeaders } from '../core/http/message';
import type { JsonObject, JsonValue } from '../core/json/json-value';
import { parseJson } from '../core/json/parse-json';
import { stringifyJson } from '../core/json/stringify-json';
import type { StoredBody, StoredRequest } from '../mock/sandbox/journal-entry';
import type { Told } from '../mock/sandbox/request-stream';
import type { Change } from '../mock/state/state';
import { STORED } from './log-lines';

/** Characters of Latin-1 in place of bytes, and the size of the whole body; -1 for one that nobody read. */
type TextOfBody = readonly [text: string, size: number];

interface RequestJson {
  readonly sandbox: string;
  readonly method: string;
  readonly target: string;
  readonly headers: RawHeaders;
  readonly body: TextOfBody;
  readonly operation?: string;
  readonly status: number;
  readonly responseHeaders: RawHeaders;
  readonly responseBody: TextOfBody;
  readonly at: number;
  readonly duration?: number;
  readonly problem?: readonly [code: string, message: string];
  readonly warnings?: StoredRequest['entry']['warnings'];
  /** Keys that are beyond a double as text of their digits. */
  readonly changes?: readonly (readonly [
    collection: string,
    key: string | number | { readonly big: string },
    ...JsonValue[],
  ])[];
  readonly injected?: string;
  readonly delivery?: Delivery;
}

/** JSON of what is told, on one line; the number of a request is not in it. */
export function toldText(told: Told): string {
  if (told.kind !== 'request') return JSON.stringify(told);
  const { entry, line, target, requestHeaders, requestBody, responseHeaders, responseBody } = told.stored;
  const json: { [Name in keyof RequestJson]: RequestJson[Name] | undefined } = {
    sandbox: told.sandbox,
    method: line.method,
    target,
    headers: requestHeaders,
    body: bodyText(requestBody),
    operation: line.operation,
    status: line.status,
    responseHeaders,
    responseBody: bodyText(responseBody),
    at: line.atMs,
    duration: line.durationMs,
    problem: entry.code === undefined ? undefined : [entry.code, entry.message ?? ''],
    warnings: entry.warnings.length === 0 ? undefined : entry.warnings,
    changes: entry.changes.length === 0 ? undefined : entry.changes.map(changeJson),
    injected: entry.injected,
    delivery: line.delivery,
  };
  return stringifyJson(json as unknown as JsonObject);
}

/** Reads what {@link toldText} wrote. @param seq - of a request */
export function toldOf(text: string, seq: number): Told {
  const value = parseJson(text, STORED) as unknown as Exclude<Told, { kind: 'request' }> | RequestJson;
  return 'kind' in value ? value : { kind: 'request', sandbox: value.sandbox, stored: storedRequest(value, seq) };
}

function storedRequest(json: RequestJson, seq: number): StoredRequest {
  const { method, target, headers, operation, status, responseHeaders, injected, delivery } = json;
  const [code, message] = json.problem ?? [undefined, undefined];
  const [warnings, changes] = [json.warnings ?? [], (json.changes ?? []).map(changeOf)];
  const [requestBody, responseBody] = [bodyOf(json.body), bodyOf(json.responseBody)];
  const common = { method, target, operation, status, code, injected };
  return {
    line: {
      ...common,
      seq,
      atMs: json.at,
      durationMs: json.duration,
      warnings: warnings.length,
      changes: changes.length,
      delivery,
    },
    entry: {
      ...common,
      number: 0,
      at: new Date(json.at).toISOString(),
      requestHeaders: headers,
      requestBody: requestBody.bytes.toString(),
      responseBody: responseBody.bytes.toString(),
      message,
      warnings,
      changes,
    },
    // Only who tells of it needs that.
    endedMs: 0,
    target,
    requestHeaders: headers,
    requestBody,
    responseHeaders,
    responseBody,
  };
}

function bodyText({ bytes, size, isUnread }: StoredBody): TextOfBody {
  return [bytes.toString('latin1'), isUnread ? -1 : size];
}

function bodyOf([text, size]: TextOfBody): StoredBody {
  return { bytes: Buffer.from(text, 'latin1'), size: Math.max(0, size), isUnread: size === -1 };
}

function changeJson({ collection, key, before, after }: Change): NonNullable<RequestJson['changes']>[number] {
  return [collection, typeof key === 'bigint' ? { big: String(key) } : key, before ?? null, after ?? null];
}

function changeOf([collection, key, before, after]: NonNullable<RequestJson['changes']>[number]): Change {
  return {
    collection,
    key: typeof key === 'object' ? BigInt(key.big) : key,
    before: (before as JsonObject | null) ?? undefined,
    after: (after as JsonObject | null) ?? undefined,
  };
}
