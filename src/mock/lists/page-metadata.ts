import type { JsonValue } from '../../core/json/json-value';
import { queryPair } from '../../core/http/request-target';
import { scalarText } from '../../core/json/stringify-json';
import type { Parameter, ResponseSpec } from '../../openapi/model/operation';
import type { ListParameters } from '../../lists/list-model';
import type { PageFacts, PageMove, PagePropertyRole } from '../../lists/conventions/list-convention';
import { toldInHeader } from '../../lists/page-properties';
import { isDeprecated } from '../../lists/parameter-roles';
import { LIST_CONVENTIONS } from '../../lists/registry';
import type { Fill } from '../fitting/body-frame';
import type { Call, ListOutcome } from '../calls/call';
import { writeCursor } from '../../lists/cursor';
import { coerceKey } from '../state/item';
import { fillTemplate } from '../../resources/model/resource';

/** A page of what is stored, or the only one where nothing is. */
type PageOutcome = Pick<ListOutcome, 'query' | 'isSorted'> & {
  readonly page: Pick<ListOutcome['page'], 'total' | 'next' | 'firstOfNext' | 'previous'> & {
    readonly items: { readonly length: number };
  };
  readonly scope?: Pick<ListOutcome['scope'], 'collection'>;
};

type Target = 'next' | 'previous' | 'last';

/** How each page is requested, the ways that go before others first. */
const MOVES = {
  next: LIST_CONVENTIONS.flatMap(({ moves }) => moves?.next ?? []),
  previous: LIST_CONVENTIONS.flatMap(({ moves }) => moves?.previous ?? []),
  last: LIST_CONVENTIONS.flatMap(({ moves }) => moves?.last ?? []),
};

/** The facts of a page that was found, worked out when they are asked for. */
export class PageMetadata implements PageFacts {
  private readonly outcome: PageOutcome;
  private readonly call: Call;
  private readonly parameters: ListParameters | undefined;
  /** What several facts are made of, computed once. */
  private cursor: { readonly text: string | undefined } | undefined;
  private baseTarget: string | undefined;
  private lastingQuery: string | undefined;

  constructor(outcome: PageOutcome, call: Call, parameters: ListParameters | undefined) {
    this.outcome = outcome;
    this.call = call;
    this.parameters = parameters;
  }

  get total(): number {
    return this.outcome.page.total;
  }

  /** How many matching items come before the page, as far as no cursor hides it. */
  get start(): number {
    return this.outcome.query.skip ?? 0;
  }

  /** Items of a page; those that are there when nothing limits it. */
  get size(): number {
    const { query, page } = this.outcome;
    return query.limit === Infinity ? Math.max(page.total, 1) : query.limit;
  }

  get pageCount(): number {
    return this.size === 0 ? 0 : Math.ceil(this.outcome.page.total / this.size);
  }

  get hasNext(): boolean {
    return this.outcome.page.next !== undefined;
  }

  /** The parameter that leads on by the key of the last item, where no cursor does. */
  private get anchor(): Parameter | undefined {
    const { cursor, after } = this.parameters ?? {};
    return cursor === undefined ? after : undefined;
  }

  get hasMore(): boolean {
    return this.outcome.query.before === undefined ? this.hasNext : this.outcome.page.previous !== undefined;
  }

  get hasPrevious(): boolean {
    const { query, page } = this.outcome;
    return this.start > 0 || query.after !== undefined || page.previous !== undefined;
  }

  get pageNumber(): number {
    const first = this.parameters?.page?.first ?? 1;
    return first + (this.size === 0 ? 0 : Math.floor(this.start / this.size));
  }

  get pageIndex(): number {
    return this.parameters?.page === undefined ? this.pageNumber - 1 : this.pageNumber;
  }

  get isPaged(): boolean {
    return this.parameters?.limit !== undefined || this.parameters?.page !== undefined;
  }

  get isSorted(): boolean {
    return this.outcome.isSorted;
  }

  get nextPage(): number | undefined {
    return this.hasNext ? this.numberTo('next') : undefined;
  }

  get previousPage(): number | undefined {
    return this.numberTo('previous');
  }

  get nextCursor(): string | undefined {
    this.cursor ??= { text: this.cursorOfNext() };
    return this.cursor.text;
  }

  private cursorOfNext(): string | undefined {
    const { page, query, scope } = this.outcome;
    const { sortBy, descending, filters } = query;
    if (this.anchor !== undefined) return page.next === undefined ? undefined : String(page.next.key);
    return page.next === undefined || scope === undefined
      ? undefined
      : writeCursor(page.next, { collection: scope.collection, sortBy, descending, filters });
  }

  /** URL of the first page: the query of this request without what moves on. */
  get first(): string {
    return this.url();
  }

  get self(): string {
    return this.absolute(this.call.query);
  }

  get next(): string | undefined {
    return this.hasNext ? this.linkTo('next') : undefined;
  }

