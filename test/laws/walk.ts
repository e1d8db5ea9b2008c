import { asObject, isObject, isScalar, plainName } from './checks';
import { type Collection, itemsIn, keyIn } from './collections';
import type { Operation, Parameter } from './description';
import type { Wishes } from './request';
import type { Exchange, Session } from './session';
import { typeOf } from './schemas';

const MAX_PAGES = 40;
const SIZE =
  /^(?:limit|perpage|pagesize|maxresults|count|size|top|first|pagelimit|itemsperpage|resultsperpage|maxitems|maxpagesize|recordsperpage)$/;
const CURSOR =
  /^(?:cursor|pagecursor|pagetoken|nexttoken|continuationtoken|continuation|startingafter|marker|after|aftercursor|nextcursor|bookmark|scrollid|start(?:ing)?token|nextpagetoken|token|skiptoken|pageafter)$/;
/** Parameters that take the key of the last item. */
const LAST_KEY = /^(?:startingafter|sinceid|afterid)$/;
const CURSOR_WORDS = /\b(?:pag(?:e|es|ed|ing|inat\w+)|cursor|continu\w+|next|subsequent)\b/i;
const PAGE = /^(?:page|pagenumber|pageno|pagenum|pageindex|currentpage|p)$/;
const OFFSET = /^(?:offset|skip|start|startindex|startat|from|pageoffset|firstresult)$/;
const NEXT_URL =
  /^(?:next|nexturl|nextlink|nextpageurl|nextpage|nextpagelink|nexthref|odatanextlink|nexturi|nextpageuri)$/;

/** How a list goes on. */
export interface Way {
  readonly size: Parameter | undefined;
  readonly page: Parameter | undefined;
  readonly offset: Parameter | undefined;
  readonly cursor: Parameter | undefined;
}

export interface Walk {
  readonly keys: readonly string[];
  readonly pages: number;
  /** How many items the longest page has. */
  readonly longest: number;
  readonly hasKeys: boolean;
  readonly hasEnded: boolean;
  /** Whether anything documented, or in the first answer, led on. */
  readonly hasWay: boolean;
  readonly shown: readonly Exchange[];
  /** The first answer that was no list. */
  readonly broken?: Exchange;
}

export function findWay(operation: Operation, session: Session): Way {
  const { parameters } = operation;
  const find = (names: RegExp, type: RegExp): Parameter | undefined =>
    parameters.find((parameter) => {
      const isNamed =
        parameter.in === 'query' && names.test(plainName(parameter.name.replace(/^.*[[.]([^\].]+)\]?$/, nameInside)));
      const flat = session.schemas.flatten(parameter.schema);
      // What is before or after a time is a filter.
      return isNamed && type.test(typeOf(flat) ?? '') && !/^date/.test(String(flat['format']));
    });
  const number = /^(?:integer|number)$/;
  return {
    size: find(SIZE, number),
    page: find(PAGE, number),
    offset: find(OFFSET, number),
    cursor: find(CURSOR, /^string$/) ?? find(LAST_KEY, /^(?:string|integer)$/) ?? findSharedCursor(operation, session),
  };
}

/** A parameter that a documented answer has under the same name, with or without `next`, where it is said to lead on. */
function findSharedCursor({ parameters, responses }: Operation, session: Session): Parameter | undefined {
  const { schemas } = session;
  const answers = responses.flatMap(({ status, bodies }) => (status.startsWith('2') ? bodies : []));
  const names = new Set(
    answers.flatMap(({ schema }) => Object.keys(asObject(schemas.flatten(schema)['properties'])).map(plainName)),
  );
  return parameters.find(({ in: place, name, schema, about }) => {
    const bare = plainName(name);
    const flat = schemas.flatten(schema);
    const words = [about, flat['description']].filter((text) => typeof text === 'string').join(' ');
    const isText = place === 'query' && typeOf(flat) === 'string';
    return isText && CURSOR_WORDS.test(words) && (names.has(bare) || names.has(`next${bare}`));
  });
}

