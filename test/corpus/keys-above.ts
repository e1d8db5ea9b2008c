import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/json-value';
import type { ApiModel, Operation } from '../../src/openapi/model';
import { foldedName } from '../../src/resources/inflection';
import {
  lastLiteral,
  parseTemplate,
  shapeOf,
  type PathTemplate,
  type Segment,
} from '../../src/resources/path-template';
import { itemInSight, keysInSight, listInSight } from './key-in-sight';
import { fits, send, toldKey, type KeyTrack } from './key-track';

/** What a client puts into the variables above what it makes. */
export interface Above {
  readonly values: Readonly<Record<string, JsonValue>>;
  /** Path of a list that shows nothing, below which a key was made up all the same. */
  readonly emptyList: string | undefined;
}

/** So many rows of a list are looked at for one that has something below it. */
const ROWS = 3;

/**
 * What a client puts into the variables above: the key of the first item of the list there that has something below it
 * as well, or of one that it makes itself where nothing lists them; else a name that it was told.
 */
export async function valuesAbove(track: KeyTrack, operation: Operation, { segments }: PathTemplate): Promise<Above> {
  return fill(track, operation, segments, 0, {});
}

async function fill(
  track: KeyTrack,
  operation: Operation,
  segments: readonly Segment[],
  index: number,
  values: Above['values'],
): Promise<Above> {
  const at = segments.findIndex(({ kind }, position) => position >= index && kind === 'variable');
  const segment = segments[at];
  if (segment?.kind !== 'variable') return { values, emptyList: undefined };
  const before = segments.slice(0, at);
  const noun = foldedName(lastLiteral(before));
  const list = operationAt(track.api, 'GET', before);
  let first: Above | undefined;
  for (const item of await itemsAt(track, list, before, values)) {
    const key = keysInSight(item, segment.name, noun).find((each) => fits(operation, segment.name, each));
    if (key === undefined) continue;
    const own = { ...values, ...ownerOf(segments[at - 1], item), [segment.name]: key };
    const above = await fill(track, operation, segments, at + 1, own);
    if (above.emptyList === undefined) return above;
    first ??= above;
  }
  if (first !== undefined) return first;
  const told = { ...values, [segment.name]: toldKey(track, operation, segment.name) };
  const rest = await fill(track, operation, segments, at + 1, told);
  return list === undefined ? rest : { ...rest, emptyList: list.path };
}

/** `/repos/{owner}/{repo}`: what was made shows its owner. */
function ownerOf(segment: Segment | undefined, item: JsonObject): Record<string, JsonValue> {
  if (segment?.kind !== 'variable') return {};
  const owner = item[segment.name];
  const [key] = isJsonObject(owner) ? keysInSight(owner, segment.name, foldedName(segment.name)) : [];
  return key === undefined ? {} : { [segment.name]: key };
}

/** The first items of a list, or one that a client makes where there are none. */
async function itemsAt(
  track: KeyTrack,
  list: Operation | undefined,
  before: readonly Segment[],
  values: Above['values'],
): Promise<JsonObject[]> {
  const listed = list === undefined ? undefined : await send(track, list, values, 'list');
  const rows = listed === undefined ? [] : listInSight(listed).filter(isJsonObject);
  if (rows.length > 0) return rows.slice(0, ROWS);
  const made = (await madeThere(track, before, values)) ?? (await oneMade(track, foldedName(lastLiteral(before))));
  return made === undefined ? [] : [made];
}

/** An item that is made at a path without variables, `POST /user/repos`. */
async function oneMade(track: KeyTrack, noun: string): Promise<JsonObject | undefined> {
  const create = track.api.operations.find(({ method, path }) => {
    const place = method === 'POST' ? parseTemplate(path) : undefined;
    return place !== undefined && !path.includes('{') && foldedName(lastLiteral(place.segments)) === noun;
  });
  if (!track.made.has(noun)) track.made.set(noun, await makeWith(track, create, {}, noun));
  return track.made.get(noun);
}

/** An item that is made where its list shows none. */
async function madeThere(
  track: KeyTrack,
  before: readonly Segment[],
  values: Above['values'],
): Promise<JsonObject | undefined> {
  return makeWith(track, operationAt(track.api, 'POST', before), values, foldedName(lastLiteral(before)));
}

async function makeWith(
  track: KeyTrack,
  create: Operation | undefined,
  values: Above['values'],
  noun: string,
): Promise<JsonObject | undefined> {
  const made = create === undefined ? undefined : await send(track, create, values, 'above');
  return made === undefined || made.status >= 300 ? undefined : itemInSight(made, noun);
}

function operationAt(
  { operations }: ApiModel,
  method: string,
  before: PathTemplate['segments'],
): Operation | undefined {
  const shape = shapeOf(before);
  return operations.find((each) => each.method === method && parseTemplate(each.path)?.shape === shape);
}
