import { pointerTo } from '../core/json/json-pointer';
import { definedProperties, type JsonObject, type JsonValue } from '../core/json/json-value';
import { groupBy } from '../core/text/group-by';
import { toldInHeader } from '../lists/page-properties';
import { ignoresCase } from '../lists/page-words';
import { successes } from '../openapi/view/operation-bodies';
import type { Binding } from '../resources/model/binding';
import type { Draft } from './draft';
import { along, awaited, headerNamed, listOf, nextPage, pageSizes } from './expectations';
import { pathWith, wordsOf } from './parameters';
import { keyPathOf, successStatuses } from './subject';
import type { Thing } from './thing';

/** A list that is read, and what is known of it. */
export interface ListReads {
  readonly draft: Draft;
  readonly list: Binding;
  readonly at: Pick<Thing, 'scope'>;
  /** How many things it has at the least. */
  readonly made: number;
  /** A filter that is sent each time. */
  readonly by?: JsonObject;
  /** Does the filter leave nothing but what the run made? */
  readonly isOwn?: boolean;
  /** A word in what the run made. */
  readonly word?: string | undefined;
  /** A text in what the contract made, and in nothing else. */
  readonly ownText?: string;
}

/** What is asked of a response, and kept of it. */
interface Asked {
  /** What the list in it has to be. */
  readonly matcher?: JsonValue | undefined;
  readonly headers?: JsonObject | undefined;
  readonly capture?: JsonObject | undefined;
  readonly mayBeRefused?: true | number[] | undefined;
  /** May the list show only a little later what was made? */
  readonly isAwaited?: boolean;
  readonly phase?: 'setup' | 'steps';
}

/** More orders say nothing new. */
const MOST_ORDERS = 4;
/** So many pages, or things, are held against each other. */
export const WHOLE = 3;

export function ask(reads: ListReads, name: string, parameters: JsonObject, asked: Asked = {}): void {
  const { draft, list, at, by = {} } = reads;
  const request = draft.beside(at, list, { ...by, ...parameters });
  send(reads, name, { ...request, expect: { status: successStatuses(list.operation, [200]) } }, asked);
}

function send({ draft, list }: ListReads, name: string, { expect = {}, ...request }: JsonObject, asked: Asked): void {
  const { matcher, headers, capture, mayBeRefused, isAwaited = false, phase = 'steps' } = asked;
  const body = matcher === undefined ? undefined : listOf(list, matcher);
  const expected = definedProperties({ ...(expect as JsonObject), body, headers });
  const step = definedProperties({ name, ...request, mayBeRefused, expect: expected, capture });
  draft.add(phase, isAwaited ? awaited(step) : step);
}

/** Reads that the checks of the whole run hold against each other, whatever the list holds: its pages, and each order. */
export function addListReads(reads: ListReads): void {
  const { least, most = Infinity } = pageSizes(reads.draft.api, reads.list);
  if (reads.list.parameters.limit !== undefined && least <= 2) {
    const whole = sized(reads, Math.min(WHOLE * least, most));
    ask(reads, `${WHOLE} pages at once`, whole);
    pages(reads, least, most);
    // Things of one kind that the run made may be equal to an order, and come as they like: their pages are known already.
    if (reads.isOwn !== true || !isNumbered(reads.list)) ask(reads, `the ${WHOLE} pages at once again`, whole);
    searched(reads, least);
  }
  orders(reads);
}

/** The pages one by one, the longest page and what it leads on to. */
function pages(reads: ListReads, least: number, most: number): void {
  if (isNumbered(reads.list)) numberedPages(reads, least);
  else leadOn(reads, { size: Math.min(2 * least, most), steps: 2 });
  if (most === Infinity) return;
  const longest = { name: `a page of ${most}, which is the most`, matcher: { $length: { $max: most } } };
  if (isNumbered(reads.list)) ask(reads, longest.name, sized(reads, most), longest);
  else leadOn(reads, { ...longest, size: most, steps: 1 });
}

function isNumbered({ parameters: { offset, page } }: Binding): boolean {
  return offset !== undefined || page !== undefined;
}

