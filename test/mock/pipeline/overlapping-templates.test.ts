import request from 'supertest';
import { serveText } from '../../support/serve-text';
import { object, smallApi, text } from '../../support/small-api';

const says = (word: string): object => object({ from: { ...text, enum: [word] } }, ['from']);

const shelf = smallApi({
  'GET /shelves/all': { answers: { 200: says('all') } },
  'DELETE /shelves/{id}': { answers: { 200: says('removal') } },
  'GET /shelves/{id}/books': { answers: { 200: says('books') } },
  'POST /shelves/{id}/{action}': { answers: { 200: says('action') } },
});

test.each([
  ['GET', '/shelves/all', 'all'],
  ['DELETE', '/shelves/all', 'removal'],
  ['GET', '/shelves/1/books', 'books'],
  ['POST', '/shelves/1/books', 'action'],
])('%s %s is answered by the template that has the method', async (method, path, from) => {
  const app = await serveText(shelf);
  const send = request(app)[method.toLowerCase() as 'get' | 'post' | 'delete'];
  await send.call(request(app), path).expect(200, { from });
});

test('Allow lists the methods of all templates that the path fits', async () => {
  const app = await serveText(shelf);
  const { headers } = await request(app).put('/shelves/all').expect(405);
  expect(headers['allow']).toBe('GET, HEAD, OPTIONS, DELETE');
  const { headers: options } = await request(app).options('/shelves/1/books').expect(204);
  expect(options['allow']).toBe('GET, HEAD, OPTIONS, POST');
});
