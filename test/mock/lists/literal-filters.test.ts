import { isJsonObject, ownProperty } from '../../../src/core/json/json-value';
import { list, object, smallApi, text } from '../../support/small-api';
import { mockOfDocument, smallMock } from '../behaviours/small-mock';

const LAMP = "{ $ref: '#/components/schemas/Lamp' }";

const lamps = (parameters: string, total = 'total'): string => `paths:
  /lamps:
    get:
      parameters: [${parameters}]
      responses:
        '200':
          description: all
          content:
            application/json:
              schema: { type: object, required: [${total}], properties: { lamps: { type: array, items: ${LAMP} }, ${total}: { type: integer, example: 3 } } }
    post:
      requestBody: { content: { application/json: { schema: ${LAMP} } } }
      responses: { '201': { description: made, content: { application/json: { schema: ${LAMP} } } } }
  /lamps/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: one, content: { application/json: { schema: ${LAMP} } } } }
components:
  schemas:
    Lamp:
      type: object
      properties:
        id: { type: string, readOnly: true }
        name: { type: string }
        room: { type: object, properties: { id: { type: string } } }
`;
const query = (name: string, more = ''): string => `{ name: ${name}, in: query, schema: { type: string }${more} }`;

async function withLamps(description: string): Promise<(query: string) => Promise<{ names: string[]; body: unknown }>> {
  const { send } = smallMock(description);
  for (const name of ['red', 'green', '*', '', 'all'])
    await send('POST', '/lamps', { name, room: { id: name === 'red' ? '*' : 'r' } });
  return async (text) => {
    const { body, status } = await send('GET', `/lamps${text}`);
    if (status !== 200 || !isJsonObject(body)) return { names: [String(status)], body };
    return { names: (ownProperty(body, 'lamps') as { name: string }[]).map(({ name }) => name), body };
  };
}

test.each([
  ['?name=*', ['*']],
  ['?name=%2A', ['*']],
  ['?name=', ['']],
  ['?name=all', ['all']],
  ['?room=*', ['red']],
  ['?name=nobody', []],
])('a filter means its value literally: %s', async (text, names) => {
  const list = await withLamps(lamps(`${query('name')}, ${query('room')}`));
  expect((await list(text)).names).toEqual(names);
});

test.each([', description: "The name, `*` for every name"', ', description: "Use \'*\' as a wildcard"'])(
  'a wildcard that the description offers means every item%s',
  async (words) => {
    const list = await withLamps(lamps(query('name', words)));
    expect((await list('?name=*')).names).toHaveLength(5);
  },
);

test.each([
  ['{ name: name, in: query, schema: { type: array, items: { type: string } } }', '?name=red&name=*'],
  ['{ name: name, in: query, explode: false, schema: { type: array, items: { type: string } } }', '?name=red,*'],
])('several values of a filter are alternatives', async (parameter, text) => {
  expect((await (await withLamps(lamps(parameter)))(text)).names).toEqual(['red', '*']);
});

test('the same parameter twice is not the first or the last alone', async () => {
  const list = await withLamps(lamps(query('name')));
  expect((await list('?name=red&name=green')).names).toEqual(['400']);
});

test.each([
  'sum',
  'size',
  'count',
  'total',
  'numItems',
  'totalSum',
  'lampCount',
  'lampsTotal',
  'numberOfLamps',
  'lamp_total_count',
])('%s agrees with the rows', async (name) => {
  const list = await withLamps(lamps(query('name'), name));
  const all = await list('');
  const some = await list('?name=red');
  const told = [all, some].map(({ body }) => (isJsonObject(body as never) ? ownProperty(body as never, name) : 0));
  expect(told).toEqual([5, 1]);
});

test('a parameter that is said to include fields leaves out no item', async () => {
  const sealed = { type: 'boolean', default: true };
  const description = 'Whether to include the "sealed" and "size" fields.';
  const api = smallApi({
    'GET /jars': {
      parameters: [{ name: 'sealed', in: 'query', description, schema: sealed }],
      answers: { 200: list(object({ id: text, sealed: { type: 'boolean' } })) },
    },
    'POST /jars': { body: object({ sealed: { type: 'boolean' } }), answers: { 201: object({ id: text }) } },
    'GET /jars/{id}': { answers: { 200: object({ id: text, sealed: { type: 'boolean' } }) } },
  });
  const { send } = mockOfDocument(api);
  for (const each of [true, false]) await send('POST', '/jars', { sealed: each });
  expect((await send('GET', '/jars')).body).toHaveLength(2);
});
