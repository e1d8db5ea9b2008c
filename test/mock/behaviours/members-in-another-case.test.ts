import { smallMock } from './small-mock';

const ok = (schema: string): string =>
  `{ description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/${schema}' } } } }`;
const takes = (properties: string): string =>
  `{ content: { application/json: { schema: { type: object, properties: { ${properties} } } } } }`;

const SERVICES = `paths:
  /Services:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Service' } } } } } } }
    post:
      requestBody: ${takes('FriendlyName: { type: string }, Shared: { type: string }, SHARED: { type: string }, two-fold: { type: string }, Extra: { type: integer }')}
      responses: { '201': ${ok('Service')} }
  /Services/{Sid}:
    parameters: [{ name: Sid, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': ${ok('Service')}, '404': { description: none } } }
    post:
      requestBody: ${takes('FriendlyName: { type: string }, StatusCallback: { type: string }')}
      responses: { '200': ${ok('Service')} }
components:
  schemas:
    Service:
      type: object
      properties:
        { sid: { type: string }, friendly_name: { type: string, nullable: true }, status_callback: { type: string }, shared: { type: string }, two_fold: { type: string }, twoFold: { type: string } }
`;

test('a member that requests write in another case is kept under the name that items have', async () => {
  const { send } = smallMock(SERVICES);
  const made = await send('POST', '/Services', { FriendlyName: 'Ada', Extra: 3 });
  expect(made).toMatchObject({ status: 201, body: { friendly_name: 'Ada' } });
  expect(made.body).not.toHaveProperty('FriendlyName');
  const { sid } = made.body as unknown as { sid: string };
  expect(await send('GET', `/Services/${sid}`)).toMatchObject({ status: 200, body: made.body });
});

test('what could mean two members means none', async () => {
  const { send } = smallMock(SERVICES);
  const { body } = await send('POST', '/Services', { Shared: 'a', SHARED: 'b', 'two-fold': 'c' });
  expect(JSON.stringify(body)).not.toMatch(/"[abc]"/);
});

test('a POST to an item that returns the item changes what it names', async () => {
  const { send } = smallMock(SERVICES);
  const { sid } = (await send('POST', '/Services', { FriendlyName: 'Ada' })).body as unknown as { sid: string };
  expect(await send('POST', `/Services/${sid}`, { StatusCallback: 'x' })).toMatchObject({
    status: 200,
    body: { sid, friendly_name: 'Ada', status_callback: 'x' },
  });
  expect(await send('GET', `/Services/${sid}`)).toMatchObject({ body: { friendly_name: 'Ada', status_callback: 'x' } });
  expect(await send('POST', '/Services/none', { StatusCallback: 'x' })).toMatchObject({ status: 404 });
});
