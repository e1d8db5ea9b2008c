import { messageOf, StandinError } from '../../core/errors/standin-error';
import { isJsonObject, type JsonObject } from '../../core/json/json-value';
import { readSource } from '../../openapi/read/read-source';
import { readCollection } from './collection-reading';
import { objectAt, objectsAt, textAt } from './loose-values';
import { toPostmanFolder, toPostmanItem, toPostmanVariables } from './open-collection-item';
import { valuesOf } from './postman-variables';
import {
  type ReadItem,
  type ReadProblem,
  readWhole,
  type TrafficReader,
  type TrafficSource,
  wholeProblem,
} from './reader';

/**
 * OpenCollection, the format of Bruno from version 3 on, by the types that its authors publish as `@opencollection/types`:
 * a collection in one file (`bundled: true`), or single requests. Of the older language of Bruno, `.bru`, the only parser
 * that is kept brings ohm and lodash, 7 MB, for files that Bruno itself writes as OpenCollection.
 */
export const openCollection: TrafficReader = {
  name: 'OpenCollection',
  recognises(_, head) {
    if (/^opencollection\s*:/m.test(head) || /^\s*\{\s*"opencollection"\s*:/.test(head)) return true;
    return /^info\s*:/m.test(head) && /^(?:http|graphql)\s*:/m.test(head);
  },
  read: readOpenCollection,
};

/** What a collection calls its parts, for places. */
const NAMES = { items: 'items', examples: 'examples', request: 'http', variables: 'request/variables' };

async function* readOpenCollection(source: TrafficSource): AsyncIterable<ReadItem> {
  const read = await readRoot(source);
  if ('problem' in read) {
    yield read.problem;
    return;
  }
  const { root } = read;
  const environments = objectsAt(objectAt(root, 'config'), 'environments');
  const [environment] = environments;
  if (environment !== undefined && environments.length > 1) {
    const problem = `The collection has ${environments.length} environments`;
    const done = `the values of the first were taken, ${textAt(environment, 'name') ?? 'without a name'}`;
    yield { file: source.file, at: '#/config/environments', problem, done };
  }
  const isSingle = isJsonObject(root['http']) || isJsonObject(root['graphql']);
  const folder = isSingle ? { item: [toPostmanItem(root, [])] } : toPostmanFolder(root);
  // What the environment has comes before what the collection has, and other files before both.
  const values = new Map([...environmentValues(environment), ...source.values]);
  for (const item of readCollection({ ...source, values }, folder, { at: '#', names: NAMES })) {
    yield isSingle ? atRoot(item) : item;
  }
}

/** A single request stands at the root of its file, and not in a list. */
function atRoot(item: ReadItem): ReadItem {
  const bare = (place: string): string => place.replace('#/items/0', '#');
  return 'problem' in item ? { ...item, at: bare(item.at) } : { ...item, source: bare(item.source) };
}

type Root = { readonly root: JsonObject } | { readonly problem: ReadProblem };

async function readRoot(source: TrafficSource): Promise<Root> {
  const text = await readWhole(source);
  if (typeof text !== 'string') return { problem: text };
  try {
    const { root } = readSource(text, source.file);
    return isJsonObject(root) ? { root } : { problem: wholeProblem(source, 'It is not an object') };
  } catch (error) {
    const [finding] = error instanceof StandinError ? error.findings : [];
    const message = messageOf(error).replace(source.file, () => 'The file');
    if (finding?.line === undefined) return { problem: wholeProblem(source, message) };
    const at = `line ${finding.line}${finding.column === undefined ? '' : `:${finding.column}`}`;
    return { problem: wholeProblem(source, `${message}: ${finding.message}`, at) };
  }
}

function environmentValues(environment: JsonObject | undefined): ReadonlyMap<string, string> {
  if (environment === undefined) return new Map();
  return valuesOf({ variable: toPostmanVariables(objectsAt(environment, 'variables')) });
}

/** Is it a file of `environments/`, with values for the requests beside that folder? */
export function isOpenCollectionEnvironment(file: string, head: string): boolean {
  return /(?:^|[\\/])environments[\\/][^\\/]+\.ya?ml$/i.test(file) && /^variables\s*:/m.test(head);
}

/** @returns what is wrong, in place of the values */
export async function readOpenCollectionEnvironment(
  source: TrafficSource,
): Promise<ReadonlyMap<string, string> | ReadProblem> {
  const read = await readRoot(source);
  return 'problem' in read ? read.problem : environmentValues(read.root);
}
