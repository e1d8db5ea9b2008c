import { parseQuery } from '../../core/http/request-target';
import { isJsonNumber } from '../../core/json/exact-number';
import { type JsonValue, valueAlong } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { addToList } from '../../core/text/memoize';
import type { PagePropertyRole } from '../../lists/conventions/list-convention';
import { nextLink, saysEnd, saysMore, textTold, toldOfPage, type ToldOfPage } from '../../lists/page-told';
import { ignoresCase } from '../../lists/page-words';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Parameter } from '../../openapi/model/operation';
import { viewOf } from '../../openapi/view/schema-view';
import { inferResourceModel } from '../../resources/infer-resource-model';
import type { Binding } from '../../resources/model/binding';
import { type ObservedExchange, operationOf } from '../observed-exchange';
import { keyText } from './observed-item';

/** The texts of a query by name, decoded. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** The request that leads to the next page, as a response shows it. */
export interface WayOn {
  readonly query: Query;
  /** Is it a whole URL, and not only the value of one parameter? */
  readonly isLink: boolean;
  /** As it was shown. */
  readonly text: string;
  /** Where it was shown. */
  readonly at: string;
}

/** A successful read of a list, and what it shows. */
export interface ListRead {
  readonly exchange: ObservedExchange;
  readonly binding: Binding;
  readonly sent: Query;
  /** What was asked for: as it was sent, or of a page that a link with a cursor led to, by the page before. */
  readonly asked: Query;
  readonly items: readonly JsonValue[];
  /** `undefined` where items do not show what tells them apart. */
  readonly keys: readonly string[] | undefined;
  /** How many items a full page has. */
  readonly limit: number | undefined;
  /** Are pages known to have so many, so that a shorter one is not one that the service cut? */
  readonly hasWholeLimit: boolean;
  /** How many items come before the page; `undefined` where nobody knows. */
  readonly start: number | undefined;
  /** Is that told by an offset or a number that the request has? */
  readonly isNumbered: boolean;
  /** Does the place count from the beginning of the list? Where nobody says what the first number is, it does not. */
  readonly isCounted: boolean;
  readonly wayOn: WayOn | undefined;
  /** The page that led to this one. */
  readonly before: ListRead | undefined;
  /** Does the response say that nothing follows? */
  readonly isEnd: boolean;
  /** Does it say that something follows? */
  readonly saysMore: boolean;
  readonly total: number | undefined;
  readonly pageCount: number | undefined;
  /** The same text for reads of one list by one caller that ask for the same items in the same order. */
  readonly list: string;
}

/** All reads of lists in a run whose items the description shows, in the order in which they were sent. */
export function listReadsOf(api: ApiModel, exchanges: readonly ObservedExchange[]): ListRead[] {
  const found = exchanges.flatMap((exchange) => pageOf(api, exchange) ?? []);
  const longest = new Map<Binding, number>();
  for (const { binding, items } of found) longest.set(binding, Math.max(longest.get(binding) ?? 0, items.length));
  const led = new Map<string, ListRead>();
  return found
    .sort((one, other) => one.exchange.sentAt - other.exchange.sentAt)
    .map((page) => {
      const read = placedRead(page, longest.get(page.binding) ?? 0, (key) => led.get(key));
      if (read.wayOn !== undefined) led.set(wayKey(read, read.wayOn.query), read);
      return read;
    });
}

/** A response with a list, before it is known where the page stands. */
type ListPage = Pick<
  ListRead,
  'exchange' | 'binding' | 'sent' | 'items' | 'keys' | 'wayOn' | 'isEnd' | 'saysMore' | 'pageCount'
> & {
  readonly total: number | undefined;
  readonly pageSize: number | undefined;
};

function pageOf(api: ApiModel, exchange: ObservedExchange): ListPage | undefined {
  const operation = operationOf(api, exchange);
  const binding = operation && inferResourceModel(api).bindings.get(operation);
  const { method, status, isPolled } = exchange;
  if (method !== 'GET' || status !== 200 || isPolled === true || binding?.behaviour !== 'list') return undefined;
  // What should have been refused asks for no list that anybody knows.
  if (exchange.expected?.statuses.every((each) => each >= 400) === true) return undefined;
  const items = itemsOf(exchange, binding);
  if (items === undefined) return undefined;
  const sent = queryOf(exchange.query);
  const told = toldOfPage(viewOf(api), binding.response, exchange);
  const number = (role: PagePropertyRole): number | undefined => numberIn(told.get(role)?.[0]);
  const page = { exchange, binding, sent, items, keys: keysOf(binding, items) };
  const wayOn = wayOnOf(page, told);
  return {
    ...page,
    wayOn,
    isEnd: wayOn === undefined && saysEnd(told),
    saysMore: saysMore(told, exchange),
    total: number('total'),
    pageCount: number('page-count'),
    pageSize: number('page-size'),
  };
}

