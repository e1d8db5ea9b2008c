import { headerValues } from '../core/http/headers';
import { parseLinkHeader } from '../core/http/header-fields';
import type { RawHeaders } from '../core/http/message';
import { isJsonNumber } from '../core/json/exact-number';
import { type JsonValue, valueAlong } from '../core/json/json-value';
import { scalarText } from '../core/json/stringify-json';
import { addToList } from '../core/text/memoize';
import type { SchemaView } from '../openapi/view/schema-view';
import type { BodyShape } from './body-shape';
import type { PagePropertyRole } from './conventions/list-convention';
import { toldInHeader } from './page-properties';

/** What is said of a number that counts the items of the page alone, or that is not to be taken by its word. */
const OF_PAGE = /\b(?:this|current|per|each|returned) (?:page|response|result)|\breturned\b/i;
const INEXACT =
  /\b(?:estimat\w*|approximat\w*|roughly|about \d|around \d|up to|at most|at least|capped|no more than)\b/i;

/** A response with a page of a list. */
interface Answer {
  readonly body: JsonValue | undefined;
  readonly headers: RawHeaders;
}

/** What a response tells of its page, in its body and in its headers. */
export type ToldOfPage = ReadonlyMap<PagePropertyRole, readonly JsonValue[]>;

export function toldOfPage(view: SchemaView, response: BodyShape | undefined, { body, headers }: Answer): ToldOfPage {
  const told = new Map<PagePropertyRole, JsonValue[]>();
  for (const { role, path } of response?.pageProperties ?? []) {
    const value = valueAlong(body, path);
    if (value !== undefined && !(COUNTS.has(role) && isOtherCount(view, response, path))) addToList(told, role, value);
  }
  for (let index = 0; index < headers.length; index += 2) {
    const role = toldInHeader(headers[index] ?? '');
    if (typeof role === 'string') addToList(told, role, headers[index + 1] ?? '');
  }
  return told;
}

const COUNTS: ReadonlySet<PagePropertyRole> = new Set(['total', 'page-count']);

function isOtherCount(view: SchemaView, response: BodyShape | undefined, path: readonly string[]): boolean {
  const description = response && view.along(response.body, path)?.value['description'];
  return typeof description === 'string' && (OF_PAGE.test(description) || INEXACT.test(description));
}

const NEXT_ROLES = ['next-link', 'next-cursor', 'next-page', 'next-key'] as const;

/** Does a page say that nothing follows? */
export function saysEnd(told: ToldOfPage): boolean {
  const next = NEXT_ROLES.flatMap((role) => told.get(role) ?? []);
  const isNone = next.length > 0 && next.every((value) => value === null || value === '');
  return isNone || told.get('has-more')?.[0] === false || told.get('is-last')?.[0] === true;
}

/** Does a page say that another one follows? */
export function saysMore(told: ToldOfPage, { headers }: Pick<Answer, 'headers'>): boolean {
  const isTold = NEXT_ROLES.some((role) => textTold(told, role) !== '') || told.get('has-more')?.[0] === true;
  return isTold || nextLink(headers) !== undefined;
}

/** The target of a `Link` to the next page (RFC 8288). */
export function nextLink(headers: RawHeaders): string | undefined {
  const links = parseLinkHeader(headerValues(headers, 'link').join(', '));
  return links.find(({ parameters: { rel = '' } }) => rel.toLowerCase().split(' ').includes('next'))?.target;
}

export function textTold(told: ToldOfPage, role: PagePropertyRole): string {
  const [value = null] = told.get(role) ?? [];
  return typeof value === 'string' || isJsonNumber(value) ? scalarText(value) : '';
}
