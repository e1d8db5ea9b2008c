import { headerValue } from '../../../src/core/http/headers';
import { parseMediaType } from '../../../src/core/http/media-type';
import { parseQuery, parseTarget } from '../../../src/core/http/request-target';
import { parseJson } from '../../../src/core/json/parse-json';
import type { ApiModel } from '../../../src/openapi/model/api-model';
import type { MediaTypeEntry } from '../../../src/openapi/model/operation';
import type { CleanExchange, RecordedBody } from '../../../src/traffic/exchange/recorded-exchange';

/** What of recorded exchanges a description does not allow, in words; empty when all of them fit. */
export function misfits(api: ApiModel, exchanges: readonly CleanExchange[]): string[] {
  return exchanges.flatMap((exchange) => misfitsOf(api, exchange).map((what) => `${nameOf(exchange)}: ${what}`));
}

function nameOf({ request, response }: CleanExchange): string {
  return `${request.method} ${request.target} ${response?.status ?? 'without a response'}`;
}

function misfitsOf(api: ApiModel, { request, response }: CleanExchange): string[] {
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
  const found = bodyMisfits(
    documented.content,
    response.body,
    headerValue(response.headers, 'content-type'),
    'response',
  );
  if (response.status >= 400) return found;
  const { content = [], required = false } = operation.requestBody ?? {};
  if (required && request.body === undefined) found.push('has no body');
  found.push(...bodyMisfits(content, request.body, headerValue(request.headers, 'content-type'), 'request'));
  for (const parameter of operation.parameters) {
    const sent = valuesOf(parameter, match.pathParameters, target?.query ?? '', request.headers);
    if (sent.length === 0 && parameter.required) found.push(`has no ${parameter.in} parameter ${parameter.name}`);
    const texts = parameter.schema?.value['type'] === 'array' ? [] : sent;
    for (const text of texts)
      if (![text, asJson(text)].some((value) => parameter.schema?.accepts(value, 'request')))
        found.push(`breaks the ${parameter.in} parameter ${parameter.name}: ${text}`);
  }
  return found;
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
  if (entry === undefined) return [`has a ${direction} of an undocumented type ${type}`];
  if (body.kind !== 'text' || !/json/.test(type) || entry.schema === undefined) return [];
  const violations = entry.schema.validate(direction)(parseJson(body.text));
  return violations.map(({ pointer, message }) => `breaks its ${direction} at ${pointer}: ${message}`);
}
