import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const truth = { type: 'boolean' };
const things = (operations: Parameters<typeof smallApi>[0]): ReturnType<typeof mockOfDocument> =>
  mockOfDocument(
    smallApi(
      {
        'GET /things': { query: { name: text }, answers: { 200: list(ref('Thing')) } },
        'POST /things': { body: object({ name: text }), answers: { 201: ref('Thing') } },
        'GET /things/{id}': { answers: { 200: ref('Thing'), 404: null } },
        'DELETE /things/{id}': { answers: { 204: null } },
        ...operations,
      },
      { Thing: object({ id: text, name: text }, ['id']) },
    ),
  );

test.each([
  ['GET /things/{id}/exists', truth, '/things/1/exists', '/things/2/exists', (is: boolean) => is],
  ['GET /things/exists/{name}', truth, '/things/exists/a', '/things/exists/b', (is: boolean) => is],
  [
    'GET /things/exists',
    object({ exists: truth }, ['exists']),
    '/things/exists?name=a',
    '/things/exists?name=b',
    (exists: boolean) => ({ exists }),
  ],
])('%s says whether an item is there', async (name, schema, there, missing, shown) => {
  const { send } = things({ [name]: { query: { name: text }, answers: { 200: schema } } });
  await send('POST', '/things', { name: 'a' });
  expect(await send('GET', there)).toMatchObject({ status: 200, body: shown(true) });
  expect(await send('GET', missing)).toMatchObject({ status: 200, body: shown(false) });
  await send('DELETE', '/things/1');
  expect((await send('GET', there)).body).toEqual(shown(false));
});

test.each([
  ['a number', whole, (total: number) => total],
  ['an object', object({ total: whole, took: whole }, ['total']), (total: number) => ({ total })],
])('a count as %s agrees with the filtered list', async (_, schema, shown) => {
  const { send } = things({ 'GET /things/count': { query: { name: text }, answers: { 200: schema } } });
  for (const name of ['a', 'b', 'b']) await send('POST', '/things', { name });
  expect((await send('GET', '/things/count')).body).toEqual(shown(3));
  expect((await send('GET', '/things/count?name=b')).body).toEqual(shown(2));
});
