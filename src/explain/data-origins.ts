import { relative } from 'node:path';
import { isHttpUrl } from '../core/http/request-target';
import { counted } from '../core/text/printable';
import type { ExplainedMock } from './explained-mock';
import type { Key } from '../lists/sort-values';
import type { OperationPlan } from '../mock/plans/operation-plan';
import type { ItemOrigin } from '../mock/seed/fixture-ledger';
import type { FileEndpoint } from '../mock/state/item-paths';
import type { Resource } from '../mock/state/prepared-resource';
import { collectionOf, type State } from '../mock/state/state';
import type { Example } from '../openapi/model/operation';
import { locationAt, type SourceDocument } from '../openapi/read/source-document';
import type { BodyOrigin } from '../payload/content-choice';
import { samplerOf } from '../payload/sampler/sampler';
import { type Evidence, namePattern, parseCollectionName } from '../resources/model/resource';

/** Something that speaks for a conclusion, with the place where it was seen. */
export interface Reason {
  readonly text: string;
  /** `openapi.yaml:12`; `undefined` where no place is known. */
  readonly place: string | undefined;
}

/** Where something stands, for people and editors: `openapi.yaml:12`, with the path that is shorter. */
export function locationText(document: SourceDocument, pointer: string): string | undefined {
  const { file, line } = locationAt(document, pointer);
  if (line === undefined) return undefined;
  if (isHttpUrl(file)) return `${file}:${line}`;
  const near = relative(process.cwd(), file);
  return `${near.length < file.length ? near : file}:${line}`;
}

/** Longer places are reported by the end of their path: they would be most of what there is to read. */
const LONGEST_PLACE = 60;

/** A text with its place behind it, for people. */
export function withLocation(text: string, place: string | undefined): string {
  if (place === undefined) return text;
  return `${text} (${place.length > LONGEST_PLACE ? `…${place.slice(place.lastIndexOf('/'))}` : place})`;
}

/** Where the body of a success comes from. */
export interface SourceExplanation {
  /** `impossible`: nothing can be made that the schema allows, and the response is 501. */
  readonly from: 'state' | 'example' | 'generated' | 'no-body' | 'impossible';
  /** `list of /things`, `the example "small"`, `made up from the schema`. */
  readonly text: string;
  /** Of the example, or of the schema that the body is made from. */
  readonly place: string | undefined;
  /** For `state`: what the operation does there. */
  readonly behaviour: string | undefined;
  /** For `state`: path of the resource. */
  readonly resource: string | undefined;
  /** For `state`: how sure that is. */
  readonly confidence: string | undefined;
  /** What speaks for it, or why it is nothing better. */
  readonly reasons: readonly Reason[];
}

export async function explainSource({ api, mock }: ExplainedMock, plan: OperationPlan): Promise<SourceExplanation> {
  const { operation, responseSource, behaviour, success, successStatus } = plan;
  if (responseSource.from === 'state') {
    const { binding } = behaviour ?? {};
    return {
      from: 'state',
      text: `${responseSource.behaviour} of ${responseSource.resource}`,
      place: undefined,
      behaviour: responseSource.behaviour,
      resource: responseSource.resource,
      confidence: binding?.confidence,
      reasons: [
        ...(binding?.evidence ?? []).map((each) => evidenceOf(api, each)),
        ...parentReasons(plan),
        ...taskReasons(plan),
      ],
    };
  }
  const origin = await mock.context.payloads.originOf(operation, success, successStatus, undefined);
  const why = { text: responseSource.why, place: locationText(api.document, operation.pointer) };
  const source = statelessSource(api.document, plan, origin, why);
  return { ...STATELESS, ...source, reasons: [...source.reasons, ...parentReasons(plan), ...taskReasons(plan)] };
}

const WITH_FILE: Readonly<Record<FileEndpoint['does'], string>> = {
  download: 'returns the file that was sent, where one was',
  upload: 'keeps the file that is sent',
  remove: 'takes away the file that was sent',
};

function parentReasons({ parentItem, file }: OperationPlan): Reason[] {
  const reasons = file === undefined ? [] : [{ text: WITH_FILE[file.does], place: undefined }];
  return parentItem === undefined
    ? []
    : [...reasons, { text: `404 where ${parentItem.resource} has no such item`, place: undefined }];
}

function taskReasons({ tasks }: OperationPlan): Reason[] {
  const paths = new Set(tasks().map(({ kind }) => kind.resource.path));
  return [...paths].map((path) => ({
    text: `shows a task that is kept in ${path}, and done when it is read`,
    place: undefined,
  }));
}

const STATELESS = { behaviour: undefined, resource: undefined, confidence: undefined };

/** @param why - no state stands behind */
function statelessSource(
  document: SourceDocument,
  { success }: OperationPlan,
  origin: BodyOrigin,
  why: Reason,
): Pick<SourceExplanation, 'from' | 'text' | 'place' | 'reasons'> {
  const place = success === undefined ? undefined : locationText(document, success.pointer);
  switch (origin.kind) {
    case 'example': {
      const { name, pointer, mediaType, skipped } = origin;
      const text = `${name === undefined ? 'the example' : `the example "${name}"`} of ${mediaType}`;
      const reasons = [why, ...skipped.map((each) => brokenExample(document, each))];
      return { from: 'example', text, place: locationText(document, pointer), reasons };
    }
    case 'generated': {
      const { pointer, mediaType, skipped } = origin;
      const lack = { text: 'the description shows no example of this response', place };
      const broken = skipped.map((each) => brokenExample(document, each));
      const reasons = [why, ...(broken.length === 0 ? [lack] : broken)];
      if (pointer === undefined) return { from: 'generated', text: `a sample of ${mediaType}`, place, reasons };
      const text = `made up from the schema of ${mediaType}`;
      return { from: 'generated', text, place: locationText(document, pointer), reasons };
    }
    case 'no-body':
      return { from: 'no-body', text: 'no body', place, reasons: [why] };
    case 'impossible':
      return {
        from: 'impossible',
        text: 'no body can be made: 501',
        place,
        reasons: [why, { text: origin.reason, place }],
      };
  }
}

