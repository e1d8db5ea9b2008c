import { memoize } from '../../core/text/memoize';
import { formatLink } from '../../core/http/header-fields';
import type { JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Parameter, ResponseSpec } from '../../openapi/model/operation';
import type { ListParameters } from '../../lists/list-model';
import type { PageMove, PagePosition, PagePropertyRole } from '../../lists/conventions/list-convention';
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

/** What can be told about a page, and how its neighbours are asked for. */
class PageMetadata implements PagePosition {
  private readonly outcome: PageOutcome;
  private readonly call: Call;
  private readonly parameters: ListParameters | undefined;

  constructor(outcome: PageOutcome, call: Call, parameters: ListParameters | undefined) {
    this.outcome = outcome;
    this.call = call;
    this.parameters = parameters;
  }

  get page(): PageOutcome['page'] {
    return this.outcome.page;
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

  /** Are there more in the direction that was asked for? */
  get hasMore(): boolean {
    return this.outcome.query.before === undefined ? this.hasNext : this.outcome.page.previous !== undefined;
  }

  get hasPrevious(): boolean {
    const { query, page } = this.outcome;
    return this.start > 0 || query.after !== undefined || page.previous !== undefined;
  }

  /** Number of this page, as the description counts them. */
  get pageNumber(): number {
    const first = this.parameters?.page?.first ?? 1;
    return first + (this.size === 0 ? 0 : Math.floor(this.start / this.size));
  }

  /** The same, from 0 where no parameter tells from where pages are counted. */
  get pageIndex(): number {
    return this.parameters?.page === undefined ? this.pageNumber - 1 : this.pageNumber;
  }

  /** Can the list be asked for in pages? */
  get isPaged(): boolean {
    return this.parameters?.limit !== undefined || this.parameters?.page !== undefined;
  }

  get isSorted(): boolean {
    return this.outcome.isSorted;
  }

  /** Number of the next page, or the offset where pages have no numbers. */
  get nextPage(): number | undefined {
    return this.hasNext ? this.numberTo('next') : undefined;
  }

  get previousPage(): number | undefined {
    return this.numberTo('previous');
  }

  get nextCursor(): string | undefined {
    const { page, query, scope } = this.outcome;
    const { sortBy, descending, filters } = query;
    if (this.anchor !== undefined) return page.next === undefined ? undefined : String(page.next.key);
    return page.next === undefined || scope === undefined
      ? undefined
      : writeCursor(page.next, { collection: scope.collection, sortBy, descending, filters });
  }

  /** URL of the first page: the query of this request without what moves on. */
  get first(): string {
    return this.url({});
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

  get previousKey(): string | undefined {
    const { previous } = this.outcome.page;
    return previous === undefined ? undefined : String(previous.key);
  }

  private linkTo(target: Target, type?: 'string'): string | undefined {
    const move = this.moveTo(target, type);
    return move && this.url({ [move.parameter.name]: move.value });
  }

  private numberTo(target: Target): number | undefined {
    const value = this.moveTo(target, 'number')?.value;
    return typeof value === 'number' ? value : undefined;
  }

  /** @param type - of the value; any where it is left out */
  private moveTo(target: Target, type?: 'string' | 'number'): PageMove | undefined {
    for (const { moves } of LIST_CONVENTIONS) {
      const move = this.parameters && moves?.[target]?.(this.parameters, this);
      if (move !== undefined && (type === undefined || typeof move.value === type)) return move;
    }
    return undefined;
  }

  /** The query of this request with other values for what moves from page to page. */
  private url(moved: Readonly<Record<string, string | number>>): string {
    const { cursor, after, before, page, offset } = this.parameters ?? {};
    const moving = [cursor, after, before, page?.parameter, offset].flatMap((each) => each?.name ?? []);
    const stored = this.call.query
      .split('&')
      .filter((pair) => pair !== '' && !moving.some((name) => pair.startsWith(`${name}=`) || pair === name));
    const added = Object.entries(moved).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return this.absolute([...stored, ...added].join('&'));
  }

  private absolute(query: string): string {
    const { operation, parameters, baseUrl } = this.call;
    const values = operation.path.includes('{')
      ? [...operation.path.matchAll(/\{([^{}]*)\}/g)].map(
          ([, name = '']) => coerceKey(parameters.path.get(name), 'any') ?? '',
        )
      : [];
    return `${baseUrl}${fillTemplate(operation.path, values)}${query === '' ? '' : `?${query}`}`;
  }
}

/** Fills the properties beside a list. */
export function planPageMetadata(outcome: PageOutcome, call: Call, parameters: ListParameters | undefined): Fill {
  let facts: PageMetadata | undefined;
  return (role) => METADATA[role]((facts ??= new PageMetadata(outcome, call, parameters)));
}

const METADATA: Readonly<Record<PagePropertyRole, (facts: PageMetadata) => JsonValue | undefined>> = {
  total: ({ page }) => page.total,
  count: ({ page }) => page.items.length,
  page: ({ pageNumber }) => pageNumber,
  'page-index': ({ pageIndex }) => pageIndex,
  'page-size': ({ size }) => size,
  'page-count': ({ pageCount }) => pageCount,
  offset: ({ start }) => start,
  'has-more': ({ hasMore }) => hasMore,
  'has-previous': ({ hasPrevious }) => hasPrevious,
  'is-first': ({ hasPrevious }) => !hasPrevious,
  'is-last': ({ hasNext }) => !hasNext,
  'is-empty': ({ page }) => page.items.length === 0,
  'is-paged': ({ isPaged }) => isPaged,
  'is-unpaged': ({ isPaged }) => !isPaged,
  'is-sorted': ({ isSorted }) => isSorted,
  'is-unsorted': ({ isSorted }) => !isSorted,
  'next-cursor': ({ nextCursor }) => nextCursor,
  'next-key': ({ page }) => page.firstOfNext?.key,
  'next-page': ({ nextPage }) => nextPage,
  'previous-page': ({ previousPage }) => previousPage,
  'next-link': ({ next }) => next,
  'previous-link': ({ previous }) => previous,
  'first-link': ({ first }) => first,
  'last-link': ({ last }) => last,
  'self-link': ({ self }) => self,
};

/** Response headers with one value, by their names in lower case without separators. */
const HEADER_ROLES = new Map(LIST_CONVENTIONS.flatMap(({ headers = {} }) => Object.entries(headers)));

const roleOfHeader = memoize((key) => HEADER_ROLES.get(key.replace(/[^a-z]/g, '')));

/** Adds the headers about a list that the description documents: totals, `Link`, `Content-Range`. */
export function pushListHeaders(
  headers: string[],
  outcome: ListOutcome,
  call: Call,
  success: ResponseSpec | undefined,
  parameters: ListParameters | undefined,
): void {
  if (success === undefined || success.headers.size === 0) return;
  const facts = new PageMetadata(outcome, call, parameters);
  for (const [key, { name }] of success.headers) {
    const value = headerValue(key, facts);
    if (value !== undefined) headers.push(name, value);
  }
}

/**
 * Is there always a value of this header about a list? The others are only told where something follows.
 *
 * @param key - in lower case
 */
export function isListHeader(key: string): boolean {
  const role = roleOfHeader(key);
  return key === 'link' || key === 'content-range' || (role !== undefined && role !== 'next-cursor');
}

function headerValue(key: string, facts: PageMetadata): string | undefined {
  if (key === 'link') return pageLinks(facts);
  const { start } = facts;
  const { items, total } = facts.page;
  if (key === 'content-range')
    return `items ${items.length === 0 ? '*' : `${start}-${start + items.length - 1}`}/${total}`;
  const role = roleOfHeader(key);
  const value = role === undefined ? undefined : METADATA[role](facts);
  return value === undefined ? undefined : scalarText(value);
}

/** `first` always, `next` while something follows: its absence is the end of the list (RFC 8288). */
function pageLinks(facts: PageMetadata): string {
  const { first, previous, next, last } = facts;
  const links = [
    ['first', first],
    ['prev', previous],
    ['next', next],
    ['last', last],
  ] as const;
  return links.flatMap(([rel, url]) => (url === undefined ? [] : [formatLink(url, { rel })])).join(', ');
}
