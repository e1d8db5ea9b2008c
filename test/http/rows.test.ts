import request from 'supertest';
import { ConfigError } from '../../src/core/errors/standin-error';
import type { MockServer } from '../../src/server/mock-server';
import { serveText } from '../support/serve-text';

const LIBRARY = `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /books:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } } }
    delete: { responses: { '204': { description: ok } } }
  /books/{bookId}/pages:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Page' } } } } } } }
  /books/{bookId}/pages/{number}:
    parameters:
      - { name: bookId, in: path, required: true, schema: { type: integer } }
      - { name: number, in: path, required: true, schema: { type: integer } }
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Page' } } } } } }
components:
  schemas:
    Book:
      type: object
      required: [id, title]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string }
        subtitle: { type: string, nullable: true }
        code: { type: string, writeOnly: true }
    Page: { type: object, required: [number], properties: { number: { type: integer }, text: { type: string } } }
`;

let app: MockServer;
beforeEach(async () => {
  app = await serveText(LIBRARY);
});

describe('in a program', () => {
  test('a row is stored beside the others, changed and removed', async () => {
    expect(app.putRow('/books', { id: 7, title: 'Emma', code: 'x' })).toStrictEqual({ id: 7, title: 'Emma' });
    expect(app.putRow('books', { id: 2, title: 'Persuasion' })).toMatchObject({ id: 2 });
    expect(app.patchRow('/books', 7, { title: 'Emma 2', subtitle: null })).toStrictEqual({
      id: 7,
      title: 'Emma 2',
      subtitle: null,
    });
    expect(app.row('/books', '7')).toMatchObject({ title: 'Emma 2' });
    await request(app).get('/books/7').expect(200, { id: 7, title: 'Emma 2', subtitle: null });
    expect(app.removeRow('/books', 7)).toBe(true);
    expect(app.removeRow('/books', 7)).toBe(false);
    expect(app.patchRow('/books', 7, {})).toBeUndefined();
    await request(app)
      .get('/books')
      .expect(200, [{ id: 2, title: 'Persuasion' }]);
    expect((await request(app).post('/books').send({ title: 'Next' })).body).toMatchObject({ id: 8 });
  });

  test('a row below another is named by its path, and goes with it', async () => {
    app.putRow('/books', { id: 1, title: 'Emma' });
    app.putRow('/books/1/pages', { number: 3, text: 'handsome, clever, and rich' });
    await request(app).get('/books/1/pages/3').expect(200);
    app.removeRow('/books', 1);
    app.putRow('/books', { id: 1, title: 'Emma' });
    await request(app).get('/books/1/pages').expect(200, []);
  });

  test('what a fixture could not have is refused, and nothing is changed', () => {
    app.putRow('/books', { id: 1, title: 'Emma' });
    const before = app.state();
    expect(() => app.putRow('/books', { id: 1 })).toThrow(ConfigError);
    expect(() => app.putRow('/books', { title: 'No id' })).toThrow(/id/);
    expect(() => app.patchRow('/books', 1, { title: 5 })).toThrow(/string/);
    expect(() => app.patchRow('/books', 1, { id: 2 })).toThrow(/key of an item stays/);
    expect(() => app.row('/boks', 1)).toThrow(/no collection/);
    expect(() => app.putRow('/books/{bookId}/pages', { number: 1 })).toThrow(/Nothing says/);
    expect(app.state()).toStrictEqual(before);
  });

  test('to look makes no sandbox be there', async () => {
    const there = app.sandbox('a');
    expect(there.row('/books', 1)).toBeUndefined();
    expect(there.removeRow('/books', 1)).toBe(false);
    await request(app).get('/__standin/row?collection=/books&key=1&sandbox=a').expect(404);
    await request(app).get('/__standin/state?collection=/books&sandbox=a').expect(200);
    expect(app.sandboxes()).toEqual([]);
  });

  test('a row that is refused makes no sandbox be there', () => {
    expect(() => app.sandbox('a').putRow('/books', { id: 1 })).toThrow(ConfigError);
    expect(app.sandboxes()).toEqual([]);
  });

  test('a sandbox has rows of its own', () => {
    app.sandbox('a').putRow('/books', { id: 1, title: 'Emma' });
    expect(app.row('/books', 1)).toBeUndefined();
    expect(app.sandbox('a').row('/books', 1)).toBeDefined();
  });
});

