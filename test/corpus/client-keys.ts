import type { HttpResponse } from '../../src/http/message';
import type { Transport } from '../../src/http/transport';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/json-value';
import type { ApiModel, Operation } from '../../src/openapi/model';
import { foldedName } from '../../src/resources/inflection';
import {
  lastLiteral,
  parseTemplate,
  variablesOf,
  withoutLast,
  type PathTemplate,
  type Segment,
} from '../../src/resources/path-template';
import { bodyText, call, nameOf } from './call-operations';
import { itemInSight, keysInSight, listInSight, locationKey, type Key } from './key-in-sight';
import { requestFor, type MakeValue } from './request-for';
import type { Complaint } from './trial';

/** Creations whose item was read under the key that their answer shows. */
export interface KeyTrips {
  readonly tried: number;
  readonly held: number;
  readonly broken: readonly Complaint[];
  /** Creations whose answer documents no key, and those that could not be sent. */
  readonly untried: readonly Complaint[];
}

export interface KeyTrack {
  readonly api: ApiModel;
  readonly base: string;
  readonly transport: Transport;
  readonly makeValue: MakeValue;
  /** What was made to have something to look below, by what it is. */
  readonly made: Map<string, JsonObject | undefined>;
}

/** A creation and the operation by which a reader of the paths alone would read what it made. */
interface Pair {
  readonly create: Operation;
  readonly read: Operation;
  readonly place: PathTemplate;
  /** The variable that the key fills. */
  readonly variable: string;
}

/**
 * Creates an item wherever the paths say that one can be created and read, and reads it as a client does that knows
 * nothing of what the mock inferred: under the key that the answer shows, or that it chose itself.
 */
export async function tryClientKeys(track: KeyTrack): Promise<KeyTrips> {
  const broken: Complaint[] = [];
  const untried: Complaint[] = [];
  let tried = 0;
  for (const pair of pairsOf(track.api)) {
    const fault = await trip(track, pair);
    if (fault?.kind.startsWith('not tried') === true) untried.push(fault);
    else {
      tried += 1;
      if (fault !== undefined) broken.push(fault);
    }
  }
  return { tried, held: tried - broken.length, broken, untried };
}

function pairsOf(api: ApiModel): Pair[] {
  const reads = api.operations.flatMap((operation) => {
    const place = operation.method === 'GET' ? parseTemplate(operation.path) : undefined;
    return place !== undefined && place.segments.at(-1)?.kind === 'variable' ? [{ operation, place }] : [];
  });
  return api.operations.flatMap((create): Pair[] => {
    const place = parseTemplate(create.path);
    if (place === undefined || !isCreation(create, place, api)) return [];
    const found = reads.find(
      (read) => read.place.shape === (create.method === 'PUT' ? place.shape : `${place.shape}/{}`),
    );
    const read = found ?? (create.method === 'PUT' ? undefined : elsewhere(place, reads));
    const variable = read === undefined ? undefined : variablesOf(read.place.segments).at(-1);
    return read === undefined || variable === undefined ? [] : [{ create, read: read.operation, place, variable }];
  });
}

/** A POST to a place, or a PUT under a key that the client chooses where no POST makes items. */
function isCreation({ method }: Operation, place: PathTemplate, api: ApiModel): boolean {
  const last = place.segments.at(-1);
  if (method === 'POST') return last?.kind === 'literal';
  if (method !== 'PUT' || last?.kind !== 'variable') return false;
  const above = withoutLast(place).shape;
  return !api.operations.some((other) => other.method === 'POST' && parseTemplate(other.path)?.shape === above);
}

/** `GET /issues/{id}` for `POST /projects/{p}/issues`: the only place of that name, below nothing that the client does not know. */
function elsewhere<Read extends { readonly place: PathTemplate }>(
  place: PathTemplate,
  reads: readonly Read[],
): Read | undefined {
  const name = foldedName(lastLiteral(place.segments));
  const known = new Set(variablesOf(place.segments));
  const alike = reads.filter(({ place: { segments } }) => {
    const isBehindName = segments.at(-2)?.kind === 'literal' && foldedName(lastLiteral(segments)) === name;
    return isBehindName && variablesOf(segments.slice(0, -1)).every((variable) => known.has(variable));
  });
  return alike.length === 1 ? alike[0] : undefined;
}

