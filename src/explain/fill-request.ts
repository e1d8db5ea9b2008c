import type { ExplainedMock } from './explained-mock';
import { matchesParameterName, isRequired } from '../checks/request/parameters';
import { isJsonMediaType } from '../core/http/media-type';
import { isJsonObject, type JsonObject, type JsonValue, setProperty } from '../core/json/json-value';
import { scalarText, stringifyJson } from '../core/json/stringify-json';
import type { HttpRequest } from '../core/http/message';
import type { OperationPlan } from '../mock/plans/operation-plan';
import type { Resource } from '../mock/state/prepared-resource';
import { collectionOf } from '../mock/state/state';
import { encodeParameter } from '../openapi/parameters/encode-parameter';
import type { MediaTypeEntry, Schema } from '../openapi/model/operation';
import { chooseScheme } from '../security/registry';
import { firstCollection } from './data-origins';
import { firstKey, knownKeys, type Route, sampleOf, valueFor } from './route';

/** Something that the request that is explained has though nobody gave it. */
export interface AddedValue {
  /** `path`, `query`, `header`, `cookie`, `body`. */
  readonly in: string;
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

/** A request to explain: what was given, and what is lacking of a good one. */
export interface FilledRequest {
  readonly request: HttpRequest;
  readonly filled: readonly AddedValue[];
}

/** What comes together of a request. */
interface Pieces {
  path: string;
  readonly query: string[];
  readonly headers: string[];
  readonly cookies: string[];
  readonly filled: AddedValue[];
}

/** @param given - body as it was given; `undefined` for one that is to be generated where the operation takes one */
export function fillRequest(
  parts: ExplainedMock,
  method: string,
  route: Route,
  given: string | undefined,
): FilledRequest {
  const pieces: Pieces = {
    path: route.path,
    query: route.query === '' ? [] : [route.query],
    headers: [],
    cookies: [],
    filled: [],
  };
  for (const [name, value] of Object.entries(route.headers)) pieces.headers.push(name, value);
  fillPath(parts, route, pieces);
  fillRequired(parts, route.plan, pieces);
  addCredentials(parts, route.plan, pieces);
  const body = bodyFor(parts, route.plan, given, pieces);
  const { path, query, headers, cookies, filled } = pieces;
  if (cookies.length > 0) headers.push('cookie', cookies.join('; '));
  const bytes = new TextEncoder().encode(body ?? '');
  const rawHeaders = ['host', 'localhost', ...headers];
  if (bytes.length > 0) rawHeaders.push('content-length', String(bytes.length));
  const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
  const request = { method, target, rawHeaders, headers: toRecord(rawHeaders), body: bytes };
  return { request, filled };
}

function toRecord(raw: readonly string[]): Record<string, string> {
  return Object.fromEntries(raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? '']] : [])));
}

/** `{thingId}` stands for a thing that there is. */
function fillPath(parts: ExplainedMock, route: Route, pieces: Pieces): void {
  const { plan, variables } = route;
  const known = knownKeys(parts, route);
  for (const { name, value } of variables) {
    if (value !== `{${name}}`) continue;
    const parameter = plan.operation.parameters.find((each) => each.in === 'path' && each.name === name);
    const item = known.get(name);
    const made = item ?? (parameter === undefined ? undefined : valueFor(parts, parameter));
    if (made === undefined) continue;
    const text = parameter === undefined ? scalarText(made) : encodeParameter(parameter, made).join('');
    const why = item === undefined ? 'made up from its schema' : 'leads to an item that exists';
    pieces.path = pieces.path.replace(`{${name}}`, () => text);
    pieces.filled.push({ in: 'path', name, value: text, why });
  }
}

function fillRequired(parts: ExplainedMock, { operation }: OperationPlan, pieces: Pieces): void {
  const sent = new Set(pieces.query.flatMap((query) => query.split('&').map((pair) => pair.split('=')[0] ?? '')));
  for (const parameter of operation.parameters) {
    const { name, in: location } = parameter;
    if (
      !isRequired(parameter) ||
      [...sent].some((each) => location === 'query' && matchesParameterName(parameter, each)) ||
      location === 'path' ||
      sent.has(encodeURIComponent(name)) ||
      sent.has(name)
    )
      continue;
    if (location === 'header' && pieces.headers.includes(parameter.key)) continue;
    const value = valueFor(parts, parameter);
    if (value === undefined) continue;
    const texts = encodeParameter(parameter, value);
    if (location === 'header') pieces.headers.push(parameter.key, texts.join(', '));
    else (location === 'cookie' ? pieces.cookies : pieces.query).push(...texts);
    pieces.filled.push({ in: location, name, value: texts.join(', '), why: 'required; made up from its schema' });
  }
}

