import { responseDocument } from '../../src/prism/response-document';
import { createPrismGenerator } from '../../src/prism/prism-generator';
import { getting, loadModel, modelOf } from './weather';

function documentOf(schema: object, schemas?: object, version?: string): ReturnType<typeof responseDocument> {
  const api = modelOf({ '/it': getting('it', schema) }, schemas, version);
  return responseDocument(api, api.operationById('it')!.responses.get('200')!.content[0]!.schema!);
}

const copyOf = (schema: object, schemas?: object, version?: string): unknown =>
  documentOf(schema, schemas, version).components.schemas['schema0'];

test('holds the schemas of one response, each once, and refers to nothing else', () => {
  const api = loadModel();
  const forecast = api.operationById('getForecast')!.responses.get('200')!.content[0]!.schema!;
  const weather = expect.objectContaining({ type: 'object', required: ['city', 'celsius'] });
  expect(responseDocument(api, forecast)).toEqual({
    openapi: '3.0.3',
    info: { title: 'Weather', version: '1.0' },
    paths: {
      '/': {
        get: {
          responses: {
            '200': {
              description: '',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/schema0' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        schema0: { type: 'array', minItems: 2, maxItems: 5, items: { $ref: '#/components/schemas/schema1' } },
        schema1: weather,
      },
    },
  });
});

test('is plain data that survives the way to a worker, numbers of any size included', () => {
  const api = loadModel();
  const reading = api.operationById('addReading')!.responses.get('201')!.content[0]!.schema!;
  const document = responseDocument(api, reading);
  expect(structuredClone(document)).toEqual(document);
  expect(document.components.schemas['schema0']!['properties']).toMatchObject({
    id: { maximum: 2 ** 63 },
    exact: { minimum: 2.5, maximum: 2.75 },
  });
});

test('keeps what decides about values and leaves the rest behind', () => {
  const constraints = { type: 'string', nullable: true, minLength: 1, pattern: '^a', 'x-faker': 'name.firstName' };
  const rest = {
    title: 'T',
    description: 'D',
    default: 'a',
    externalDocs: { url: 'http://localhost' },
    'x-other': 1,
    deprecated: true,
  };
  expect(copyOf({ ...constraints, ...rest })).toEqual(constraints);
});

test('copies schemas wherever they stand', () => {
  const schema = {
    allOf: [{ type: 'object', properties: { a: { type: 'string', title: 'T' } } }],
    anyOf: [{ title: 'T', required: ['a'] }],
    oneOf: [{ title: 'T', minProperties: 1 }],
    not: { title: 'T', type: 'string' },
    additionalProperties: { title: 'T', type: 'array', items: { title: 'T', type: 'boolean' } },
  };
  expect(copyOf(schema)).toEqual({
    allOf: [{ type: 'object', properties: { a: { type: 'string' } } }],
    anyOf: [{ required: ['a'] }],
    oneOf: [{ minProperties: 1 }],
    not: { type: 'string' },
    additionalProperties: { type: 'array', items: { type: 'boolean' } },
  });
});

test('leaves out what is write-only, also behind a reference and below allOf', () => {
  const schema = {
    allOf: [
      {
        type: 'object',
        required: ['name', 'password'],
        properties: { name: { type: 'string' }, password: { $ref: '#/components/schemas/Secret' } },
      },
    ],
  };
  expect(copyOf(schema, { Secret: { type: 'string', writeOnly: true } })).toEqual({
    allOf: [{ type: 'object', required: ['name'], properties: { name: { type: 'string' } } }],
  });
});

test('keeps what stands beside a reference, from OpenAPI 3.1 on', () => {
  const schema = {
    type: 'object',
    properties: {
      count: { $ref: '#/components/schemas/Count', minimum: 5 },
      said: { $ref: '#/components/schemas/Count', description: 'How many' },
      secret: { $ref: '#/components/schemas/Count', writeOnly: true },
    },
  };
  const reference = { $ref: '#/components/schemas/schema1' };
  expect(copyOf(schema, { Count: { type: 'integer' } }, '3.1.0')).toEqual({
    type: 'object',
    properties: { count: { allOf: [reference, { minimum: 5 }] }, said: reference },
  });
});

test('keeps the example of a schema when it is valid', () => {
  const properties = {
    right: { type: 'integer', example: 7 },
    wrong: { type: 'integer', example: 'seven' },
    shaped: { type: 'object', example: { $ref: '#/x' } },
  };
  expect(copyOf({ type: 'object', properties })).toEqual({
    type: 'object',
    properties: { right: { type: 'integer', example: 7 }, wrong: { type: 'integer' }, shaped: { type: 'object' } },
  });
});

test('leaves out an optional member that leads back, and keeps a required one', () => {
  const Node = {
    type: 'object',
    required: ['up'],
    properties: {
      up: { $ref: '#/components/schemas/Node' },
      down: { $ref: '#/components/schemas/Node' },
      all: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      side: { $ref: '#/components/schemas/Side' },
    },
  };
  const Side = { type: 'object', properties: { of: { $ref: '#/components/schemas/Node' }, at: { type: 'integer' } } };
  const { schemas } = documentOf({ $ref: '#/components/schemas/Node' }, { Node, Side }).components;
  expect(schemas).toEqual({
    schema0: {
      type: 'object',
      required: ['up'],
      properties: { up: { $ref: '#/components/schemas/schema0' }, side: { $ref: '#/components/schemas/schema1' } },
    },
    schema1: { type: 'object', properties: { at: { type: 'integer' } } },
  });
});

test('holds no reference out of the document', () => {
  const properties = {
    far: { $ref: 'http://localhost/x.json' },
    file: { $ref: 'other.yaml#/a' },
    $ref: { type: 'string' },
  };
  expect(copyOf({ type: 'object', properties })).toEqual({
    type: 'object',
    properties: { far: { type: 'object' }, file: { type: 'object' }, $ref: { type: 'string' } },
  });
});

test('keeps members with names of methods and of JSON Schema keywords', async () => {
  const properties = Object.fromEntries(
    ['constructor', 'toString', 'type', 'enum', 'properties', 'items', '$ref'].map((name) => [
      name,
      { type: 'integer' },
    ]),
  );
  const required = Object.keys(properties);
  const api = modelOf({ '/it': getting('it', { type: 'object', required, properties }) });
  const made = await createPrismGenerator(api).generate(api.operationById('it')!, 200);
  expect(made).toMatchObject({ kind: 'generated' });
});
