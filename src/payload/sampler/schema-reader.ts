import type { JsonValue } from '../../json/json-value';
import { isSchemaObject, type Direction, type SchemaObject } from '../../json-schema/schema';
import { referenceOf, resolveReference, type Located } from '../../openapi/references';
import type { SourceDocument } from '../../openapi/source-document';

/** The schemas of one description, seen from one direction. */
export interface SchemaReader {
  readonly direction: Direction;
  /** What stands behind the references of a place; the place itself where there are none. */
  follow(place: Located): Located;
  /** Whether keywords beside `$ref` count: from OpenAPI 3.1 on (JSON Schema 2020-12 Core §8.2.3.1). */
  readonly readsSiblings: boolean;
}

export function createSchemaReader(document: SourceDocument, direction: Direction): SchemaReader {
  const version = isSchemaObject(document.root) ? document.root['openapi'] : undefined;
  return {
    direction,
    readsSiblings: typeof version === 'string' && !version.startsWith('3.0'),
    follow(place) {
      const resolution = resolveReference(document, place);
      return resolution.kind === 'resolved' ? resolution.at : { pointer: place.pointer, value: {} };
    },
  };
}

/** A place without a reference that says everything: what is laid together is known by such places. */
export function settle(place: Located, reader: SchemaReader): Located {
  if (referenceOf(place.value) === undefined) return place;
  return reader.readsSiblings && hasSiblings(place.value as SchemaObject) ? place : reader.follow(place);
}

/** The keywords of a place; `false` is a schema that nothing satisfies, `true` one that says nothing. */
export function keywordsOf(value: JsonValue): SchemaObject | false {
  if (value === false) return false;
  return isSchemaObject(value) ? value : {};
}

function hasSiblings(schema: SchemaObject): boolean {
  return Object.keys(schema).some((keyword) => !ANNOTATIONS.has(keyword));
}

const ANNOTATIONS = new Set(['$ref', 'title', 'description', 'summary', '$comment', 'externalDocs', 'xml']);
