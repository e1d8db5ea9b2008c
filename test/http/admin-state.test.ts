import request from 'supertest';
import type { MockServer } from '../../src/server/mock-server';
import { getManyTimes, startAppServer } from '../support/app-server';
import { serveText } from '../support/serve-text';

/** Shelves with books below them, and how many there are of these. */
const LIBRARY = `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /shelves:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Shelf' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } } }
  /shelves/{shelfId}:
    parameters: [{ name: shelfId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } } } }
    patch:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } } }
    delete: { responses: { '204': { description: ok } } }
  /shelves/{shelfId}/books:
    parameters: [{ name: shelfId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
  /shelves/{shelfId}/books/{bookId}:
    parameters:
      - { name: shelfId, in: path, required: true, schema: { type: integer } }
      - { name: bookId, in: path, required: true, schema: { type: integer } }
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } } }
    delete: { responses: { '204': { description: ok } } }
components:
  schemas:
    Shelf:
      type: object
      required: [id]
      properties: { id: { type: integer, readOnly: true }, name: { type: string }, books_count: { type: integer, readOnly: true } }
    Book: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, title: { type: string } } }
`;

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

describe('undo', () => {
  let app: MockServer;
  beforeEach(async () => {
    app = await serveText(LIBRARY, { state: 'seeded' });
  });

  const states = (place: Pick<MockServer, 'state' | 'diff'> = app): unknown => json([place.state(), place.diff()]);

  /** Does one thing after the other, and takes all of them back in turn. */
  async function takesBack(acts: readonly (readonly [says: string, act: () => unknown])[]): Promise<void> {
    const before: unknown[] = [];
    for (const [, act] of acts) {
      before.push(json(app.state().collections));
      await act();
    }
    for (const [says] of acts.toReversed()) {
      expect(app.undo()).toBe(says);
      expect(json(app.state().collections)).toStrictEqual(before.pop());
    }
    expect(app.undo()).toBeUndefined();
  }

  test('takes back requests and what was done by hand, the last one first', async () => {
    const saved = app.snapshot();
    await takesBack([
      ['POST /shelves', () => request(app).post('/shelves').send({ name: 'New' }).expect(201)],
      ['stored a row of /shelves', () => app.putRow('/shelves', { id: 70, name: 'By hand' })],
      ['PATCH /shelves/70', () => request(app).patch('/shelves/70').send({ name: 'Other' }).expect(200)],
      ['changed /shelves/70', () => app.patchRow('/shelves', 70, { name: 'Third' })],
      ['POST /shelves/70/books', () => request(app).post('/shelves/70/books').send({ title: 'Emma' }).expect(201)],
      ['DELETE /shelves/1', () => request(app).delete('/shelves/1').expect(204)],
      ['removed /shelves/70', () => app.removeRow('/shelves', 70)],
      [
        'restored a snapshot',
        () => {
          app.restore(saved);
        },
      ],
    ]);
    await takesBack([
      ['PATCH /shelves/1', () => request(app).patch('/shelves/1').send({ name: 'Other' }).expect(200)],
      [
        'loaded a state',
        () => {
          app.load({ standin: 'fixture/1', collections: { '/shelves': [{ id: 9 }] } });
        },
      ],
      ['DELETE /shelves/9', () => request(app).delete('/shelves/9').expect(204)],
    ]);
  });

  test('brings back what lay below an item, its entity tag, and no difference to the start', async () => {
    const before = states();
    const { etag } = (await request(app).get('/shelves/1').expect(200)).headers;
    const books = (await request(app).get('/shelves/1/books').expect(200)).body as { id: number }[];
    expect(books.length).toBeGreaterThan(0);
    await request(app)
      .delete(`/shelves/1/books/${String(books[0]?.id)}`)
      .expect(204);
    await request(app).delete('/shelves/1').expect(204);
    await request(app).get('/shelves/1/books').expect(404);
    app.undo();
    app.undo();
    const shelf = await request(app).get('/shelves/1').expect(200);
    expect(shelf.headers['etag']).toBe(etag);
    await request(app).get('/shelves/1/books').expect(200, books);
    expect(states()).toStrictEqual(before);
  });

  test('a reset can be taken back, and what came before it cannot', async () => {
    await request(app).post('/shelves').send({ name: 'New' }).expect(201);
    const before = json(app.state());
    app.reset();
    app.reset();
    expect(app.undo()).toBe('reset');
    expect(json(app.state())).toStrictEqual(before);
    expect(app.undo()).toBeUndefined();
  });

  test('requests that change nothing, and rejected ones, are passed over', async () => {
    await request(app).delete('/shelves/2').expect(204);
    await request(app).get('/shelves').expect(200);
    await request(app).delete('/shelves/2').expect(404);
    await request(app).patch('/shelves/1').send({ name: 7 }).expect(400);
    expect(app.undo()).toBe('DELETE /shelves/2');
    await request(app).get('/shelves/2').expect(200);
  });

  test('a change stays that more requests followed than are remembered, where they changed something', async () => {
    const sandbox = app.sandbox('a');
    const server = await startAppServer(app);
    const looks = async (): Promise<void> => {
      await request(server).get('/shelves/1').set(sandbox.headers).expect(200);
      await getManyTimes(server, '/shelves/1', 249, sandbox.headers);
    };
    await request(app).delete('/shelves/2').set(sandbox.headers).expect(204);
    await looks();
    expect(sandbox.undo()).toBeUndefined();
    sandbox.putRow('/shelves', { id: 71 });
    await looks();
    expect(sandbox.undo()).toBe('stored a row of /shelves');
  });

  test('of many changes by hand the last twenty are taken back', async () => {
    await request(app).delete('/shelves/2').expect(204);
    for (let id = 100; id < 125; id++) app.putRow('/shelves', { id });
    for (let count = 0; count < 20; count++) expect(app.undo()).toBe('stored a row of /shelves');
    expect(app.undo()).toBeUndefined();
    expect(app.row('/shelves', 104)).toBeDefined();
    expect(app.row('/shelves', 105)).toBeUndefined();
  });

  test('sandboxes do not disturb each other', async () => {
    const one = app.sandbox('one');
    const two = app.sandbox('two');
    expect(one.undo()).toBeUndefined();
    expect(app.sandboxes()).toEqual([]);
    await request(app).delete('/shelves/1').set(one.headers).expect(204);
    await request(app).delete('/shelves/2').set(two.headers).expect(204);
    two.removeRow('/shelves', 1);
    expect(one.undo()).toBe('DELETE /shelves/1');
    expect(one.undo()).toBeUndefined();
    expect(two.undo()).toBe('removed /shelves/1');
    expect(json(one.diff())).toStrictEqual({});
    expect(Object.keys(two.diff())).toContain('/shelves');
    expect(app.undo()).toBeUndefined();
  });

  test('by the admin route', async () => {
    const undo = (): request.Test => request(app).post('/__standin/undo').set('Content-Type', 'application/json');
    await request(app).delete('/shelves/1').expect(204);
    await undo().expect(200, { undone: 'DELETE /shelves/1' });
    expect((await undo().expect(409)).body).toMatchObject({ status: 409, code: 'nothing_to_undo' });
    await request(app).get('/shelves/1').expect(200);
    await request(app).post('/__standin/snapshot').send({ name: 'before' }).expect(201);
    await request(app)
      .get('/__standin/snapshots')
      .expect(200, { snapshots: ['before'] });
    await request(app).delete('/shelves/1').expect(204);
    await request(app).post('/__standin/restore').send({ name: 'before' }).expect(204);
    await undo().expect(200, { undone: 'restored a snapshot' });
    await request(app).get('/shelves/1').expect(404);
    await request(app).get('/__standin/snapshots?sandbox=a').expect(200, { snapshots: [] });
    expect(app.sandboxes()).toEqual([]);
  });
});