function itemsOf({ body }: ObservedExchange, { response }: Binding): readonly JsonValue[] | undefined {
  const { form, path = [], entryPath = [] } = response ?? {};
  const entries = form === 'list' || form === 'keys' ? valueAlong(body, path) : undefined;
  return Array.isArray(entries) ? entries.map((entry) => valueAlong(entry, entryPath) ?? null) : undefined;
}

function queryOf(query: string): Query {
  const texts = new Map<string, string[]>();
  for (const { name, rawName, value, rawValue } of parseQuery(query))
    addToList(texts, name ?? rawName, value ?? rawValue);
  return texts;
}

/** Two of one collection never have the same; where several collections are listed together, nothing tells items apart. */
function keysOf({ resource: { key }, response, isAcross }: Binding, items: readonly JsonValue[]): ListRead['keys'] {
  const own = key.propertyPath.length > 0 ? key.propertyPath : [key.name];
  const path = response?.form === 'keys' ? [] : own;
  if (isAcross || (key.isHidden && key.propertyPath.length === 0 && path.length > 0)) return undefined;
  const keys = items.flatMap((item) => keyText(valueAlong(item, path)) ?? []);
  return keys.length === items.length ? keys : undefined;
}

/** A whole number that is not below zero, as a number or a text. */
function numberIn(value: JsonValue | undefined): number | undefined {
  const text = typeof value === 'string' || isJsonNumber(value) ? scalarText(value) : '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function wayOnOf(page: Pick<ListPage, 'exchange' | 'binding' | 'sent' | 'keys'>, told: ToldOfPage): WayOn | undefined {
  const link = nextLink(page.exchange.headers);
  if (link !== undefined) return { query: queryIn(link), isLink: true, text: link, at: '/response/headers/link' };
  const at = '/response/body';
  const url = [textTold(told, 'next-link'), textTold(told, 'next-cursor')].find((text) => IS_URL.test(text));
  if (url !== undefined) return { query: queryIn(url), isLink: true, text: url, at };
  const [parameter, text] = tokenOf(page, told) ?? [];
  if (parameter === undefined || text === undefined) return undefined;
  return { query: new Map([...page.sent, [parameter.name, [text]]]), isLink: false, text, at };
}

const IS_URL = /^(?:https?:|\/|\?).*\?.|^\?./;

