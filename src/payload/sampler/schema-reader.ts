import type { JsonValue } from '../../json/json-value';
import { isSchemaObject, type Direction, type SchemaObject } from '../../json-schema/schema';
import { SchemaFault } from '../../json-schema/schema-fault';
import { referenceOf, resolveReference, type Located } from '../../openapi/references';
import { SchemaResources } from '../../openapi/schema-resources';
import { NO_SCOPE, type DynamicScope } from '../../openapi/schema-use';
import { valueAt, type SourceDocument } from '../../openapi/source-document';
import { dynamicTarget } from './dynamic-scope';

/** The schemas of one description, seen from one direction. */
export interface SchemaReader {
  readonly direction: Direction;
  /** What stands behind the references of a place; the place itself where there are none. */
  follow(place: Located): Located;
  /** What stands behind the `$dynamicRef` of a place; `undefined` where there is none, or it leads nowhere. */
  followDynamically(place: Located): Located | undefined;
  /** Whether keywords beside `$ref` count: from OpenAPI 3.1 on (JSON Schema 2020-12 Core §8.2.3.1). */
  readonly readsSiblings: boolean;
}

/** @param scope - where dynamic references lead */
export function createSchemaReader(
  document: SourceDocument,
  direction: Direction,
  scope: DynamicScope = NO_SCOPE,
): SchemaReader {
  const readsSiblings = hasJsonSchema(document);
  const at = (pointer: string | undefined): Located | undefined => {
    const value = pointer === undefined ? undefined : valueAt(document, pointer);
    return pointer === undefined || value === undefined ? undefined : { value, pointer };
  };
  const anchored = (place: Located, reference: string): Located | undefined =>
    at(quietly(() => resourcesOf(document).find(reference, resourcesOf(document).around(place.pointer))));
  return {
    direction,
    readsSiblings,
    follow(place) {
      const resolution = resolveReference(document, place);
      if (resolution.kind === 'resolved') return resolution.at;
      // By a JSON pointer nearly every reference is found; ids and anchors are only searched for where one is not.
      const reference = referenceOf(place.value);
      const target = readsSiblings && reference !== undefined ? anchored(place, reference) : undefined;
      return target ?? { pointer: place.pointer, value: {} };
    },
    followDynamically(place) {
      const reference = isSchemaObject(place.value) ? place.value['$dynamicRef'] : undefined;
      if (!readsSiblings || typeof reference !== 'string') return undefined;
      const resources = resourcesOf(document);
      return at(quietly(() => dynamicTarget(reference, resources.around(place.pointer), resources, scope)));
    },
  };
}

/** Are schemas those of JSON Schema 2020-12, as from OpenAPI 3.1 on? */
export function hasJsonSchema({ root }: SourceDocument): boolean {
  const version = isSchemaObject(root) ? root['openapi'] : undefined;
  return typeof version === 'string' && !version.startsWith('3.0');
}

const RESOURCES = new WeakMap<SourceDocument, SchemaResources>();

/** @throws SchemaFault when the document is written in a dialect that is not known */
export function resourcesOf(document: SourceDocument): SchemaResources {
  let resources = RESOURCES.get(document);
  if (resources === undefined) RESOURCES.set(document, (resources = new SchemaResources(document)));
  return resources;
}

/** A dialect that is not known leads nowhere: no schema of it compiles, which is told elsewhere. */
export function quietly<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof SchemaFault) return undefined;
    throw error;
  }
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
