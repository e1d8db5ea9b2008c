import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf, type SmallMock } from './small-mock';

const GUEST = {
  id: { ...text, readOnly: true },
  name: text,
  external_id: { ...text, description: 'An optional ID. If set, it must be unique across all guests.' },
};

/** Guests that are counted, and found by an id of another system. */
function guests(secret: string): SmallMock {
  const answers = { 200: ref('Guest'), 404: null };
  return mockOfDocument(
    smallApi(
      {
        'GET /guests': { query: { name: text }, answers: { 200: list(ref('Guest')) } },
        'GET /guests/count': {
          query: { name: text },
          answers: { 200: object({ object: { ...text, enum: ['total_count'] }, total_count: whole }) },
        },
        'POST /guests': { body: ref('Guest'), answers: { 201: ref('Guest'), 409: null } },
        'GET /guests/{id}': { answers },
        'GET /guests/by/external/{externalID}': { answers },
      },
      { Guest: object({ ...GUEST, client_secret: { ...text, description: secret } }, ['id']) },
    ),
  );
}

const ONCE = 'Shown when it is made as cleartext, and then never again.';

test('a number of all things follows what is there, whatever stands beside it', async () => {
  const { send } = guests(ONCE);
  await send('POST', '/guests', { name: 'a' });
  const all = (await send('GET', '/guests')).body as unknown[];
  expect((await send('GET', '/guests/count')).body).toEqual({ object: 'total_count', total_count: all.length });
  expect((await send('GET', '/guests/count?name=a')).body).toMatchObject({ total_count: 1 });
});

test('a thing is read by what several words before it name', async () => {
  const { send } = guests(ONCE);
  const guest = objectOf(await send('POST', '/guests', { name: 'a', external_id: 'x1' }));
  expect((await send('GET', '/guests/by/external/x1')).body).toMatchObject({ id: guest['id'], name: 'a' });
  expect((await send('GET', '/guests/by/external/x2')).status).toBe(404);
});

test('what must be unique by its own words is refused the second time', async () => {
  const { send } = guests(ONCE);
  await send('POST', '/guests', { name: 'a', external_id: 'x1' });
  expect((await send('POST', '/guests', { name: 'b', external_id: 'x1' })).status).toBe(409);
  expect((await send('POST', '/guests', { name: 'b', external_id: 'x2' })).status).toBe(201);
  expect((await send('POST', '/guests', { name: 'c' })).status).toBe(201);
  expect((await send('POST', '/guests', { name: 'd' })).status).toBe(201);
});

test.each([
  [ONCE, true],
  ['It is generated where none is given.', true],
  ['The secret of the provider.', false],
])('a secret that is shown but once is made, one that clients bring is not: %s', async (words, isMade) => {
  const { send } = guests(words);
  const guest = objectOf(await send('POST', '/guests', { name: 'a' }));
  expect(typeof guest['client_secret'] === 'string').toBe(isMade);
});

test('a fault of a body is called by no word for who asks', async () => {
  const fault = object({ type: { ...text, enum: ['invalid_api_key', 'invalid_permissions', 'validation'] } }, ['type']);
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /guests/{id}': { answers: { 200: ref('Guest') } },
        'POST /guests': {
          body: object({ name: text, external_id: GUEST.external_id }, ['name']),
          answers: { 201: ref('Guest'), 422: fault },
        },
      },
      { Guest: object(GUEST, ['id']) },
    ),
  );
  await send('POST', '/guests', { name: 'a', external_id: 'x1' });
  for (const body of [{}, { name: 'b', external_id: 'x1' }])
    expect(await send('POST', '/guests', body)).toMatchObject({ status: 422, body: { type: 'validation' } });
});