function queryIn(url: string): Query {
  return queryOf(url.replace(/^[^?]*\??/, '').replace(/#.*$/, ''));
}

/** The parameter that leads on, and its value: a cursor, a number, or the key of the last item. */
function tokenOf(
  { binding: { parameters }, keys }: Pick<ListPage, 'binding' | 'keys'>,
  told: ToldOfPage,
): readonly [Parameter | undefined, string] | undefined {
  const { cursor, page, from, after } = parameters;
  const values = [
    [cursor, textTold(told, 'next-cursor') || textTold(told, 'next-link')],
    [page?.parameter, textTold(told, 'next-page')],
    [from, textTold(told, 'next-key')],
    [after, saysEnd(told) ? '' : (keys?.at(-1) ?? '')],
  ] as const;
  return values.find(([parameter, value]) => parameter !== undefined && value !== '');
}

/** Parameters that say where a page begins. */
export function placeParameters({ parameters: { cursor, after, before, from, offset, page } }: Binding): Parameter[] {
  return [cursor, after, before, from, offset, page?.parameter].filter((each) => each !== undefined);
}

/** One text for queries that are the same but for some parameters. */
export function queryKey(query: Query, without: readonly (Parameter | undefined)[]): string {
  const names = new Set(without.map((each) => each?.name));
  const pairs = [...query].filter(([name]) => !names.has(name)).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(pairs);
}

/** By what a read is found again that goes on with the next page, whatever limit it has. */
function wayKey({ exchange: { path, auth, operation }, binding }: ListPage | ListRead, query: Query): string {
  return JSON.stringify([operation, path, auth, queryKey(query, [limitOf(binding)])]);
}

export function limitOf({ parameters: { limit, unusedLimit } }: Binding): Parameter | undefined {
  return limit ?? unusedLimit;
}

export function numberSent(query: Query, parameter: Parameter | undefined): number | undefined {
  return parameter === undefined ? undefined : numberIn(query.get(parameter.name)?.[0]);
}

/** @param longest - most items that any response of the operation had */
function placedRead(page: ListPage, longest: number, ledBy: (key: string) => ListRead | undefined): ListRead {
  const { binding, exchange, pageSize, sent } = page;
  const parameter = limitOf(binding);
  const limit = pageSize ?? numberSent(sent, parameter) ?? numberIn(parameter?.defaultValue);
  const hasWholeLimit =
    limit !== undefined && (pageSize !== undefined || limit <= longest || isWithinBounds(limit, parameter));
  const before = ledBy(wayKey(page, sent));
  const isInherited = before?.wayOn?.isLink === true && !isNumbered(binding, sent);
  const asked = isInherited ? before.asked : sent;
  const place = placeOf(page, { limit, hasWholeLimit }, before);
  const { operation, path, auth } = exchange;
  const others = queryKey(inOneCase(binding, asked), [parameter, ...placeParameters(binding)]);
  const list = JSON.stringify([operation, path, auth, others, place.counts]);
  return { ...page, before, asked, limit, hasWholeLimit, ...place, isCounted: place.counts === undefined, list };
}

/** A query with its search in lower case, where words say that the case does not count. */
function inOneCase({ operation, parameters: { search } }: Binding, query: Query): Query {
  const texts = search && query.get(search.name);
  if (search === undefined || texts === undefined || !ignoresCase(operation, search)) return query;
  return new Map([...query, [search.name, texts.map((text) => text.toLowerCase())]]);
}

/** What a number may be at the least and at the most, as far as it is declared. */
export function boundsOf(parameter: Parameter | undefined): { least: number | undefined; most: number | undefined } {
  const { minimum, maximum } = parameter?.schema?.value ?? {};
  return { least: numberIn(minimum), most: numberIn(maximum) };
}

/** May a limit be asked for, so that the service has no reason to cut it? Only where the most is declared. */
function isWithinBounds(limit: number, parameter: Parameter | undefined): boolean {
  const { least = 0, most = -1 } = boundsOf(parameter);
  return limit >= least && limit <= most;
}

function isNumbered({ parameters: { offset, page } }: Binding, sent: Query): boolean {
  return [offset, page?.parameter].some((each) => each !== undefined && sent.has(each.name));
}

interface Place extends Pick<ListRead, 'start' | 'isNumbered'> {
  /** How places are counted, where they say nothing of those that are counted otherwise. */
  readonly counts?: string;
}

const NOWHERE: Place = { start: undefined, isNumbered: false };

type PageSize = Pick<ListRead, 'limit' | 'hasWholeLimit'>;

/** @param before - the page that led to this one */
function placeOf({ binding, sent }: ListPage, size: PageSize, before: ListRead | undefined): Place {
  const { offset, page } = binding.parameters;
  const numbered = placeByOffset(binding, sent) ?? placeByNumber(binding, sent, size);
  if (numbered !== undefined) return numbered;
  if (before !== undefined)
    return { start: before.start === undefined ? undefined : before.start + before.items.length, isNumbered: false };
  const counted = offset ?? page?.parameter;
  const isFirst = !placeParameters(binding).some(({ name }) => sent.has(name));
  const isKnown = isFirst && (counted === undefined || countsFrom(counted) !== undefined);
  return isKnown ? { start: 0, isNumbered: counted !== undefined } : NOWHERE;
}

function placeByOffset({ parameters: { offset } }: Binding, sent: Query): Place | undefined {
  const skipped = numberSent(sent, offset);
  const first = countsFrom(offset);
  if (skipped === undefined) return undefined;
  return first === undefined
    ? { start: skipped, isNumbered: true, counts: 'offset' }
    : { start: skipped - first, isNumbered: true };
}

function placeByNumber(
  { parameters: { page } }: Binding,
  sent: Query,
  { limit, hasWholeLimit }: PageSize,
): Place | undefined {
  const number = numberSent(sent, page?.parameter);
  if (number === undefined || page === undefined) return undefined;
  if (limit === undefined || !(hasWholeLimit || number === page.first)) return NOWHERE;
  const start = (number - page.first) * limit;
  const isSaid = countsFrom(page.parameter) === page.first;
  return isSaid ? { start, isNumbered: true } : { start, isNumbered: true, counts: `${limit} a page` };
}

/** What a parameter without a word about it begins with. */
const FROM_ZERO = /(?:offset|skip)\]?$/i;

/** The first number of a parameter that counts pages or items, where the description says it or its name does. */
export function countsFrom(parameter: Parameter | undefined): number | undefined {
  if (parameter === undefined) return undefined;
  const preset = numberIn(parameter.defaultValue);
  const least = numberIn(parameter.schema?.value['minimum']);
  const first = least ?? preset ?? (FROM_ZERO.test(parameter.name) ? 0 : undefined);
  const isSure = preset === undefined || preset === first;
  return first !== undefined && first <= 1 && isSure ? first : undefined;
}
