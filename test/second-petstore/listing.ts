import { createHash } from 'node:crypto';
import { Failure } from './failure';
import type { Row } from './json-text';
import { instantOf } from './shapes';

/** Where a row stands in a sorted list; compared part by part. */
type Position = readonly (string | bigint | number)[];

export interface ListRules<Item> {
  readonly name: string;
  readonly defaultSize: number;
  readonly row: (item: Item) => Row;
  readonly id: (item: Item) => bigint;
  /** The part of the position before the id, by the name of the member that sorts. */
  readonly keys: Readonly<Record<string, (item: Item) => Position>>;
}

export interface Page {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly links: readonly { readonly rel: string; readonly cursor: string | undefined }[];
}

/** UTF-16 units sort the characters beyond U+FFFF before some others; UTF-8 bytes sort by code point. */
const compareText = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));

function comparePart(left: string | bigint | number, right: string | bigint | number): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function compare(left: Position, right: Position): number {
  for (const [at, part] of left.entries()) {
    const order = comparePart(part, right[at] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** Orders without a date come after all others. */
export function datePosition(shipDate: string | undefined): Position {
  const instant = shipDate === undefined ? undefined : instantOf(shipDate);
  return instant ? [0, instant.seconds, instant.fraction] : [1, 0, ''];
}

type Side = 'after' | 'before' | 'until';
const SIDES: Readonly<Record<string, Side>> = { a: 'after', b: 'before', u: 'until' };
const seal = (text: string): string => createHash('sha256').update(`shelf:${text}`).digest('hex').slice(0, 10);

/** `<seal>~<side>~<list and sort>~<position>`: the seal tells a cursor of ours from an invented one. */
function writeCursor(side: Side, place: string, position: Position): string {
  const parts = position.map((part) => (typeof part === 'bigint' ? { int: String(part) } : part));
  const body = `${side.slice(0, 1)}~${place}~${Buffer.from(JSON.stringify(parts)).toString('hex')}`;
  return `${seal(body)}~${body}`;
}

function readCursor(text: string, place: string): { side: Side; position: Position } {
  const [mark = '', letter = '', where = '', hex = ''] = text.split('~');
  const side = SIDES[letter];
  if (side === undefined || where !== place || seal(`${letter}~${where}~${hex}`) !== mark) {
    throw new Failure(400, 'invalid_cursor', 'This cursor was not made for this list.');
  }
  const parts = JSON.parse(Buffer.from(hex, 'hex').toString()) as (string | number | { int: string })[];
  return { side, position: parts.map((part) => (typeof part === 'object' ? BigInt(part.int) : part)) };
}

/** The positions of a list under the sorting that a query asks for. */
function sorting<Item>(rules: ListRules<Item>, sort: string): { of: (item: Item) => Position; order: typeof compare } {
  const key = rules.keys[sort.replace(/^-/, '')];
  const sign = sort.startsWith('-') ? -1 : 1;
  return {
    of: (item) => [...(key?.(item) ?? []), rules.id(item)],
    order: (left, right) => sign * compare(left, right),
  };
}

/** Where a page starts and ends, from the positions of all entries. */
function bordersOf(
  positions: readonly Position[],
  order: typeof compare,
  from: { side: Side; position: Position } | undefined,
  size: number,
): { start: number; end: number } {
  if (!from) return { start: 0, end: size };
  const least = from.side === 'before' ? 0 : 1;
  const wall = positions.findIndex((position) => order(position, from.position) >= least);
  const border = wall < 0 ? positions.length : wall;
  return from.side === 'after'
    ? { start: border, end: border + size }
    : { start: Math.max(0, border - size), end: border };
}

export function pageOf<Item>(
  items: readonly Item[],
  rules: ListRules<Item>,
  query: ReadonlyMap<string, unknown>,
): Page {
  const sort = (query.get('sort') as string | undefined) ?? '';
  const size = (query.get('limit') as number | undefined) ?? rules.defaultSize;
  const place = `${rules.name}.${sort}`;
  const { of, order } = sorting(rules, sort);
  const sorted = items.toSorted((left, right) => order(of(left), of(right)));
  const cursor = query.get('cursor') as string | undefined;
  const from = cursor === undefined ? undefined : readCursor(cursor, place);
  const { start, end } = bordersOf(sorted.map(of), order, from, size);
  const page = sorted.slice(start, end);
  const links = [{ rel: 'first', cursor: undefined }, ...neighbours(page.map(of), place, from?.position ?? [])];
  const isThere = { first: true, prev: start > 0, next: page.length > 0 && end < sorted.length };
  return { rows: page.map(rules.row), total: sorted.length, links: links.filter(({ rel }) => isThere[rel as 'first']) };
}

/** A page that lost all its entries meanwhile still knows where it was. */
function neighbours(page: readonly Position[], place: string, from: Position): { rel: string; cursor: string }[] {
  const [top] = page;
  const last = page.at(-1);
  return [
    { rel: 'prev', cursor: top ? writeCursor('before', place, top) : writeCursor('until', place, from) },
    { rel: 'next', cursor: writeCursor('after', place, last ?? from) },
  ];
}