  /** Behind a cursor only a key leads back. */
  get previous(): string | undefined {
    const isBehind = this.outcome.query.after !== undefined;
    return this.linkTo('previous', isBehind ? 'string' : undefined);
  }

  get last(): string | undefined {
    return this.linkTo('last');
  }

  get length(): number {
    return this.outcome.page.items.length;
  }

  get nextKey(): JsonValue | undefined {
    return this.outcome.page.firstOfNext?.key;
  }

  get previousKey(): string | undefined {
    const { previous } = this.outcome.page;
    return previous === undefined ? undefined : String(previous.key);
  }

  private linkTo(target: Target, type?: 'string'): string | undefined {
    const move = this.moveTo(target, type);
    return move && this.url(move);
  }

  private numberTo(target: Target): number | undefined {
    const value = this.moveTo(target, 'number')?.value;
    return typeof value === 'number' ? value : undefined;
  }

  /** @param type - of the value; any where it is left out */
  private moveTo(target: Target, type?: 'string' | 'number'): PageMove | undefined {
    if (this.parameters === undefined) return undefined;
    let other: PageMove | undefined;
    for (const findMove of MOVES[target]) {
      const move = findMove(this.parameters, this);
      if (move === undefined || (type !== undefined && typeof move.value !== type)) continue;
      if (!isDeprecated(move.parameter)) return move;
      other ??= move;
    }
    return other;
  }

  /** The query of this request with another value for what moves from page to page; without any for the first one. */
  private url(move?: PageMove): string {
    this.lastingQuery ??= this.withoutMoving(this.call.query);
    if (move === undefined) return this.absolute(this.lastingQuery);
    const moved = `${move.parameter.name}=${encodeURIComponent(move.value)}`;
    return this.absolute(this.lastingQuery === '' ? moved : `${this.lastingQuery}&${moved}`);
  }

  private withoutMoving(query: string): string {
    const { cursor, after, before, from, page, offset } = this.parameters ?? {};
    const moving = [cursor, after, before, from, page?.parameter, offset];
    const isLasting = (pair: string): boolean => {
      const [written = ''] = pair.split('=', 1);
      // Clients escape the brackets of `page[number]`, or do not.
      const name = written.includes('%') ? queryPair(written).name : written;
      return pair !== '' && !moving.some((each) => each?.name === name);
    };
    return query.split('&').filter(isLasting).join('&');
  }

  private absolute(query: string): string {
    this.baseTarget ??= this.withoutQuery();
    // No URI has brackets in its query (RFC 3986 §3.4).
    return query === '' ? this.baseTarget : `${this.baseTarget}?${query.replaceAll(/[[\]]/g, encodeURIComponent)}`;
  }

  private withoutQuery(): string {
    const { operation, parameters, baseUrl } = this.call;
    const values = operation.path.includes('{')
      ? [...operation.path.matchAll(/\{([^{}]*)\}/g)].map(
          ([, name = '']) => coerceKey(parameters.path.get(name), 'any') ?? '',
        )
      : [];
    return `${baseUrl}${fillTemplate(operation.path, values)}`;
  }
}

/** What the properties beside a list tell of a page. */
export function fillFrom(page: PageMetadata): Fill {
  return (role) => VALUES[role]?.(page);
}

type PropertyValues = Partial<Record<PagePropertyRole, (page: PageFacts) => JsonValue | undefined>>;
const VALUES = Object.assign({}, ...LIST_CONVENTIONS.map(({ values }) => values)) as PropertyValues;

/** A documented header that tells of a page. */
export interface ListHeader {
  readonly name: string;
  readonly value: (page: PageFacts) => string | undefined;
}

/** The headers of a response that tell of a page. Worked out once for each operation. */
export function planListHeaders(
  success: ResponseSpec | undefined,
  { describesLink }: Pick<ListParameters, 'describesLink'>,
): readonly ListHeader[] {
  const declared = [...(success?.headers ?? [])].map(([key, { name }]) => [key, name] as const);
  const isMissing = describesLink && success?.headers.has('link') !== true;
  return [...declared, ...(isMissing ? [['link', 'Link'] as const] : [])].flatMap(([key, name]) => {
    const told = toldInHeader(key);
    if (told === undefined) return [];
    if (typeof told === 'function') return { name, value: told };
    // `Next-Page` is the number of the page, or a cursor where pages have no numbers.
    const other = (page: PageFacts): JsonValue | undefined => (told === 'next-page' ? page.nextCursor : undefined);
    return { name, value: (page) => textOf(VALUES[told]?.(page) ?? other(page)) };
  });
}

function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : scalarText(value);
}

/**
 * Is there always a value of this header about a list? The others are only told where something follows.
 *
 * @param key - in lower case
 */
export function isListHeader(key: string): boolean {
  const told = toldInHeader(key);
  return told !== undefined && (typeof told === 'function' || !told.startsWith('next-'));
}
