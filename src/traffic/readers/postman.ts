import { isJsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { MAX_DEPTH, parseJson } from '../../core/json/parse-json';
import { readCollection } from './collection-reading';
import { objectAt } from './loose-values';
import { valuesOf } from './postman-variables';
import {
  jsonProblem,
  type ReadItem,
  type ReadProblem,
  readWhole,
  type TrafficReader,
  type TrafficSource,
  wholeProblem,
} from './reader';

/**
 * Collections of Postman, version 2.1 and the almost equal 2.0, by their published schema:
 * https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
 *
 * Own code: `postman-collection` brings faker, lodash and a dozen more to 12 MB, takes a third of a second to load, and
 * gives an object model to be taken apart again; what is wanted of a collection is on these pages.
 */
export const postman: TrafficReader = {
  name: 'Postman collections 2.1',
  recognises(file, head) {
    return (
      /\.postman_collection\.json$/i.test(file) ||
      /"schema"\s*:\s*"https?:\/\/schema\.(?:get)?postman\.com\//.test(head)
    );
  },
  read: readPostman,
};

/** What a collection calls its parts, for places. */
const NAMES = { items: 'item', examples: 'response', request: 'request', variables: 'variable' };

async function* readPostman(source: TrafficSource): AsyncIterable<ReadItem> {
  const text = await readWhole(source);
  if (typeof text !== 'string') {
    yield text;
    return;
  }
  let root: JsonValue;
  try {
    root = parseJson(text, { maxDepth: MAX_DEPTH });
  } catch (error) {
    yield jsonProblem(source, error);
    return;
  }
  // Some programs give the collection in an envelope.
  const wrapped = isJsonObject(root) ? objectAt(root, 'collection') : {};
  const collection = isJsonObject(root) && ownProperty(root, 'item') === undefined ? wrapped : root;
  if (!isJsonObject(collection) || !Array.isArray(collection['item'])) {
    yield wholeProblem(
      source,
      'It has no list "item" of requests, as a Postman collection has: export it as version 2.1',
    );
    return;
  }
  yield* readCollection(source, collection, { at: collection === root ? '#' : '#/collection', names: NAMES });
}

/** Does a file hold values for collections, and no requests? */
export function isPostmanEnvironment(head: string): boolean {
  return /"_postman_variable_scope"\s*:|^\s*\{[^[]*"values"\s*:\s*\[/.test(head);
}

/**
 * The values of an environment, or of the globals, of Postman.
 *
 * @returns what is wrong, in place of them
 */
export async function readPostmanEnvironment(
  source: TrafficSource,
): Promise<ReadonlyMap<string, string> | ReadProblem> {
  const text = await readWhole(source);
  if (typeof text !== 'string') return text;
  try {
    const root = parseJson(text, { maxDepth: MAX_DEPTH });
    return valuesOf(isJsonObject(root) ? root : {}, 'values');
  } catch (error) {
    return jsonProblem(source, error);
  }
}
