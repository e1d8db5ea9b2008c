import { createPayloadSource } from '../../../src/payload/payload-source';
import { smallMock, type SmallMock } from './small-mock';

const body = "content: { application/json: { schema: { $ref: '#/components/schemas/Things' } } }";
const ok = `responses: { '200': { description: ok, ${body} } }`;
const takes = `requestBody: { required: true, ${body} }`;

/** Items are read and written in the envelope of the list. */
function mockOf(page = ''): SmallMock {
  return smallMock(`
paths:
  /Things:
    get: { ${ok} }
    post: { ${takes}, ${ok} }
  /Things/{ThingID}:
    parameters: [{ name: ThingID, in: path, required: true, schema: { type: string, format: uuid } }]
    get: { ${ok} }
    post: { ${takes}, ${ok} }
    patch: { ${takes}, ${ok} }
    put: { ${takes}, ${ok} }
    delete: { responses: { '204': { description: gone } } }
components:
  schemas:
    Things: { type: object, properties: { Things: { type: array, items: { $ref: '#/components/schemas/Thing' } }${page} } }
    Thing: { type: object, properties: { ThingID: { type: string, format: uuid, readOnly: true }, Name: { type: string }, Size: { type: integer } } }
`);
}

test.each([
  { beside: 'nothing', page: '' },
  { beside: 'a page', page: ', page: { type: integer }' },
])('an item in a list of one, with $beside beside it, is read and written there', async ({ page }) => {
  const { send } = mockOf(page);
  await send('POST', '/Things', { Things: [{ Name: 'a', Size: 1 }] });
  await send('POST', '/Things', { Things: [{ Name: 'b' }] });
  const { body: all } = await send('GET', '/Things');
  const things = (all as unknown as { Things: { ThingID: string; Name: string }[] }).Things;
  expect(things).toMatchObject([{ Name: 'a' }, { Name: 'b' }]);
  const { ThingID } = things[0]!;
  const at = `/Things/${ThingID}`;
  expect((await send('GET', at)).body).toMatchObject({ Things: [{ ThingID, Name: 'a', Size: 1 }] });
  expect((await send('POST', at, { Things: [{ Name: 'c' }] })).body).toMatchObject({
    Things: [{ ThingID, Name: 'c', Size: 1 }],
  });
  expect((await send('PATCH', at, { Things: [{ Size: 2 }] })).body).toMatchObject({
    Things: [{ ThingID, Name: 'c', Size: 2 }],
  });
  expect((await send('PUT', at, { Things: [{ Name: 'd' }] })).body).toMatchObject({ Things: [{ ThingID, Name: 'd' }] });
  expect((await send('DELETE', at)).status).toBe(204);
  expect((await send('GET', at)).status).toBe(404);
});

test('a variable that no property of the rows shows chooses among lists', async () => {
  const { send } = smallMock(
    `
paths:
  /Things:
    get: { ${ok} }
    post: { ${takes}, ${ok} }
  /Things/{colour}:
    parameters: [{ name: colour, in: path, required: true, schema: { type: string } }]
    get: { ${ok} }
components:
  schemas:
    Things: { type: object, properties: { total: { type: integer }, Things: { type: array, items: { $ref: '#/components/schemas/Thing' } } } }
    Thing: { type: object, properties: { ThingID: { type: integer, readOnly: true }, Name: { type: string } } }
`,
    {
      payloads: (api) =>
        createPayloadSource({
          api,
          generator: () => {
            throw new Error('Nothing else makes bodies here');
          },
        }),
    },
  );
  expect((await send('GET', '/Things/red')).status).toBe(200);
});

test('the row of an item may have more than the rows of the list', async () => {
  const rows = (name: string): string =>
    `content: { application/json: { schema: { type: object, properties: { result: { type: array, items: { $ref: '#/components/schemas/${name}' } } } } } }`;
  const one = `content: { application/json: { schema: { $ref: '#/components/schemas/Whole' } } }`;
  const { send } = smallMock(`
paths:
  /keys:
    get: { responses: { '200': { description: ok, ${rows('Row')} } } }
    post: { requestBody: { ${one} }, responses: { '201': { description: made, ${one} } } }
  /keys/{key_id}:
    parameters: [{ name: key_id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: ok, ${rows('Whole')} } } }
components:
  schemas:
    Row: { type: object, properties: { key_id: { type: string }, name: { type: string } } }
    Whole: { type: object, properties: { key_id: { type: string, readOnly: true }, name: { type: string }, scopes: { type: array, items: { type: string } } } }
`);
  const { body } = await send('POST', '/keys', { name: 'a', scopes: ['x'] });
  const { key_id, ...rest } = body as unknown as { key_id: string };
  expect(rest).toEqual({ name: 'a', scopes: ['x'] });
  expect((await send('GET', `/keys/${key_id}`)).body).toEqual({ result: [body] });
  expect((await send('GET', '/keys')).body).toEqual({ result: [{ key_id, name: 'a' }] });
});
