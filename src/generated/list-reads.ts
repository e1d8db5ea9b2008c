import type { JsonObject, JsonValue } from '../core/json/json-value';
import { toldInHeader } from '../lists/page-properties';
import { successes } from '../openapi/view/operation-bodies';
import type { Binding } from '../resources/model/binding';
import type { Draft } from './draft';
import { headerNamed, listOf, nextPage } from './expectations';
import { flatOf, pathWith, wordsOf } from './parameters';
import { keyPathOf, pointerTo, successStatuses } from './subject';
import type { Thing } from './thing';

/** What is read, and how much of it the run has made. */
interface ListReads {
  readonly draft: Draft;
  readonly list: Binding;
  readonly at: Pick<Thing, 'scope'>;
  /** How many things the list has at the least. */
  readonly made: number;
  /** A filter that is sent each time. */
  readonly by?: JsonObject;
}

/** More orders say nothing new. */
const MOST_ORDERS = 4;
/** Pages of so many things are held against each other. */
const WHOLE = 3;

/** Pages of lists that are known otherwise: one that is as short as may be, and one that is as long. */
export function addLengths(reads: ListReads): void {
  const { least, most } = lengthsOf(reads);
  if (least !== undefined && least <= reads.made)
    ask(reads, `a page of ${least}`, sized(reads, least), { $length: least });
  if (most !== undefined) longest(reads, most);
}

/** Reads that the checks of the whole run hold against each other, whatever the list holds: its pages, and each order. */
export function addListReads(reads: ListReads): void {
  addPagesTogether(reads);
  orders(reads);
  searched(reads);
}

/** The first page of a search for what the run made: what it leads on to is of the same search. */
function searched(reads: ListReads): void {
  const { search } = reads.list.parameters;
  const { least } = lengthsOf(reads);
  const isText = search?.schema?.accepts('1a2b3c4d', 'request') === true;
  if (search === undefined || least === undefined || !isText) return;
  ask(reads, `the first page of a search by ${search.name}`, { ...sized(reads, least), [search.name]: '${runId}' });
}

/** Several pages at once, the pages one by one, the longest page and what it leads on to, the first again. */
export function addPagesTogether(reads: ListReads): void {
  const { least, most = Infinity } = lengthsOf(reads);
  if (least === undefined) return;
  const whole = sized(reads, Math.min(WHOLE * least, most));
  ask(reads, `${WHOLE} pages at once`, whole);
  if (isNumbered(reads)) numberedPages(reads, least);
  else leadOn(reads, Math.min(2 * least, most), 2);
  if (most !== Infinity) longest(reads, most);
  ask(reads, `the ${WHOLE} pages at once again`, whole);
}

function isNumbered({ list: { parameters } }: ListReads): boolean {
  return parameters.offset !== undefined || parameters.page !== undefined;
}

/** How long a page may be, as far as it is told; nothing where the list is not cut, or no page is shorter than several things. */
function lengthsOf({ draft, list }: ListReads): {
  readonly least: number | undefined;
  readonly most: number | undefined;
} {
  const { limit } = list.parameters;
  const { minimum, maximum } = limit === undefined ? {} : flatOf(draft.api, limit);
  const least = typeof minimum === 'number' ? Math.max(1, minimum) : 1;
  const most = typeof maximum === 'number' ? maximum : undefined;
  return { least: limit === undefined || least > 2 ? undefined : least, most: limit === undefined ? undefined : most };
}

function sized({ list }: ListReads, size: number): JsonObject {
  const { limit } = list.parameters;
  return limit === undefined ? {} : { [limit.name]: size };
}

function ask(
  { draft, list, at, by = {} }: ListReads,
  name: string,
  parameters: JsonObject,
  matcher?: JsonValue,
  more: JsonObject = {},
): void {
  const status = successStatuses(list.operation, [200]);
  const body = matcher === undefined ? undefined : listOf(list, matcher);
  draft.add('steps', {
    name,
    ...draft.beside(at, list, { ...by, ...parameters }),
    ...more,
    expect: { status, ...(body === undefined ? {} : { body }) },
  });
}

