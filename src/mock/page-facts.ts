import { memoize } from '../http/memo';
import { formatLink } from '../http/link-header';
import type { JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import type { Parameter } from '../openapi/model';
import type { ListParameters, SiblingRole } from '../resources/resource-model';
import type { Fill } from './body-frame';
import type { Call, ListOutcome } from './call';
import { writeCursor } from './cursor';
import type { OperationPlan } from './operation-plan';
import { coerceKey } from './key';
import { fillTemplate } from '../resources/collection-name';

/** A page of what is stored, or the only one where nothing is. */
type ToldPage = Pick<ListOutcome, 'query' | 'isSorted'> & {
  readonly page: Pick<ListOutcome['page'], 'total' | 'next' | 'following' | 'previous'> & {
    readonly items: { readonly length: number };
  };
  readonly scope?: Pick<ListOutcome['scope'], 'collection'>;
};

/** What can be told about a page, and how its neighbours are asked for. */
class PageFacts {
  private readonly outcome: ToldPage;
  private readonly call: Call;
  private readonly parameters: ListParameters | undefined;

  constructor(outcome: ToldPage, call: Call, parameters: ListParameters | undefined) {
    this.outcome = outcome;
    this.call = call;
    this.parameters = parameters;
  }

  get page(): ToldPage['page'] {
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
    const { page, offset } = this.parameters ?? {};
    if (!this.hasNext) return undefined;
    if (page !== undefined) return this.pageNumber + 1;
    return offset === undefined ? undefined : this.start + this.outcome.page.items.length;
  }

  get previousPage(): number | undefined {
    const { page, offset } = this.parameters ?? {};
    if (this.start === 0) return undefined;
    if (page !== undefined) return this.pageNumber - 1;
    return offset === undefined ? undefined : Math.max(0, this.start - this.size);
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
    return this.hasNext ? this.forward() : undefined;
  }

  get previous(): string | undefined {
    const { page, offset, before } = this.parameters ?? {};
    const { start } = this;
    const { previous } = this.outcome.page;
    if (before !== undefined && previous !== undefined) return this.url({ [before.name]: String(previous.key) });
    if (start === 0 || this.outcome.query.after !== undefined) return undefined;
    if (page !== undefined) return this.url({ [page.parameter.name]: this.pageNumber - 1 });
    return offset === undefined ? undefined : this.url({ [offset.name]: Math.max(0, start - this.size) });
  }

  get last(): string | undefined {
    const { page, offset } = this.parameters ?? {};
    const before = Math.max(0, this.pageCount - 1);
    if (page !== undefined) return this.url({ [page.parameter.name]: page.first + before });
    return offset === undefined ? undefined : this.url({ [offset.name]: before * this.size });
  }

  private forward(): string | undefined {
    const { page, offset } = this.parameters ?? {};
    const { start } = this;
    const { items } = this.outcome.page;
    const moved = this.anchor ?? this.parameters?.cursor;
    if (moved !== undefined) return this.url({ [moved.name]: this.nextCursor ?? '' });
    if (page !== undefined) return this.url({ [page.parameter.name]: this.pageNumber + 1 });
    return offset === undefined ? undefined : this.url({ [offset.name]: start + items.length });
  }

  /** The query of this request with other values for what moves from page to page. */
  private url(moved: Readonly<Record<string, string | number>>): string {
    const { cursor, after, before, page, offset } = this.parameters ?? {};
    const moving = [cursor, after, before, page?.parameter, offset].flatMap((each) => each?.name ?? []);
    const kept = this.call.query
      .split('&')
      .filter((pair) => pair !== '' && !moving.some((name) => pair.startsWith(`${name}=`) || pair === name));
    const added = Object.entries(moved).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return this.absolute([...kept, ...added].join('&'));
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

/** Fills the members beside a list. */
export function planFill(outcome: ToldPage, call: Call, parameters: ListParameters | undefined): Fill {
  let facts: PageFacts | undefined;
  return (role) => FACTS[role]((facts ??= new PageFacts(outcome, call, parameters)));
}

const FACTS: Readonly<Record<SiblingRole, (facts: PageFacts) => JsonValue | undefined>> = {
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
  'next-key': ({ page }) => page.following?.key,
  'next-page': ({ nextPage }) => nextPage,
  'previous-page': ({ previousPage }) => previousPage,
  'next-link': ({ next }) => next,
  'previous-link': ({ previous }) => previous,
  'first-link': ({ first }) => first,
  'last-link': ({ last }) => last,
  'self-link': ({ self }) => self,
};

/** Headers about a list that tell a number, by their names in lower case without what is between the words. */
const COUNT_HEADERS: Readonly<Record<string, SiblingRole>> = {
  xtotalcount: 'total',
  xtotal: 'total',
  totalcount: 'total',
  xtotalitems: 'total',
  xpaginationtotalcount: 'total',
  xpaginationtotal: 'total',
  xcount: 'count',
  xpage: 'page',
  xpaginationpage: 'page',
  xcurrentpage: 'page',
  xperpage: 'page-size',
  xpagesize: 'page-size',
  xpaginationlimit: 'page-size',
  xtotalpages: 'page-count',
  xpagecount: 'page-count',
  xpaginationpagecount: 'page-count',
  xnextcursor: 'next-cursor',
  xhasmore: 'has-more',
};

const roleOfHeader = memoize((key) => COUNT_HEADERS[key.replace(/[^a-z]/g, '')]);

/** Adds the headers about a list that the description documents: totals, `Link`, `Content-Range`. */
export function pushListHeaders(headers: string[], outcome: ListOutcome, call: Call, plan: OperationPlan): void {
  const { success } = plan;
  if (success === undefined || success.headers.size === 0) return;
  const facts = new PageFacts(outcome, call, plan.behaviour?.list.parameters);
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

function headerValue(key: string, facts: PageFacts): string | undefined {
  if (key === 'link') return pageLinks(facts);
  const { start } = facts;
  const { items, total } = facts.page;
  if (key === 'content-range')
    return `items ${items.length === 0 ? '*' : `${start}-${start + items.length - 1}`}/${total}`;
  const role = roleOfHeader(key);
  const value = role === undefined ? undefined : FACTS[role](facts);
  return value === undefined ? undefined : scalarText(value);
}

/** `first` always, `next` while something follows: its absence is the end of the list (RFC 8288). */
function pageLinks(facts: PageFacts): string {
  const { first, previous, next, last } = facts;
  const links = [
    ['first', first],
    ['prev', previous],
    ['next', next],
    ['last', last],
  ] as const;
  return links.flatMap(([rel, url]) => (url === undefined ? [] : [formatLink(url, { rel })])).join(', ');
}
