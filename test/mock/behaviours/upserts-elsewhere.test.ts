import { smallMock } from './small-mock';

const body = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const crud = (path: string, thing: string): string => `
  ${path}:
    get: { responses: { '200': { description: all, ${body(`{ type: object, properties: { data: { type: array, items: ${thing} } } }`)} } } }
    post:
      requestBody: { ${body(`{ type: object, properties: { data: ${thing} } }`)} }
      responses: { '201': { description: made, ${body(`{ type: object, properties: { data: ${thing} } }`)} } }
  ${path}/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: one, ${body(`{ type: object, properties: { data: ${thing} } }`)} } } }`;
const upsert = (path: string, thing: string, words: string): string => `
  ${path}:
    post:
      summary: ${words}
      requestBody: { ${body(`{ type: object, properties: { data: ${thing} } }`)} }
      responses:
        '200': { description: changed, ${body(`{ type: object, properties: { data: ${thing} } }`)} }
        '201': { description: made, ${body(`{ type: object, properties: { data: ${thing} } }`)} }`;
const RESOURCE = (type: string): string =>
  `{ type: object, required: [type], properties: { type: { type: string, enum: [${type}] }, id: { type: string }, attributes: { type: object, properties: { email: { type: string, nullable: true }, name: { type: string, nullable: true }, town: { type: string } } } } }`;
const PLAIN = "{ $ref: '#/components/schemas/Lamp' }";

const DOCUMENT = `paths:${crud('/guests', RESOURCE('guest'))}${crud('/hosts', RESOURCE('host'))}${upsert(
  '/guest-import',
  RESOURCE('guest'),
  'Create or update a guest',
)}${upsert('/guest-check', RESOURCE('guest'), 'Check a guest')}${crud('/lamps', PLAIN)}${upsert(
  '/lamp-sync',
  PLAIN,
  'Upsert lamp',
)}
components:
  schemas:
    Lamp: { type: object, required: [id], properties: { id: { type: string }, sku: { type: string }, colour: { type: string }, watts: { type: integer } } }
`;

interface Guest {
  readonly id: string;
  readonly attributes: object;
}

test('what is found by its key or by its address is changed, and what is not found is made', async () => {
  const { send } = smallMock(DOCUMENT);
  const post = async (path: string, data: object): Promise<{ status: number; data: Guest }> => {
    const { status, body: answer } = await send('POST', path, { data: { type: 'guest', ...data } });
    return { status, data: (answer as unknown as { data: Guest }).data };
  };
  const { data: ada } = await post('/guests', { attributes: { email: 'ada@example.com', name: 'Ada', town: 'Bern' } });
  const byKey = await post('/guest-import', { id: ada.id, attributes: { name: 'Ada L' } });
  expect([byKey.status, byKey.data.id]).toEqual([200, ada.id]);
  const byAddress = await post('/guest-import', { attributes: { email: 'ada@example.com', town: 'Basel' } });
  expect([byAddress.status, byAddress.data.id]).toEqual([200, ada.id]);
  const { body: read } = await send('GET', `/guests/${ada.id}`);
  expect(read).toMatchObject({ data: { attributes: { email: 'ada@example.com', name: 'Ada L', town: 'Basel' } } });
  const made = await post('/guest-import', { attributes: { email: 'bob@example.com' } });
  expect(made.status).toBe(201);
  expect((await send('GET', `/guests/${made.data.id}`)).body).toMatchObject({
    data: { attributes: { email: 'bob@example.com' } },
  });
});

test('what says nothing of making or changing stores nothing', async () => {
  const { send } = smallMock(DOCUMENT);
  await send('POST', '/guest-check', { data: { type: 'guest', attributes: { name: 'Cy' } } });
  expect((await send('GET', '/guests')).body).toEqual({ data: [] });
});

test('plain items are found in the same way', async () => {
  const { send } = smallMock(DOCUMENT);
  const first = await send('POST', '/lamp-sync', { data: { id: 'x', sku: 'A-1', colour: 'red', watts: 9 } });
  const second = await send('POST', '/lamp-sync', { data: { id: 'y', sku: 'A-1', colour: 'blue' } });
  expect([first.status, second.status]).toEqual([201, 200]);
  expect((await send('GET', '/lamps')).body).toMatchObject({ data: [{ sku: 'A-1', colour: 'blue', watts: 9 }] });
});
