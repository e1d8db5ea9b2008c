import { smallMock } from './small-mock';

const SHELVES = `
paths:
  /shelves:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Shelf' } } } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } } }
  /shelves/{shelfId}:
    parameters: [{ name: shelfId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } } } }
    delete: { responses: { '204': { description: gone } } }
  /shelves/{shelfId}/books:
    parameters: [{ name: shelfId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
  /shelves/{shelfId}/books/{bookId}:
    parameters:
      - { name: shelfId, in: path, required: true, schema: { type: integer } }
      - { name: bookId, in: path, required: true, schema: { type: integer } }
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } } }
    delete: { responses: { '204': { description: gone } } }
components:
  schemas:
    Shelf: { type: object, required: [id, label], properties: { id: { type: integer, readOnly: true }, label: { type: string } } }
    Book: { type: object, required: [id, title], properties: { id: { type: integer, readOnly: true }, title: { type: string } } }
`;

describe('a collection under an item', () => {
  test('each item has one of its own', async () => {
    const { send, stateText } = smallMock(SHELVES);
    await send('POST', '/shelves', { label: 'A' });
    await send('POST', '/shelves', { label: 'B' });
    const made = await send('POST', '/shelves/2/books', { title: 'Emma' });
    expect(made).toMatchObject({ status: 201, body: { id: 1, title: 'Emma' } });
    expect(made.headers['location']).toBe('http://localhost/shelves/2/books/1');
    expect((await send('GET', '/shelves/2/books')).body).toEqual([{ id: 1, title: 'Emma' }]);
    expect((await send('GET', '/shelves/1/books')).body).toEqual([]);
    expect((await send('GET', '/shelves/1/books/1')).status).toBe(404);
    expect(stateText()).toContain('"/shelves/2/books":[{');
  });

  test('without the item above it there is none, and the answer says which one is missing', async () => {
    const { send, stateText } = smallMock(SHELVES);
    const before = stateText();
    const refused = await send('POST', '/shelves/7/books', { title: 'Emma' });
    expect(refused).toMatchObject({ status: 404, body: { code: 'resource_not_found' } });
    expect(JSON.stringify(refused.body)).toContain('shelfId 7 in /shelves');
    expect((await send('GET', '/shelves/7/books')).status).toBe(404);
    expect(stateText()).toBe(before);
  });

  test('it goes with the item above it, and that is recorded', async () => {
    const { send, mock } = smallMock(SHELVES);
    await send('POST', '/shelves', { label: 'A' });
    await send('POST', '/shelves/1/books', { title: 'Emma' });
    expect((await send('DELETE', '/shelves/1')).status).toBe(204);
    expect((await send('GET', '/shelves/1/books/1')).status).toBe(404);
    const changed = mock.engine.sandboxes.main.journal.entries().flatMap(({ changes }) => changes);
    expect(changed.filter(({ after }) => after === undefined).map(({ collection }) => collection)).toEqual([
      '/shelves',
      '/shelves/1/books',
    ]);
  });
});

test('the 404 of what lies below an item that is missing names the collection, with the values of its path', async () => {
  const list = `get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } } } } } }`;
  const one = `get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } } }`;
  const remove = `delete: { responses: { '204': { description: gone } } }`;
  const named = (...names: string[]): string =>
    `parameters: [${names.map((name) => `{ name: ${name}, in: path, required: true, schema: { type: string } }`).join(', ')}]`;
  const { send } = smallMock(
    `paths:
  /repos/{owner}/{repo}: { ${named('owner', 'repo')}, ${one}, ${remove} }
  /repos/{owner}/{repo}/keys: { ${named('owner', 'repo')}, ${list} }
  /repos/{owner}/{repo}/keys/{name}: { ${named('owner', 'repo', 'name')}, ${one}, ${remove} }
components:
  schemas:
    Thing: { type: object, required: [name], properties: { name: { type: string } } }
`,
    { options: { strictParents: true } },
  );
  const { status, body } = await send('GET', '/repos/ann/lib/keys');
  expect(status).toBe(404);
  expect(JSON.stringify(body)).toContain('in /repos/ann');
  expect(JSON.stringify(body)).not.toContain('{owner}');
});
