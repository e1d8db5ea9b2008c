import type { HttpResponse } from '../../src/core/http/message';
import { isJsonObject, type JsonValue } from '../../src/core/json/json-value';
import type { Operation } from '../../src/openapi/model/operation';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { foldedName, wordsOf } from '../../src/core/text/inflection';
import {
  lastLiteral,
  parseTemplate,
  shapeOf,
  variablesOf,
  withoutLast,
  type PathTemplate,
} from '../../src/openapi/view/path-template';
import { viewOf } from '../../src/openapi/view/schema-view';
import { bodyText, nameOf } from './call-operations';
import { documentsKey, documentsNoObject, documentsSameKind, takesNames } from './documented-kind';
import { keysInSight, keysSent, locationKey, type Key } from './key-in-sight';
import { fits, send, soughtName, toldKey, type KeyTrack } from './key-track';
import { valuesAbove } from './keys-above';
import type { Complaint } from './trial';

/** Creations whose item was read under the key that their answer shows. */
export interface KeyTrips {
  readonly tried: number;
  readonly held: number;
  readonly broken: readonly Complaint[];
  /** Creations whose answer documents no key, and those that could not be sent. */
  readonly untried: readonly Complaint[];
}

/** A creation and the operation by which a reader of the paths alone would read what it made. */
interface Pair {
  readonly create: Operation;
  readonly read: Operation;
  readonly place: PathTemplate;
  /** The variable that the key fills. */
  readonly variable: string;
  /** Is the item read behind the place itself, and not elsewhere under the same name? */
  readonly isThere: boolean;
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
    return read === undefined || variable === undefined
      ? []
      : [{ create, read: read.operation, place, variable, isThere: found !== undefined }];
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

/**
 * `GET /issues/{id}` for `POST /projects/{p}/issues`: the one place of that name that lies below nothing, or below what
 * the create lies below as well, the nearest of them.
 */
function elsewhere<Read extends { readonly place: PathTemplate }>(
  place: PathTemplate,
  reads: readonly Read[],
): Read | undefined {
  const name = foldedName(lastLiteral(place.segments));
  const alike = reads.flatMap((read) => {
    const { segments } = read.place;
    const isBehindName = segments.at(-2)?.kind === 'literal' && foldedName(lastLiteral(segments)) === name;
    const above = segments.slice(0, -1).findLastIndex(({ kind }) => kind === 'variable') + 1;
    const isBelow = shapeOf(segments.slice(0, above)) === shapeOf(place.segments.slice(0, above));
    return isBehindName && isBelow ? [{ read, above }] : [];
  });
  const nearest = Math.max(...alike.map(({ above }) => above));
  const [only, ...more] = alike.filter(({ above }) => above === nearest);
  return more.length === 0 ? only?.read : undefined;
}

const SEEDS = ['a new one', 'another new one', 'a third'];

async function trip(track: KeyTrack, pair: Pair): Promise<Complaint | undefined> {
  const { create, read, place, variable } = pair;
  const noun = foldedName(lastLiteral(place.segments));
  const isPut = create.method === 'PUT';
  const reason = isPut ? undefined : reasonAgainst(track, pair, noun);
  if (reason !== undefined) return complaint(`not tried: ${reason}`, create);
  const { values: path, emptyList } = await valuesAbove(track, create, isPut ? withoutLast(place) : place);
  const chosen = isPut ? toldKey(track, create, lastVariable(place)) : undefined;
  const filled = chosen === undefined ? path : { ...path, [lastVariable(place)]: chosen };
  const made = await createOne(track, create, filled);
  if (made === undefined) return complaint('not tried: no request could be made', create);
  const { response, body } = made;
  if (response.status === 404 && emptyList !== undefined)
    return complaint(`not tried: ${emptyList} lists nothing to make it below`, create, response);
  if (response.status >= 400) return refusedBy(track, create, response);
  const keys = [...keysSent(body, noun), ...shownKeys(response, soughtName(read, variable), noun)];
  const key = chosen ?? keys.find((each) => fits(read, variable, each));
  return key === undefined ? keyless(track, pair, response) : readUnder(track, pair, path, key);
}

/** An answer in which nothing could be a key. */
function keyless({ api }: KeyTrack, { create, variable, place }: Pair, response: HttpResponse): Complaint {
  if (bodyText(response).trim() === '') return complaint('not tried: the response has no body', create, response);
  const isTold = documentsKey(viewOf(api), create, variable, foldedName(lastLiteral(place.segments)));
  return complaint(isTold ? 'no key in sight' : 'not tried: its response documents no key', create, response);
}

/** What the description says of the answer that leaves a client without a key of what is read. */
function reasonAgainst({ api }: KeyTrack, { create, read, isThere }: Pair, noun: string): string | undefined {
  const view = viewOf(api);
  if (documentsNoObject(view, create)) return 'its response documents no object';
  if (!isThere && takesNames(view, create, noun)) return 'it takes the names of what is there already';
  const isSame = isThere || documentsSameKind(view, create, read, noun);
  return isSame ? undefined : `its response documents another kind of thing than ${nameOf(read)}`;
}

function complaint(kind: string, operation: Operation, response?: HttpResponse): Complaint {
  const detail = response === undefined ? '' : `${response.status} ${bodyText(response)}`;
  return { operation: nameOf(operation), kind, detail };
}

function lastVariable({ segments }: PathTemplate): string {
  return variablesOf(segments).at(-1) ?? '';
}

/** An answer, and what was sent for it. */
interface Created {
  readonly response: HttpResponse;
  readonly body: JsonValue | undefined;
}

/** What is refused with a made-up body is tried with names of its own. */
async function createOne(
  track: KeyTrack,
  create: Operation,
  path: Readonly<Record<string, JsonValue>>,
): Promise<Created | undefined> {
  let created: Created | undefined;
  for (const [index, seed] of SEEDS.entries()) {
    let body: JsonValue | undefined;
    const response = await send(track, create, path, seed, (made) => {
      body = index === 0 ? made : renamed(made, seed);
      return index === 0 ? undefined : body;
    });
    if (response !== undefined) created = { response, body };
    if (created === undefined || created.response.status < 400) break;
  }
  return created;
}

/** What a PUT that only changes says of itself. */
const CHANGES = new Set(['update', 'updates', 'edit', 'modify', 'change', 'replace', 'patch']);

function refusedBy({ api }: KeyTrack, create: Operation, response: HttpResponse): Complaint {
  const isMissing = create.method === 'PUT' && response.status === 404 && create.responses.has('404');
  const sayChange = api.operations
    .filter(({ method, path }) => method === create.method && path === create.path)
    .some(({ id, summary }) => wordsOf(`${id} ${summary}`).some((word) => CHANGES.has(word)));
  return complaint(
    isMissing && sayChange ? 'not tried: it changes only what is there' : 'not created',
    create,
    response,
  );
}

async function readUnder(
  track: KeyTrack,
  { read, place, variable }: Pair,
  path: Readonly<Record<string, JsonValue>>,
  key: Key,
): Promise<Complaint | undefined> {
  const response = await send(track, read, { ...inOrder(read, path), [variable]: nameInPath(read, key) }, 'read');
  if (response === undefined) return complaint('not tried: no request could be made', read);
  if (response.status >= 300) return complaint('created, and not read', read, response);
  const seen = shownKeys(response, soughtName(read, variable), foldedName(lastLiteral(place.segments))).map(String);
  return seen.length === 0 || seen.includes(String(key)) ? undefined : complaint('reads another one', read, response);
}

/** Of a name of several segments, `/v1/{name}` as it is written, the end fills the last variable. */
function nameInPath({ path, written }: Operation, key: Key): Key {
  return path === written || typeof key !== 'string' ? key : (key.split('/').at(-1) ?? key);
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
