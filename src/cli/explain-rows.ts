import type { ServerParts } from '../adapters/create-mock-server';
import { counted } from '../errors/counted';
import type { Key } from '../mock/order';
import type { Resource } from '../mock/resource';
import type { RowOrigin } from '../mock/row-origin';
import { collectionOf, type State } from '../mock/state';
import { samplerOf } from '../payload/sampler/sampler';
import { namePattern, placeOfName } from '../resources/collection-name';
import { placeText } from './reason';

/** Where a row comes from that an answer shows or changes. */
export interface RowExplanation {
  readonly collection: string;
  /** As the path has it; `''` for a single record. */
  readonly key: string;
  /** `request`: one that the request made; `defaults`: a single record that nobody has written. */
  readonly from: RowOrigin['kind'] | 'request' | 'defaults';
  readonly text: string;
  /** Of the fixture, or of each example that shows it. */
  readonly places: readonly string[];
}

/** What a collection holds at the start. */
export interface BeginningExplanation {
  /** The collection that is spoken of: one of several where the path has variables. */
  readonly collection: string;
  readonly rows: number;
  readonly from: Readonly<Partial<Record<RowOrigin['kind'], number>>>;
  readonly text: string;
  /** Of the first few rows that are written somewhere. */
  readonly places: readonly string[];
}

const SHOWN_PLACES = 3;

export interface FirstCollection {
  readonly name: string;
  /** Of the variables of its path. */
  readonly values: readonly Key[];
  /** Of its first row. */
  readonly key: Key | undefined;
}

export function explainRow(parts: ServerParts, collection: string, key: Key): RowExplanation {
  const origin = parts.mock.originOf(collection, key);
  const isStored = collectionOf(parts.mock.initial, collection)?.get(key) !== undefined;
  const from = origin?.kind ?? (isStored ? 'fixture' : 'defaults');
  return { collection, key: String(key), from, text: rowText(parts, from), places: placesOf(parts, origin) };
}

function rowText({ mock }: ServerParts, from: RowExplanation['from']): string {
  switch (from) {
    case 'fixture':
      return 'began from a fixture';
    case 'example':
      return 'began from an example of the description';
    case 'made-up':
      return `was made up, with seed ${mock.context.options.seed}`;
    case 'request':
      return 'is made by this request';
    case 'defaults':
      return 'is what the schema says of a record that nobody has written';
  }
}

function placesOf({ api }: ServerParts, origin: RowOrigin | undefined): string[] {
  switch (origin?.kind) {
    case 'fixture':
      return [placeText(origin.document, origin.pointer)].filter((place) => place !== undefined);
    case 'example':
      return origin.pointers.flatMap((pointer) => placeText(api.document, pointer) ?? []);
    case 'made-up': {
      const { asked } = origin;
      return asked === undefined
        ? []
        : [placeText(asked.document, asked.pointer)].filter((place) => place !== undefined);
    }
    case undefined:
      return [];
  }
}

/** @param name - of the collection */
export function explainBeginning(parts: ServerParts, name: string): BeginningExplanation {
  const from: Partial<Record<RowOrigin['kind'], number>> = {};
  const places: string[] = [];
  const rows = collectionOf(parts.mock.initial, name);
  for (const [key] of rows?.entries() ?? []) {
    const origin = parts.mock.originOf(name, key);
    if (origin === undefined) continue;
    from[origin.kind] = (from[origin.kind] ?? 0) + 1;
    if (places.length < SHOWN_PLACES) places.push(...placesOf(parts, origin).slice(-1));
  }
  const size = rows?.size ?? 0;
  return {
    collection: name,
    rows: size,
    from,
    text: beginningText(parts, name, size, from),
    places: [...new Set(places)],
  };
}

function beginningText(parts: ServerParts, name: string, rows: number, from: BeginningExplanation['from']): string {
  const { mock } = parts;
  if (rows === 0)
    return `empty at the start${canBeMadeUp(parts, name) ? '' : ': no valid row can be made of its schema'}`;
  const origins = [
    ...(from.fixture === undefined ? [] : [`${from.fixture} from fixtures`]),
    ...(from.example === undefined ? [] : [`${from.example} from examples of the description`]),
    ...(from['made-up'] === undefined ? [] : [`${from['made-up']} made up with seed ${mock.context.options.seed}`]),
  ];
  return `${counted(rows, 'row')} at the start: ${origins.join(', ')}`;
}

/** Is there a value that the schema of the items allows? Asked only of what would begin with rows that are made up. */
function canBeMadeUp({ api, mock }: ServerParts, name: string): boolean {
  const resource = placeOfName(mock.resources, name)?.resource;
  if (resource === undefined || mock.initial.seeds === undefined) return true;
  const { seed } = mock.context.options;
  return samplerOf(api).sample(resource.schema, { seed, direction: 'response', ordinal: 0 }).kind === 'made';
}

/**
 * The collection of a resource that an example of a request is best taken from: the first one that holds something.
 *
 * @returns `undefined` where none can be told without a request
 */
export function firstCollection({ mock }: ServerParts, { path }: Pick<Resource, 'path'>): FirstCollection | undefined {
  const { initial, resources } = mock;
  const resource = mock.context.resources.get(path);
  let empty: FirstCollection | undefined;
  for (const name of resource === undefined ? [] : namesOf(initial, resource)) {
    const place = placeOfName(resources, name);
    if (place?.resource.path !== path) continue;
    const [first] = collectionOf(initial, name)?.entries() ?? [];
    if (first !== undefined) return { name, values: place.values, key: first[0] };
    empty ??= { name, values: place.values, key: undefined };
  }
  return empty;
}

function* namesOf({ collections, seeds }: State, resource: Resource): Generator<string> {
  const pattern = namePattern(resource.path);
  for (const name of collections.keys()) if (pattern.test(name)) yield name;
  if (seeds !== undefined) yield* seeds.namesOf(resource);
}
