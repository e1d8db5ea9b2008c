import { shownValue } from '../../checks/response/shown';
import { headerValue } from '../../http/headers';
import type { HttpRequest } from '../../http/message';
import { equalJson } from '../../json/equal-json';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import { stringifyJson } from '../../json/stringify-json';
import type { Operation } from '../../openapi/model';
import { itemOf } from '../creations';
import { pathOf } from '../guard';
import { routeOf } from '../item-routes';
import { queryPairs } from '../parameter-text';
import type { Run } from '../run';
import { callOperation } from '../call-operation';
import { readPages } from '../list-pages';
import { hasMark, jsonOf, markBody, scalarMembers } from './marked-body';
import type { Effect, Watch } from './watch';

/** A longer list is not looked through for one item. */
const MOST_PAGES = 5;

/**
 * Watches a creation by the list of what it creates. The id of the run in its body becomes a mark that nothing else
 * has. A body without the id is sent as it is, where the list can be asked for one of its members: then what is new in
 * the list and has all its members was made by it.
 *
 * @returns `undefined` when what a hole would create could not be found again, so that it should not be sent
 */
export async function watchCreation(
  run: Run,
  creation: Operation,
  list: Operation,
  request: HttpRequest,
): Promise<Watch | undefined> {
  const body = jsonOf(request);
  if (!isJsonObject(body)) return undefined;
  const path = pathOf(run, request);
  const marked = markBody(body, run.runId);
  const isMarked = !equalJson(marked, body) && isValid(creation, request, marked);
  const filter = filterFor(list, isMarked ? marked : body, isMarked ? run.runId : undefined);
  if (!isMarked && filter === undefined) return undefined;
  const first = filter === undefined ? path : `${path}?${filter}`;
  const before = isMarked ? [] : await readPages(run, list, first, MOST_PAGES);
  if (before === undefined) return undefined;

  const isOurs = (item: JsonValue): boolean => {
    if (isMarked) return hasMark(item, run.runId);
    if (!hasMembers(item, body) || before.some((old) => equalJson(old, item))) return false;
    // Another contract of this run may have made the same at the same time.
    const place = placeOf(run, creation, path, item);
    return place === undefined || !run.creations.places().includes(place);
  };
  const look = async (): Promise<Effect> => {
    const items = await readPages(run, list, first, MOST_PAGES);
    if (items === undefined) return { kind: 'unseen', reason: `${list.id} cannot be read to its end` };
    const made = items.filter(isOurs);
    if (made.length === 0) return { kind: 'none' };
    await removeMade(run, creation, path, made);
    return { kind: 'changed', before: 'nothing of it in the list', after: shownValue(made[0]) };
  };
  return { request: isMarked ? withBody(request, marked) : request, look };
}

/** A mark that makes a text too long would have the request refused for another reason. */
function isValid({ requestBody }: Operation, request: HttpRequest, value: JsonValue): boolean {
  const type = headerValue(request.rawHeaders, 'content-type');
  const entry = requestBody?.content.find(({ mediaType }) => mediaType === type) ?? requestBody?.content[0];
  return (entry?.schema?.validate('request')(value) ?? []).length === 0;
}

/**
 * The query that leaves few items: by a member of the body that the list has a parameter of the same name for.
 *
 * @param runId - given when only a member with the mark will do
 */
function filterFor(list: Operation, body: JsonValue, runId: string | undefined): string | undefined {
  if (!isJsonObject(body)) return undefined;
  for (const [name, value] of scalarMembers(body)) {
    if (runId !== undefined && !hasMark(value, runId)) continue;
    const parameter = list.parameters.find((candidate) => candidate.in === 'query' && candidate.name === name);
    // A choice of a few words says nothing about one item.
    if (parameter === undefined || (parameter.items ?? parameter.schema?.value)?.['enum'] !== undefined) continue;
    return queryPairs(parameter, value).join('&');
  }
  return undefined;
}

function hasMembers(item: JsonValue, body: JsonObject): boolean {
  return (
    isJsonObject(item) &&
    Object.entries(body).every(([name, value]) => {
      const member = Object.hasOwn(item, name) ? item[name] : undefined;
      return member !== undefined && equalJson(member, value);
    })
  );
}

function withBody(request: HttpRequest, value: JsonValue): HttpRequest {
  return { ...request, body: new TextEncoder().encode(stringifyJson(value)) };
}

function placeOf(run: Run, creation: Operation, path: string, item: JsonValue): string | undefined {
  return isJsonObject(item) ? itemOf(run.api, creation, path, item) : undefined;
}

/** What came through the hole is the run's own: written down, and removed at once. */
async function removeMade(run: Run, creation: Operation, path: string, made: readonly JsonValue[]): Promise<void> {
  for (const item of made) {
    const place = placeOf(run, creation, path, item);
    if (place === undefined) continue;
    if (!run.creations.places().includes(place)) {
      run.creations.markFound(run.creations.announce(creation, path), place);
    }
    const removal = routeOf(run.api, place)?.route.operations.get('DELETE');
    if (removal !== undefined) await callOperation(run, removal, place, 'cleanup');
  }
}
