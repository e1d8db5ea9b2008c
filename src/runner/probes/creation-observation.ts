import { headerValue } from '../../core/http/headers';
import type { HttpRequest } from '../../core/http/message';
import { equalJson, isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText, stringifyJson, previewValue } from '../../core/json/stringify-json';
import { isScalar } from '../../formats/contract/placeholders';
import type { Operation } from '../../openapi/model/operation';
import { encodeParameter } from '../../openapi/parameters/encode-parameter';
import { type ListContent, readList } from '../exchange/list-pages';
import { callOperation, type CallOptions } from '../exchange/operation-call';
import { pathOf } from '../exchange/request-guard';
import type { Run } from '../exchange/run-state';
import { itemPath } from '../ownership/item-location';
import { routeOf } from '../ownership/item-routes';
import {
  jsonBodyOf,
  ownershipEvidence,
  ownershipEvidenceIn,
  sentParameters,
  sentProperties,
  type SentProperty,
} from '../ownership/sent-content';
import { type Effect, hasProperties, type WriteObservation } from './change-observation';

/** A longer list is not looked through for one item. */
const MOST_PAGES = 5;

/**
 * Watches a creation by the list of what it creates. The id of the run in its body becomes a mark that nothing else
 * has. A body without the id is sent as it is where it names something that this run made, so that nobody else sends
 * the same, and where the list can be asked for that: then what is new in the list and has all its properties was made by
 * it. It is not removed, because nothing in it says whose it is.
 *
 * @returns `undefined` when what a hole would create could not be found again, so that it should not be sent
 */
export async function observeCreation(
  run: Run,
  creation: Operation,
  list: Operation,
  request: HttpRequest,
): Promise<WriteObservation | undefined> {
  const body = jsonBodyOf(request);
  if (!isJsonObject(body)) return undefined;
  const path = pathOf(run, request);
  const basedOn = sentParameters(request);
  const marked = withRejectedMarker(body, run.runId);
  const isMarked =
    !equalJson(marked, body) && isValid(creation, headerValue(request.rawHeaders, 'content-type'), marked);
  const isTelling = isMarked ? isMarkedProperty(run) : isOwnReference(run);
  const filter = filterFor(list, isMarked ? marked : body, isTelling);
  if (!isMarked && filter === undefined) return undefined;
  const first = filter === undefined ? path : `${path}?${filter}`;
  const marking = isMarked ? { ...request, body: new TextEncoder().encode(stringifyJson(marked)) } : request;
  const sent = sentProperties(marking, rejectedMarker(run.runId));
  const written = sentProperties(marking, run.runId);
  const hole = { operation: creation, path, sent, written, options: { phase: 'cleanup', basedOn } } as const;
  const readItems = async (): Promise<readonly JsonValue[] | undefined> =>
    wholeOf(await readList(run, list, first, MOST_PAGES, { basedOn }));
  const before = isMarked ? [] : await readItems();
  if (before === undefined) return undefined;

  const isOurs = (item: JsonValue): boolean => {
    // Elsewhere in an item the mark says nothing: a parent may have what was made in it.
    if (isMarked) return ownershipEvidence(item, sent, rejectedMarker(run.runId)) === 'marked';
    if (!hasProperties(item, body) || before.some((old) => equalJson(old, item))) return false;
    // Another contract of this run may have made the same at the same time.
    const place = itemPathOf(run, creation, path, item);
    return place === undefined || !run.creations.itemPaths().includes(place);
  };
  const observeEffect = async (): Promise<Effect> => {
    const items = await readItems();
    if (items === undefined) return { kind: 'unseen', reason: `${list.id} cannot be read to its end` };
    const made = items.filter(isOurs);
    if (made.length === 0) return { kind: 'none' };
    if (isMarked) await removeCreated(run, hole, made);
    const hint = isMarked ? undefined : `What it made is still there: ${describeItemPaths(run, creation, path, made)}.`;
    return { kind: 'changed', before: 'nothing of it in the list', after: previewValue(made[0]), hint };
  };
  return { request: marking, observeEffect };
}

/** @returns `undefined` where a list cannot be read to its end */
function wholeOf(list: ListContent | undefined): readonly JsonValue[] | undefined {
  return list === undefined || list.isCut ? undefined : list.items;
}

/** A mark that makes a text too long would have the request rejected for another reason. */
export function isValid({ requestBody }: Operation, type: string | undefined, value: JsonValue): boolean {
  const entry = requestBody?.content.find(({ mediaType }) => mediaType === type) ?? requestBody?.content[0];
  return entry?.schema?.accepts(value, 'request') !== false;
}

type IsIdentifying = (name: string, value: JsonValue) => boolean;

