import { list, object, ref, smallApi, type SmallOperation, text, whole } from '../../support/small-api';
import { mockOfDocument, type SmallMock } from './small-mock';

const Guest = object({ id: text, email: text, nickName: text, seats: whole });
const one = object({ guest: ref('Guest') });
const asked = { query: { email: text, nick_name: text, expand: text }, answers: { 200: one, 404: null } };

/** Guests that are made and read by their keys, and looked up. */
function guests(more: Readonly<Record<string, SmallOperation>>): SmallMock {
  return mockOfDocument(
    smallApi(
      {
        'POST /guests': { body: one, answers: { 200: one } },
        'GET /guests/{guestId}': { answers: { 200: one, 404: null } },
        'PUT /guests/{guestId}': { body: one, answers: { 200: one, 404: null } },
        'DELETE /guests/{guestId}': { answers: { 204: null, 404: null } },
        ...more,
      },
      { Guest },
    ),
  );
}

test.each(['/guests', '/guests/lookup', '/guests/by-email'])('one item is looked up at %s', async (place) => {
  const { send } = guests({ [`GET ${place}`]: asked });
  const made = await send('POST', '/guests', { guest: { email: 'ada@example.com', nickName: 'ada', seats: 2 } });
  await send('POST', '/guests', { guest: { email: 'bob@example.com', nickName: 'bob', seats: 3 } });
  expect(await send('GET', `${place}?email=ada@example.com`)).toMatchObject({ status: 200, body: made.body });
  expect((await send('GET', `${place}?nick_name=ada&expand=seats`)).body).toEqual(made.body);
  expect((await send('GET', `${place}?nick_name=bob&email=ada@example.com`)).status).toBe(404);
  expect((await send('GET', `${place}?email=nobody@example.com`)).status).toBe(404);
  const { id } = (made.body as { guest: { id: string } }).guest;
  await send('DELETE', `/guests/${id}`);
  expect((await send('GET', `${place}?email=ada@example.com`)).status).toBe(404);
});

test('nothing is refused that names nothing', async () => {
  const { send } = guests({ 'GET /guests': asked });
  await send('POST', '/guests', { guest: { email: 'ada@example.com' } });
  expect((await send('GET', '/guests')).status).toBe(200);
});

test('a list that is asked by the same names is a list', async () => {
  const answers = { 200: object({ guests: list(ref('Guest')) }) };
  const { send } = guests({ 'GET /guests': { ...asked, answers } });
  await send('POST', '/guests', { guest: { email: 'ada@example.com' } });
  expect((await send('GET', '/guests?email=nobody@example.com')).body).toEqual({ guests: [] });
});