function numberedPages(reads: ListReads, size: number): void {
  const { offset, page } = reads.list.parameters;
  const { first = 1, parameter } = page ?? {};
  for (let number = 0; number < WHOLE; number += 1) {
    const place: JsonObject =
      offset === undefined ? { [parameter?.name ?? '']: first + number } : { [offset.name]: size * number };
    const isKnown = number === 0 && size <= reads.made;
    // Behind the end there may be nothing.
    const more = number === 0 ? {} : { mayBeRefused: [404] };
    ask(
      reads,
      `page ${number + 1}, of ${size} each`,
      { ...sized(reads, size), ...place },
      isKnown ? { $length: size } : undefined,
      more,
    );
  }
}

/** A page, and the pages that it leads on to, one after the other; where nothing follows, nothing is sent. */
function leadOn(
  reads: ListReads,
  size: number,
  steps: number,
  name = `the first page, of ${size}`,
  matcher?: JsonValue,
): void {
  const { draft, list, at } = reads;
  const way = wayOnOf(list, size);
  const path = pathWith(list.operation, draft.beside(at, list));
  let next = way && draft.freeName('next page');
  const capture = (): JsonObject =>
    way === undefined || next === undefined ? {} : { mayBeRefused: true, capture: { [next]: way.from } };
  ask(reads, name, sized(reads, size), matcher, capture());
  for (let step = 1; step <= steps && way !== undefined && next !== undefined; step += 1) {
    const led = `\${${next}}`;
    next = step < steps ? draft.freeName('next page') : undefined;
    const called = `${name}: what it leads on to${step === 1 ? '' : `, ${step}`}`;
    if (way.parameter !== undefined)
      ask(reads, called, { ...sized(reads, size), [way.parameter]: led }, undefined, capture());
    else if (path !== undefined)
      draft.add('steps', { name: called, method: 'GET', path: `${path}${led}`, ...capture(), expect: { status: 200 } });
  }
}

function longest(reads: ListReads, most: number): void {
  const name = `a page of ${most}, which is the most`;
  const matcher = { $length: { $max: most } };
  if (isNumbered(reads)) ask(reads, name, sized(reads, most), matcher);
  else leadOn(reads, most, 1, name, matcher);
}

/** What a page shows that leads to the next one, and the parameter that takes it; without one it is the query of a link. */
interface WayOn {
  readonly from: JsonObject | string;
  readonly parameter?: string;
}

function wayOnOf(list: Binding, size: number): WayOn | undefined {
  const { parameters, response, operation } = list;
  const told = (role: string): string | undefined => {
    const shown = response?.pageProperties.find((each) => each.role === role);
    return shown && `$response.body#${pointerTo(shown.path)}`;
  };
  const link = headerNamed(list, /^link$/i);
  if (link !== undefined) return { from: nextPage(link) };
  const names = [...(successes(operation)[0]?.headers.keys() ?? [])];
  const header = names.find((name) => toldInHeader(name) === 'next-cursor');
  const token = told('next-cursor') ?? (header && `$response.header.${header}`);
  // What is null or empty on the last page leads nowhere.
  if (parameters.cursor !== undefined && token !== undefined)
    return { from: { from: token, pattern: '^(.+)$' }, parameter: parameters.cursor.name };
  const url = told('next-link');
  return url === undefined ? behindLast(list, size) : { from: { from: url, pattern: '^[^?]*(\\?.+)$' } };
}

/** The key of the last item of a full page, where a parameter takes it. */
function behindLast({ parameters: { after }, response, resource }: Binding, size: number): WayOn | undefined {
  const keyPath = keyPathOf(resource);
  if (after === undefined || response?.form !== 'list' || keyPath.length === 0) return undefined;
  const last = [...response.path, String(size - 1), ...(response.entryPath ?? []), ...keyPath];
  return { from: `$response.body#${pointerTo(last)}`, parameter: after.name };
}

/** Each order that the description lists, the other way round with each second one where that is a parameter of its own. */
function orders(reads: ListReads): void {
  const { draft, list } = reads;
  const { sort, direction } = list.parameters;
  if (sort === undefined) return;
  const turns = wordsOf(draft.api, direction);
  for (const [index, word] of wordsOf(draft.api, sort).slice(0, MOST_ORDERS).entries()) {
    const turn = turns[index % 2];
    const turned = direction === undefined || turn === undefined ? {} : { [direction.name]: turn };
    const value = sort.items === undefined ? word : [word];
    ask(reads, `sorted by ${word}${turn === undefined ? '' : `, ${turn}`}`, { [sort.name]: value, ...turned });
  }
}
