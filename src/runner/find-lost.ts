import { HarnessError } from '../errors/harness-error';
import { headerValue } from '../http/headers';
import { parseLinkHeader } from '../http/link-header';
import type { HttpResponse } from '../http/message';
import { decodeUtf8 } from '../json/decode-utf8';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import { stringifyJson } from '../json/stringify-json';
import type { Operation } from '../openapi/model';
import { credentials } from './credentials';
import { itemOf, pathOfLocation, type Creation } from './creations';
import { acceptOf, makeRequest } from './interaction';
import type { Run } from './run';

const MOST_PAGES = 50;

/**
 * Looks for what a creation made whose answer never came: an item of the collection with the id of the run in one of
 * its texts. The list is walked by its links to the next page (RFC 8288).
 *
 * @returns paths of the items; `undefined` when the list does not tell: it cannot be read to its end, or its items
 *   hold no text that a run could mark
 */
export async function findLost(run: Run, { operation, path }: Creation): Promise<string[] | undefined> {
  if (!hasMarkedText(run, operation)) return undefined;
  const list = run.api.routes.match(path)?.route.operations.get('GET');
  if (list === undefined) return undefined;
  const found: string[] = [];
  let next: string | undefined = path;
  for (let page = 1; next !== undefined && page <= MOST_PAGES; page++) {
    const headers = ['Accept', acceptOf(run.api, list), ...credentials(run, list, 'valid')];
    const response = await answerTo(run, next, headers);
    const items = response === undefined ? undefined : listOf(response);
    if (response === undefined || items === undefined) return undefined;
    for (const item of items) {
      const own = isJsonObject(item) && stringifyJson(item).includes(run.runId);
      const place = own ? itemOf(run.api, operation, path, item) : undefined;
      if (place !== undefined) found.push(place);
    }
    next = nextPage(run, response);
  }
  return next === undefined ? found : undefined;
}

/** Does a creation have a text without a format or a choice, which contracts put the id of the run into? */
function hasMarkedText({ api }: Run, { requestBody }: Operation): boolean {
  const schemas = requestBody?.content.flatMap(({ schema }) => schema ?? []) ?? [];
  const properties = schemas.flatMap((schema) => [...api.propertiesOf(schema).values()]);
  return properties.some(
    ({ schema, required }) =>
      required && schema['type'] === 'string' && schema['enum'] === undefined && schema['format'] === undefined,
  );
}

async function answerTo(run: Run, path: string, headers: readonly string[]): Promise<HttpResponse | undefined> {
  try {
    return await run.transport.send(makeRequest(run, 'GET', path, headers, undefined), { despiteInterrupt: true });
  } catch (error) {
    if (error instanceof HarnessError) return undefined;
    throw error;
  }
}

/** The items of a list: the body itself, or the only list in it. */
function listOf({ status, body }: HttpResponse): readonly JsonValue[] | undefined {
  if (status !== 200 || body === undefined) return undefined;
  let value: JsonValue;
  try {
    value = parseJson(typeof body === 'string' ? body : decodeUtf8(body));
  } catch {
    return undefined;
  }
  if (Array.isArray(value)) return value;
  const lists = isJsonObject(value) ? Object.values(value).filter((member) => Array.isArray(member)) : [];
  return lists.length === 1 ? lists[0] : undefined;
}

function nextPage({ baseUrl, basePath }: Run, { headers }: HttpResponse): string | undefined {
  const links = parseLinkHeader(headerValue(headers, 'link') ?? '');
  const target = links.find(({ parameters }) => (parameters['rel'] ?? '').split(' ').includes('next'))?.target;
  if (target === undefined || !URL.canParse(target, `${baseUrl}/`)) return undefined;
  const { search } = new URL(target, `${baseUrl}/`);
  const path = pathOfLocation(target, basePath);
  return path === undefined ? undefined : `${path}${search}`;
}
