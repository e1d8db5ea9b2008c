import type { HttpRequest } from '../../src/core/http/message';
import { isJsonMediaType } from '../../src/core/http/media-type';
import { isJsonObject, type JsonValue } from '../../src/core/json/json-value';
import { stringifyJson } from '../../src/core/json/stringify-json';
import type { MediaTypeEntry, Operation, Parameter, Schema, SecurityScheme } from '../../src/openapi/model/operation';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { encodeParameter } from '../../src/openapi/parameters/encode-parameter';
import { writeForm } from './form-body';

/** Makes a value that a schema allows. */
export type MakeValue = (schema: Schema, seed: string) => JsonValue | undefined;

export interface Wanted {
  /** Values for path parameters, by name; others are made up. */
  readonly path?: Readonly<Record<string, JsonValue>>;
  readonly body?: JsonValue | undefined;
  readonly seed?: string;
}

export type MadeRequest =
  | { readonly kind: 'made'; readonly request: HttpRequest; readonly body: JsonValue | undefined }
  | { readonly kind: 'not-made'; readonly reason: string };

const KEY = 'test-key';

/** A request that the description allows: what is required and no more, with the credentials that the mock accepts. */
export function requestFor(
  api: ApiModel,
  operation: Operation,
  base: string,
  makeValue: MakeValue,
  { path = {}, body: given, seed = 'corpus' }: Wanted = {},
): MadeRequest {
  const parts: Parts = { query: [], headers: ['Accept', '*/*'], cookies: [] };
  const filled = fillParameters(api, operation, parts, (parameter) => {
    const wanted = parameter.in === 'path' ? path[parameter.name] : undefined;
    return wanted ?? (parameter.schema === undefined ? 'x' : makeValue(parameter.schema, seed));
  });
  if (filled.kind === 'not-made') return filled;
  addCredentials(api, operation, parts);
  const made = bodyFor(operation, makeValue, given, seed);
  if (typeof made === 'string') return notMade(made);
  const { headers, query, cookies } = parts;
  if (made.mediaType !== undefined) headers.push('Content-Type', made.mediaType);
  if (cookies.length > 0) headers.push('Cookie', cookies.join('; '));
  headers.push('Host', new URL(base).host);
  const target = `${basePathOf(api, operation)}${filled.path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  const request: HttpRequest = { method: operation.method, target, headers: {}, rawHeaders: headers, body: made.bytes };
  return { kind: 'made', request, body: made.value };
}

/** An operation may have servers of its own. */
function basePathOf({ mounts, basePath }: ApiModel, { path, method }: Operation): string {
  const mount = mounts.find(({ routes }) =>
    routes.routes.some((route) => route.path === path && route.operations.has(method)),
  );
  return mount?.basePath ?? basePath;
}

type NotMade = Extract<MadeRequest, { kind: 'not-made' }>;

function fillParameters(
  api: ApiModel,
  operation: Operation,
  parts: Parts,
  valueFor: (parameter: Parameter) => JsonValue | undefined,
): { readonly kind: 'filled'; readonly path: string } | NotMade {
  let { path, query } = operation;
  for (const parameter of operation.parameters) {
    if (!parameter.required || isCredential(api, operation, parameter)) continue;
    if (parameter.in !== 'path' && `&${query}`.includes(`&${parameter.name}=`)) continue;
    const value = valueFor(parameter);
    if (value === undefined) return notMade(`no value for the ${parameter.in} parameter "${parameter.name}"`);
    if (parameter.in !== 'path') put(parts, parameter, value);
    else {
      const text = encodeParameter(parameter, value).join('');
      path = path.replaceAll(`{${parameter.name}}`, text);
      query = query.replaceAll(`{${parameter.name}}`, text);
    }
  }
  if (query !== '') parts.query.unshift(query);
  return { kind: 'filled', path };
}

/** Some descriptions list the key of a security scheme among the parameters as well. */
function isCredential(api: ApiModel, { security }: Operation, parameter: Parameter): boolean {
  return requirementNames(security[0]).some((name) => {
    const scheme = api.securitySchemes.get(name);
    return scheme?.type === 'apiKey' && scheme.in === parameter.in && scheme.parameterName === parameter.name;
  });
}

interface Parts {
  readonly query: string[];
  readonly headers: string[];
  readonly cookies: string[];
}

function notMade(reason: string): NotMade {
  return { kind: 'not-made', reason };
}

function put({ query, headers, cookies }: Parts, parameter: Parameter, value: JsonValue): void {
  const texts = encodeParameter(parameter, value);
  if (parameter.in === 'header') headers.push(parameter.name, texts.join(', '));
  else (parameter.in === 'cookie' ? cookies : query).push(...texts);
}

interface MadeBody {
  readonly mediaType: string | undefined;
  readonly bytes: Uint8Array;
  readonly value: JsonValue | undefined;
}

const NO_BODY: MadeBody = { mediaType: undefined, bytes: new Uint8Array(), value: undefined };

/** @returns why none can be made, in place of it */
function bodyFor(
  { requestBody }: Operation,
  makeValue: MakeValue,
  given: JsonValue | undefined,
  seed: string,
): MadeBody | string {
  const entry = requestBody?.content.find(({ mediaType }) => isPlainJson(mediaType)) ?? requestBody?.content[0];
  if (requestBody === undefined || entry === undefined) return NO_BODY;
  const value = given ?? (entry.schema === undefined ? {} : makeValue(entry.schema, seed));
  if (value === undefined) return requestBody.required ? 'no value for the body' : NO_BODY;
  return write(entry, value) ?? (requestBody.required ? `a body of ${entry.mediaType} is not made here` : NO_BODY);
}

/** What a value of the schema is sent as; a JSON Patch is a language of its own (RFC 6902). */
function isPlainJson(mediaType: string): boolean {
  return isJsonMediaType(mediaType) && !/json-patch/i.test(mediaType);
}

function write(entry: MediaTypeEntry, value: JsonValue): MadeBody | undefined {
  const { mediaType } = entry;
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  // What may be of any type, and is an object, is sent as JSON by whoever reads the description.
  if (isJsonMediaType(mediaType) || (mediaType === '*/*' && isJsonObject(value))) {
    const type = mediaType.includes('*') ? 'application/json' : mediaType;
    return { mediaType: type, bytes: encode(stringifyJson(value)), value };
  }
  if (/^application\/x-www-form-urlencoded|^multipart\/form-data/i.test(mediaType) && isJsonObject(value)) {
    const form = writeForm(entry, value);
    return { mediaType: form.mediaType, bytes: encode(form.text), value: undefined };
  }
  if (mediaType.includes('*') || /^multipart\//.test(mediaType)) return undefined;
  return { mediaType, bytes: encode(typeof value === 'string' ? value : 'text'), value: undefined };
}

/** Credentials for the first alternative. One header can carry one of them: more is sent once. */
function addCredentials(api: ApiModel, { security }: Operation, { query, headers, cookies }: Parts): void {
  for (const name of requirementNames(security[0])) {
    const scheme = api.securitySchemes.get(name);
    if (scheme?.type === 'apiKey') {
      const key = scheme.parameterName ?? '';
      if (scheme.in === 'query') query.push(`${encodeURIComponent(key)}=${KEY}`);
      else if (scheme.in === 'cookie') cookies.push(`${key}=${KEY}`);
      else if (!headers.includes(key)) headers.push(key, KEY);
    } else if (scheme !== undefined && !headers.includes('Authorization')) {
      headers.push('Authorization', authorization(scheme));
    }
  }
}

function authorization({ type, scheme }: SecurityScheme): string {
  if (type !== 'http' || scheme === undefined || scheme === 'bearer') return `Bearer ${KEY}`;
  return scheme === 'basic' ? `Basic ${Buffer.from(`user:${KEY}`).toString('base64')}` : `${scheme} ${KEY}`;
}

function requirementNames(requirement: Operation['security'][number] | undefined): readonly string[] {
  return (requirement ?? []).map(({ name }) => name);
}
