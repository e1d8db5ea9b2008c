import supertest from 'supertest';
import { createMockServer } from '../../src/library/create-mock-server';
import { list, object, smallApi, text } from '../support/small-api';

const BOOK = object({ id: { ...text, readOnly: true }, title: text }, ['id']);
const PAGE = object({ books: list(BOOK), next_page_uri: { ...text, format: 'uri' } });
const API = smallApi({
  'GET /books': { answers: { 200: PAGE }, query: { limit: { type: 'integer' }, page: { type: 'integer' } } },
  'POST /books': { body: BOOK, answers: { 201: BOOK } },
  'GET /books/{id}': { answers: { 200: BOOK } },
});
const HOST = 'books.example.com';

/** What a client gets that puts this before a link to the next page. */
async function second(base: string): Promise<number> {
  const app = supertest(await createMockServer({ description: JSON.parse(API) as object }));
  for (const title of ['A', 'B']) await app.post('/books').send({ title }).expect(201);
  const first = await app.get('/books?limit=1').set('Host', HOST).expect(200);
  const { next_page_uri: next } = first.body as { next_page_uri: string };
  expect(next).toMatch(`http://${HOST}/books?`);
  return (await app.get(`/${base}${next}`).set('Host', HOST)).status;
}

test('a link that a client puts behind its base URL leads where it says', async () => {
  expect(await second('')).toBe(200);
});

test('one of another host does not', async () => {
  expect(await second('http://elsewhere.example.com/')).toBe(404);
});
