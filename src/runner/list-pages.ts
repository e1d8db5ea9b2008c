import { headerValues } from '../http/headers';
import { parseLinkHeader } from '../http/link-header';
import type { RawHeaders } from '../http/message';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { Operation } from '../openapi/model';
import { pathOfLocation } from './item-place';
import type { Run } from './run';
import { callOperation, type CallAnswer, type CallManner } from './call-operation';
import { isWholeList } from './list-whole';

/** A list that was read to its last page. */
export interface ReadList {
  readonly items: readonly JsonValue[];
  /** Is it known that this is everything? */
  readonly isWhole: boolean;
}

/**
 * The items of a list, page after page by its links to the next one (RFC 8288).
 *
 * @param path - of the first page, below the base URL, with its query
 * @param mostPages - a longer list is not read to its end
 * @returns `undefined` when the list cannot be read, or is longer
 */
export async function readPages(
  run: Run,
  list: Operation,
  path: string,
  mostPages: number,
  manner?: CallManner,
): Promise<readonly JsonValue[] | undefined> {
  return (await readList(run, list, path, mostPages, manner))?.items;
}

/** As {@link readPages}, and says whether that is everything. */
export async function readList(
  run: Run,
  list: Operation,
  path: string,
  mostPages: number,
  manner?: CallManner,
): Promise<ReadList | undefined> {
  const items: JsonValue[] = [];
  let last: CallAnswer | undefined;
  let next: string | undefined = path;
  for (let page = 1; next !== undefined && page <= mostPages; page++) {
    const answer = await callOperation(run, list, next, manner);
    const found = answer?.status === 200 ? itemsOf(answer.body) : undefined;
    if (answer === undefined || found === undefined) return undefined;
    items.push(...found);
    last = answer;
    next = nextPage(run, next, answer.headers);
  }
  if (next !== undefined || last === undefined) return undefined;
  return { items, isWhole: isWholeList(list, last, items.length) };
}

/** The body itself, or the only list in it. */
function itemsOf(body: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (Array.isArray(body)) return body;
  const lists = isJsonObject(body) ? Object.values(body).filter((member) => Array.isArray(member)) : [];
  return lists.length === 1 ? lists[0] : undefined;
}

/** Links may be spread over several lines, and one may go on from the page that it is on. */
function nextPage({ baseUrl }: Run, page: string, headers: RawHeaders): string | undefined {
  const links = parseLinkHeader(headerValues(headers, 'link').join(', '));
  const from = `${baseUrl}${page}`;
  const target = links.find(({ parameters }) => (parameters['rel'] ?? '').split(' ').includes('next'))?.target;
  if (target === undefined || !URL.canParse(target, from)) return undefined;
  const path = pathOfLocation(target, baseUrl, page);
  return path === undefined ? undefined : `${path}${new URL(target, from).search}`;
}