export function sized({ list }: ListReads, size: number): JsonObject {
  const { limit } = list.parameters;
  return limit === undefined ? {} : { [limit.name]: size };
}

/** Pages by their number or by what comes before them. */
function numberedPages(reads: ListReads, size: number): void {
  const { draft, list, made, isOwn = false } = reads;
  let before: string | undefined;
  for (let number = 0; number < (isOwn ? WHOLE + 1 : WHOLE); number += 1) {
    const called = isOwn && size === 1 && number < made ? draft.freeName('on a page') : undefined;
    const capture = called === undefined ? undefined : { [called]: keyAt(list, 0) };
    ask(reads, `page ${number + 1}, of ${size} each`, placedAt(list, size, number), {
      ...expectedOnPage(reads, size, number, before),
      capture,
    });
    before = called;
  }
}

function placedAt({ parameters: { limit, offset, page } }: Binding, size: number, number: number): JsonObject {
  const length = limit === undefined ? {} : { [limit.name]: size };
  if (offset !== undefined) return { ...length, [offset.name]: size * number };
  return page === undefined ? length : { ...length, [page.parameter.name]: page.first + number };
}

/** @param before - what the key on the page before is captured as */
function expectedOnPage({ list, made, isOwn }: ListReads, size: number, number: number, before?: string): Asked {
  // Behind the end there may be nothing.
  if (number > 0 && isOwn !== true) return { mayBeRefused: [404] };
  if ((number + 1) * size <= made)
    return { matcher: before === undefined ? { $length: size } : [entryWith(list, { $not: `\${${before}}` })] };
  return isOwn === true && number * size >= made ? { matcher: { $length: 0 }, mayBeRefused: [404] } : {};
}

/** An entry with a key. */
export function entryWith({ response, resource }: Binding, key: JsonValue): JsonValue {
  return along([...(response?.entryPath ?? []), ...keyPathOf(resource)], key);
}

/** Where the key of an entry stands in a response. */
export function keyAt({ response, resource }: Binding, index: number): string {
  const { path = [], entryPath = [] } = response ?? {};
  return `$response.body#${pointerTo([...path, String(index), ...entryPath, ...keyPathOf(resource)])}`;
}

/** A page, and the pages that it leads on to, one after the other. */
interface LeadingOn extends Asked {
  /** Of the first page. */
  readonly name?: string;
  readonly size: number;
  /** More that is sent for the first page. */
  readonly by?: JsonObject;
  /** How many pages are read that it leads on to. */
  readonly steps: number;
  /** What the list of these has to be. */
  readonly followed?: JsonValue;
  /** What they are called, the first one at the least. */
  readonly followedName?: string;
  /** What is done before the last one is read. */
  readonly meanwhile?: () => unknown;
}

/** Where nothing follows a page, nothing more is sent. */
export function leadOn(reads: ListReads, asked: LeadingOn): void {
  const { draft, list } = reads;
  const { size, steps, name = `the first page, of ${size}`, meanwhile } = asked;
  const { followedName = `${name}: what it leads on to` } = asked;
  const way = wayOnOf(list, size);
  let next = way && draft.freeName('next page');
  const leading = (): Asked =>
    way === undefined || next === undefined ? {} : { mayBeRefused: true, capture: { [next]: way.from } };
  const { capture, ...others } = { ...leading(), ...asked };
  ask(
    reads,
    name,
    { ...sized(reads, size), ...asked.by },
    { ...others, capture: { ...leading().capture, ...capture } },
  );
  for (let step = 1; step <= steps && way !== undefined && next !== undefined; step += 1) {
    const led = next;
    next = step < steps ? draft.freeName('next page') : undefined;
    if (step === steps) meanwhile?.();
    const called = step === 1 ? followedName : `${followedName}, ${step}`;
    follow(reads, called, { way, led, asked, kept: { matcher: asked.followed, ...leading() } });
  }
}

interface Following {
  readonly way: WayOn;
  /** Name of the captured value that leads on. */
  readonly led: string;
  readonly asked: LeadingOn;
  readonly kept: Asked;
}

