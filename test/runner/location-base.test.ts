import express from 'express';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { list, object, smallApi, text } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const book = object({ id: { ...text, readOnly: true }, title: text });
const description = folder.write(
  'books.json',
  smallApi({
    'GET /books': { answers: { 200: list(book) } },
    'POST /books': { body: book, answers: { 201: book }, headers: ['Location'] },
    'GET /books/{id}': { answers: { 200: book, 404: null } },
    'DELETE /books/{id}': { answers: { 204: null, 404: null } },
  }),
);

/** Books below `/v2`, with such a Location. */
async function findings(locate: (id: string) => string): Promise<string[]> {
  const books = new Map<string, object>();
  const app = express();
  app.use(express.json());
  const api = express.Router();
  api.get('/books', (_, response) => void response.json([...books.values()]));
  api.post('/books', (request, response) => {
    const id = `b${books.size}-${(request.body as { title: string }).title.length}`;
    books.set(id, { ...(request.body as object), id });
    response.status(201).set('Location', locate(id)).json(books.get(id));
  });
  api.get('/books/:id', (request, response) => {
    const found = books.get(request.params.id);
    if (found === undefined) response.sendStatus(404);
    else response.json(found);
  });
  api.delete(
    '/books/:id',
    (request, response) => void response.sendStatus(books.delete(request.params.id) ? 204 : 404),
  );
  app.use('/v2', api);
  const result = await runContract({ app, description, basePath: '/v2', seed: 1, generate: ['lifecycle'] });
  return allSteps(result).flatMap(({ verdict }) =>
    verdict.kind === 'fail'
      ? verdict.findings.flatMap(({ check, message }) => (check === 'location-resolves' ? [message] : []))
      : [],
  );
}

test.each([
  { locate: (id: string) => `/v2/books/${id}`, found: [] },
  { locate: (id: string) => `books/${id}`, found: [] },
  {
    locate: (id: string) => `/books/${id}`,
    found: ['Location leads out of the API: what it names is below /v2'],
  },
  { locate: (id: string) => `/v2/shelves/1/books/${id}`, found: ['Location leads to a 404'] },
  { locate: () => '/v2/pages/new-book', found: [] },
  // Nothing shows that it is meant to be below the base path.
  { locate: () => '/shelves/1', found: [] },
  { locate: () => '/books/nobody', found: [] },
])('a Location leads to what was made: $found', async ({ locate, found }) => {
  expect(await findings(locate)).toEqual(found);
});
