import request from 'supertest';
import { explainEntry } from '../../src/explain/explain-entry';
import type { ServerParts } from '../../src/library/create-mock-server';
import { partsOfText } from '../support/serve-text';

const LIBRARY = `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
servers: [{ url: /v1 }]
paths:
  /books:
    get:
      operationId: listBooks
      parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1 } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } }
    post:
      operationId: addBook
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getBook
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
  /status:
    get:
      operationId: getStatus
      security: [{ key: [] }]
      responses: { '200': { description: ok, content: { application/json: { example: { up: true } } } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Book:
      type: object
      required: [id]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string, minLength: 1 }
`;

let parts: ServerParts;
beforeEach(async () => {
  parts = await partsOfText(LIBRARY);
  parts.app.putRow('/books', { id: 4, title: 'Emma' });
});

/** Title by title, the lines of the latest request; places are shown by their lines. */
async function why(sent: request.Test): Promise<Record<string, string[]>> {
  const { headers } = await sent;
  const { api, mock, app } = parts;
  const entry = app.journal().at(-1)!;
  const responseHeaders = Object.entries(headers as Record<string, string>).flat();
  const sections = await explainEntry(
    { api, mock, packs: [] },
    { entry, responseHeaders, state: app.snapshot().state },
  );
  const shown = (line: string): string => line.replace(/[^\s(]*openapi\.yaml/g, 'openapi.yaml');
  return Object.fromEntries(sections.map(({ title, lines }) => [title, lines.map(shown)]));
}

test('a body that is rejected: what is wrong, and where the description says so', async () => {
  const told = await why(request(parts.app).post('/v1/books').send({ title: 7 }));
  expect(told).toMatchObject({
    'Routed to': ['addBook (openapi.yaml:10)', 'POST /books', 'below /v1'],
    'Why it was rejected': [
      expect.stringMatching(/^invalid_field: The field \/title /),
      'the description says so at openapi.yaml:34',
    ],
  });
  expect(told['Response']?.[0]).toBe('400');
  expect(told['Response']?.[1]).toMatch(/^else 201: create of \/books/);
  expect(told['Rows']).toBeUndefined();
});

test('a parameter, an item that is not there, credentials', async () => {
  expect((await why(request(parts.app).get('/v1/books?limit=0')))['Why it was rejected']).toStrictEqual([
    expect.stringMatching(/^invalid_parameter: .*limit/),
    'the description says so at openapi.yaml:8',
  ]);
  const missing = await why(request(parts.app).get('/v1/books/9'));
  expect(missing['Routed to']).toContain('bookId = 9');
  expect(missing['Why it was rejected']).toContain('there is one under bookId = 4');
  expect((await why(request(parts.app).get('/v1/status')))['Why it was rejected']).toStrictEqual([
    expect.stringMatching(/^missing_api_key: /),
    'the description says so at openapi.yaml:22',
  ]);
});

test('what was changed and shown, what was read leniently, what was not natural, who gave the headers', async () => {
  const made = await why(request(parts.app).post('/v1/books').set('Accept', 'text/html').send({ title: 'Persuasion' }));
  expect(made['Rows']).toStrictEqual(['added /books/5']);
  expect(made['Read leniently']).toHaveLength(1);
  expect(made['Headers']).toContainEqual(expect.stringMatching(/^content-type: media type of the response/));
  expect(made['To get another response']?.join()).toContain("app.respond('addBook'");
  expect((await why(request(parts.app).get('/v1/books/5')))['Rows']).toStrictEqual([
    '/books/5 was made since the start',
  ]);
  expect((await why(request(parts.app).get('/v1/books')))['Rows']?.[0]).toMatch(/^\/books: empty at the start/);
  const forced = await why(request(parts.app).get('/v1/books').set('X-Standin-Fault', 'status:503'));
  expect(forced['Not natural']?.join()).toContain('503');
  const asked = await why(request(parts.app).get('/v1/books').set('Prefer', 'dynamic=true'));
  expect(asked['Response']?.[0]).toBe('200: the request asked for it with Prefer');
});

test('what no operation is for: what is near', async () => {
  expect(await why(request(parts.app).get('/v1/book'))).toStrictEqual({
    'Routed to': [expect.stringMatching(/^Nothing in the description matches \/v1\/book\. There are \/books,/)],
    Response: ['404'],
    'Why it was rejected': [expect.stringMatching(/^route_not_found: /)],
  });
});

test('nothing is changed by it', async () => {
  const before = JSON.stringify([parts.app.state(), parts.app.journal().length]);
  await why(request(parts.app).post('/v1/books').send({ title: 'Persuasion' }));
  parts.app.undo();
  const { collections } = parts.app.state();
  expect(collections['/books']).toHaveLength(1);
  expect(parts.app.journal()).toHaveLength(1);
  expect(before).toContain('Emma');
});
