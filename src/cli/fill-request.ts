import type { ServerParts } from '../adapters/create-mock-server';
import { answersTo, isNeeded } from '../checks/request/parameters';
import { isJsonMediaType } from '../http/media-type';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { setMember } from '../json/member';
import { scalarText } from '../json/scalar-text';
import { stringifyJson } from '../json/stringify-json';
import type { HttpRequest } from '../http/message';
import type { OperationPlan } from '../mock/operation-plan';
import type { Resource } from '../mock/resource';
import { collectionOf } from '../mock/state';
import { encodeParameter } from '../openapi/encode-parameter';
import type { MediaTypeEntry, Schema } from '../openapi/model';
import { chooseScheme } from '../runner/auth/schemes';
import { firstCollection } from './explain-rows';
import type { Route } from './find-route';
import { firstKey, knownKeys } from './known-keys';
import { sampleOf, valueFor } from './made-value';

/** Something that the request that is explained has though nobody gave it. */
export interface Filled {
  /** `path`, `query`, `header`, `cookie`, `body`. */
  readonly in: string;
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

/** A request to explain: what was given, and what is lacking of a good one. */
export interface FilledRequest {
  readonly request: HttpRequest;
  readonly filled: readonly Filled[];
}

/** What comes together of a request. */
interface Pieces {
  path: string;
  readonly query: string[];
  readonly headers: string[];
  readonly cookies: string[];
  readonly filled: Filled[];
}

/** @param given - body as it was given; `undefined` for one that is to be made up where the operation takes one */
export function fillRequest(
  parts: ServerParts,
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
function fillPath(parts: ServerParts, route: Route, pieces: Pieces): void {
  const { plan, variables } = route;
  const known = knownKeys(parts, route);
  for (const { name, value } of variables) {
    if (value !== `{${name}}`) continue;
    const parameter = plan.operation.parameters.find((each) => each.in === 'path' && each.name === name);
    const row = known.get(name);
    const made = row ?? (parameter === undefined ? undefined : valueFor(parts, parameter));
    if (made === undefined) continue;
    const text = parameter === undefined ? scalarText(made) : encodeParameter(parameter, made).join('');
    const why = row === undefined ? 'made up from its schema' : 'leads to a row that is there';
    pieces.path = pieces.path.replace(`{${name}}`, () => text);
    pieces.filled.push({ in: 'path', name, value: text, why });
  }
}

function fillRequired(parts: ServerParts, { operation }: OperationPlan, pieces: Pieces): void {
  const sent = new Set(pieces.query.flatMap((query) => query.split('&').map((pair) => pair.split('=')[0] ?? '')));
  for (const parameter of operation.parameters) {
    const { name, in: location } = parameter;
    if (
      !isNeeded(parameter) ||
      [...sent].some((each) => location === 'query' && answersTo(parameter, each)) ||
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

function addCredentials({ api, mock }: ServerParts, { operation }: OperationPlan, pieces: Pieces): void {
  const [key] = mock.context.options.apiKeys;
  const choice = chooseScheme(api, operation);
  if (choice.kind !== 'known' || key === undefined) return;
  const { headers, query } = choice.scheme.authenticate(key);
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
  parts: ServerParts,
  plan: OperationPlan,
  given: string | undefined,
  pieces: Pieces,
): string | undefined {
  const entry = bodyEntry(plan);
  const mediaType = entry === undefined || entry.mediaType.includes('*') ? 'application/json' : entry.mediaType;
  const made = given === undefined && entry !== undefined ? madeBody(parts, plan, entry, mediaType) : undefined;
  if (made !== undefined) pieces.filled.push({ in: 'body', name: mediaType, value: made.text, why: made.why });
  const text = given ?? made?.text;
  if (text !== undefined && !pieces.headers.includes('content-type')) pieces.headers.push('content-type', mediaType);
  return text;
}

function bodyEntry({ operation: { requestBody } }: OperationPlan): MediaTypeEntry | undefined {
  const content = requestBody?.content ?? [];
  return content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? content[0];
}

function madeBody(
  parts: ServerParts,
  plan: OperationPlan,
  { examples, schema }: MediaTypeEntry,
  mediaType: string,
): { readonly text: string; readonly why: string } | undefined {
  const shown = examples.find(({ value }) => isValid(schema, value));
  const value = shown?.value ?? (schema === undefined ? undefined : connected(parts, plan, schema));
  const text = value === undefined ? undefined : written(mediaType, value);
  if (text === undefined) return undefined;
  const which = shown?.name === undefined ? 'the example' : `the example "${shown.name}"`;
  return { text, why: shown === undefined ? 'made up from its schema' : `${which} of the description` };
}

function isValid(schema: Schema | undefined, value: JsonValue): boolean {
  return schema === undefined || schema.validate('request')(value).length === 0;
}

/** So many bodies are made up in search of one whose key is free. */
const MOST_BODIES = 8;

/** A body that is made up names items that there are, where its members hold keys of others, and is none of its own. */
function connected(parts: ServerParts, { behaviour }: OperationPlan, schema: Schema): JsonValue | undefined {
  const first = sampleOf(parts, schema);
  if (behaviour === undefined) return first;
  const { resource, kind } = behaviour;
  const { name = '' } = kind === 'create' ? (firstCollection(parts, resource) ?? {}) : {};
  const rows = collectionOf(parts.mock.initial, name);
  for (let ordinal = 0; ordinal < MOST_BODIES; ordinal++) {
    const made = ordinal === 0 ? first : sampleOf(parts, schema, ordinal);
    if (!isJsonObject(made)) return made;
    const key = resource.toKey(made[resource.keyMember]);
    if (key === undefined || rows?.get(key) === undefined) return withReferences(parts, resource, schema, made);
  }
  return first;
}

function withReferences(parts: ServerParts, { references }: Resource, schema: Schema, made: JsonObject): JsonValue {
  const body: Record<string, JsonValue> = { ...made };
  for (const { member, to, form } of references) {
    const key = form === 'key' ? firstKey(parts, to) : undefined;
    if (key !== undefined && body[member] !== undefined)
      setMember(body, member, typeof key === 'bigint' ? String(key) : key);
  }
  return isValid(schema, body) ? body : made;
}

/** @returns `undefined` for a media type that is not written here */
function written(mediaType: string, value: JsonValue): string | undefined {
  if (isJsonMediaType(mediaType)) return stringifyJson(value);
  if (typeof value === 'string' && !mediaType.startsWith('multipart/')) return value;
  if (!mediaType.startsWith('application/x-www-form-urlencoded') || !isJsonObject(value)) return undefined;
  const pairs = Object.entries(value).filter(([, each]) => typeof each !== 'object');
  return pairs.map(([name, each]) => `${encodeURIComponent(name)}=${encodeURIComponent(scalarText(each))}`).join('&');
}
