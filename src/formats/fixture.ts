import { similarName } from '../errors/similar-name';
import type { SourceFinding } from '../errors/source-finding';
import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonObject } from '../json/json-value';
import { findingAt, type SourceDocument } from '../openapi/source-document';

/** Version of the format, written in the file. */
export const FIXTURE_FORMAT = 'fixture/1';

/** One item of a fixture, with the place it came from. */
export interface FixtureItem {
  /** Path of the collection. */
  readonly collection: string;
  readonly value: JsonObject;
  readonly pointer: string;
  readonly document: SourceDocument;
}

/** Everything that fixture files say. */
export interface SeedData {
  readonly items: readonly FixtureItem[];
  /** Keys to give out next, by path of the collection, where that is not the one after the highest. */
  readonly nextKeys: ReadonlyMap<string, number | bigint>;
  /** What is wrong with the files. */
  readonly findings: readonly SourceFinding[];
}

/** Reads the items of a fixture file; what does not fit the format is pushed to `findings`. */
export function readFixture(
  document: SourceDocument,
  collections: readonly string[],
  findings: SourceFinding[],
): FixtureItem[] {
  const { root } = document;
  const refuse = (pointer: string, message: string, expected: string, hint?: string): void => {
    findings.push(findingAt(document, pointer, { rule: 'fixture-format', message, expected, hint }));
  };
  if (!isJsonObject(root) || root['standin'] !== FIXTURE_FORMAT) {
    refuse('', 'This is not a fixture', `{ "standin": "${FIXTURE_FORMAT}", "collections": { … } }`);
    return [];
  }
  const byPath = root['collections'];
  if (!isJsonObject(byPath)) {
    refuse(
      '/collections',
      'The member "collections" is missing or no object',
      'an object with a list of items for each collection path',
    );
    return [];
  }
  return Object.entries(byPath).flatMap(([path, items]): FixtureItem[] => {
    const pointer = joinPointer('/collections', path);
    if (!collections.includes(path)) {
      const near = similarName(path, collections);
      refuse(
        pointer,
        `The description has no collection ${path}`,
        `one of ${collections.join(', ')}`,
        near === undefined ? undefined : `Did you mean ${near}?`,
      );
      return [];
    }
    if (!Array.isArray(items)) {
      refuse(pointer, `The collection ${path} is no list`, 'a list of items');
      return [];
    }
    return items.flatMap((value, index): FixtureItem[] => {
      const at = joinPointer(pointer, String(index));
      if (isJsonObject(value)) return [{ collection: path, value, pointer: at, document }];
      refuse(at, 'The item is no object', 'an object');
      return [];
    });
  });
}
