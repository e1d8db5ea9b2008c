import { headerValue } from '../../core/http/headers';
import { isJsonMediaType } from '../../core/http/media-type';
import type { RawHeaders } from '../../core/http/message';
import { parseQuery, parseTarget } from '../../core/http/request-target';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import type { Mock } from '../../mock/create-mock';
import type { Operation, Parameter } from '../../openapi/model/operation';
import type * as YamlText from '../../openapi/read/yaml-text';
import { KEY_VARIABLE } from '../../redaction/key-redactor';
import { createRedaction } from '../../redaction/redaction';
import { curlCommand } from '../../report/text/shell-commands';
import type { RequestDetails } from './shapes';

/** A request as it may be shown. */
interface ShownRequest extends Pick<
  RequestDetails,
  'method' | 'target' | 'operation' | 'status' | 'requestHeaders' | 'requestBody'
> {
  /** Of the mock, as its client knows it. */
  readonly address: string;
  /** As they were received. */
  readonly rawHeaders: RawHeaders;
}

/** Each client writes them by itself. */
const WRITTEN_BY_CLIENTS =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|user-agent|keep-alive|expect|sec-.*)$/i;

/** The request as a shell command, as JavaScript, and as a step of a contract: without its secrets. */
export function requestTexts(mock: Mock, request: ShownRequest): Pick<RequestDetails, 'curl' | 'fetch' | 'step'> {
  const { method, requestBody } = request;
  const headers = clientHeaders(mock, request);
  const url = `${request.address}${request.target}`;
  const body = requestBody.isCut ? undefined : (requestBody.text ?? undefined);
  const { size, isUnread } = requestBody;
  const isWhole = body !== undefined || (size === 0 && !isUnread);
  const unknown = isUnread ? 'the mock did not read it' : `it has ${size} bytes, which are not all remembered`;
  const omitted = isWhole ? undefined : unknown;
  return {
    curl: curlCommand({ method, url, headers, body, omitted }),
    fetch: fetchCall(method, url, headers, isWhole ? body : null),
    step: yamlText().writeYaml([stepOf(mock, request, body)]),
  };
}

/** Those that a client has to send, with a variable in the place of a key. */
function clientHeaders(mock: Mock, { operation, requestHeaders, rawHeaders }: ShownRequest): string[] {
  const { api } = mock.context;
  const known = api.operations.find(({ id }) => id === operation);
  const masked = createRedaction(api, known, () => KEY_VARIABLE).headers(rawHeaders);
  const headers: string[] = [];
  for (let index = 0; index < requestHeaders.length; index += 2) {
    const [name = '', shown = '', raw = '', value = ''] = [
      requestHeaders[index],
      requestHeaders[index + 1],
      rawHeaders[index + 1],
      masked[index + 1],
    ];
    if (WRITTEN_BY_CLIENTS.test(name)) continue;
    headers.push(name, value !== raw ? value : shown === raw ? raw : KEY_VARIABLE);
  }
  return headers;
}

/** @param body - `null` for one that is not remembered whole */
function fetchCall(method: string, url: string, headers: readonly string[], body: string | null | undefined): string {
  const texts: string[] = [];
  for (let index = 0; index < headers.length; index += 2)
    texts.push(`    ${JSON.stringify(headers[index])}: ${literal(headers[index + 1] ?? '')},`);
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(texts.length === 0 ? [] : ['  headers: {', ...texts, '  },']),
    ...(body === undefined
      ? []
      : [`  body: ${body === null ? '/* it is not known as a whole */ null' : JSON.stringify(body)},`]),
  ];
  const options = lines.length === 0 ? '' : `, {\n${lines.join('\n')}\n}`;
  const call = `const response = await fetch(${JSON.stringify(url)}${options});`;
  return call.includes('apiKey') ? `const apiKey = 'YOUR-KEY';\n${call}` : call;
}

function literal(text: string): string {
  const parts = text.split(KEY_VARIABLE).map((part) => JSON.stringify(part));
  return parts
    .join(' + apiKey + ')
    .replace(/^"" \+ /, '')
    .replace(/ \+ ""$/, '');
}

function stepOf(mock: Mock, request: ShownRequest, body: string | undefined): JsonObject {
  const { method, target, operation: id, status, requestHeaders } = request;
  const { api, basePath } = mock.context;
  const operation = api.operations.find((each) => each.id === id);
  const type = headerValue(requestHeaders, 'Content-Type');
  const what =
    operation === undefined
      ? { method, path: plain(target.startsWith(basePath) ? target.slice(basePath.length) : target) }
      : { operation: operation.id, ...parametersOf(mock, operation, request) };
  return {
    name: plain(`${method} ${target} gives ${status}`),
    ...what,
    ...(body === undefined ? {} : bodyOf(body, type)),
    expect: { status },
  };
}

function parametersOf(mock: Mock, operation: Operation, request: ShownRequest): JsonObject {
  const { path = '', query = '' } = parseTarget(request.target) ?? {};
  const found = mock.context.mounts
    .map(({ basePath, routes }) =>
      path.startsWith(`${basePath}/`) ? routes.match(path.slice(basePath.length)) : undefined,
    )
    .find((match) => match?.route.operations.get(operation.method)?.id === operation.id);
  const pairs = parseQuery(query);
  const valueOf = ({ name, in: place }: Parameter): JsonValue | undefined => {
    if (place === 'path') return found?.pathParameters[name];
    if (place === 'header') return headerValue(request.requestHeaders, name);
    const values = place === 'query' ? pairs.flatMap((pair) => (pair.name === name ? [pair.value ?? ''] : [])) : [];
    return values.length > 1 ? values : values[0];
  };
  const names = operation.parameters.map(({ name }) => name);
  const given = operation.parameters.flatMap((parameter): [string, JsonValue][] => {
    const { name, in: place } = parameter;
    const value = valueOf(parameter);
    if (value === undefined || isHidden(value)) return [];
    const isShared = names.indexOf(name) !== names.lastIndexOf(name);
    return [[isShared ? `${place}.${name}` : name, literalValue(value)]];
  });
  return given.length === 0 ? {} : { parameters: Object.fromEntries(given) };
}

/** The runner has keys of its own. */
function isHidden(value: JsonValue): boolean {
  return value === '[redacted]';
}

function bodyOf(body: string, type = 'application/json'): JsonObject {
  if (body === '') return {};
  const headers = isJsonMediaType(type) ? {} : { headers: { 'Content-Type': type } };
  if (!isJsonMediaType(type)) return { ...headers, text: plain(body) };
  try {
    return { body: literalValue(parseJson(body)) };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { text: plain(body) };
    throw error;
  }
}

/** A text in which nothing is read as a placeholder. */
function plain(text: string): string {
  return text.replaceAll('${', () => '$${');
}

function literalValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return plain(value);
  if (Array.isArray(value)) return value.map(literalValue);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [name, literalValue(property as JsonValue)]),
  );
}

function yamlText(): typeof YamlText {
  // oxlint-disable-next-line typescript/no-require-imports -- a mock of JSON needs no YAML at its start
  return require('../../openapi/read/yaml-text') as typeof YamlText;
}
