import { isJsonObject } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import type { Operation } from '../openapi/model';
import { itemOf, type Creation } from './creations';
import { readPages } from './list-pages';
import type { Run } from './run';

const MOST_PAGES = 50;

/**
 * Looks for what a creation made whose answer never came: an item of the collection with the id of the run in one of
 * its texts.
 *
 * @returns paths of the items; `undefined` when the list does not tell: it cannot be read to its end, or its items
 *   hold no text that a run could mark
 */
export async function findLost(run: Run, { operation, path }: Creation): Promise<string[] | undefined> {
  const list = run.api.routes.match(path)?.route.operations.get('GET');
  if (list === undefined || !hasMarkedText(run, operation)) return undefined;
  const items = await readPages(run, list, path, MOST_PAGES, 'cleanup');
  return items?.flatMap((item) => {
    const isOwn = isJsonObject(item) && stringifyJson(item).includes(run.runId);
    return isOwn ? (itemOf(run.api, operation, path, item) ?? []) : [];
  });
}

/** Does a creation have a text without a format or a choice, which contracts put the id of the run into? */
function hasMarkedText({ api }: Run, { requestBody }: Operation): boolean {
  const schemas = requestBody?.content.flatMap(({ schema }) => schema ?? []) ?? [];
  const properties = schemas.flatMap((schema) => [...api.propertiesOf(schema).values()]);
  return properties.some(({ schema, required }) => {
    return required && schema['type'] === 'string' && schema['enum'] === undefined && schema['format'] === undefined;
  });
}