const SEEDS = ['a new one', 'another new one', 'a third'];

async function trip(track: KeyTrack, pair: Pair): Promise<Complaint | undefined> {
  const { create, place, variable } = pair;
  const noun = foldedName(lastLiteral(place.segments));
  const isPut = create.method === 'PUT';
  const path = await valuesAbove(track, create, isPut ? withoutLast(place) : place);
  const chosen = isPut ? toldKey(track, create, lastVariable(place)) : undefined;
  const response = await createOne(
    track,
    create,
    chosen === undefined ? path : { ...path, [lastVariable(place)]: chosen },
  );
  if (response === undefined) return complaint('not tried: no request could be made', create);
  if (response.status >= 400) return refusedBy(create, response, isPut);
  const keys = chosen === undefined ? shownKeys(response, variable, noun) : [chosen];
  const [key] = keys;
  if (key !== undefined) return readUnder(track, pair, path, key);
  return complaint(
    bodyText(response).trim() === '' ? 'not tried: the answer has no body' : 'no key in sight',
    create,
    response,
  );
}

function complaint(kind: string, operation: Operation, response?: HttpResponse): Complaint {
  const detail = response === undefined ? '' : `${response.status} ${bodyText(response)}`;
  return { operation: nameOf(operation), kind, detail };
}

function lastVariable({ segments }: PathTemplate): string {
  return variablesOf(segments).at(-1) ?? '';
}

/** What is refused with a made-up body is tried with names of its own. */
async function createOne(
  track: KeyTrack,
  create: Operation,
  path: Readonly<Record<string, JsonValue>>,
): Promise<HttpResponse | undefined> {
  let response: HttpResponse | undefined;
  for (const [index, seed] of SEEDS.entries()) {
    response = await send(track, create, path, seed, index === 0 ? undefined : renamed);
    if (response === undefined || response.status < 400) break;
  }
  return response;
}

function refusedBy(create: Operation, response: HttpResponse, isPut: boolean): Complaint {
  const changesOnly = isPut && response.status === 404 && create.responses.has('404');
  return complaint(changesOnly ? 'not tried: it changes only what is there' : 'not created', create, response);
}

async function readUnder(
  track: KeyTrack,
  { read, place, variable }: Pair,
  path: Readonly<Record<string, JsonValue>>,
  key: Key,
): Promise<Complaint | undefined> {
  const response = await send(track, read, { ...inOrder(read, path), [variable]: key }, 'read');
  if (response === undefined) return complaint('not tried: no request could be made', read);
  if (response.status >= 300) return complaint('created, and not read', read, response);
  const seen = shownKeys(response, variable, foldedName(lastLiteral(place.segments))).map(String);
  return seen.length === 0 || seen.includes(String(key)) ? undefined : complaint('reads another one', read, response);
}

/** The same values under the names that another operation has for the variables of its path. */
function inOrder({ path }: Operation, values: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  const names = variablesOf(parseTemplate(path)?.segments ?? []);
  const given = Object.values(values);
  return Object.fromEntries(names.slice(0, -1).map((name, index) => [name, values[name] ?? given[index] ?? 'mine']));
}

/** The same body with names of its own: those of an example are taken already. */
function renamed(body: JsonValue | undefined, seed: string): JsonValue | undefined {
  if (!isJsonObject(body)) return undefined;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (isJsonObject(value)) return [name, renamed(value, seed) ?? value];
      const isName = typeof value === 'string' && /(?:name|slug|key|code|login|email|title|id)$/i.test(name);
      return [name, isName ? `${SEEDS.indexOf(seed)}${value}` : value];
    }),
  );
}

function shownKeys(response: HttpResponse, variable: string, noun: string): Key[] {
  const located = locationKey(response);
  return [...keysInSight(response, variable, noun), ...(located === undefined ? [] : [located])];
}