const isMarkedProperty =
  ({ runId }: Run): IsIdentifying =>
  (_, value) =>
    hasRejectedMarker(value, runId);

/** Does the property hold the key of something that this run made, by the name that its path has for it? */
function isOwnReference(run: Run): IsIdentifying {
  const own = run.creations.itemPaths().flatMap((place) => {
    const last = Object.entries(routeOf(run.api, place)?.pathParameters ?? {}).at(-1);
    return last === undefined || GENERIC_NAME.test(last[0]) ? [] : [last];
  });
  return (name, value) =>
    own.some(([variable, key]) => variable === name && isScalar(value) && key === scalarText(value));
}

/** Names that say of nothing what it is the key of. */
const GENERIC_NAME = /^(?:id|key|name|code|slug|uuid)$/i;

/**
 * The query that leaves few items: by a property of the body that the list has a parameter of the same name for.
 *
 * @param isTelling - is the property one that nobody else sends with this value?
 */
function filterFor(list: Operation, body: JsonValue, isTelling: IsIdentifying): string | undefined {
  if (!isJsonObject(body)) return undefined;
  for (const [name, value] of Object.entries(body)) {
    if (!isScalar(value) || typeof value === 'boolean' || !isTelling(name, value)) continue;
    const parameter = list.parameters.find((candidate) => candidate.in === 'query' && candidate.name === name);
    // A choice of a few words says nothing about one item.
    if (parameter === undefined || (parameter.items ?? parameter.schema?.value)?.['enum'] !== undefined) continue;
    return encodeParameter(parameter, value).join('&');
  }
  return undefined;
}

function itemPathOf(run: Run, creation: Operation, path: string, item: JsonValue): string | undefined {
  return isJsonObject(item) ? itemPath(run.api, creation, path, item) : undefined;
}

function describeItemPaths(run: Run, creation: Operation, path: string, made: readonly JsonValue[]): string {
  return made.map((item) => itemPathOf(run, creation, path, item) ?? path).join(', ');
}

/** What came through the hole, as it was sent. */
interface UnprotectedCreation {
  readonly operation: Operation;
  readonly path: string;
  readonly sent: readonly SentProperty[];
  /** The same for what looks for the id of the run, and not for the mark. */
  readonly written: readonly SentProperty[];
  readonly options: CallOptions;
}

/** A key that was guessed may be that of another item, which is looked at where that is possible. */
async function isCreatedAt(run: Run, place: string, { sent, options }: UnprotectedCreation): Promise<boolean> {
  const read = routeOf(run.api, place)?.route.operations.get('GET');
  const response = read === undefined ? undefined : await callOperation(run, read, place, options);
  if (read === undefined) return true;
  return (
    response?.body !== undefined && ownershipEvidenceIn(response.body, sent, rejectedMarker(run.runId)) === 'marked'
  );
}

/** What came through the hole is the run's own: written down, and removed at once. */
async function removeCreated(run: Run, hole: UnprotectedCreation, made: readonly JsonValue[]): Promise<void> {
  const { operation, path, written, options } = hole;
  for (const item of made) {
    const place = itemPathOf(run, operation, path, item);
    if (place === undefined || !(await isCreatedAt(run, place, hole))) continue;
    if (!run.creations.itemPaths().includes(place)) {
      // By what was sent it is told from what others put there once it is gone.
      run.creations.adopt(operation, path, { marked: true, sent: written, basedOn: options.basedOn }, place);
    }
    const removal = routeOf(run.api, place)?.route.operations.get('DELETE');
    if (removal !== undefined) await callOperation(run, removal, place, options);
  }
}

/** What the id of a run becomes in the body of a request that must be rejected. */
function rejectedMarker(runId: string): string {
  return `${runId}-unauthorised`;
}

/** A body with the mark in every text that holds the id of the run; one without such a text stays as it is. */
export function withRejectedMarker(value: JsonValue, runId: string): JsonValue {
  if (typeof value === 'string') return value.replaceAll(runId, () => rejectedMarker(runId));
  if (Array.isArray(value)) return value.map((item) => withRejectedMarker(item, runId));
  if (!isJsonObject(value)) return value;
  // fromEntries defines properties, so that `__proto__` is data.
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [name, withRejectedMarker(property, runId)]),
  );
}

/** Does a text anywhere in a value hold the mark? */
function hasRejectedMarker(value: JsonValue, runId: string): boolean {
  if (typeof value === 'string') return value.includes(rejectedMarker(runId));
  if (Array.isArray(value)) return value.some((item) => hasRejectedMarker(item, runId));
  return isJsonObject(value) && Object.values(value).some((property) => hasRejectedMarker(property, runId));
}