describe('by the admin routes', () => {
  const row = (query: string): string => `/__standin/row?${query}`;

  test('the same', async () => {
    await request(app)
      .put(row('collection=/books'))
      .send({ id: 7, title: 'Emma' })
      .expect(200, { id: 7, title: 'Emma' });
    await request(app).patch(row('collection=/books&key=7')).send({ title: 'E' }).expect(200, { id: 7, title: 'E' });
    await request(app).get(row('collection=/books&key=7')).expect(200, { id: 7, title: 'E' });
    await request(app).delete(row('collection=/books&key=7')).set('Content-Type', 'application/json').expect(204);
    await request(app).get(row('collection=/books&key=7')).expect(404);
  });

  test('say what is wrong', async () => {
    const refused = async (act: request.Test): Promise<string> => JSON.stringify((await act).body);
    expect(await refused(request(app).get(row('key=7')))).toContain('must name a collection');
    expect(await refused(request(app).get(row('collection=/boks&key=7')))).toContain('Did you mean \\"/books\\"');
    expect(await refused(request(app).put(row('collection=/books')).send({ id: 'x' }))).toContain('/id');
    expect(await refused(request(app).get(row('collection=/books&ky=7')))).toContain('ky');
  });
});

describe('a state whose collections nobody wrote to', () => {
  /** So many collections of rows that are large. */
  const many = (): string => {
    const paths = Array.from({ length: 30 }, (_, index) => {
      const list = `{ type: array, items: { $ref: '#/components/schemas/Row' } }`;
      const name = `/things${index}`;
      return `
  ${name}: { get: { responses: { '200': { description: ok, content: { application/json: { schema: ${list} } } } } } }
  ${name}/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Row' } } } } } }`;
    });
    return `openapi: 3.0.3
info: { title: Things, version: 1.0.0 }
paths: ${paths.join('')}
components:
  schemas:
    Row: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string, minLength: 40000 } } }
`;
  };

  test('is shown up to a bound, says what is left out, and shows each collection that is asked for', async () => {
    const seeded = await serveText(many(), { state: 'seeded' });
    const state = (query = ''): request.Test => request(seeded).get(`/__standin/state${query}`);
    const part = (await state()).body as { collections: object; leftOut: string[] };
    expect(part.leftOut.length).toBeGreaterThan(10);
    expect(Object.keys(part.collections).length + part.leftOut.length).toBe(30);
    const last = part.leftOut.at(-1) ?? '';
    const one = (await state(`?collection=${last}`)).body as { collections: Record<string, unknown[]> };
    expect(Object.keys(one.collections)).toStrictEqual([last]);
    expect(one.collections[last]?.length).toBeGreaterThan(0);
    const whole = (await state('?all=true')).body as { collections: object };
    expect(whole).toStrictEqual(JSON.parse(JSON.stringify(seeded.state())));
    expect(Object.keys(whole.collections)).toHaveLength(30);
    const refused = await request(seeded).put('/__standin/state').send(part).expect(400);
    expect(JSON.stringify(refused.body)).toContain('all=true');
  });
});

test.each(['3.0.3', '3.1.0'])('a schema that cannot judge breaks its own operations only: %s', async (version) => {
  const broken = LIBRARY.replace('3.0.3', version)
    .replace('text: { type: string }', "text: { type: string, pattern: '(' }")
    .replace(', nullable: true', '');
  const seeded = await serveText(broken, { state: 'seeded' });
  await request(seeded).get('/books').expect(200);
  const { body } = await request(seeded).get('/__standin/state').expect(200);
  expect((body as { collections: Record<string, unknown[]> }).collections['/books']?.length).toBeGreaterThan(0);
  await request(seeded).get('/__standin/diff').expect(200);
  await request(seeded).get('/__standin/journal').expect(200);
});
