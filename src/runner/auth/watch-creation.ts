import { shownValue } from '../../checks/response/shown';
import { headerValue } from '../../http/headers';
import type { HttpRequest } from '../../http/message';
import { equalJson } from '../../json/equal-json';
import { isScalar } from '../../formats/placeholders';
import { scalarText } from '../../json/scalar-text';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import { stringifyJson } from '../../json/stringify-json';
import { encodeParameter } from '../../openapi/encode-parameter';
import type { Operation } from '../../openapi/model';
import { itemOf } from '../item-place';
import { pathOf } from '../guard';
import { routeOf } from '../item-routes';
import { sentParameters } from '../needed-parameters';
import type { Run } from '../run';
import { callOperation, type CallManner } from '../call-operation';
import { readPages } from '../list-pages';
import { evidenceOf, evidenceOfAnswer, sentMembers, type SentMember } from '../sent-members';
import { hasMark, jsonOf, markBody, rejectedMark, scalarMembers } from './marked-body';
import type { Effect, Watch } from './watch';

/** A longer list is not looked through for one item. */
const MOST_PAGES = 5;

/**
 * Watches a creation by the list of what it creates. The id of the run in its body becomes a mark that nothing else
 * has. A body without the id is sent as it is where it names something that this run made, so that nobody else sends
 * the same, and where the list can be asked for that: then what is new in the list and has all its members was made by
 * it. It is not removed, because nothing in it says whose it is.
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
  const like = sentParameters(request);
  const marked = markBody(body, run.runId);
  const isMarked = !equalJson(marked, body) && isValid(creation, request, marked);
  const isTelling = isMarked ? isMarkedMember(run) : isOwnReference(run);
  const filter = filterFor(list, isMarked ? marked : body, isTelling);
  if (!isMarked && filter === undefined) return undefined;
  const first = filter === undefined ? path : `${path}?${filter}`;
  const marking = isMarked ? withBody(request, marked) : request;
  const sent = sentMembers(marking, rejectedMark(run.runId));
  const hole = { operation: creation, path, sent, manner: { phase: 'cleanup', like } } as const;
  const before = isMarked ? [] : await readPages(run, list, first, MOST_PAGES, { like });
  if (before === undefined) return undefined;

  const isOurs = (item: JsonValue): boolean => {
    // Elsewhere in an item the mark says nothing: a parent may have what was made in it.
    if (isMarked) return evidenceOf(item, sent, rejectedMark(run.runId)) === 'marked';
    if (!hasMembers(item, body) || before.some((old) => equalJson(old, item))) return false;
    // Another contract of this run may have made the same at the same time.
    const place = placeOf(run, creation, path, item);
    return place === undefined || !run.creations.places().includes(place);
  };
  const look = async (): Promise<Effect> => {
    const items = await readPages(run, list, first, MOST_PAGES, { like });
    if (items === undefined) return { kind: 'unseen', reason: `${list.id} cannot be read to its end` };
    const made = items.filter(isOurs);
    if (made.length === 0) return { kind: 'none' };
    if (isMarked) await removeMade(run, hole, made);
    const hint = isMarked ? undefined : `What it made is still there: ${shownPlaces(run, creation, path, made)}.`;
    return { kind: 'changed', before: 'nothing of it in the list', after: shownValue(made[0]), hint };
  };
  return { request: marking, look };
}

/** A mark that makes a text too long would have the request refused for another reason. */
function isValid({ requestBody }: Operation, request: HttpRequest, value: JsonValue): boolean {
  const type = headerValue(request.rawHeaders, 'content-type');
  const entry = requestBody?.content.find(({ mediaType }) => mediaType === type) ?? requestBody?.content[0];
  return (entry?.schema?.validate('request')(value) ?? []).length === 0;
}

type IsTelling = (name: string, value: JsonValue) => boolean;

const isMarkedMember =
  ({ runId }: Run): IsTelling =>
  (_, value) =>
    hasMark(value, runId);

/** Does the member hold the key of something that this run made, by the name that its path has for it? */
function isOwnReference(run: Run): IsTelling {
  const own = run.creations.places().flatMap((place) => {
    const last = Object.entries(routeOf(run.api, place)?.pathParameters ?? {}).at(-1);
    return last === undefined || isVagueName(last[0]) ? [] : [last];
  });
  return (name, value) =>
    own.some(([variable, key]) => variable === name && isScalar(value) && key === scalarText(value));
}

/** A name that says of nothing what it is the key of. */
function isVagueName(name: string): boolean {
  return /^(?:id|key|name|code|slug|uuid)$/i.test(name);
}

/**
 * The query that leaves few items: by a member of the body that the list has a parameter of the same name for.
 *
 * @param isTelling - is the member one that nobody else sends with this value?
 */
function filterFor(list: Operation, body: JsonValue, isTelling: IsTelling): string | undefined {
  if (!isJsonObject(body)) return undefined;
  for (const [name, value] of scalarMembers(body)) {
    if (!isTelling(name, value)) continue;
    const parameter = list.parameters.find((candidate) => candidate.in === 'query' && candidate.name === name);
    // A choice of a few words says nothing about one item.
    if (parameter === undefined || (parameter.items ?? parameter.schema?.value)?.['enum'] !== undefined) continue;
    return encodeParameter(parameter, value).join('&');
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

function shownPlaces(run: Run, creation: Operation, path: string, made: readonly JsonValue[]): string {
  return made.map((item) => placeOf(run, creation, path, item) ?? path).join(', ');
}

/** What came through the hole, as it was sent. */
interface Hole {
  readonly operation: Operation;
  readonly path: string;
  readonly sent: readonly SentMember[];
  readonly manner: CallManner;
}

/** A key that was guessed may be that of another item, which is looked at where that is possible. */
async function isMadeAt(run: Run, place: string, { sent, manner }: Hole): Promise<boolean> {
  const read = routeOf(run.api, place)?.route.operations.get('GET');
  const answer = read === undefined ? undefined : await callOperation(run, read, place, manner);
  if (read === undefined) return true;
  return answer?.body !== undefined && evidenceOfAnswer(answer.body, sent, rejectedMark(run.runId)) === 'marked';
}

/** What came through the hole is the run's own: written down, and removed at once. */
async function removeMade(run: Run, hole: Hole, made: readonly JsonValue[]): Promise<void> {
  const { operation, path, manner } = hole;
  for (const item of made) {
    const place = placeOf(run, operation, path, item);
    if (place === undefined || !(await isMadeAt(run, place, hole))) continue;
    if (!run.creations.places().includes(place)) {
      run.creations.markFound(run.creations.announce(operation, path, { like: manner.like }), place);
    }
    const removal = routeOf(run.api, place)?.route.operations.get('DELETE');
    if (removal !== undefined) await callOperation(run, removal, place, manner);
  }
}
