import { buildModel } from '../../../src/openapi/model/api-model';
import { readSource } from '../../../src/openapi/read/read-source';
import { samplerOf } from '../../../src/payload/sampler/sampler';

/** What the sampler makes of a component, by the other ones. */
function sampled(name: string, schemas: object): unknown {
  const root = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, components: { schemas } };
  const api = buildModel(readSource(JSON.stringify(root), 'openapi.json'));
  const sample = samplerOf(api).sample(api.schemaAt(`/components/schemas/${name}`)!, {
    seed: '1',
    direction: 'response',
  });
  expect(sample).toMatchObject({ kind: 'made' });
  return sample.kind === 'made' ? sample.value : undefined;
}

const TREE = {
  $id: 'https://example.com/tree',
  $dynamicAnchor: 'node',
  type: 'object',
  required: ['data', 'children'],
  properties: { data: { type: 'integer' }, children: { type: 'array', minItems: 0, items: { $dynamicRef: '#node' } } },
};
const LABELLED = {
  $id: 'https://example.com/labelled',
  $dynamicAnchor: 'node',
  $ref: 'tree',
  type: 'object',
  required: ['label'],
  properties: { label: { type: 'string' } },
  unevaluatedProperties: false,
};

interface Node {
  readonly children: readonly Node[];
}

test('a tree whose nodes are generic is made of the nodes of where it began', () => {
  const labelled = sampled('Labelled', { Tree: TREE, Labelled: LABELLED }) as Node;
  expect(labelled.children.length).toBeGreaterThan(0);
  for (const child of [labelled, ...labelled.children]) {
    expect(child).toMatchObject({ data: expect.any(Number) as number, label: expect.any(String) as string });
  }
  const tree = sampled('Tree', { Tree: TREE, Labelled: LABELLED }) as Node;
  expect(tree.children.length).toBeGreaterThan(0);
  for (const child of tree.children) expect(child).not.toHaveProperty('label');
});

test('a generic list has the items that are chosen for it, through a reference as well', () => {
  const schemas = {
    List: {
      $id: 'https://example.com/list',
      type: 'array',
      minItems: 1,
      items: { $dynamicRef: '#item' },
      $defs: { any: { $dynamicAnchor: 'item' } },
    },
    Numbers: {
      $id: 'https://example.com/numbers',
      $ref: 'list',
      $defs: { number: { $dynamicAnchor: 'item', type: 'integer', minimum: 10 } },
    },
    Page: { type: 'object', required: ['numbers'], properties: { numbers: { $ref: '#/components/schemas/Numbers' } } },
  };
  const { numbers } = sampled('Page', schemas) as { numbers: readonly number[] };
  expect(numbers.length).toBeGreaterThan(0);
  for (const number of numbers) expect(number).toBeGreaterThanOrEqual(10);
});

test('references by anchor and by id are followed', () => {
  const schemas = {
    Money: { $anchor: 'money', type: 'object', required: ['cents'], properties: { cents: { type: 'integer' } } },
    Book: {
      $id: 'https://example.com/book',
      type: 'object',
      required: ['pages'],
      properties: { pages: { $ref: '#/$defs/count' } },
      $defs: { count: { type: 'integer', minimum: 7 } },
    },
    Order: {
      type: 'object',
      required: ['price', 'book'],
      properties: { price: { $ref: '#money' }, book: { $ref: 'https://example.com/book' } },
    },
  };
  expect(sampled('Order', schemas)).toMatchObject({
    price: { cents: expect.any(Number) as number },
    book: { pages: expect.any(Number) as number },
  });
});
