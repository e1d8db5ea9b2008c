import { headerValue } from '../../core/http/headers';
import { parseCookies } from '../../core/http/header-fields';
import type { RawHeaders } from '../../core/http/message';
import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { stringifyJsonPretty } from '../../core/json/stringify-json';
import type { CleanExchange, RecordedBody, RecordedResponse } from '../exchange/recorded-exchange';
import { type ExportKind, Losses } from './export-kind';

/** An archive of what was exchanged when the contract was replayed (HAR 1.2), as browsers and proxies write it. */
export const kind: ExportKind = {
  extension: 'har',
  needsRun: true,
  isExecutable: false,
  write(contract, _, { version, replay }) {
    const losses = new Losses();
    losses.add(undefined, 'expect, capture and cleanup: an archive has exchanges alone, with the values of one run');
    for (const { step, what } of replay?.lost ?? []) losses.add(step, what);
    const log = {
      version: '1.2',
      creator: { name: 'standin', version },
      comment: contract.name,
      entries: (replay?.exchanges ?? []).map(entryOf),
    };
    return { text: `${stringifyJsonPretty({ log })}\n`, lost: losses.all };
  },
};

function entryOf(exchange: CleanExchange): JsonObject {
  const { startedAt = 0, endedAt = startedAt, name } = exchange;
  const time = endedAt - startedAt;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time,
    request: requestOf(exchange),
    response: responseOf(exchange.response ?? NO_RESPONSE),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    // Chrome's name for what its filter "Fetch/XHR" shows.
    _resourceType: 'fetch',
    ...(name === undefined ? {} : { comment: name }),
  };
}

/** As browsers write one that never came. */
const NO_RESPONSE: RecordedResponse = { status: 0, headers: [], body: undefined };

function requestOf({ origin, request: { method, target, headers, body } }: CleanExchange): JsonObject {
  return {
    method,
    url: `${origin}${target}`,
    httpVersion: 'HTTP/1.1',
    cookies: cookiesOf(headerValue(headers, 'cookie')),
    headers: pairsOf(headers),
    queryString: queryOf(target),
    ...(body === undefined ? {} : { postData: postDataOf(headers, body) }),
    headersSize: -1,
    bodySize: sizeOf(body),
  };
}

function responseOf({ status, headers, body }: RecordedResponse): JsonObject {
  return {
    status,
    // Nobody reads it, and HTTP/2 has none (RFC 9112 §4).
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairsOf(headers),
    content: contentOf(headers, body),
    redirectURL: headerValue(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: sizeOf(body),
  };
}

function pairsOf(headers: RawHeaders): JsonValue[] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: headers[index + 1] ?? '' }] : []));
}

function cookiesOf(header: string | undefined): JsonValue[] {
  return parseCookies(header ?? '').map(({ name, value }) => ({ name, value }));
}

function queryOf(target: string): JsonValue[] {
  const [, query = ''] = /\?([^#]*)/.exec(target) ?? [];
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}

function postDataOf(headers: RawHeaders, body: RecordedBody): JsonObject {
  const mimeType = headerValue(headers, 'content-type') ?? '';
  if (body.kind === 'text') return { mimeType, text: body.text };
  const comment = body.kind === 'bytes' ? 'the text is in base64' : body.reason;
  return { mimeType, text: body.kind === 'bytes' ? body.base64 : '', comment };
}

function contentOf(headers: RawHeaders, body: RecordedBody | undefined): JsonObject {
  const about = { size: Math.max(0, sizeOf(body)), mimeType: headerValue(headers, 'content-type') ?? '' };
  if (body?.kind === 'text') return { ...about, text: body.text };
  if (body?.kind === 'bytes') return { ...about, text: body.base64, encoding: 'base64' };
  return body === undefined ? about : { ...about, comment: body.reason };
}

/** In bytes; -1 where it is not known. */
function sizeOf(body: RecordedBody | undefined): number {
  if (body === undefined) return 0;
  if (body.kind === 'text') return Buffer.byteLength(body.text);
  return body.kind === 'bytes' ? Buffer.from(body.base64, 'base64').length : (body.bytes ?? -1);
}