function addCredentials({ api, mock }: ExplainedMock, { operation }: OperationPlan, pieces: Pieces): void {
  const [key] = mock.context.options.apiKeys;
  const choice = chooseScheme(api, operation);
  if (choice.kind !== 'known' || key === undefined) return;
  const { headers, query } = choice.scheme.send(key);
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at]?.toLowerCase(), headers[at + 1]];
    if (name === 'cookie') pieces.cookies.push(value);
    else pieces.headers.push(name, value);
    pieces.filled.push({ in: name === 'cookie' ? 'cookie' : 'header', name, value, why: 'credentials' });
  }
  pieces.query.push(...query);
  for (const pair of query) {
    const [name = '', value = ''] = pair.split('=');
    pieces.filled.push({ in: 'query', name, value, why: 'credentials' });
  }
}

function bodyFor(
  parts: ExplainedMock,
  plan: OperationPlan,
  given: string | undefined,
  pieces: Pieces,
): string | undefined {
  const entry = bodyEntry(plan);
  const mediaType = entry === undefined || entry.mediaType.includes('*') ? 'application/json' : entry.mediaType;
  const made = given === undefined && entry !== undefined ? sampledBody(parts, plan, entry, mediaType) : undefined;
  if (made !== undefined) pieces.filled.push({ in: 'body', name: mediaType, value: made.text, why: made.why });
  const text = given ?? made?.text;
  if (text !== undefined && !pieces.headers.includes('content-type')) pieces.headers.push('content-type', mediaType);
  return text;
}

function bodyEntry({ operation: { requestBody } }: OperationPlan): MediaTypeEntry | undefined {
  const content = requestBody?.content ?? [];
  return content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? content[0];
}

function sampledBody(
  parts: ExplainedMock,
  plan: OperationPlan,
  { examples, schema }: MediaTypeEntry,
  mediaType: string,
): { readonly text: string; readonly why: string } | undefined {
  const shown = examples.find(({ value }) => schema?.accepts(value, 'request') !== false);
  const value = shown?.value ?? (schema === undefined ? undefined : withExistingKeys(parts, plan, schema));
  const text = value === undefined ? undefined : serializedBody(mediaType, value);
  if (text === undefined) return undefined;
  const which = shown?.name === undefined ? 'the example' : `the example "${shown.name}"`;
  return { text, why: shown === undefined ? 'made up from its schema' : `${which} of the description` };
}

/** So many bodies are generated in search of one whose key is free. */
const MOST_BODIES = 8;

/** A body that is generated names items that there are, where its properties hold keys of others, and is none of its own. */
function withExistingKeys(parts: ExplainedMock, { behaviour }: OperationPlan, schema: Schema): JsonValue | undefined {
  const first = sampleOf(parts, schema);
  if (behaviour === undefined) return first;
  const { resource, kind } = behaviour;
  const { name = '' } = kind === 'create' ? (firstCollection(parts, resource) ?? {}) : {};
  const items = collectionOf(parts.mock.initial, name);
  for (let ordinal = 0; ordinal < MOST_BODIES; ordinal++) {
    const made = ordinal === 0 ? first : sampleOf(parts, schema, ordinal);
    if (!isJsonObject(made)) return made;
    const key = resource.toKey(made[resource.keyMember]);
    if (key === undefined || items?.get(key) === undefined) return withReferences(parts, resource, schema, made);
  }
  return first;
}

function withReferences(parts: ExplainedMock, { references }: Resource, schema: Schema, made: JsonObject): JsonValue {
  const body: Record<string, JsonValue> = { ...made };
  for (const { property, to, form } of references) {
    const key = form === 'key' ? firstKey(parts, to) : undefined;
    if (key !== undefined && body[property] !== undefined)
      setProperty(body, property, typeof key === 'bigint' ? String(key) : key);
  }
  return schema.accepts(body, 'request') ? body : made;
}

/** @returns `undefined` for a media type that is not written here */
function serializedBody(mediaType: string, value: JsonValue): string | undefined {
  if (isJsonMediaType(mediaType)) return stringifyJson(value);
  if (typeof value === 'string' && !mediaType.startsWith('multipart/')) return value;
  if (!mediaType.startsWith('application/x-www-form-urlencoded') || !isJsonObject(value)) return undefined;
  const pairs = Object.entries(value).filter(([, each]) => typeof each !== 'object');
  return pairs.map(([name, each]) => `${encodeURIComponent(name)}=${encodeURIComponent(scalarText(each))}`).join('&');
}
