import { list, object, ref, smallApi, type SmallOperation, text } from '../../support/small-api';
import { mockOfDocument, objectOf, type SmallMock } from './small-mock';

const words = (...all: string[]): object => ({ ...text, enum: all });

/** Seats that are taken, with what else is done to them. */
function seats(state: object, more: Readonly<Record<string, SmallOperation>>, making: SmallOperation = {}): SmallMock {
  const answers = { 200: ref('Seat'), 404: null };
  const others = Object.entries(more).map(([name, operation]) => [name, { answers, ...operation }]);
  return mockOfDocument(
    smallApi(
      {
        'GET /seats': { answers: { 200: list(ref('Seat')) } },
        'POST /seats': { body: object({ name: text }, ['name']), answers: { 201: ref('Seat') }, ...making },
        'GET /seats/{id}': { answers },
        ...Object.fromEntries(others),
      },
      { Seat: object({ id: text, name: text, state }, ['id', 'state']) },
    ),
  );
}

async function made({ send }: SmallMock): Promise<Record<string, unknown>> {
  return objectOf(await send('POST', '/seats', { name: 'a' }));
}

test('what an action leads back to may be where a thing begins', async () => {
  const mock = seats(words('held', 'active', 'later', 'canceled'), {
    'PUT /seats/{id}/cancel': {},
    'PUT /seats/{id}/reactivate': {},
    'PUT /seats/{id}/hold': {},
  });
  const { id, state } = await made(mock);
  expect(state).toBe('active');
  expect((await mock.send('PUT', `/seats/${String(id)}/cancel`)).body).toMatchObject({ state: 'canceled' });
  expect((await mock.send('PUT', `/seats/${String(id)}/reactivate`)).body).toMatchObject({ state: 'active' });
});

test('what is created in a state in quotes is in it', async () => {
  const making = { description: 'Creates a new `active` seat for the given guest.' };
  expect((await made(seats(words('active', 'inactive', 'pending'), {}, making)))['state']).toBe('active');
  expect((await made(seats(words('active', 'inactive', 'pending'), {})))['state']).toBe('pending');
});

test('who is deactivated is inactive, and active again when that is done again', async () => {
  const mock = seats(words('active', 'inactive', 'pending'), {
    'PUT /seats/{id}/deactivate': {},
    'PUT /seats/{id}/reactivate': {},
  });
  const { id } = await made(mock);
  expect((await mock.send('PUT', `/seats/${String(id)}/deactivate`)).body).toMatchObject({ state: 'inactive' });
  expect(objectOf(await mock.send('GET', `/seats/${String(id)}`))).toMatchObject({ name: 'a', state: 'inactive' });
  expect((await mock.send('PUT', `/seats/${String(id)}/reactivate`)).body).toMatchObject({ state: 'active' });
});

test('a word below an item is done to it though it takes a body, but for what the body says itself', async () => {
  const when = object({ when: text });
  const mock = seats(words('active', 'canceled'), {
    'PUT /seats/{id}/cancel': { body: when },
    'PUT /seats/{id}/reactivate': { body: object({ state: text }) },
    'PUT /seats/{id}/name': { body: object({ name: text }) },
  });
  const { id } = await made(mock);
  expect((await mock.send('PUT', `/seats/${String(id)}/name`, { name: 'b' })).body).toMatchObject({ name: 'b' });
  expect((await mock.send('PUT', `/seats/${String(id)}/cancel`, { when: 'now' })).body).toMatchObject({
    name: 'b',
    state: 'canceled',
  });
  const back = await mock.send('PUT', `/seats/${String(id)}/reactivate`, { state: 'active' });
  expect(back.body).toMatchObject({ state: 'active' });
});

test.each([
  ['Deactivate a seat', 'Deactivating a seat permanently deletes its notes. Close seats with care.', 'inactive'],
  ['Terminate a seat', 'Immediately expires the seat.', 'expired'],
])('a DELETE that ends a thing leaves it: %s. %s', async (summary, description, state) => {
  const mock = seats(words('active', 'inactive', 'expired'), { 'DELETE /seats/{id}': { summary, description } });
  const { id } = await made(mock);
  expect((await mock.send('DELETE', `/seats/${String(id)}`)).body).toMatchObject({ state });
  expect((await mock.send('GET', `/seats/${String(id)}`)).body).toMatchObject({ name: 'a', state });
});

test.each([
  ['Deactivate a seat', 'Deactivates the seat and deletes it.'],
  ['Close a seat', 'Removes the seat.'],
])('a DELETE that says that the thing goes removes it: %s. %s', async (summary, description) => {
  const mock = seats(words('active', 'inactive', 'closed'), { 'DELETE /seats/{id}': { summary, description } });
  const { id } = await made(mock);
  await mock.send('DELETE', `/seats/${String(id)}`);
  expect((await mock.send('GET', `/seats/${String(id)}`)).status).toBe(404);
});