/** `size` of `page[size]`. */
function nameInside(whole: string, inner: string): string {
  return /^page[[.]/.test(whole) ? inner : whole;
}

/** Whether a list asks for more than the way through it. */
export function isFiltered({ parameters }: Operation, way: Way): boolean {
  const known = Object.values(way) as (Parameter | undefined)[];
  return parameters.some((parameter) => parameter.in === 'query' && parameter.required && !known.includes(parameter));
}

/** Walks a list to its end, with the documented ways and those that the answers show. */
export async function walkList(
  session: Session,
  collection: Collection,
  keys: Wishes['keys'],
  options: { readonly size?: number; readonly firstPage?: number } = {},
): Promise<Walk> {
  const list = collection.list!;
  const way = findWay(list, session);
  const found: string[] = [];
  const shown: Exchange[] = [];
  const sizeQuery =
    options.size === undefined || way.size === undefined ? {} : { [way.size.name]: String(options.size) };
  let query: Record<string, string> | undefined = sizeQuery;
  let [pages, longest, hasKeys, hasWay] = [
    0,
    0,
    true,
    [way.page, way.offset, way.cursor].some((one) => one !== undefined),
  ];
  while (query !== undefined && pages < MAX_PAGES) {
    const exchange: Exchange = await session.ask(list, { keys, query }, collection);
    if (shown.length < 3) shown.push(exchange);
    const items = exchange.answer.status === 200 ? itemsIn(collection, exchange.answer.json) : undefined;
    if (items === undefined)
      return { keys: found, pages, longest, hasKeys, hasEnded: false, hasWay, shown, broken: exchange };
    pages += 1;
    longest = Math.max(longest, items.length);
    const itemKeys = items.map((item) => keyOfListed(collection, item));
    hasKeys &&= itemKeys.every((key) => key !== undefined);
    found.push(...itemKeys.filter((key) => key !== undefined));
    const progress = { ...options, pages, count: found.length, items: items.length, last: itemKeys.at(-1) };
    const next = nextQuery(way, exchange, progress);
    hasWay ||= next !== undefined;
    query = next === undefined ? undefined : { ...sizeQuery, ...next };
  }
  return { keys: found, pages, longest, hasKeys, hasEnded: query === undefined, hasWay, shown };
}

/** The key of an item, or of what its first object holds. */
function keyOfListed(collection: Collection, item: unknown): string | undefined {
  return keyIn(collection, item) ?? keyIn(collection, Object.values(asObject(item)).find(isObject));
}

interface Progress {
  readonly firstPage?: number;
  readonly pages: number;
  /** Items so far. */
  readonly count: number;
  /** Items of this page. */
  readonly items: number;
  readonly last: string | undefined;
}

/** What asks for the next page, `undefined` after the last one. */
function nextQuery(way: Way, exchange: Exchange, progress: Progress): Record<string, string> | undefined {
  const { answer, request } = exchange;
  const [, linked] = /<([^>]*)>\s*;[^,]*rel="?next"?/.exec(answer.headers.get('link') ?? '') ?? [];
  const url = linked ?? findNextUrl(answer.json);
  if (url !== undefined) return queryOf(url, request.target);
  const cursor = way.cursor === undefined ? undefined : cursorAfter(way.cursor, exchange, progress);
  if (way.cursor !== undefined && cursor !== undefined) return { [way.cursor.name]: cursor };
  return progress.items === 0 ? undefined : nextByNumber(way, progress);
}

/** The cursor that the answer shows; some take the key of the last item. */
function cursorAfter(cursor: Parameter, { answer }: Exchange, { items, last }: Progress): string | undefined {
  const isKey = LAST_KEY.test(plainName(cursor.name));
  return findCursor(answer.json, cursor) ?? (isKey && items > 0 ? last : undefined);
}

function nextByNumber(
  { page, offset }: Way,
  { firstPage, pages, count }: Progress,
): Record<string, string> | undefined {
  if (page !== undefined) return { [page.name]: String((firstPage ?? firstPageOf(page)) + pages) };
  return offset === undefined ? undefined : { [offset.name]: String(firstOffsetOf(offset) + count) };
}

/** The query of the next page's address. */
function queryOf(url: string, target: string): Record<string, string> | undefined {
  if (!URL.canParse(url, 'http://server')) return undefined;
  const next = new URL(url, `http://server${target}`);
  return next.search === '' ? undefined : Object.fromEntries(next.searchParams);
}

/** Pages are counted from 1 unless the description says otherwise. */
export function firstPageOf({ schema, about }: Parameter): number {
  for (const first of [schema['default'], schema['minimum']]) {
    if (first === 0 || first === 1) return first;
  }
  return /\b(?:zero|0)[- ](?:based|indexed)|(?:start|begin)\w* (?:at|from|with) (?:zero|0)\b/i.test(about) ? 0 : 1;
}

function firstOffsetOf({ name, schema }: Parameter): number {
  if (schema['default'] === 1 || schema['minimum'] === 1) return 1;
  return name === 'startIndex' && schema['default'] === undefined && schema['minimum'] === undefined ? 1 : 0;
}

/** An address of the next page, at most three levels below the answer and in no list. */
function findNextUrl(json: unknown): string | undefined {
  return findMember(json, (name, value) => {
    if (!NEXT_URL.test(plainName(name))) return undefined;
    const text = isObject(value) ? value['href'] : value;
    return typeof text === 'string' && /^(?:https?:|\/|\?)/.test(text) ? text : undefined;
  });
}

function findCursor(json: unknown, { name }: Parameter): string | undefined {
  const bare = plainName(name.replace(/^.*\[([^\]]+)\]$/, '$1'));
  const stem = bare.replace(/^(?:next|page|start)/, '');
  const names = new Set([
    `next${bare}`,
    `next${stem}`,
    `nextpage${stem}`,
    bare.startsWith('next') ? bare : '',
    'nextcursor',
    'nexttoken',
    'nextpagetoken',
    'endcursor',
    'nextmarker',
    'continuationtoken',
    'after',
  ]);
  const next = findMember(json, (key, value) => (names.has(plainName(key)) ? cursorIn(value) : undefined));
  // A name that is the parameter's own may hold what was sent.
  return next ?? findMember(json, (key, value) => (plainName(key) === bare ? cursorIn(value) : undefined));
}

function cursorIn(value: unknown): string | undefined {
  return isScalar(value) && typeof value !== 'boolean' && value !== '' ? String(value) : undefined;
}

function findMember(
  json: unknown,
  read: (name: string, value: unknown) => string | undefined,
  depth = 0,
): string | undefined {
  if (!isObject(json) || depth > 3) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const found = read(name, value) ?? findMember(value, read, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