export function evidenceOf({ document }: ExplainedMock['api'], { text, pointer }: Evidence): Reason {
  return { text, place: pointer === '' ? undefined : locationText(document, pointer) };
}

function brokenExample(document: SourceDocument, { name, pointer }: Example): Reason {
  const which = name === undefined ? 'the example' : `the example "${name}"`;
  return { text: `${which} breaks its schema and is passed over`, place: locationText(document, pointer) };
}

/** Where an item comes from that a response shows or changes. */
export interface ItemExplanation {
  readonly collection: string;
  /** As the path has it; `''` for a single record. */
  readonly key: string;
  /** `request`: one that the request made; `defaults`: a single record that nobody has written. */
  readonly from: ItemOrigin['kind'] | 'request' | 'defaults';
  readonly text: string;
  /** Of the fixture, or of each example that shows it. */
  readonly places: readonly string[];
}

/** What a collection holds at the start. */
export interface InitialItemsExplanation {
  /** The collection that is spoken of: one of several where the path has variables. */
  readonly collection: string;
  readonly rows: number;
  readonly from: Readonly<Partial<Record<ItemOrigin['kind'], number>>>;
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

export function explainItem(parts: ExplainedMock, collection: string, key: Key): ItemExplanation {
  const origin = parts.mock.originOf(collection, key);
  const isStored = collectionOf(parts.mock.initial, collection)?.get(key) !== undefined;
  const from = origin?.kind ?? (isStored ? 'fixture' : 'defaults');
  return { collection, key: String(key), from, text: itemText(parts, from), places: placesOf(parts, origin) };
}

function itemText({ mock }: ExplainedMock, from: ItemExplanation['from']): string {
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

function placesOf({ api }: ExplainedMock, origin: ItemOrigin | undefined): string[] {
  switch (origin?.kind) {
    case 'fixture':
      return [locationText(origin.document, origin.pointer)].filter((place) => place !== undefined);
    case 'example':
      return origin.pointers.flatMap((pointer) => locationText(api.document, pointer) ?? []);
    case 'made-up': {
      const { asked } = origin;
      return asked === undefined
        ? []
        : [locationText(asked.document, asked.pointer)].filter((place) => place !== undefined);
    }
    case undefined:
      return [];
  }
}

/** @param name - of the collection */
export function explainInitialItems(parts: ExplainedMock, name: string): InitialItemsExplanation {
  const from: Partial<Record<ItemOrigin['kind'], number>> = {};
  const places: string[] = [];
  const items = collectionOf(parts.mock.initial, name);
  for (const [key] of items?.entries() ?? []) {
    const origin = parts.mock.originOf(name, key);
    if (origin === undefined) continue;
    from[origin.kind] = (from[origin.kind] ?? 0) + 1;
    if (places.length < SHOWN_PLACES) places.push(...placesOf(parts, origin).slice(-1));
  }
  const size = items?.size ?? 0;
  return {
    collection: name,
    rows: size,
    from,
    text: initialItemsText(parts, name, size, from),
    places: [...new Set(places)],
  };
}

function initialItemsText(
  parts: ExplainedMock,
  name: string,
  items: number,
  from: InitialItemsExplanation['from'],
): string {
  const { mock } = parts;
  if (items === 0)
    return `empty at the start${canBeSampled(parts, name) ? '' : ': no valid item can be made of its schema'}`;
  const origins = [
    ...(from.fixture === undefined ? [] : [`${from.fixture} from fixtures`]),
    ...(from.example === undefined ? [] : [`${from.example} from examples of the description`]),
    ...(from['made-up'] === undefined ? [] : [`${from['made-up']} made up with seed ${mock.context.options.seed}`]),
  ];
  return `${counted(items, 'item')} at the start: ${origins.join(', ')}`;
}

/** Is there a value that the schema of the items allows? Asked only of what would begin with rows that are generated. */
function canBeSampled({ api, mock }: ExplainedMock, name: string): boolean {
  const resource = parseCollectionName(mock.resources, name)?.resource;
  if (resource === undefined || mock.initial.seeds === undefined) return true;
  const { seed } = mock.context.options;
  return samplerOf(api).sample(resource.schema, { seed, direction: 'response', ordinal: 0 }).kind === 'made';
}

/**
 * The collection of a resource that an example of a request is best taken from: the first one that holds something.
 *
 * @returns `undefined` where none can be told without a request
 */
export function firstCollection(
  { mock }: ExplainedMock,
  { path }: Pick<Resource, 'path'>,
): FirstCollection | undefined {
  const { initial, resources } = mock;
  const resource = mock.context.resources.get(path);
  let empty: FirstCollection | undefined;
  for (const name of resource === undefined ? [] : namesOf(initial, resource)) {
    const place = parseCollectionName(resources, name);
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
