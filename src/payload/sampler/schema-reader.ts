import { joinPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { type Located, referenceOf, resolveReference } from '../../openapi/read/references';
import { type SourceDocument, valueAt } from '../../openapi/read/source-document';
import { type DynamicScope, NO_SCOPE } from '../../openapi/schemas/compiled-schemas';
import { type SchemaResource, SchemaResources } from '../../openapi/schemas/schema-resources';
import {
  ANNOTATIONS,
  type Direction,
  EXAMPLES,
  InvalidSchemaError,
  isSchemaObject,
  type SchemaObject,
} from '../../schema/schema-object';

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
    at(
      ignoringUnknownDialect(() => resourcesOf(document).find(reference, resourcesOf(document).around(place.pointer))),
    );
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
      return at(ignoringUnknownDialect(() => resources.findDynamic(reference, resources.around(place.pointer), scope)));
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

/** A dialect that is not known leads nowhere: no schema of it compiles, which is reported elsewhere. */
export function ignoringUnknownDialect<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof InvalidSchemaError) return undefined;
    throw error;
  }
}

/** A place without a reference that says everything: what is laid together is known by such places. */
export function followPlainReference(place: Located, reader: SchemaReader): Located {
  if (referenceOf(place.value) === undefined) return place;
  return reader.readsSiblings && hasSiblings(place.value as SchemaObject) ? place : reader.follow(place);
}

/** The keywords of a place; `false` is a schema that nothing satisfies, `true` one that says nothing. */
export function keywordsOf(value: JsonValue): SchemaObject | false {
  if (value === false) return false;
  return isSchemaObject(value) ? value : {};
}

function hasSiblings(schema: SchemaObject): boolean {
  return Object.keys(schema).some((keyword) => !BESIDE_REFERENCE.has(keyword));
}

const BESIDE_REFERENCE: ReadonlySet<string> = new Set(['$ref', ...ANNOTATIONS]);

/** Properties that no value is checked by unless something refers to them, and those that hold data. */
const NOT_ENTERED: ReadonlySet<string> = new Set([...['$defs', 'definitions', 'enum', 'const', ...EXAMPLES]]);

/** Does anything in a document refer by where the judging began? Most documents are spared all that follows. */
export function hasDynamicReferences(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasDynamicReferences);
  if (!isSchemaObject(value)) return false;
  return (
    typeof value['$dynamicRef'] === 'string' || Object.values(value).some((each) => hasDynamicReferences(each ?? null))
  );
}

/**
 * Where the dynamic references lead that are met from a schema on: to the first dynamic anchor of their name on the way
 * (JSON Schema Core §8.2.3.2). Where several ways lead to one reference, the shortest counts for all.
 */
export function dynamicScopeFrom(document: SourceDocument, resources: SchemaResources, start: string): DynamicScope {
  const scope = new Map<string, string>();
  // What is added while the set is walked is walked too, once: circles end where they began.
  const reached = new Set([start]);
  const enter = (resource: SchemaResource): void => {
    for (const [name, pointer] of resources.dynamicAnchors(resource)) if (!scope.has(name)) scope.set(name, pointer);
  };
  const look = (value: JsonValue, pointer: string, around: SchemaResource): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) look(item, joinPointer(pointer, index), around);
    }
    if (!isSchemaObject(value)) return;
    const resource = resources.within(around, value, pointer);
    if (resource !== around) enter(resource);
    for (const target of targetsOf(value, resource, resources, scope)) reached.add(target);
    for (const [name, child] of Object.entries(value)) {
      if (!NOT_ENTERED.has(name)) look(child, joinPointer(pointer, name), resource);
    }
  };
  for (const pointer of reached) {
    const resource = resources.around(pointer);
    enter(resource);
    look(valueAt(document, pointer) ?? null, pointer, resource);
  }
  return scope.size === 0 ? NO_SCOPE : scope;
}

function targetsOf(
  { $ref, $dynamicRef }: SchemaObject,
  resource: SchemaResource,
  resources: SchemaResources,
  scope: DynamicScope,
): string[] {
  const plain = typeof $ref === 'string' ? resources.find($ref, resource) : undefined;
  const dynamic = typeof $dynamicRef === 'string' ? resources.findDynamic($dynamicRef, resource, scope) : undefined;
  return [plain, dynamic].filter((target) => target !== undefined);
}
