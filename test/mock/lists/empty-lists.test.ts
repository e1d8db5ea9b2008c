import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { object, ref, smallApi, text, whole } from '../../support/small-api';

const Post = object({ id: text, title: text }, ['id']);
const posts = { type: 'array', minItems: 1, items: ref('Post') };

function described(page: object): string {
  const calls = {
    'GET /posts': { answers: { 200: page } },
    'POST /posts': { body: object({ title: text }), answers: { 201: ref('Post') } },
    'GET /posts/{id}': { answers: { 200: ref('Post'), 404: null } },
  };
  return smallApi(calls, { Post });
}

test('a list that must have items where it is there is left out while it is empty', async () => {
  const page = object({ data: posts, meta: object({ total: whole }, ['total']) });
  const server = supertest(await serveText(described(page), { state: 'empty' }));
  await server.get('/posts').expect(200, { meta: { total: 0 } });
  const { body: made } = await server.post('/posts').send({ title: 'a' }).expect(201);
  await server.get('/posts').expect(200, { data: [made], meta: { total: 1 } });
});

test.each([
  ['it must be there', object({ data: posts }, ['data'])],
  ['it may be empty', object({ data: { ...posts, minItems: 0 } })],
])('an empty list stays where %s', async (_, page) => {
  const server = supertest(await serveText(described(page), { state: 'empty' }));
  await server.get('/posts').expect(200, { data: [] });
});
