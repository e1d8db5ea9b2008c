import { list, object, ref, smallApi, type SmallOperation, text, whole } from '../../support/small-api';
import { mockOfDocument, type SmallMock } from './small-mock';

const Kite = object({ id: text, name: text, length: whole });
const one = object({ kite: ref('Kite') });
const CREATES = 'Creates a kite. You can optionally specify an id for the kite, if not provided one will be generated.';

/** Kites that are made with or without a key of the client's. */
function kites(making: SmallOperation = {}, more: Readonly<Record<string, SmallOperation>> = {}): SmallMock {
  const changes = { description: 'Updates the kite.', body: one, answers: { 200: one, 404: null } };
  return mockOfDocument(
    smallApi(
      {
        'GET /kites': { answers: { 200: object({ kites: list(ref('Kite')) }) } },
        'POST /kites': { description: CREATES, body: one, answers: { 200: one, 400: null } },
        'POST /kites/{kiteId}': { description: CREATES, body: one, answers: { 200: one, 400: null }, ...making },
        'GET /kites/{kiteId}': { answers: { 200: one, 404: null } },
        'PUT /kites/{kiteId}': changes,
        'PATCH /kites/{kiteId}': changes,
        ...more,
      },
      { Kite },
    ),
  );
}

test('a POST to a key that the client chose makes the item there', async () => {
  const { send } = kites();
  const made = await send('POST', '/kites/my-own', { kite: { name: 'Red', length: 3 } });
  expect(made).toMatchObject({ status: 200, body: { kite: { id: 'my-own', name: 'Red', length: 3 } } });
  expect((await send('GET', '/kites/my-own')).body).toEqual(made.body);
  const { body } = await send('POST', '/kites', { kite: { name: 'Blue' } });
  expect((body as { kite: { id: string } }).kite.id).not.toBe('my-own');
  await send('PATCH', '/kites/my-own', { kite: { name: 'Rose' } });
  expect((await send('GET', '/kites/my-own')).body).toMatchObject({ kite: { name: 'Rose', length: 3 } });
});

test.each([
  [{}, 400],
  [{ answers: { 201: one, 409: null } }, 409],
])('a second one with the same key is refused where another operation changes it', async (making, status) => {
  const { send } = kites(making);
  await send('POST', '/kites/my-own', { kite: { name: 'Red' } });
  expect((await send('POST', '/kites/my-own', { kite: { name: 'Blue' } })).status).toBe(status);
  expect((await send('GET', '/kites/my-own')).body).toMatchObject({ kite: { name: 'Red' } });
});

test('one that is said to update as well does that', async () => {
  const { send } = kites({ description: 'Creates or updates a kite.' });
  await send('POST', '/kites/my-own', { kite: { name: 'Red', length: 3 } });
  expect((await send('POST', '/kites/my-own', { kite: { name: 'Blue' } })).status).toBe(200);
  expect((await send('GET', '/kites/my-own')).body).toMatchObject({ kite: { name: 'Blue' } });
});

test.each([
  ['Updates a kite with the values of a form.', one],
  ['Creates a kite below the given one.', one],
  ['Create a copy of the kite.', one],
  ['Adds a tail to the kite.', object({ tail: text })],
])('a POST of other words makes nothing there: %s', async (description, body) => {
  const { send } = kites({ description, body, answers: { 200: one, 404: null } });
  expect((await send('POST', '/kites/my-own', { kite: { name: 'Red' } })).status).toBe(404);
});
