import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json/json-value';
import type { Operation } from '../../src/openapi/model/operation';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { foldedName } from '../../src/core/text/inflection';
import {
  lastLiteral,
  parseTemplate,
  shapeOf,
  type PathTemplate,
  type Segment,
} from '../../src/openapi/view/path-template';
import { successSchema } from '../../src/openapi/view/operation-bodies';
import { viewOf } from '../../src/openapi/view/schema-view';
import { documentsSameKind } from './documented-kind';
import { itemInSight, keysInSight, listInSight } from './key-in-sight';
import { fits, send, soughtName, toldKey, type KeyTrack } from './key-track';

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
    const key = keysInSight(item, soughtName(operation, segment.name), noun).find((each) =>
      fits(operation, segment.name, each),
    );
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
  const made = await oneMade(track, before, values);
  return made === undefined ? [] : [made];
}

/** An item that a client makes where nothing is listed. */
async function oneMade(
  track: KeyTrack,
  before: readonly Segment[],
  values: Above['values'],
): Promise<JsonObject | undefined> {
  const noun = foldedName(lastLiteral(before));
  const here = operationAt(track.api, 'POST', before);
  const there = here === undefined ? undefined : await makeOnce(track, here, values, noun);
  if (there !== undefined) return there;
  for (const create of makersElsewhere(track.api, before, noun)) {
    const place = parseTemplate(create.path);
    const above = place === undefined ? undefined : await valuesAbove(track, create, place);
    const made = above === undefined ? undefined : await makeOnce(track, create, above.values, noun);
    if (made !== undefined) return made;
  }
  return undefined;
}

/**
 * What makes things of that name elsewhere: at a path without variables, `POST /user/repos`, and below something else where
 * both document the same kind, `POST /users/{user}/meetings` for `GET /meetings/{id}`; what
 * documents the very schema comes first.
 */
function makersElsewhere(api: ApiModel, before: readonly Segment[], noun: string): Operation[] {
  const view = viewOf(api);
  const read = operationAt(api, 'GET', [...before, { kind: 'variable', name: '' }]);
  const isBelowItself = (path: string): boolean => path.includes(`${shapeOf(before)}/`);
  const makers = api.operations.filter((create) => {
    const place = create.method === 'POST' ? parseTemplate(create.path) : undefined;
    if (place?.segments.at(-1)?.kind !== 'literal' || foldedName(lastLiteral(place.segments)) !== noun) return false;
    if (!create.path.includes('{')) return true;
    return read !== undefined && !isBelowItself(place.shape) && documentsSameKind(view, create, read, noun);
  });
  const pointer = (each: Operation): string | undefined => view.unwrap(successSchema(each))?.pointer;
  const isVery = (create: Operation): boolean => read !== undefined && pointer(create) === pointer(read);
  return makers.sort((left, right) => Number(isVery(right)) - Number(isVery(left)));
}

async function makeOnce(
  track: KeyTrack,
  create: Operation,
  values: Above['values'],
  noun: string,
): Promise<JsonObject | undefined> {
  const what = `${create.method} ${create.path} ${JSON.stringify(values)}`;
  if (!track.made.has(what)) {
    track.made.set(what, undefined);
    const made = await send(track, create, values, 'above');
    track.made.set(what, made === undefined || made.status >= 300 ? undefined : itemInSight(made, noun));
  }
  return track.made.get(what);
}

function operationAt(
  { operations }: ApiModel,
  method: string,
  before: PathTemplate['segments'],
): Operation | undefined {
  const shape = shapeOf(before);
  return operations.find((each) => each.method === method && parseTemplate(each.path)?.shape === shape);
}