/** A key that a client was told of, or chooses: `mine` where the path takes that. */
function toldKey({ makeValue }: KeyTrack, { parameters }: Operation, variable: string): Key {
  const schema = parameters.find(({ in: place, name }) => place === 'path' && name === variable)?.schema;
  const isFree = schema === undefined || schema.validate('request')('mine').length === 0;
  const made = isFree ? 'mine' : makeValue(schema, 'mine');
  return typeof made === 'string' || typeof made === 'number' ? made : 'mine';
}

/**
 * What a client puts into the variables above: the key of the first item of the list there, or of one that it makes itself
 * where nothing lists them; else a name that it was told.
 */
async function valuesAbove(
  track: KeyTrack,
  operation: Operation,
  { segments }: PathTemplate,
): Promise<Record<string, JsonValue>> {
  const values: Record<string, JsonValue> = {};
  for (const [index, segment] of segments.entries()) {
    if (segment.kind !== 'variable') continue;
    const before = segments.slice(0, index);
    const noun = foldedName(lastLiteral(before));
    const item = (await firstListed(track, before, values)) ?? (await oneMade(track, noun));
    const [key] = item === undefined ? [] : keysInSight(item, segment.name, noun);
    values[segment.name] = key ?? toldKey(track, operation, segment.name);
    // `/repos/{owner}/{repo}`: what was made shows its owner.
    if (item !== undefined && segments[index - 1]?.kind === 'variable') showOwner(values, segments[index - 1], item);
  }
  return values;
}

function showOwner(values: Record<string, JsonValue>, segment: Segment | undefined, item: JsonObject): void {
  if (segment?.kind !== 'variable') return;
  const owner = item[segment.name];
  const [key] = isJsonObject(owner) ? keysInSight(owner, segment.name, foldedName(segment.name)) : [];
  if (key !== undefined) values[segment.name] = key;
}

async function firstListed(
  track: KeyTrack,
  before: readonly Segment[],
  values: Readonly<Record<string, JsonValue>>,
): Promise<JsonObject | undefined> {
  const list = listAt(track.api, before);
  const listed = list === undefined ? undefined : await send(track, list, values, 'list');
  const [first] = listed === undefined ? [] : listInSight(listed);
  return isJsonObject(first) ? first : undefined;
}

/** An item that is made at a path without variables, `POST /user/repos`. */
async function oneMade(track: KeyTrack, noun: string): Promise<JsonObject | undefined> {
  if (!track.made.has(noun)) track.made.set(noun, await makeOne(track, noun));
  return track.made.get(noun);
}

async function makeOne(track: KeyTrack, noun: string): Promise<JsonObject | undefined> {
  const create = track.api.operations.find(({ method, path }) => {
    const place = method === 'POST' ? parseTemplate(path) : undefined;
    return place !== undefined && !path.includes('{') && foldedName(lastLiteral(place.segments)) === noun;
  });
  const made = create === undefined ? undefined : await send(track, create, {}, 'above');
  return made === undefined || made.status >= 300 ? undefined : itemInSight(made, noun);
}

function listAt({ operations }: ApiModel, before: PathTemplate['segments']): Operation | undefined {
  const shape = before.map((segment) => (segment.kind === 'variable' ? '/{}' : `/${segment.text}`)).join('');
  return operations.find(({ method, path }) => method === 'GET' && parseTemplate(path)?.shape === shape);
}

async function send(
  { api, base, transport, makeValue }: KeyTrack,
  operation: Operation,
  path: Readonly<Record<string, JsonValue>>,
  seed: string,
  change?: (body: JsonValue | undefined, seed: string) => JsonValue | undefined,
): Promise<HttpResponse | undefined> {
  let made = requestFor(api, operation, base, makeValue, { path, seed });
  const body = made.kind === 'made' && change !== undefined ? change(made.body, seed) : undefined;
  if (body !== undefined) made = requestFor(api, operation, base, makeValue, { path, seed, body });
  return made.kind === 'not-made' ? undefined : (await call(api, operation, made.request, transport)).response;
}
