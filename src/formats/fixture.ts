import type { SourceFinding } from '../core/errors/standin-error';
import { ExactNumber, isJsonNumber, toCanonical } from '../core/json/exact-number';
import { joinPointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import { didYouMean } from '../core/text/similar-name';
import { findingAt, type SourceDocument } from '../openapi/read/source-document';
import { fillTemplate, parseCollectionName, type ResourceDescription } from '../resources/model/resource';
import { described } from './decode';

/** Version of the format, written in the file. */
export const FIXTURE_FORMAT = 'fixture/1';

/** So many items are generated for one `count`, and so many for all of them together. */
const MAX_COUNT = 10_000;
export const MAX_COUNTED_ROWS = 50_000;

/** So many faults of one fixture are looked for: a document may hold nothing else. */
export const MAX_FINDINGS = 1000;

/** One item of a fixture, with the place it came from. */
export interface FixtureItem {
  /** Name of the collection in the state: its path, with the variables filled in. */
  readonly collection: string;
  /** Path of the resource, as the description has it. */
  readonly resource: string;
  readonly value: JsonObject;
  readonly pointer: string;
  readonly document: SourceDocument;
  /** Nobody wrote it: the place is that of the `count` that asked for it. */
  readonly isMadeUp?: true;
}

/** Rows that are to be generated: `/books: { count: 100 }`. */
export interface FixtureCount {
  /** Name of the collection; `undefined` for so many in each that there is. */
  readonly collection: string | undefined;
  readonly resource: string;
  readonly count: number;
  readonly pointer: string;
  readonly document: SourceDocument;
}

/** What the collections of fixture files hold. */
export interface FixtureContent {
  readonly items: readonly FixtureItem[];
  readonly counts: readonly FixtureCount[];
  /** Names of the collections that are there even when they are empty. */
  readonly names: readonly string[];
}

/** Everything that fixture files say. */
export interface SeedData extends FixtureContent {
  /** Keys to give out next, by name of the collection, where that is not the one after the highest. */
  readonly nextKeys: ReadonlyMap<string, number | bigint>;
  /** What is wrong with the files. */
  readonly findings: readonly SourceFinding[];
}

/**
 * Reads the items of a fixture file; what does not fit the format is pushed to `findings`. It goes on until there are
 * {@link MAX_FINDINGS} of them.
 */
export function readFixture(
  document: SourceDocument,
  resources: readonly FixtureResource[],
  findings: SourceFinding[],
): FixtureContent {
  const reader = new FixtureReader(document, findings);
  const { root } = document;
  if (!isJsonObject(root) || root['standin'] !== FIXTURE_FORMAT) {
    const expected = `{ "standin": "${FIXTURE_FORMAT}", "collections": { … } }`;
    reader.addFinding('', { message: 'This is not a fixture', expected });
    return reader;
  }
  const byName = root['collections'];
  if (!isJsonObject(byName)) {
    const expected = 'an object with a list of items for each collection path';
    const message =
      byName === undefined ? 'The property "collections" is missing' : mustBe('collections', expected, byName);
    reader.addFinding('/collections', { message, expected });
    return reader;
  }
  for (const [name, value] of Object.entries(byName)) {
    if (findings.length >= MAX_FINDINGS) break;
    const pointer = joinPointer('/collections', name);
    const place = findCollection(resources, name);
    if ('resource' in place) reader.read(place, value, pointer, name);
    else reader.addFinding(pointer, place);
  }
  return reader;
}

function mustBe(name: string, expected: string, value: JsonValue): string {
  return `"${name}" must be ${expected}, got ${described(value)}`;
}

class FixtureReader implements FixtureContent {
  readonly items: FixtureItem[] = [];
  readonly counts: FixtureCount[] = [];
  readonly names: string[] = [];
  private readonly document: SourceDocument;
  private readonly findings: SourceFinding[];

  constructor(document: SourceDocument, findings: SourceFinding[]) {
    this.document = document;
    this.findings = findings;
  }

  addFinding(pointer: string, { message, expected, hint }: UnknownCollection): void {
    this.findings.push(findingAt(this.document, pointer, { rule: 'fixture-format', message, expected, hint }));
  }

  read(place: FixtureCollection, value: JsonValue, pointer: string, written: string): void {
    const { resource, name } = place;
    if (name !== undefined && Array.isArray(value)) this.names.push(name);
    if (resource.kind === 'singleton') this.readRecord(place, value, pointer, written);
    else if (Array.isArray(value)) this.readList(place, value, pointer);
    else if (isJsonObject(value) && 'count' in value) this.readCount(place, value, pointer);
    else {
      const expected = 'a list of items, or { "count": 100 } for so many that are made up';
      this.addFinding(pointer, { message: mustBe(written, 'an array', value), expected });
    }
  }

  /** A saved state writes a record as a list of one, and one that was removed as a list of none. */
  private readRecord(place: FixtureCollection, value: JsonValue, pointer: string, written: string): void {
    if (isJsonObject(value)) this.add(place, value, pointer);
    else if (Array.isArray(value) && (place.name === undefined || value.length <= 1))
      this.readList(place, value, pointer);
    else this.addFinding(pointer, { message: mustBe(written, 'one object', value), expected: 'a single record' });
  }

  private readList(place: FixtureCollection, list: readonly JsonValue[], pointer: string): void {
    for (const [index, value] of list.entries()) {
      if (this.findings.length >= MAX_FINDINGS) break;
      const at = joinPointer(pointer, String(index));
      if (isJsonObject(value)) this.add(place, value, at);
      else
        this.addFinding(at, { message: `An item must be an object, got ${described(value)}`, expected: 'an object' });
    }
  }

  private readCount({ resource, name }: FixtureCollection, value: JsonObject, pointer: string): void {
    const { count = null } = value;
    const at = joinPointer(pointer, 'count');
    const other = Object.keys(value).find((property) => property !== 'count');
    if (other !== undefined) {
      const message = `Unknown key "${other}" beside "count"`;
      this.addFinding(joinPointer(pointer, other), { message, expected: 'a count alone' });
    } else if (typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT) {
      const { document } = this;
      this.counts.push({ collection: name, resource: resource.path, count, pointer: at, document });
      if (name !== undefined) this.names.push(name);
    } else {
      const hint = 'More items than that are better written by a program, as a list.';
      const expected = `a whole number from 0 to ${MAX_COUNT}`;
      this.addFinding(at, { message: mustBe('count', expected, count), expected, hint });
    }
  }

  private add({ resource, name }: FixtureCollection, value: JsonObject, pointer: string): void {
    const collection = name ?? collectionNameOfItem(resource, value);
    if (typeof collection !== 'string') this.addFinding(pointer, collection);
    else this.items.push({ collection, resource: resource.path, value, pointer, document: this.document });
  }
}

/** The keys that a saved state would give out next, by name of the collection. */
export function readNextKeys(
  document: SourceDocument,
  resources: readonly FixtureResource[],
  findings: SourceFinding[],
): Map<string, number | bigint> {
  const keys = new Map<string, number | bigint>();
  const saved = isJsonObject(document.root) ? document.root['nextKeys'] : undefined;
  if (saved === undefined) return keys;
  const entries = isJsonObject(saved) ? Object.entries(saved) : [['', saved] as const];
  for (const [written, key] of entries) {
    if (findings.length >= MAX_FINDINGS) break;
    const place = findCollection(resources, written);
    if (isNextKey(key) && 'resource' in place && place.name !== undefined) keys.set(place.name, key);
    else {
      const pointer = isJsonObject(saved) ? joinPointer('/nextKeys', written) : '/nextKeys';
      const expected = 'an object: the path of a collection, and the next integer to give out';
      const message = `A next key must be a positive integer for a collection, got ${described(key)}`;
      findings.push(findingAt(document, pointer, { rule: 'fixture-format', message, expected }));
    }
  }
  return keys;
}

function isNextKey(value: JsonValue): value is number | bigint {
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  return isInteger && value > 0;
}

/** What fixtures have to know of a resource. */
export type FixtureResource = Pick<ResourceDescription, 'path' | 'kind' | 'scope'>;

/** What the name of a collection in a fixture means. */
interface FixtureCollection {
  readonly resource: FixtureResource;
  /** The name in the state; `undefined` where each item says it by itself. */
  readonly name: string | undefined;
}

/** Why a name means nothing. */
export interface UnknownCollection {
  readonly message: string;
  readonly expected: string;
  readonly hint?: string | undefined;
}

/** More names than this are counted: a description may have hundreds. */
const MAX_LISTED = 20;

/** The collection that a fixture means by `/books`, `/shelves/{shelfId}/books`, `/shelves/7/books` or `books`. */
export function findCollection(
  resources: readonly FixtureResource[],
  name: string,
): FixtureCollection | UnknownCollection {
  const template = resources.find(({ path }) => path === name);
  if (template !== undefined) return fixtureCollectionOf(template);
  const place = parseCollectionName(resources, name);
  if (place !== undefined) return { resource: place.resource, name: fillTemplate(place.resource.path, place.values) };
  const meant = resources.filter(({ path }) => lastWord(path) === name || path === `/${name}`);
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return fixtureCollectionOf(only);
  if (meant.length > 1) {
    const paths = meant.map(({ path }) => path);
    return {
      message: `Several collections are called ${name}`,
      expected: 'the path of one of them',
      hint: `Write ${listed(paths, ' or ')}.`,
    };
  }
  const paths = resources.map(({ path }) => path);
  return {
    message: `The description has no collection ${name}`,
    expected: paths.length === 0 ? 'a description that keeps something' : `one of ${listed(paths, ', ')}`,
    hint: didYouMean(name, paths) ?? didYouMean(`/${name}`, paths),
  };
}

function fixtureCollectionOf(resource: FixtureResource): FixtureCollection {
  return { resource, name: resource.scope.length === 0 ? resource.path : undefined };
}

function lastWord(path: string): string | undefined {
  return path
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{'))
    .at(-1);
}

function listed(names: readonly string[], separator: string): string {
  const rest = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(separator) + (rest > 0 ? ` and ${rest} more` : '');
}

/**
 * The name of the collection in which an item lies by what it says itself: `/shelves/7/books` by `shelfId: 7`.
 *
 * @returns why that cannot be told, where it cannot
 */
export function collectionNameOfItem({ path, scope }: FixtureResource, item: JsonObject): string | UnknownCollection {
  const values = scope.map(({ property }) => textOf(property === undefined ? undefined : item[property]));
  if (values.every((value) => value !== undefined)) return fillTemplate(path, values);
  const lacking = scope.filter((_, index) => values[index] === undefined);
  const properties = lacking.flatMap(({ property }) => (property === undefined ? [] : [`"${property}"`]));
  const example = fillTemplate(
    path,
    scope.map((_, index) => String(index + 1)),
  );
  return {
    message: `Nothing says which of the collections ${path} the item lies in`,
    expected:
      properties.length === lacking.length
        ? `${properties.join(' and ')} in the item`
        : `a path with ${lacking.map(({ name }) => `{${name}}`).join(' and ')} filled in`,
    hint: `Write the items under a path such as "${example}".`,
  };
}

function textOf(value: JsonObject[string] | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (!isJsonNumber(value)) return undefined;
  const number = value instanceof ExactNumber ? toCanonical(value) : value;
  return number instanceof ExactNumber ? number.lexeme : String(number);
}
