import type { JsonValue } from '../../core/json/json-value';
import type { Parameter, Property } from '../../openapi/model/operation';

/** What a query parameter of a list is for, as far as its name and type tell; properties are compared afterwards. */
export type ParameterRole =
  | 'limit'
  | 'cursor'
  | 'offset'
  | 'page'
  | 'sort'
  | 'direction'
  | 'search'
  | 'fields'
  /** Has no effect, and why; `isFilter` where it would choose among the items. */
  | { readonly ignored: string; readonly isFilter?: boolean };

export type ExpectedType = 'integer' | 'string' | 'any';

/** Where a page stands to the item whose key a parameter holds. */
export type KeyAnchor = 'after' | 'before' | 'from';

export type PagePropertyType = 'number' | 'boolean' | 'string';

/** What a property beside a list says about the page. */
export type PagePropertyRole =
  | 'total'
  | 'count'
  | 'page'
  /** The same, from 0 where no parameter says from where pages are counted. */
  | 'page-index'
  | 'page-size'
  | 'page-count'
  | 'offset'
  /** Number of the last item of the page, counted as offsets are. */
  | 'end'
  | 'has-more'
  | 'has-previous'
  | 'is-first'
  | 'is-last'
  | 'is-empty'
  | 'is-paged'
  | 'is-unpaged'
  | 'is-sorted'
  | 'is-unsorted'
  | 'next-cursor'
  /** Key of the item with which the next page begins. */
  | 'next-key'
  | 'next-page'
  | 'previous-page'
  | 'next-link'
  | 'previous-link'
  | 'first-link'
  | 'last-link'
  | 'self-link';

/** The parameters by which pages of a list are requested. */
interface PagingParameters {
  readonly cursor: Parameter | undefined;
  readonly after: Parameter | undefined;
  readonly from: Parameter | undefined;
  readonly before: Parameter | undefined;
  readonly offset: Parameter | undefined;
  readonly page: { readonly parameter: Parameter; readonly first: 0 | 1 } | undefined;
}

/** What can be told about a page of a list. */
export interface PageFacts {
  /** Matching items on all pages. */
  readonly total: number;
  /** Matching items before the page. */
  readonly start: number;
  /** Items of a full page. */
  readonly size: number;
  /** Items of this page. */
  readonly length: number;
  readonly pageCount: number;
  readonly pageNumber: number;
  /** What the next page is requested with, where neither number nor offset does it. */
  readonly nextCursor: string | undefined;
  /** Key of the item before which the previous page ends. */
  readonly previousKey: string | undefined;
  /** Key of the item with which the next page begins. */
  readonly nextKey: JsonValue | undefined;
  /** The number of this page from 0 where no parameter tells from where pages are counted. */
  readonly pageIndex: number;
  /** Number of a neighbour, or the offset where pages have no numbers. */
  readonly nextPage: number | undefined;
  readonly previousPage: number | undefined;
  readonly hasNext: boolean;
  /** Are there more in the direction that was asked for? */
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
  /** Can the list be asked for in pages? */
  readonly isPaged: boolean;
  readonly isSorted: boolean;
  /** URLs of this page and others. */
  readonly self: string;
  readonly first: string;
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly last: string | undefined;
}

type TellPage = (page: PageFacts) => JsonValue | undefined;

/** The parameter that leads to another page, and its value: a number for a page number or an offset. */
export interface PageMove {
  readonly parameter: Parameter;
  readonly value: string | number;
}

type FindMove = (parameters: PagingParameters, page: PageFacts) => PageMove | undefined;

interface ListedItems {
  readonly path: string;
  readonly properties: ReadonlyMap<string, Property>;
  readonly attributes: ReadonlyMap<string, Property>;
}

/**
 * One way in which APIs page, order and describe lists: all that the recognition and the mock know of it. Names are
 * matched in lower case without separators. Each role of a property has its
 * value in one convention. No name has two meanings for one type, so that the order of conventions only
 * matters for `skip` and `moves`, of which the first that applies is taken.
 */
export interface ListConvention {
  readonly id: string;
  /** Query parameters: name, type, role. */
  readonly parameters?: readonly (readonly [RegExp, ExpectedType, ParameterRole])[];
  /** Query parameters that hold the key of an item. */
  readonly anchors?: readonly (readonly [RegExp, KeyAnchor])[];
  /** Properties beside the list: name, type, role. */
  readonly pageProperties?: readonly (readonly [RegExp, PagePropertyType, PagePropertyRole])[];
  /** What is told in properties and headers of these roles. */
  readonly values?: Readonly<Partial<Record<PagePropertyRole, TellPage>>>;
  /** Objects beside the list that hold such properties. */
  readonly containers?: RegExp;
  /** Properties that mean something else in an object of a certain name, by both names: `nextpage.offset`. */
  readonly nestedProperties?: readonly (readonly [string, PagePropertyRole])[];
  /** Response headers, by what is told in them. */
  readonly headers?: Readonly<Record<string, PagePropertyRole | ((page: PageFacts) => string)>>;
  /** Response headers from which a client takes what leads to the next page. */
  readonly nextHeaders?: RegExp;
  /** Properties of which any value says that there is more, as far as a client can guess that does not know their role. */
  readonly moreProperties?: RegExp;
  /** Parameters that may page a list beside those that are known to. */
  readonly pagingParameters?: RegExp;
  /** Does a query parameter choose among the properties of items? */
  readonly isFieldset?: (parameter: Parameter, items: ListedItems) => boolean;
  /**
   * How many items come before the page.
   *
   * @param sent - the number that a parameter has in the request, or by default
   */
  readonly skip?: (
    parameters: Pick<PagingParameters, 'offset' | 'page'>,
    sent: (parameter: Parameter) => number | undefined,
    size: number,
  ) => number | undefined;
  /** How other pages are requested; whether there are such is known already. */
  readonly moves?: { readonly next?: FindMove; readonly previous?: FindMove; readonly last?: FindMove };
}
