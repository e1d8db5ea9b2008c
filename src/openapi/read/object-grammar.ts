import { joinPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { type Direction, isSchemaObject } from '../../schema/schema-object';
import { fieldOf, itemsOf, type Located, referenceOf } from './references';
import { type OasVersion, oasVersionOf, type SourceDocument } from './source-document';

/** The objects of OAS 3.x §4.7 that hold, or may be, references and schemas; those without either are left out. */
export type ObjectKind =
  | 'openapi'
  | 'components'
  | 'paths'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'mediaType'
  | 'encoding'
  | 'responses'
  | 'response'
  | 'callback'
  | 'example'
  | 'link'
  | 'header'
  | 'schema'
  | 'securityScheme';

/** What a property holds: one object, a list of them, or a map whose names are anybody's. */
export type PropertyShape = ObjectKind | readonly [ObjectKind] | { readonly each: ObjectKind };

type Properties = Readonly<Record<string, PropertyShape>>;

/** What a version of OpenAPI lets stand where. */
export interface Grammar {
  /**
   * The properties that lead from object to object. Everything else is text, data (`example`, `default`, `enum`, the value
   * of an Example Object) or an extension, where a property called `$ref` means nothing.
   */
  readonly members: Readonly<Record<ObjectKind, Properties>>;
  /** Objects whose own properties are a map, extensions (`x-…`) aside. */
  readonly patterned: Readonly<Partial<Record<ObjectKind, ObjectKind>>>;
  /** Does what stands beside a `$ref` in a schema count (OAS 3.1.0 §4.8.24), or is it ignored (OAS 3.0.3 §4.7.23)? */
  readonly keepsSiblings: boolean;
  /** JSON pointers of the maps where objects of a kind can stand to be referred to. */
  readonly sections: Readonly<Partial<Record<ObjectKind, string>>>;
}

/** Swagger 2.0 is read to be converted; the rest of standin meets OpenAPI alone. */
export type GrammarVersion = OasVersion | '2.0';

const schemas = ['schema'] as const;
const parameters = ['parameter'] as const;
const METHODS_30 = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
const operations = Object.fromEntries(METHODS_30.map((method) => [method, 'operation' as const]));
const withValues: Properties = { schema: 'schema', examples: { each: 'example' }, content: { each: 'mediaType' } };

const PROPERTIES_30: Grammar['members'] = {
  openapi: { paths: 'paths', components: 'components' },
  components: {
    schemas: { each: 'schema' },
    responses: { each: 'response' },
    parameters: { each: 'parameter' },
    examples: { each: 'example' },
    requestBodies: { each: 'requestBody' },
    headers: { each: 'header' },
    securitySchemes: { each: 'securityScheme' },
    links: { each: 'link' },
    callbacks: { each: 'callback' },
  },
  paths: {},
  pathItem: { ...operations, parameters },
  operation: { parameters, requestBody: 'requestBody', responses: 'responses', callbacks: { each: 'callback' } },
  parameter: withValues,
  requestBody: { content: { each: 'mediaType' } },
  mediaType: { schema: 'schema', examples: { each: 'example' }, encoding: { each: 'encoding' } },
  encoding: { headers: { each: 'header' } },
  responses: {},
  response: { headers: { each: 'header' }, content: { each: 'mediaType' }, links: { each: 'link' } },
  callback: {},
  example: {},
  link: {},
  header: withValues,
  schema: {
    properties: { each: 'schema' },
    items: 'schema',
    additionalProperties: 'schema',
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: 'schema',
  },
  securityScheme: {},
};

/** The applicators of JSON Schema 2020-12 beside those of OpenAPI 3.0 (Core §10, Validation §8). */
const SCHEMA_2020: Properties = {
  ...PROPERTIES_30.schema,
  prefixItems: schemas,
  contains: 'schema',
  patternProperties: { each: 'schema' },
  propertyNames: 'schema',
  dependentSchemas: { each: 'schema' },
  if: 'schema',
  then: 'schema',
  else: 'schema',
  unevaluatedItems: 'schema',
  unevaluatedProperties: 'schema',
  contentSchema: 'schema',
  $defs: { each: 'schema' },
};

const PROPERTIES_31: Grammar['members'] = {
  ...PROPERTIES_30,
  openapi: { ...PROPERTIES_30.openapi, webhooks: { each: 'pathItem' } },
  components: { ...PROPERTIES_30.components, pathItems: { each: 'pathItem' } },
  schema: SCHEMA_2020,
};

const PROPERTIES_32: Grammar['members'] = {
  ...PROPERTIES_31,
  components: { ...PROPERTIES_31.components, mediaTypes: { each: 'mediaType' } },
  pathItem: { ...PROPERTIES_31.pathItem, query: 'operation', additionalOperations: { each: 'operation' } },
  mediaType: {
    ...PROPERTIES_31.mediaType,
    itemSchema: 'schema',
    prefixEncoding: ['encoding'],
    itemEncoding: 'encoding',
  },
  encoding: {
    ...PROPERTIES_31.encoding,
    encoding: { each: 'encoding' },
    prefixEncoding: ['encoding'],
    itemEncoding: 'encoding',
  },
};

/** Swagger 2.0: schemas stand in bodies and responses, and items of parameters look like schemas. */
const PROPERTIES_20: Grammar['members'] = {
  ...PROPERTIES_30,
  openapi: {
    paths: 'paths',
    definitions: { each: 'schema' },
    parameters: { each: 'parameter' },
    responses: { each: 'response' },
  },
  components: {},
  operation: { parameters, responses: 'responses' },
  parameter: { schema: 'schema' },
  response: { schema: 'schema' },
  header: {},
};

const PATTERNED = { paths: 'pathItem', responses: 'response', callback: 'pathItem' } as const;

const SECTIONS_30 = Object.fromEntries(
  Object.entries(PROPERTIES_30.components).map(([section, shape]) => [
    (shape as { each: ObjectKind }).each,
    `/components/${section}`,
  ]),
) as Grammar['sections'];
const SECTIONS_31 = { ...SECTIONS_30, pathItem: '/components/pathItems' };

const GRAMMARS: Readonly<Record<GrammarVersion, Grammar>> = {
  '2.0': {
    members: PROPERTIES_20,
    patterned: PATTERNED,
    keepsSiblings: false,
    sections: { schema: '/definitions', parameter: '/parameters', response: '/responses' },
  },
  '3.0': { members: PROPERTIES_30, patterned: PATTERNED, keepsSiblings: false, sections: SECTIONS_30 },
  '3.1': { members: PROPERTIES_31, patterned: PATTERNED, keepsSiblings: true, sections: SECTIONS_31 },
  '3.2': {
    members: PROPERTIES_32,
    patterned: PATTERNED,
    keepsSiblings: true,
    sections: { ...SECTIONS_31, mediaType: '/components/mediaTypes' },
  },
};

/** The version whose grammar a document follows: that of OpenAPI, or Swagger 2.0. */
export function grammarVersionOf(document: Pick<SourceDocument, 'root'>): GrammarVersion {
  return isSchemaObject(document.root) && document.root['swagger'] === '2.0' ? '2.0' : oasVersionOf(document);
}

export function grammarOf(version: GrammarVersion): Grammar {
  return GRAMMARS[version];
}

/** A place of the document where an object of a kind stands, or a reference to one. */
export interface VisitedObject {
  readonly kind: ObjectKind;
  readonly at: Located;
  /** The ways that values described here can travel. */
  readonly directions: readonly Direction[];
  /** The kind of the object that holds it, directly or in a map or list; `undefined` for the document. */
  readonly within: ObjectKind | undefined;
}

/** What an object is entered from. */
interface Around {
  readonly kind: ObjectKind | undefined;
  readonly directions: readonly Direction[];
}

/** Which way the values travel that an object describes; what is in none of these can travel both ways. */
const DIRECTIONS: Readonly<Partial<Record<ObjectKind, readonly Direction[]>>> = {
  parameter: ['request'],
  requestBody: ['request'],
  response: ['response'],
};

/**
 * Visits every object of a document where it stands, parents first, in the document's order. References are visited
 * and not followed, so that everything is visited once; data and extensions are not visited at all.
 */
function visitObjects(document: SourceDocument, visit: (visited: VisitedObject) => void): void {
  const { members: grammar, patterned: maps, keepsSiblings } = grammarOf(grammarVersionOf(document));
  const enter = (kind: ObjectKind, value: JsonValue, pointer: string, around: Around): void => {
    const directions = DIRECTIONS[kind] ?? around.directions;
    const visited = { kind, at: { value, pointer }, directions, within: around.kind };
    visit(visited);
    if (!isSchemaObject(value) || (referenceOf(value) !== undefined && !(keepsSiblings && kind === 'schema'))) return;
    const named = grammar[kind];
    const others = maps[kind];
    for (const name of Object.keys(value)) {
      const child = value[name];
      // Most properties are words of the object itself: no place is made for what is not entered.
      if (typeof child !== 'object') continue;
      const shape = Object.hasOwn(named, name) ? named[name] : name.startsWith('x-') ? undefined : others;
      if (shape !== undefined) enterShape(shape, child, joinPointer(pointer, name), visited);
    }
  };
  const enterShape = (shape: PropertyShape, value: JsonValue, pointer: string, around: Around): void => {
    if (typeof shape === 'string') {
      // A schema may be a boolean; other values in the place of an object are another rule's concern.
      if (isSchemaObject(value)) enter(shape, value, pointer, around);
    } else if ('each' in shape) {
      if (!isSchemaObject(value)) return;
      for (const name of Object.keys(value)) enter(shape.each, value[name] ?? null, joinPointer(pointer, name), around);
    } else if (Array.isArray(value)) {
      for (const [index, child] of value.entries()) enter(shape[0], child, joinPointer(pointer, index), around);
    } else if (isSchemaObject(value) && referenceOf(value) !== undefined) {
      // A reference in the place of a list, as one in the place of a map: visited as a property that is a text.
      enter(shape[0], value['$ref'] ?? null, joinPointer(pointer, '$ref'), around);
    }
  };
  enter('openapi', document.root, '', { kind: undefined, directions: ['request', 'response'] });
}

/** Every object of a document, for those who look at all of them more than once. */
export function visitedObjects(document: SourceDocument): VisitedObject[] {
  const objects: VisitedObject[] = [];
  visitObjects(document, (visited) => {
    objects.push(visited);
  });
  return objects;
}

/** The examples that stand in a schema itself: `example`, and from 3.1 on the list `examples`. */
export function ownExamples({ at, kind }: VisitedObject, keepsSiblings: boolean): Located[] {
  if (kind !== 'schema' || (referenceOf(at.value) !== undefined && !keepsSiblings)) return [];
  const single = fieldOf(at, 'example');
  const list = keepsSiblings ? itemsOf(fieldOf(at, 'examples')) : [];
  return single === undefined ? list : [single, ...list];
}
