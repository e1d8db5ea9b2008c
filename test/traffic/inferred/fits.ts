import { headerValue } from '../../../src/core/http/headers';
import { parseMediaType } from '../../../src/core/http/media-type';
import { parseQuery, parseTarget } from '../../../src/core/http/request-target';
import { parseJson } from '../../../src/core/json/parse-json';
import type { ApiModel } from '../../../src/openapi/model/api-model';
import type { MediaTypeEntry, Operation } from '../../../src/openapi/model/operation';
import type { CleanExchange, RecordedBody } from '../../../src/traffic/exchange/recorded-exchange';

/** What of recorded exchanges a description does not allow, in words; empty when all of them fit. */
export function misfits(api: ApiModel, exchanges: readonly CleanExchange[]): string[] {
  return exchanges.flatMap((exchange) => misfitsOf(api, exchange).map((what) => `${nameOf(exchange)}: ${what}`));
}

function nameOf({ request, response }: CleanExchange): string {
  return `${request.method} ${request.target} ${response?.status ?? 'without a response'}`;
}

function misfitsOf(api: ApiModel, exchange: CleanExchange): string[] {
  const { request, response } = exchange;
  const target = parseTarget(request.target);
  const path = target?.path ?? '';
  const match = api.mounts
    .filter(({ basePath }) => path.startsWith(basePath))
    .map(({ basePath, routes }) => routes.match(path.slice(basePath.length)))
    .find((found) => found !== undefined);
  const operation = match?.route.operations.get(request.method);
  if (match === undefined || operation === undefined || response === undefined) return ['is no operation'];
  const documented = operation.responses.get(String(response.status));
  if (documented === undefined) return ['has a status that is not documented'];
  const type = headerValue(response.headers, 'content-type');
  const found = bodyMisfits(documented.content, response.body, type, 'response');
  return response.status >= 400
    ? found
    : [...found, ...requestMisfits(operation, exchange, match.pathParameters, target?.query ?? '')];
}

function requestMisfits(
  operation: Operation,
  { request }: CleanExchange,
  path: Readonly<Record<string, string>>,
  query: string,
): string[] {
  const { content = [], required = false } = operation.requestBody ?? {};
  const missing = required && request.body === undefined ? ['has no body'] : [];
  const body = bodyMisfits(content, request.body, headerValue(request.headers, 'content-type'), 'request');
  const parameters = operation.parameters.flatMap((parameter) => {
    const sent = valuesOf(parameter, path, query, request.headers);
    const name = `the ${parameter.in} parameter ${parameter.name}`;
    if (sent.length === 0) return parameter.required ? [`has not ${name}`] : [];
    const isFit = (text: string): boolean =>
      [text, asJson(text)].some((value) => parameter.schema?.accepts(value, 'request'));
    const isList = parameter.schema?.value['type'] === 'array';
    return isList ? [] : sent.filter((text) => !isFit(text)).map((text) => `breaks ${name}: ${text}`);
  });
  return [...missing, ...body, ...parameters];
}

function valuesOf(
  { in: place, name }: { readonly in: string; readonly name: string },
  path: Readonly<Record<string, string>>,
  query: string,
  headers: readonly string[],
): string[] {
  if (place === 'query') return parseQuery(query).flatMap((pair) => (pair.name === name ? [pair.value ?? ''] : []));
  if (place === 'header') return [headerValue(headers, name)].filter((value) => value !== undefined);
  const value = path[name];
  return value === undefined ? [] : [value];
}

function asJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function bodyMisfits(
  content: readonly MediaTypeEntry[],
  body: RecordedBody | undefined,
  type: string | undefined,
  direction: 'request' | 'response',
): string[] {
  if (body === undefined || type === undefined) return [];
  const essence = parseMediaType(type)?.essence;
  const entry = content.find(({ mediaType }) => mediaType === essence);
  // Of an error in words alone a description says nothing: its type is that which the client asked for.
  if (direction === 'response' && content.length === 0 && !/json/.test(type)) return [];
  if (entry === undefined) return [`has a ${direction} of an undocumented type ${type}`];
  if (body.kind !== 'text' || !/json/.test(type) || entry.schema === undefined) return [];
  const violations = entry.schema.validate(direction)(parseJson(body.text));
  return violations.map(({ pointer, message }) => `breaks its ${direction} at ${pointer}: ${message}`);
}
