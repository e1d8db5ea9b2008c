import { exportState, StateRedactor } from '../../../src/mock/sandbox/state-export';
import { smallMock, type SmallMock } from './small-mock';

const THING = "{ $ref: '#/components/schemas/Thing' }";
const SECRETIVE = THING.replace(' }', ', properties: { cvv: { type: string, writeOnly: true } } }');

/** @param options - the version; schemas of a thing in responses, when they are not the same as in requests */
function things(
  schemas: string,
  { version = '3.1.0', all = THING, made = THING, one = THING }: Readonly<Record<string, string>> = {},
): SmallMock {
  return smallMock(
    `
paths:
  /things:
    get: { responses: { '200': { description: all, content: { application/json: { schema: { type: array, items: ${all} } } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses: { '201': { description: new, content: { application/json: { schema: ${made} } } } }
  /things/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: one, content: { application/json: { schema: ${one} } } } }
components:
  schemas:
    Base: { type: object, properties: { name: { type: string } } }
    Alias: { $ref: '#/components/schemas/Base', description: The same }
    Secretive: { $ref: '#/components/schemas/Base', properties: { cvv: { type: string, writeOnly: true } } }
    Card: { type: object, properties: { brand: { type: string }, cvv: { type: string, writeOnly: true } } }
    Thing:
      type: object
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string }
${schemas}
`,
    { version },
  );
}

const card = { brand: 'b', cvv: '4711' };

const HIDDEN: readonly (readonly [string, string, object, object])[] = [
  [
    'maps beside a reference in items',
    "lists: { type: array, items: { $ref: '#/components/schemas/Base', additionalProperties: { $ref: '#/components/schemas/Card' } } }",
    { lists: [{ own: card }] },
    { lists: [{ own: { brand: 'b' } }] },
  ],
  [
    'properties beside a reference in items',
    "lists: { type: array, items: { $ref: '#/components/schemas/Base', properties: { cvv: { type: string, writeOnly: true } } } }",
    { lists: [{ name: 'a', cvv: '4711' }] },
    { lists: [{ name: 'a' }] },
  ],
  [
    'properties beside a reference in additionalProperties',
    "map: { type: object, additionalProperties: { $ref: '#/components/schemas/Alias', properties: { card: { $ref: '#/components/schemas/Card' } } } }",
    { map: { own: { name: 'a', card } } },
    { map: { own: { name: 'a', card: { brand: 'b' } } } },
  ],
  [
    'properties beside a reference in a property',
    "one: { $ref: '#/components/schemas/Base', properties: { cvv: { type: string, writeOnly: true } } }",
    { one: { name: 'a', cvv: '4711' } },
    { one: { name: 'a' } },
  ],
  [
    'properties beside a reference that another one leads to',
    "one: { $ref: '#/components/schemas/Secretive' }",
    { one: { name: 'a', cvv: '4711' } },
    { one: { name: 'a' } },
  ],
  [
    'properties beside a reference in a part of an allOf',
    "one: { allOf: [{ $ref: '#/components/schemas/Secretive', description: One }, { type: object }] }",
    { one: { name: 'a', cvv: '4711' } },
    { one: { name: 'a' } },
  ],
  [
    'items beside a reference to a list',
    "lists: { $ref: '#/components/schemas/Thing/properties/any', items: { $ref: '#/components/schemas/Card' } }\n        any: { type: array }",
    { lists: [card] },
    { lists: [{ brand: 'b' }] },
  ],
  [
    'a branch beside a reference',
    "one: { $ref: '#/components/schemas/Base', anyOf: [{ $ref: '#/components/schemas/Card' }] }",
    { one: { name: 'a', ...card } },
    { one: { name: 'a', brand: 'b' } },
  ],
  [
    'a reference with properties beside it that leads back to itself',
    "one: { $ref: '#/components/schemas/Thing', properties: { cvv: { type: string, writeOnly: true } } }",
    { one: { name: 'a', cvv: '4711', one: { name: 'b', cvv: '4711' } } },
    { one: { name: 'a', one: { name: 'b' } } },
  ],
];

test.each(HIDDEN)('nobody is shown what is write-only in %s', async (_, property, sent, shown) => {
  const { send, mock } = things(`        ${property}`);
  const made = await send('POST', '/things', { name: 'x', ...sent });
  expect([made.status, made.body]).toEqual([201, { id: 1, name: 'x', ...shown }]);
  const state = mock.engine.sandboxes.main.snapshot();
  const places = [
    made.body,
    (await send('GET', '/things')).body,
    (await send('GET', '/things/1')).body,
    exportState(state, new StateRedactor(mock.resources)),
    mock.engine.sandboxes.main.journal.entries().map((entry) => new StateRedactor(mock.resources).entry(entry).changes),
  ];
  for (const place of places) expect(JSON.stringify(place)).not.toContain('4711');
  expect(JSON.stringify(exportState(state))).toContain('4711');
});

test('what stands beside the reference to the item itself is write-only as well', async () => {
  const { send } = things('        cvv: { type: string }', { all: SECRETIVE, made: SECRETIVE, one: SECRETIVE });
  const made = await send('POST', '/things', { name: 'x', cvv: '4711' });
  expect([made.status, made.body]).toEqual([201, { id: 1, name: 'x' }]);
  expect((await send('GET', '/things')).body).toEqual([{ id: 1, name: 'x' }]);
  expect((await send('GET', '/things/1')).body).toEqual({ id: 1, name: 'x' });
});

test.each(['all', 'made', 'one'])('so it is where one response alone says so: %s', async (secretive) => {
  const { send } = things('        cvv: { type: string }', { [secretive]: SECRETIVE });
  const made = await send('POST', '/things', { name: 'x', cvv: '4711' });
  const [all, one] = [await send('GET', '/things'), await send('GET', '/things/1')];
  expect(JSON.stringify({ all, made, one }[secretive]?.body)).not.toContain('4711');
});

test('in OpenAPI 3.0 nothing beside a reference counts', async () => {
  const [, property, sent] = HIDDEN[3]!;
  const { send } = things(`        ${property}`, { version: '3.0.3' });
  expect((await send('POST', '/things', { name: 'x', ...sent })).body).toEqual({ id: 1, name: 'x', ...sent });
});
