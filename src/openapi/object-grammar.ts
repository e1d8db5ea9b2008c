import { isSchemaObject } from '../json-schema/schema';
import { oasVersionOf, type OasVersion } from './oas-version';
import type { SourceDocument } from './source-document';

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

/** What a member holds: one object, a list of them, or a map whose names are anybody's. */
export type MemberShape = ObjectKind | readonly [ObjectKind] | { readonly each: ObjectKind };

type Members = Readonly<Record<string, MemberShape>>;

/** What a version of OpenAPI lets stand where. */
export interface Grammar {
  /**
   * The members that lead from object to object. Everything else is text, data (`example`, `default`, `enum`, the value
   * of an Example Object) or an extension, where a member called `$ref` means nothing.
   */
  readonly members: Readonly<Record<ObjectKind, Members>>;
  /** Objects whose own members are a map, extensions (`x-…`) aside. */
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
const withValues: Members = { schema: 'schema', examples: { each: 'example' }, content: { each: 'mediaType' } };

const MEMBERS_30: Grammar['members'] = {
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
const SCHEMA_2020: Members = {
  ...MEMBERS_30.schema,
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

const MEMBERS_31: Grammar['members'] = {
  ...MEMBERS_30,
  openapi: { ...MEMBERS_30.openapi, webhooks: { each: 'pathItem' } },
  components: { ...MEMBERS_30.components, pathItems: { each: 'pathItem' } },
  schema: SCHEMA_2020,
};

const MEMBERS_32: Grammar['members'] = {
  ...MEMBERS_31,
  components: { ...MEMBERS_31.components, mediaTypes: { each: 'mediaType' } },
  pathItem: { ...MEMBERS_31.pathItem, query: 'operation', additionalOperations: { each: 'operation' } },
  mediaType: {
    ...MEMBERS_31.mediaType,
    itemSchema: 'schema',
    prefixEncoding: ['encoding'],
    itemEncoding: 'encoding',
  },
  encoding: {
    ...MEMBERS_31.encoding,
    encoding: { each: 'encoding' },
    prefixEncoding: ['encoding'],
    itemEncoding: 'encoding',
  },
};

/** Swagger 2.0: schemas stand in bodies and responses, and items of parameters look like schemas. */
const MEMBERS_20: Grammar['members'] = {
  ...MEMBERS_30,
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
  Object.entries(MEMBERS_30.components).map(([section, shape]) => [
    (shape as { each: ObjectKind }).each,
    `/components/${section}`,
  ]),
) as Grammar['sections'];
const SECTIONS_31 = { ...SECTIONS_30, pathItem: '/components/pathItems' };

const GRAMMARS: Readonly<Record<GrammarVersion, Grammar>> = {
  '2.0': {
    members: MEMBERS_20,
    patterned: PATTERNED,
    keepsSiblings: false,
    sections: { schema: '/definitions', parameter: '/parameters', response: '/responses' },
  },
  '3.0': { members: MEMBERS_30, patterned: PATTERNED, keepsSiblings: false, sections: SECTIONS_30 },
  '3.1': { members: MEMBERS_31, patterned: PATTERNED, keepsSiblings: true, sections: SECTIONS_31 },
  '3.2': {
    members: MEMBERS_32,
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
