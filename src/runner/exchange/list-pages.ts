import type { RawHeaders } from '../../core/http/message';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText, stringifyJson } from '../../core/json/stringify-json';
import { isScalar } from '../../formats/contract/placeholders';
import { countedBy, mayTellMore, toldInHeader } from '../../lists/page-properties';
import { nextLink } from '../../lists/page-told';
import { mayPage, roleOf } from '../../lists/parameter-roles';
import type { Operation } from '../../openapi/model/operation';
import { pathOfLocation } from '../ownership/item-location';
import { entriesOf, type Entry, isMap } from '../ownership/list-rows';
import { callOperation, type CallOptions, type CallResult } from './operation-call';
import type { Run } from './run-state';

export interface ListContent {
  readonly items: readonly JsonValue[];
  /** Of a map by key, the keys of its items in the same order. */
  readonly keys: readonly (string | undefined)[];
  /** Is it known that this is everything? */
  readonly isComplete: boolean;
  /** Does the list go on behind what was read? */
  readonly isCut: boolean;
}

/**
 * The items of a list, page after page: by its links to the next one (RFC 8288), by what its body says of it, or else by
 * the parameters of the list.
 *
 * @param path - of the first page, below the base URL, with its query
 * @param mostPages - a longer list is not read to its end
 * @returns `undefined` when the list cannot be read
 */
export async function readList(
  run: Run,
  list: Operation,
  path: string,
  mostPages: number,
  manner?: CallOptions,
): Promise<ListContent | undefined> {
  const entries = new Map<string, Entry>();
  const content = (isComplete: boolean, isCut = false): ListContent => {
    const all = [...entries.values()];
    return { items: all.map(({ item }) => item), keys: all.map(({ key }) => key), isComplete, isCut };
  };
  let at = path;
  for (let page = 1; page <= mostPages; page++) {
    const { response, found } = await readPage(run, list, at, manner);
    if (response === undefined || found === undefined) return page === 1 ? undefined : content(false, true);
    const before = entries.size;
    for (const entry of found) entries.set(`${entry.key ?? ''} ${stringifyJson(entry.item)}`, entry);
    const isComplete = isEverything(run, list, response, entries.size);
    // A page with nothing new is the end, or a service that does not know the parameter.
    if (page > 1 && entries.size === before) {
      const isLonger = tellsOfMore(list, response, entries.size);
      return content(found.length === 0 && !isLonger, isLonger);
    }
    const next = isComplete ? undefined : nextPage(run, list, at, response, entries.size);
    if (next === undefined) return content(isComplete);
    at = next;
  }
  return content(false, true);
}

function isEverything({ api }: Run, list: Operation, last: CallResult, count: number): boolean {
  return isMap(api, list) ? !isPaged(list) : isCompleteList(list, last, count);
}

async function readPage(
  run: Run,
  list: Operation,
  path: string,
  manner: CallOptions | undefined,
): Promise<{ readonly response: CallResult | undefined; readonly found: readonly Entry[] | undefined }> {
  const response = await callOperation(run, list, path, manner);
  return { response, found: response?.status === 200 ? entriesOf(run.api, list, response.body) : undefined };
}

/** @param count - of the items so far @returns `undefined` where no way on is known */
function nextPage(
  run: Run,
  list: Operation,
  page: string,
  { headers, body }: CallResult,
  count: number,
): string | undefined {
  const link = nextLink(headers);
  const told = body === undefined ? [] : namedProperties(body).filter(([name, value]) => hasMore(name, value));
  const urls = told.flatMap(([, value]) =>
    typeof value === 'string' && /^(?:\/|\?|https?:)/.test(value) ? [value] : [],
  );
  for (const target of link === undefined ? urls : [link]) {
    const path = pathOfPage(run, page, target);
    if (path !== undefined) return path;
  }
  const parameters = list.parameters.filter(({ in: location }) => location === 'query');
  const named = (role: string): string | undefined => parameters.find((each) => roleOf(each, false) === role)?.name;
  const [cursor, number, offset] = [named('cursor'), named('page'), named('offset')];
  const [token, ...others] = told.flatMap(([, value]) =>
    isScalar(value) && typeof value !== 'boolean' ? [value] : [],
  );
  if (cursor !== undefined)
    return token === undefined || others.length > 0 ? undefined : withParameter(page, cursor, scalarText(token));
  if (number !== undefined) return withParameter(page, number, String(Number(valueIn(page, number) ?? 1) + 1));
  return offset === undefined ? undefined : withParameter(page, offset, String(count));
}

function pathOfPage({ baseUrl }: Run, page: string, target: string): string | undefined {
  const from = `${baseUrl}${page}`;
  if (!URL.canParse(target, from)) return undefined;
  const path = pathOfLocation(target, baseUrl, page);
  return path === undefined ? undefined : `${path}${new URL(target, from).search}`;
}

function valueIn(page: string, name: string): string | null {
  return new URLSearchParams(page.split('?')[1] ?? '').get(name);
}

function withParameter(page: string, name: string, value: string): string {
  const [path = '', query = ''] = page.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set(name, value);
  return `${path}?${parameters.toString()}`;
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
  if (body === undefined || tellsOfMore(list, { headers, body }, count)) return false;
  const isLonger = isPaged(list);
  if (totalsOf(list, { headers, body }).length > 0) return true;
  return !isLonger && (Array.isArray(body) || (isJsonObject(body) && Object.keys(body).length === 1));
}

/** Does a page say that there are more items than were read: by what leads on, or by a count of all of them? */
function tellsOfMore(list: Operation, last: Pick<CallResult, 'headers' | 'body'>, count: number): boolean {
  const told = last.body === undefined ? [] : namedProperties(last.body);
  if (told.some(([name, value]) => hasMore(name, value)) || nextLink(last.headers) !== undefined) return true;
  return totalsOf(list, last).some((total) => !isScalar(total) || scalarText(total) !== String(count));
}

function totalsOf(list: Operation, { headers, body }: Pick<CallResult, 'headers' | 'body'>): JsonValue[] {
  const isLonger = isPaged(list);
  const told = body === undefined ? [] : namedProperties(body);
  return [
    ...countsInHeaders(headers),
    ...told.flatMap(([name, value]) => (isCount(name, value, isLonger) ? [value] : [])),
  ];
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
  const inner = Object.values(body).flatMap((property) => (isJsonObject(property) ? propertiesOf(property) : []));
  return [...propertiesOf(body), ...inner];
}

function propertiesOf(object: JsonObject): [string, JsonValue][] {
  return Object.entries(object).map(([name, value]) => [plainName(name), value]);
}

function isPaged({ parameters }: Operation): boolean {
  return parameters.some(({ in: location, name }) => location !== 'path' && mayPage(plainName(name)));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
