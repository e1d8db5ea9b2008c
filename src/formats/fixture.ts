import type { SourceFinding } from '../errors/source-finding';
import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { findingAt, type SourceDocument } from '../openapi/source-document';
import { findPlace, nameByItem, type FixturePlace, type FixtureResource, type NoPlace } from './fixture-place';

/** Version of the format, written in the file. */
export const FIXTURE_FORMAT = 'fixture/1';

/** So many rows are made up for one `count`, and so many for all of them together. */
export const MAX_COUNT = 10_000;
export const MAX_COUNTED_ROWS = 50_000;

/** So many faults of one fixture are looked for: a document may hold nothing else. */
export const MOST_FAULTS = 1000;

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

/** Rows that are to be made up: `/books: { count: 100 }`. */
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
 * {@link MOST_FAULTS} of them.
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
    reader.refuse('', { message: 'This is not a fixture', expected, hint: undefined });
    return reader;
  }
  const byName = root['collections'];
  if (!isJsonObject(byName)) {
    reader.refuse('/collections', {
      message: 'The member "collections" is missing or no object',
      expected: 'an object with a list of items for each collection path',
      hint: undefined,
    });
    return reader;
  }
  for (const [name, value] of Object.entries(byName)) {
    if (findings.length >= MOST_FAULTS) break;
    const pointer = joinPointer('/collections', name);
    const place = findPlace(resources, name);
    if ('resource' in place) reader.read(place, value, pointer, name);
    else reader.refuse(pointer, place);
  }
  return reader;
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

  refuse(pointer: string, { message, expected, hint }: NoPlace): void {
    this.findings.push(findingAt(this.document, pointer, { rule: 'fixture-format', message, expected, hint }));
  }

  read(place: FixturePlace, value: JsonValue, pointer: string, written: string): void {
    const { resource, name } = place;
    if (name !== undefined && Array.isArray(value)) this.names.push(name);
    if (resource.kind === 'singleton') this.readRecord(place, value, pointer, written);
    else if (Array.isArray(value)) this.readList(place, value, pointer);
    else if (isJsonObject(value) && 'count' in value) this.readCount(place, value, pointer);
    else {
      const expected = 'a list of items, or { "count": 100 } for so many that are made up';
      this.refuse(pointer, { message: `The collection ${written} is no list`, expected, hint: undefined });
    }
  }

  /** A saved state writes a record as a list of one, and one that was removed as a list of none. */
  private readRecord(place: FixturePlace, value: JsonValue, pointer: string, written: string): void {
    if (isJsonObject(value)) this.add(place, value, pointer);
    else if (Array.isArray(value) && (place.name === undefined || value.length <= 1))
      this.readList(place, value, pointer);
    else {
      const message = `${written} is a single record, and this is none`;
      this.refuse(pointer, { message, expected: 'one object', hint: undefined });
    }
  }

  private readList(place: FixturePlace, list: readonly JsonValue[], pointer: string): void {
    for (const [index, value] of list.entries()) {
      if (this.findings.length >= MOST_FAULTS) break;
      const at = joinPointer(pointer, String(index));
      if (isJsonObject(value)) this.add(place, value, at);
      else this.refuse(at, { message: 'The item is no object', expected: 'an object', hint: undefined });
    }
  }

  private readCount({ resource, name }: FixturePlace, value: JsonObject, pointer: string): void {
    const { count } = value;
    const at = joinPointer(pointer, 'count');
    const other = Object.keys(value).find((member) => member !== 'count');
    if (other !== undefined) {
      const message = `Beside "count" there is "${other}"`;
      this.refuse(joinPointer(pointer, other), { message, expected: 'a count alone', hint: undefined });
    } else if (typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT) {
      const { document } = this;
      this.counts.push({ collection: name, resource: resource.path, count, pointer: at, document });
      if (name !== undefined) this.names.push(name);
    } else {
      const hint = 'More rows than that are better written by a program, as a list.';
      this.refuse(at, { message: 'This is no count', expected: `a whole number from 0 to ${MAX_COUNT}`, hint });
    }
  }

  private add({ resource, name }: FixturePlace, value: JsonObject, pointer: string): void {
    const collection = name ?? nameByItem(resource, value);
    if (typeof collection !== 'string') this.refuse(pointer, collection);
    else this.items.push({ collection, resource: resource.path, value, pointer, document: this.document });
  }
}
