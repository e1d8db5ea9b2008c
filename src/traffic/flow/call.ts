import { headerValue, joinedHeaders } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import { rawCookieValues, rawQueryValues } from '../../core/http/raw-values';
import { parseTarget } from '../../core/http/request-target';
import type { JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation, Parameter } from '../../openapi/model/operation';
import { selectOperation, withQueryVariables } from '../../openapi/model/operation-selection';
import { decodeNamed, decodeParameter } from '../../openapi/parameters/decode-parameter';
import { inferResourceModel } from '../../resources/infer-resource-model';
import type { Binding } from '../../resources/model/binding';
import type { CleanExchange, RecordedBody } from '../exchange/recorded-exchange';

/** A recorded exchange, read by the description. */
export interface Call {
  /** Its place among the calls, by when the requests began. */
  readonly index: number;
  readonly exchange: CleanExchange;
  readonly method: string;
  /** Below the base path, still percent-encoded. */
  readonly path: string;
  /** Raw, without `?`. */
  readonly query: string;
  /** `undefined` when the description has none for the request. */
  readonly operation: Operation | undefined;
  readonly binding: Binding | undefined;
  /** Declared parameters that were sent, as their values. */
  readonly parameters: readonly SentParameter[];
  /** Names in the query that the operation does not declare. */
  readonly undeclared: readonly string[];
  /** `undefined` where there is none, or it is not JSON. */
  readonly requestBody: JsonValue | undefined;
  readonly responseBody: JsonValue | undefined;
  /** `undefined` when no response came. */
  readonly status: number | undefined;
}

export interface SentParameter {
  readonly parameter: Parameter;
  readonly value: JsonValue;
}

export function isSuccess({ status }: Pick<Call, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Reads exchanges in the order in which their requests began. @param basePath - of the API at the target, `''` or `/v1` */
export function readCalls(api: ApiModel, exchanges: readonly CleanExchange[], basePath: string): Call[] {
  const { bindings } = inferResourceModel(api);
  return exchanges.map((exchange, index) => {
    const { request, response } = exchange;
    const { path: whole = request.target, query = '' } = parseTarget(request.target) ?? {};
    const path = belowBase(whole, basePath);
    const asked = readOperation(api, request, path, query);
    return {
      ...{ index, exchange, method: request.method, path, query, ...asked },
      binding: asked.operation === undefined ? undefined : bindings.get(asked.operation),
      requestBody: jsonOf(request),
      responseBody: response === undefined ? undefined : jsonOf(response),
      status: response?.status,
    };
  });
}

function readOperation(
  api: ApiModel,
  { method, headers }: CleanExchange['request'],
  path: string,
  query: string,
): Pick<Call, 'operation' | 'parameters' | 'undeclared'> {
  const fields = joinedHeaders(headers);
  const match = api.routes.match(path);
  const operation = match === undefined ? undefined : selectOperation(match.route, method, query, fields);
  if (match === undefined || operation === undefined) return { operation: undefined, parameters: [], undeclared: [] };
  const { rawPathParameters } = withQueryVariables(match, operation, query);
  return { operation, ...readParameters(operation, { path: rawPathParameters, query, fields }) };
}

export function belowBase(path: string, basePath: string): string {
  if (basePath === '' || !(path === basePath || path.startsWith(`${basePath}/`))) return path;
  return path.slice(basePath.length) || '/';
}

interface SentTexts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly fields: ReturnType<typeof joinedHeaders>;
}

function readParameters(
  operation: Operation,
  { path, query, fields }: SentTexts,
): Pick<Call, 'parameters' | 'undeclared'> {
  const pairs = rawQueryValues(query);
  const sent = typeof pairs === 'string' ? new Map<string, readonly string[]>() : pairs;
  const cookies = rawCookieValues(fields['cookie']);
  const declared = operation.parameters.filter((parameter) => parameter.in === 'query');
  const used = new Set<string>();
  const parameters = operation.parameters.flatMap((parameter): SentParameter[] => {
    const value = valueOf(parameter);
    return value === undefined ? [] : [{ parameter, value }];
  });
  const undeclared = [...sent.keys()].filter((name) => !used.has(name) && !isProperty(name));
  return { parameters, undeclared };

  /** A value that cannot be read by the schema is sent all the same: as its text. */
  function valueOf(parameter: Parameter): JsonValue | undefined {
    const { name, in: place, key } = parameter;
    if (place === 'path') return oneValue(parameter, path[name], safely);
    if (place === 'header') return oneValue(parameter, fields[key], (text) => text);
    const texts = place === 'query' ? sent : cookies;
    const own = texts.get(name);
    if (own !== undefined) used.add(name);
    const decoded = decodeNamed(parameter, texts, (each) => declared.some((other) => other.name === each));
    return decoded?.kind === 'value' ? decoded.value : textsOf(own);
  }

  /** `filter[name]`, and a property of an exploded object. */
  function isProperty(name: string): boolean {
    const stem = name.split('[')[0];
    return declared.some(({ name: own, shape }) => own === stem || (shape.kind === 'object' && own !== name));
  }
}

/** @param plain - what is sent where the text cannot be read by the schema */
function oneValue(
  parameter: Parameter,
  text: string | undefined,
  plain: (text: string) => string,
): JsonValue | undefined {
  if (text === undefined) return undefined;
  const decoded = decodeParameter(parameter, [text]);
  return decoded.kind === 'value' ? decoded.value : plain(text);
}

function textsOf(raw: readonly string[] | undefined): JsonValue | undefined {
  const texts = raw?.map(safely);
  return texts?.length === 1 ? texts[0] : texts;
}

function safely(raw: string): string {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return raw;
  }
}

/** A JSON body; text of another type is none, whatever it looks like. */
function jsonOf({
  body,
  headers,
}: {
  readonly body: RecordedBody | undefined;
  readonly headers: RawHeaders;
}): JsonValue | undefined {
  const mediaType = headerValue(headers, 'content-type') ?? 'application/json';
  if (body?.kind !== 'text' || body.text === '' || !/json/i.test(mediaType)) return undefined;
  try {
    return parseJson(body.text);
  } catch {
    return undefined;
  }
}
