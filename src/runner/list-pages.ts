import { headerValue } from '../http/headers';
import { parseLinkHeader } from '../http/link-header';
import type { RawHeaders } from '../http/message';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { Operation } from '../openapi/model';
import { pathOfLocation } from './creations';
import type { Run } from './run';
import { callOperation } from './call-operation';

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
  phase: 'auth' | 'cleanup' = 'auth',
): Promise<JsonValue[] | undefined> {
  const items: JsonValue[] = [];
  let next: string | undefined = path;
  for (let page = 1; next !== undefined && page <= mostPages; page++) {
    const answer = await callOperation(run, list, next, phase);
    const found = answer?.status === 200 ? itemsOf(answer.body) : undefined;
    if (answer === undefined || found === undefined) return undefined;
    items.push(...found);
    next = nextPage(run, answer.headers);
  }
  return next === undefined ? items : undefined;
}

/** The body itself, or the only list in it. */
function itemsOf(body: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (Array.isArray(body)) return body;
  const lists = isJsonObject(body) ? Object.values(body).filter((member) => Array.isArray(member)) : [];
  return lists.length === 1 ? lists[0] : undefined;
}

function nextPage({ baseUrl, basePath }: Run, headers: RawHeaders): string | undefined {
  const links = parseLinkHeader(headerValue(headers, 'link') ?? '');
  const target = links.find(({ parameters }) => (parameters['rel'] ?? '').split(' ').includes('next'))?.target;
  if (target === undefined || !URL.canParse(target, `${baseUrl}/`)) return undefined;
  const path = pathOfLocation(target, basePath);
  return path === undefined ? undefined : `${path}${new URL(target, `${baseUrl}/`).search}`;
}
