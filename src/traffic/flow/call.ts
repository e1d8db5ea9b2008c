import { headerValue, joinedHeaders } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import { bodyKind, isJsonMediaType, parseMediaType } from '../../core/http/media-type';
import { rawCookieValues, rawQueryValues } from '../../core/http/raw-values';
import { parseQuery, parseTarget } from '../../core/http/request-target';
import { isJsonObject, type JsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { addToList } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation, Parameter } from '../../openapi/model/operation';
import { selectOperation, withQueryVariables } from '../../openapi/model/operation-selection';
import { decodeNamed, decodeParameter } from '../../openapi/parameters/decode-parameter';
import { inferResourceModel } from '../../resources/infer-resource-model';
import type { Binding } from '../../resources/model/binding';
import { jsonInText } from '../exchange/json-text';
import { meantType } from '../exchange/meant-type';
import { type FormPart, multipartParts } from '../exchange/multipart-parts';
import { withoutCacheConditions } from '../exchange/browser-exchange';
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
  /** JSON, or the fields of a form without its files, by their names; `undefined` where there is none. */
  readonly requestBody: JsonValue | undefined;
  /** Is {@link requestBody} a form? Then its values are texts, whatever they mean. */
  readonly isForm: boolean;
  /** `undefined` where there is none, or it is not JSON. */
  readonly responseBody: JsonValue | undefined;
  /** `undefined` when no response came. */
  readonly status: number | undefined;
}

export interface SentParameter {
  readonly parameter: Parameter;
  readonly value: JsonValue;
}

/** A field of a form that was sent. */
export interface SentField {
  readonly name: string;
  /** `undefined` for a file. */
  readonly value: JsonValue | undefined;
  readonly file: { readonly bytes: Uint8Array; readonly fileName: string } | undefined;
  /** Of the part; `undefined` where it says none. */
  readonly mediaType: string | undefined;
}

/** The same call at another place. */
export function placedAt(call: Call, index: number): Call {
  const properties = Object.getOwnPropertyDescriptors(call);
  return Object.defineProperties({}, { ...properties, index: { value: index, enumerable: true } }) as Call;
}

export function isSuccess({ status }: Pick<Call, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Statuses that say nothing of the request: the service fails, or has no time for it. */
export function isFailure({ status = 0 }: Call): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/** Reads exchanges in the order in which their requests began. @param basePath - of the API at the target, `''` or `/v1` */
export function readCalls(api: ApiModel, exchanges: readonly CleanExchange[], basePath: string): Call[] {
  const { bindings } = inferResourceModel(api);
  return exchanges.map(withoutCacheConditions).map((exchange, index) => {
    const { request, response } = exchange;
    const { path: whole = request.target, query = '' } = parseTarget(request.target) ?? {};
    const path = belowBase(whole, basePath);
    const asked = readOperation(api, request, path, query);
    return {
      ...{ index, exchange, method: request.method, path, query, ...asked },
      binding: asked.operation === undefined ? undefined : bindings.get(asked.operation),
      ...readSent(request),
      // Read when it is asked for: what all responses mean is many times as large as their texts.
      get responseBody() {
        return response === undefined ? undefined : jsonOf(response);
      },
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
  const match = api.routes.match(path, method);
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
    const isWritable = decoded?.kind === 'value' && (parameter.contentType !== undefined || !isNested(decoded.value));
    return isWritable ? decoded.value : textsOf(own);
  }

  /** `filter[name]`, and a property of an exploded object. */
  function isProperty(name: string): boolean {
    const stem = name.split('[')[0];
    return declared.some(({ name: own, shape }) => own === stem || (shape.kind === 'object' && own !== name));
  }
}

/** Does an object hold objects, for which the parameters of a contract have no form? */
function isNested(value: JsonValue): boolean {
  return isJsonObject(value) && Object.values(value).some((part) => isJsonObject(part));
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

function readSent(request: CleanExchange['request']): Pick<Call, 'requestBody' | 'isForm'> {
  const form = formOf(request);
  return form === undefined
    ? { requestBody: jsonOf(request), isForm: false }
    : { requestBody: fieldsOf(form), isForm: true };
}

/** What was sent as a form, field by field; `undefined` for another body. */
export function formOf({ body, headers }: CleanExchange['request']): readonly SentField[] | undefined {
  const type = meantType(body, headerValue(headers, 'content-type')) ?? '';
  switch (bodyKind(type)) {
    case 'form':
      return body?.kind !== 'text'
        ? undefined
        : parseQuery(body.text).flatMap(({ name, value }) =>
            name === undefined || value === undefined ? [] : [{ name, value, file: undefined, mediaType: undefined }],
          );
    case 'multipart':
      return multipartParts(body, parseMediaType(type)?.parameters.get('boundary') ?? '').map(sentField);
    default:
      return undefined;
  }
}

function sentField({ name, isFile, bytes, fileName = name, mediaType, text }: FormPart): SentField {
  const json =
    mediaType !== undefined && isJsonMediaType(mediaType)
      ? jsonInText(text || Buffer.from(bytes).toString())
      : undefined;
  // A page can give a part its type only as a file without a name, which is then called so (XHR Standard §5.2).
  const isValue = !isFile || (json !== undefined && fileName === 'blob');
  if (!isValue) return { name, value: undefined, file: { bytes, fileName }, mediaType };
  return { name, value: json ?? text, file: undefined, mediaType };
}

/** Fields without files by their names; a list of those that share one. */
function fieldsOf(form: readonly SentField[]): JsonObject {
  const fields: Record<string, JsonValue> = {};
  for (const [name, same] of groupsOf(form)) {
    const values = same.flatMap(({ value }) => (value === undefined ? [] : [value]));
    const [first] = values;
    if (first !== undefined) setProperty(fields, name, same.length === 1 ? first : values);
  }
  return fields;
}

/** Those of each name, in the order in which the names were sent. */
export function groupsOf(form: readonly SentField[]): ReadonlyMap<string, readonly SentField[]> {
  const groups = new Map<string, SentField[]>();
  for (const field of form) addToList(groups, field.name, field);
  return groups;
}

/** A JSON body; text of another type is none, whatever it looks like. */
function jsonOf({
  body,
  headers,
}: {
  readonly body: RecordedBody | undefined;
  readonly headers: RawHeaders;
}): JsonValue | undefined {
  const mediaType = meantType(body, headerValue(headers, 'content-type')) ?? 'application/json';
  return body?.kind === 'text' && body.text !== '' && /json/i.test(mediaType) ? jsonInText(body.text) : undefined;
}
