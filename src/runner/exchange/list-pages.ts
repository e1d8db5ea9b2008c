import { parseLinkHeader } from '../../core/http/header-fields';
import { headerValues } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { isScalar } from '../../formats/contract/placeholders';
import { countedBy, mayTellMore, toldInHeader } from '../../lists/page-properties';
import { mayPage } from '../../lists/parameter-roles';
import type { Operation } from '../../openapi/model/operation';
import { pathOfLocation } from '../ownership/item-location';
import { callOperation, type CallOptions, type CallResult } from './operation-call';
import type { Run } from './run-state';

interface ListContent {
  readonly items: readonly JsonValue[];
  /** Is it known that this is everything? */
  readonly isComplete: boolean;
}

/**
 * The items of a list, page after page by its links to the next one (RFC 8288).
 *
 * @param path - of the first page, below the base URL, with its query
 * @param mostPages - a longer list is not read to its end
 * @returns `undefined` when the list cannot be read, or is longer
 */
export async function readList(
  run: Run,
  list: Operation,
  path: string,
  mostPages: number,
  manner?: CallOptions,
): Promise<ListContent | undefined> {
  const items: JsonValue[] = [];
  let last: CallResult | undefined;
  let next: string | undefined = path;
  for (let page = 1; next !== undefined && page <= mostPages; page++) {
    const response = await callOperation(run, list, next, manner);
    const found = response?.status === 200 ? itemsOf(response.body) : undefined;
    if (response === undefined || found === undefined) return undefined;
    items.push(...found);
    last = response;
    next = nextPage(run, next, response.headers);
  }
  if (next !== undefined || last === undefined) return undefined;
  return { items, isComplete: isCompleteList(list, last, items.length) };
}

/** The body itself, or the only list in it. */
function itemsOf(body: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (Array.isArray(body)) return body;
  const lists = isJsonObject(body) ? Object.values(body).filter((property) => Array.isArray(property)) : [];
  return lists.length === 1 ? lists[0] : undefined;
}

/** Links may be spread over several lines, and one may go on from the page that it is on. */
function nextPage({ baseUrl }: Run, page: string, headers: RawHeaders): string | undefined {
  const links = parseLinkHeader(headerValues(headers, 'link').join(', '));
  const from = `${baseUrl}${page}`;
  const target = links.find(({ parameters }) => (parameters['rel'] ?? '').split(' ').includes('next'))?.target;
  if (target === undefined || !URL.canParse(target, from)) return undefined;
  const path = pathOfLocation(target, baseUrl, page);
  return path === undefined ? undefined : `${path}${new URL(target, from).search}`;
}

/**
 * Are the items of a list everything that it has? What says so is a count of all of them; without one only a list that
 * takes no page, and whose response has nothing beside it.
 *
 * @param last - answer with its last page
 * @param count - of the items of all pages
 */
export function isCompleteList(
  list: Operation,
  { headers, body }: Pick<CallResult, 'headers' | 'body'>,
  count: number,
): boolean {
  if (body === undefined) return false;
  const told = namedProperties(body);
  if (told.some(([name, value]) => hasMore(name, value))) return false;
  const isLonger = isPaged(list);
  const counts = told.flatMap(([name, value]) => (isCount(name, value, isLonger) ? [value] : []));
  const totals = [...countsInHeaders(headers), ...counts];
  if (totals.length > 0) return totals.every((total) => isScalar(total) && scalarText(total) === String(count));
  return !isLonger && (Array.isArray(body) || (isJsonObject(body) && Object.keys(body).length === 1));
}

/** `results` may be the list itself. */
function isCount(name: string, value: JsonValue, isLonger: boolean): boolean {
  const counted = Array.isArray(value) ? undefined : countedBy(name);
  return counted === 'total' || (!isLonger && counted === 'count');
}

function countsInHeaders(headers: RawHeaders): string[] {
  return headers.filter((_, index) => index % 2 === 1 && toldInHeader(headers[index - 1] ?? '') === 'total');
}

function hasMore(name: string, value: JsonValue): boolean {
  const isNothing = value === null || value === '' || value === false || isEmptyValue(value);
  return mayTellMore(name) && !isNothing;
}

function isEmptyValue(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** The properties beside the items, and those of objects among them, such as `meta` and `links`. */
function namedProperties(body: JsonValue): [string, JsonValue][] {
  if (!isJsonObject(body)) return [];
  const inner = Object.values(body).flatMap((property) => (isJsonObject(property) ? entriesOf(property) : []));
  return [...entriesOf(body), ...inner];
}

function entriesOf(object: JsonObject): [string, JsonValue][] {
  return Object.entries(object).map(([name, value]) => [plainName(name), value]);
}

function isPaged({ parameters }: Operation): boolean {
  return parameters.some(({ in: location, name }) => location !== 'path' && mayPage(plainName(name)));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
