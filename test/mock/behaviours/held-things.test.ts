import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const Song = object({ id: text, title: text, uri: text }, ['id']);
const Saved = object({ added_at: { ...text, format: 'date-time' }, song: ref('Song') });
const page = object({ items: list(ref('Saved')), total: whole }, ['items', 'total']);
const ids = { ids: list(text) };

const songs = {
  'GET /songs': { query: { ids: text }, answers: { 200: object({ songs: list(ref('Song')) }, ['songs']) } },
  'POST /songs': { body: ref('Song'), answers: { 201: ref('Song') } },
  'GET /songs/{id}': { answers: { 200: ref('Song'), 404: null } },
};

const saved = smallApi(
  {
    ...songs,
    'GET /me/songs': { answers: { 200: page } },
    'PUT /me/songs': { body: object(ids, ['ids']), answers: { 200: null } },
    'DELETE /me/songs': { query: ids, answers: { 200: null } },
    'GET /me/songs/contains': { query: ids, answers: { 200: list({ type: 'boolean' }) } },
  },
  { Song, Saved },
);

test('things are put into a collection by their ids, told to be there, and taken away', async () => {
  const server = supertest(await serveText(saved));
  for (const id of ['a', 'b', 'c']) await server.post('/songs').send({ id, title: id.toUpperCase() }).expect(201);
  await server
    .put('/me/songs')
    .send({ ids: ['b', 'a'] })
    .expect(200);
  await server
    .put('/me/songs')
    .send({ ids: ['a'] })
    .expect(200);
  const { body } = await server.get('/me/songs').expect(200);
  expect(body).toMatchObject({
    items: [{ song: { id: 'b', title: 'B' } }, { song: { id: 'a', title: 'A' } }],
    total: 2,
  });
  expect((body as { items: { added_at: string }[] }).items[0]?.added_at).toEqual(expect.any(String));
  await server.get('/me/songs/contains?ids=a,c').expect(200, [true, false]);
  await server.delete('/me/songs?ids=a').expect(200);
  await server.get('/me/songs/contains?ids=a,b').expect(200, [false, true]);
});

test('a bare list is the one list of the body, and a parameter that the body has as well may be missing', async () => {
  const both = smallApi(
    {
      ...songs,
      'GET /me/songs': { answers: { 200: page } },
      'PUT /me/songs': { query: ids, body: object(ids), answers: { 200: null } },
    },
    { Song, Saved },
  );
  const required = both.replace('"name":"ids","in":"query",', '"name":"ids","in":"query","required":true,');
  const { send } = mockOfDocument(required);
  const put = await send('PUT', '/me/songs', ['x']);
  expect(put.status).toBe(200);
  expect(put.headers['x-standin-problem']).toMatch(/bare_list/);
  expect((await send('PUT', '/me/songs', ['x'], { prefer: 'handling=strict' })).status).toBe(400);
  const { body } = await send('GET', '/me/songs');
  expect(JSON.stringify(body)).toContain('"id":"x"');
});

test('other names of things, and those of objects, do as well; a PUT beside a POST says all that is there', async () => {
  const named = smallApi(
    {
      'GET /lists/{id}/songs': { answers: { 200: page } },
      'POST /lists/{id}/songs': {
        body: object({ uris: list(text), position: whole }),
        answers: { 201: object({ version: text }) },
      },
      'PUT /lists/{id}/songs': { body: object({ uris: list(text) }), answers: { 200: object({ version: text }) } },
    },
    { Song, Saved },
  );
  const server = supertest(await serveText(named));
  await server
    .post('/lists/1/songs')
    .send({ uris: ['song:2', 'song:1'] })
    .expect(201);
  expect((await server.get('/lists/1/songs')).body).toMatchObject({
    items: [{ song: { uri: 'song:2' } }, { song: { uri: 'song:1' } }],
  });
  await server
    .put('/lists/1/songs')
    .send({ uris: ['song:3'] })
    .expect(200);
  expect((await server.get('/lists/1/songs')).body).toMatchObject({ items: [{ song: { uri: 'song:3' } }], total: 1 });
});

test('several keys in one text choose the items in their order', async () => {
  const server = supertest(await serveText(saved));
  for (const id of ['a', 'b', 'c']) await server.post('/songs').send({ id, title: id.toUpperCase() });
  const { body } = await server.get('/songs?ids=c,a').expect(200);
  expect(body).toMatchObject({ songs: [{ id: 'c' }, { id: 'a' }] });
});

test('rows that are made up have the keys that the description gives as examples', async () => {
  const api = JSON.parse(saved) as {
    paths: Record<string, { get: { parameters: { schema: { example?: string } }[] } }>;
  };
  api.paths['/songs/{id}']!.get.parameters[0]!.schema.example = '4aawyAB9';
  api.paths['/songs']!.get.parameters[0]!.schema.example = '382Obep,1A2GTW';
  const server = supertest(await serveText(JSON.stringify(api), { state: 'seeded' }));
  await server.get('/songs/4aawyAB9').expect(200);
  const { body } = await server.get('/songs?ids=4aawyAB9,382Obep').expect(200);
  expect(body).toMatchObject({ songs: [{ id: '4aawyAB9' }, { id: '382Obep' }] });
});

test('the word that a type is told to be is what new things have', async () => {
  const kind = { ...text, description: 'The object type: "list"' };
  const List = object({ id: text, name: text, type: kind }, ['id']);
  const api = smallApi(
    {
      'GET /lists': { answers: { 200: list(ref('List')) } },
      'POST /lists': { body: object({ name: text }), answers: { 201: ref('List') } },
      'GET /lists/{id}': { answers: { 200: ref('List'), 404: null } },
    },
    { List },
  );
  const { send } = mockOfDocument(api);
  expect((await send('POST', '/lists', { name: 'a' })).body).toMatchObject({ name: 'a', type: 'list' });
});

test('a PUT that is said to change a thing that is made elsewhere leaves the rest', async () => {
  const List = object({ id: text, name: text, isPublic: { type: 'boolean' } }, ['id']);
  const sent = object({ name: text, isPublic: { type: 'boolean' } });
  const api = smallApi(
    {
      'POST /me/lists': { body: sent, answers: { 201: ref('List') } },
      'GET /me/lists': { answers: { 200: list(ref('List')) } },
      'GET /lists/{id}': { answers: { 200: ref('List') } },
      'PUT /lists/{id}': { summary: 'Change details of a list', body: sent, answers: { 200: null } },
    },
    { List },
  );
  const server = supertest(await serveText(api));
  const { body } = await server.post('/me/lists').send({ name: 'a', isPublic: true }).expect(201);
  const { id } = body as { id: string };
  await server.put(`/lists/${id}`).send({ name: 'b' }).expect(200);
  await server.get(`/lists/${id}`).expect(200, { id, name: 'b', isPublic: true });
});