function follow(reads: ListReads, name: string, { way, led, asked, kept }: Following): void {
  const { draft, list, at } = reads;
  const path = pathWith(list.operation, draft.beside(at, list));
  if (way.parameter !== undefined)
    ask(reads, name, { ...sized(reads, asked.size), ...asked.by, [way.parameter]: `\${${led}}` }, kept);
  else if (path !== undefined)
    send(reads, name, { method: 'GET', path: `${path}\${${led}}`, expect: { status: 200 } }, kept);
}

/** What a page shows that leads to the next one, and the parameter that takes it; without one it is the query of a link. */
interface WayOn {
  readonly from: JsonObject | string;
  readonly parameter?: string;
}

/** Does a page link to the next one, so that what was asked for has to be in the link? */
export function isLinked(list: Binding): boolean {
  const way = wayOnOf(list, 1);
  return way !== undefined && way.parameter === undefined;
}

function wayOnOf(list: Binding, size: number): WayOn | undefined {
  const { cursor, after } = list.parameters;
  const link = headerNamed(list, /^link$/i);
  if (link !== undefined) return { from: nextPage(link) };
  const token = placeOf(list, 'next-cursor');
  // What is null or empty on the last page leads nowhere.
  if (cursor !== undefined && token !== undefined)
    return { from: { from: token, pattern: '^(.+)$' }, parameter: cursor.name };
  const url = placeOf(list, 'next-link');
  if (url !== undefined) return { from: { from: url, pattern: '^[^?]*(\\?.+)$' } };
  // The key of the last item of a full page, where a parameter takes it.
  const isKeyShown = list.response?.form === 'list' && keyPathOf(list.resource).length > 0;
  return after && isKeyShown ? { from: keyAt(list, size - 1), parameter: after.name } : undefined;
}

/** Where a page tells what leads on. */
function placeOf({ response, operation }: Binding, role: 'next-cursor' | 'next-link'): string | undefined {
  const shown = response?.pageProperties.find((each) => each.role === role);
  if (shown !== undefined) return `$response.body#${pointerTo(shown.path)}`;
  const header = [...(successes(operation)[0]?.headers.keys() ?? [])].find((name) => toldInHeader(name) === role);
  return header && `$response.header.${header}`;
}

/** A search for what the run made, page by page; and for a word in either case, where words say that it does not count. */
function searched(reads: ListReads, size: number): void {
  const { search } = reads.list.parameters;
  if (search?.schema?.accepts('1a2b3c4d', 'request') !== true) return;
  const searchFor = (text: string): ListReads => ({ ...reads, by: { ...reads.by, [search.name]: text } });
  const own = searchFor(reads.ownText ?? '${runId}');
  const name = `the first page of a search by ${search.name}`;
  if (isLinked(reads.list)) {
    const whole = `what a search by ${search.name} finds`;
    leadOn(own, { name: whole, size: WHOLE * size, steps: 1 });
    leadOn(own, { name, size, steps: 1 });
    ask(own, `${whole} again`, sized(reads, WHOLE * size));
  } else ask(own, name, sized(reads, size));
  const { word } = reads;
  if (word === undefined || !ignoresCase(reads.list.operation, search)) return;
  const other = word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase();
  for (const text of [word, other, word]) ask(searchFor(text), `search by ${search.name} for ${text}`, {});
}

/** The orders that the description lists, each the other way round as well. */
function orders(reads: ListReads): void {
  const { draft, list, at, made } = reads;
  const { sort, direction } = list.parameters;
  if (sort === undefined) return;
  const turns = direction === undefined ? [] : wordsOf(draft.api, direction).slice(0, 2);
  const turned: [string, JsonObject][] = turns.map((turn) => [`, ${turn}`, { [direction?.name ?? '']: turn }]);
  const ways = turned.length === 0 ? [['', {}] as const] : turned;
  const words = groupBy(wordsOf(draft.api, sort), (word) => word.replace(/^[-+]/, '')).flat();
  for (const word of words.slice(0, MOST_ORDERS / ways.length))
    for (const [how, parameters] of ways) {
      const value = sort.items === undefined ? word : [word];
      ask({ draft, list, at, made }, `sorted by ${word}${how}`, { [sort.name]: value, ...parameters });
    }
}
