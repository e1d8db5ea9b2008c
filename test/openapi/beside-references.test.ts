import { buildModel, type ApiModel } from '../../src/openapi/model/api-model';
import type { Parameter } from '../../src/openapi/model/operation';
import { readSource } from '../../src/openapi/read/read-source';
import { nestedSchemas, partsOf, shapeOf } from '../../src/openapi/view/schema-shape';
import { viewOf } from '../../src/openapi/view/schema-view';

const ref = (name: string, beside: object = {}): object => ({ $ref: `#/components/schemas/${name}`, ...beside });

const SCHEMAS = {
  Text: { type: 'string', default: 'a', enum: ['a', 'b'] },
  Texts: { type: 'array', items: { type: 'string' } },
  Range: { type: 'object', properties: { from: { type: 'integer' } } },
};

function modelOf(query: Readonly<Record<string, object>>, openapi: string, schemas: object = SCHEMAS): ApiModel {
  const parameters = Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema }));
  const paths = { '/things': { get: { parameters, responses: { '200': { description: 'ok' } } } } };
  const document = { openapi, info: { title: 'Things', version: '1' }, paths, components: { schemas } };
  return buildModel(readSource(JSON.stringify(document), 'things.json'));
}

function parametersOf(openapi: string): Parameter[] {
  const query = {
    word: ref('Text', { default: 'b', description: 'The word' }),
    words: ref('Texts', { items: ref('Text', { maxLength: 1 }) }),
    range: ref('Range', { properties: { to: { type: 'integer' } }, additionalProperties: { type: 'boolean' } }),
    any: { anyOf: [ref('Texts', { minItems: 1 }), { type: 'null' }] },
  };
  return [...modelOf(query, openapi).operations[0]!.parameters];
}

test('from OpenAPI 3.1 on, text is read by what stands beside a reference and by what it leads to', () => {
  const [word, words, range, any] = parametersOf('3.1.0');
  expect(word).toMatchObject({ defaultValue: 'b', description: 'The word', schema: { value: { enum: ['a', 'b'] } } });
  expect(words!.shape.kind).toBe('array');
  expect(words!.items).toMatchObject({ type: 'string', enum: ['a', 'b'], maxLength: 1 });
  expect(range!.shape.names).toStrictEqual(['to', 'from']);
  expect(range!.shape.property('to')?.scalars).toStrictEqual(['integer']);
  expect(range!.shape.property('x')?.scalars).toStrictEqual(['boolean']);
  expect(any!.items).toMatchObject({ type: 'string' });
});

test('in OpenAPI 3.0 it is read by what the reference leads to alone', () => {
  const [word, words, range] = parametersOf('3.0.3');
  expect(word).toMatchObject({ defaultValue: 'a', schema: { value: SCHEMAS.Text } });
  expect(words!.items).toStrictEqual({ type: 'string' });
  expect(range!.shape.names).toStrictEqual(['from']);
});

test('items, map values and branches are found beside a reference and behind it', () => {
  const api = modelOf({}, '3.1.0', {
    ...SCHEMAS,
    Texted: ref('Texts', { required: ['x'] }),
    Listed: ref('Text', { items: ref('Range') }),
    Mapped: ref('Map', { oneOf: [ref('Range')] }),
    Map: { type: 'object', additionalProperties: ref('Range', { required: ['from'] }) },
  });
  const view = viewOf(api);
  const at = (name: string) => view.at({ value: ref(name) as never, pointer: `/${name}` })!;
  expect(view.items(at('Texted'))?.pointer).toBe('/components/schemas/Texts/items');
  expect(view.items(at('Listed'))).toBeUndefined();
  expect(view.mapValues(at('Map'))?.pointer).toBe('/components/schemas/Map/additionalProperties');
  expect(view.properties(view.mapValues(at('Map'))!).get('from')).toMatchObject({ required: true });
  expect(view.alternatives(at('Mapped')).map(({ pointer }) => pointer)).toStrictEqual(['/components/schemas/Range']);
});

test('a circle of references with keywords beside them ends', () => {
  const api = modelOf({}, '3.1.0', {
    A: ref('B', { properties: { a: ref('A', { properties: { c: { type: 'string' } } }) } }),
    B: ref('A', { properties: { b: { type: 'array', items: ref('B', { required: ['a'] }) } } }),
    Own: ref('Own', { required: ['a'] }),
  });
  const schema = api.schemaAt('/components/schemas/A')!;
  expect([...api.propertiesOf(schema).keys()]).toStrictEqual(['b', 'a']);
  expect(partsOf(api, [schema]).map(({ pointer }) => pointer)).toStrictEqual([
    '/components/schemas/A',
    '/components/schemas/B',
  ]);
  expect([...shapeOf(api, [schema]).properties.keys()]).toStrictEqual(['a', 'b']);
  expect([...nestedSchemas(api, [schema])].length).toBeLessThan(10);
  const view = viewOf(api);
  expect([...view.properties(view.unwrap(schema)!).keys()]).toStrictEqual(['b', 'a']);
  expect(view.unwrap(api.schemaAt('/components/schemas/Own'))?.pointer).toBe('/components/schemas/Own');
});
