/** The objects of OAS 3.0.3 §4.7 that hold, or may be, references and schemas; those without either are left out. */
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

const schemas = ['schema'] as const;
const parameters = ['parameter'] as const;
const operations = Object.fromEntries(
  (['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const).map((method) => [
    method,
    'operation' as const,
  ]),
);

/**
 * The members that lead from object to object. Everything else is text, data (`example`, `default`, `enum`, the value of
 * an Example Object) or an extension, where a member called `$ref` means nothing.
 */
export const MEMBERS: Readonly<Record<ObjectKind, Readonly<Record<string, MemberShape>>>> = {
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
  parameter: { schema: 'schema', examples: { each: 'example' }, content: { each: 'mediaType' } },
  requestBody: { content: { each: 'mediaType' } },
  mediaType: { schema: 'schema', examples: { each: 'example' }, encoding: { each: 'encoding' } },
  encoding: { headers: { each: 'header' } },
  responses: {},
  response: { headers: { each: 'header' }, content: { each: 'mediaType' }, links: { each: 'link' } },
  callback: {},
  example: {},
  link: {},
  header: { schema: 'schema', examples: { each: 'example' }, content: { each: 'mediaType' } },
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

/** Objects whose own members are a map, extensions (`x-…`) aside. */
export const PATTERNED_MEMBERS: Readonly<Partial<Record<ObjectKind, ObjectKind>>> = {
  paths: 'pathItem',
  responses: 'response',
  callback: 'pathItem',
};
