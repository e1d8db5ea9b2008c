import supertest from 'supertest';
import { createMockServer } from '../../../src/library/create-mock-server';
import type { MockServer } from '../../../src/server/mock-server';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import type { Collection } from '../../../src/mock/state/collection';
import { Draft } from '../../../src/mock/state/draft';
import { SINGLE_KEY } from '../../../src/mock/state/prepared-resource';
import { initialItemsFromExamples } from '../../../src/mock/seed/initial-items';
import { ExampleItems } from '../../../src/mock/seed/example-items';
import { SeedSource } from '../../../src/mock/seed/seed-source';
import { RemainingSeed } from '../../../src/mock/state/remaining-seed';
import { LiveState } from '../../../src/mock/state/state';
import { smallMock, type SmallMock } from '../behaviours/small-mock';
import { temporaryFolder } from '../../support/temporary-folder';

const parameters = (...names: string[]): string =>
  `[${names.map((name) => `{ name: ${name}, in: path, required: true, schema: { type: ${name === 'room' ? 'string' : 'integer'} } }`).join(', ')}]`;
const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;

/** A collection of things with its items: list, create, read, PUT that creates as well, remove. */
function crud(path: string, key: string, ...above: string[]): string {
  const thing = "{ $ref: '#/components/schemas/Thing' }";
  return `
  ${path}:
    parameters: ${parameters(...above)}
    get: { responses: { '200': { description: ok, ${json(`{ type: array, items: ${thing} }`)} } } }
    post: { requestBody: { ${json(thing)} }, responses: { '201': { description: ok, ${json(thing)} } } }
    delete: { responses: { '204': { description: gone } } }
  ${path}/{${key}}:
    parameters: ${parameters(...above, key)}
    get: { responses: { '200': { description: ok, ${json(thing)} } } }
    put: { requestBody: { ${json(thing)} }, responses: { '200': { description: ok, ${json(thing)} }, '201': { description: new, ${json(thing)} } } }
    delete: { responses: { '204': { description: gone } } }`;
}

/** Shelves have books and those have notes; the desks of a room are below nothing that is kept. */
const DESCRIPTION = `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:${crud('/shelves', 'shelf')}${crud('/shelves/{shelf}/books', 'book', 'shelf')}
${crud('/shelves/{shelf}/books/{book}/notes', 'note', 'shelf', 'book')}
  /shelves/{shelf}/label:
    parameters: ${parameters('shelf')}
    get: { responses: { '200': { description: ok, ${json("{ $ref: '#/components/schemas/Label' }")} } } }
    put: { requestBody: { ${json("{ $ref: '#/components/schemas/Label' }")} }, responses: { '200': { description: ok, ${json("{ $ref: '#/components/schemas/Label' }")} } } }
    delete: { responses: { '204': { description: gone } } }
${crud('/rooms/{room}/desks', 'desk', 'room')}${crud('/rooms/{room}/desks/{desk}/drawers', 'drawer', 'room', 'desk')}
components:
  schemas:
    Thing: { type: object, required: [id, name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
    Label: { type: object, required: [text], properties: { text: { type: string, default: blank } } }
`;

const file = temporaryFolder().write('library.yaml', DESCRIPTION);

/** Knows which collections were made of it. */
class WatchedSeeds extends SeedSource {
  readonly looked = new Set<string>();

  override collection(name: string): Collection | undefined {
    this.looked.add(name);
    return super.collection(name);
  }
}

interface Library {
  readonly app: MockServer;
  readonly server: ReturnType<typeof supertest>;
  readonly remove: (...paths: string[]) => Promise<void>;
  readonly list: (path: string) => Promise<unknown>;
}

async function open(state?: 'empty'): Promise<Library> {
  const app = await createMockServer({ description: file, state });
  const server = supertest(app);
  return {
    app,
    server,
    async remove(...paths) {
      for (const path of paths) await server.delete(path).expect(204);
    },
    list: async (path) => (await server.get(path).expect(200)).body as unknown,
  };
}

const stateOf = ({ app }: Library): string => stringifyJson(app.state());

const BOOKS = ['/shelves/2/books/1', '/shelves/2/books/2'];
const NOTES = BOOKS.flatMap((book) => [`${book}/notes/1`, `${book}/notes/2`]);

/** A mock that notes what was made of its seeds. */
function watched(): Pick<SmallMock, 'send'> & Pick<WatchedSeeds, 'looked'> {
  const { send, api, mock } = smallMock(DESCRIPTION.slice(DESCRIPTION.indexOf('paths:')));
  const { model, resources, engine } = mock;
  const seeds = new WatchedSeeds(
    api,
    model,
    resources,
    initialItemsFromExamples(new ExampleItems(api, model)),
    'watched',
  );
  engine.sandboxes.main.restore({
    ...engine.sandboxes.main.snapshot(),
    collections: new Map(),
    seeds: new RemainingSeed(seeds),
  });
  return { send, looked: seeds.looked };
}

test('what nobody looked at is not made for being removed', async () => {
  const { send, looked } = watched();
  expect((await send('DELETE', '/shelves/2')).status).toBe(204);
  expect([...looked]).toEqual(['/shelves']);
});

test('for the record of an item that was made, nothing else is made', async () => {
  const { send, looked } = watched();
  expect((await send('POST', '/shelves', { name: 'new' })).body).toEqual({ id: 5, name: 'new' });
  expect((await send('GET', '/shelves/5/label')).body).toEqual({ text: 'blank' });
  expect([...looked]).toEqual(['/shelves', '/shelves/5/label']);
});

test.each([undefined, 'empty'] as const)('a record below an item that was made has its defaults: %s', async (state) => {
  const { app, server, remove } = await open(state);
  const { body: shelf } = await server.post('/shelves').send({ name: 'new' }).expect(201);
  const label = `/shelves/${shelf.id}/label`;
  const made = app.snapshot();
  expect((await server.get(label).expect(200)).body).toEqual({ text: 'blank' });
  expect(app.diff(made)).toEqual({});
  await remove(label);
  await server.get(label).expect(404);
  const removed = app.snapshot();
  const saved = app.state();
  await server.get(label).set(app.sandbox('one').fork('other').headers).expect(404);
  app.restore(made);
  await server.get(label).expect(200);
  app.restore(removed);
  await server.get(label).expect(404);
  app.load(saved);
  await server.get(label).expect(404);
  await server.put(label).send({ text: 'Poems' }).expect(200);
  expect((await server.get(label)).body).toEqual({ text: 'Poems' });
});

test('the state is the one of a client that removed each item itself', async () => {
  const [one, two, three] = [await open(), await open(), await open()];
  await one.remove('/shelves/2', '/rooms/attic/desks/1');
  await two.remove(...NOTES, ...BOOKS, '/shelves/2/label', '/shelves/2');
  await two.remove('/rooms/attic/desks/1/drawers/1', '/rooms/attic/desks/1/drawers/2', '/rooms/attic/desks/1');
  await three.list('/shelves/2/books/2/notes');
  await three.remove('/shelves/2/books/1', '/shelves/2', '/rooms/attic/desks/1');
  expect(stateOf(one)).toBe(stateOf(two));
  expect(stateOf(three)).toBe(stateOf(two));
  expect(one.app.diff()).toEqual(two.app.diff());
  expect(Object.keys(one.app.diff())).toContain('/shelves/2/books/1/notes');
});

test('a request that is refused after all takes nothing away', async () => {
  const { app } = await open();
  const live = new LiveState(app.snapshot().state);
  const draft = new Draft(live);
  draft.deleteWithSeededDescendants('/shelves', 2);
  expect(live.collection('/shelves/2/books').size).toBe(0);
  draft.undo();
  expect(live.collection('/shelves/2/books').size).toBe(2);
  expect(live.collection('/shelves').size).toBe(4);
});

test('a request that is refused leaves a record as unwritten, and what lies below an item, as it was', async () => {
  const { app } = await open();
  const live = new LiveState(app.snapshot().state);
  const draft = new Draft(live);
  draft.put('/shelves/5/label', SINGLE_KEY, { text: 'Poems' });
  draft.deleteWithSeededDescendants('/shelves', 2);
  draft.put('/shelves/2/label', SINGLE_KEY, { text: 'Novels' });
  draft.deleteWithSeededDescendants('/shelves/2/books', '1');
  draft.undo();
  expect(live.has('/shelves/5/label')).toBe(false);
  expect(live.collection('/shelves/2/label').size).toBe(1);
  expect(live.collection('/shelves/2/books').size).toBe(2);
});

test('what was written far below goes as well, and that is recorded', async () => {
  const { app, server, remove } = await open();
  const { body } = await server.post('/shelves/2/books/1/notes').send({ name: 'mine' }).expect(201);
  await remove('/shelves/2');
  const changes = app.journal().at(-1)?.changes ?? [];
  expect(changes.map(({ collection }) => collection)).toContain('/shelves/2/books/1/notes');
  expect(changes.map(({ before }) => before)).toContainEqual(body);
  expect(stringifyJson(app.state())).not.toContain('mine');
});

test('below an item that is made again under the same key there is nothing, and no key is given out twice', async () => {
  const { server, remove, list } = await open();
  await remove('/shelves/2');
  await server.put('/shelves/2').send({ name: 'again' }).expect(201);
  expect(await list('/shelves/2/books')).toEqual([]);
  const { body } = await server.post('/shelves/2/books').send({ name: 'Emma' }).expect(201);
  expect(body).toEqual({ id: 3, name: 'Emma' });
  await server.put('/shelves/2/books/1').send({ name: 'Persuasion' }).expect(201);
  expect(await list('/shelves/2/books/1/notes')).toEqual([]);
  expect(await list('/shelves/1/books')).toHaveLength(2);
});

describe.each([undefined, 'empty'] as const)(
  'a record of an item that is made again under the same key: %s',
  (state) => {
    test.each(['was never written', 'was written', 'was removed'] as const)('begins anew when it %s', async (what) => {
      const { app, server, remove } = await open(state);
      const again = (): Promise<unknown> => server.put('/shelves/2').send({ name: 'again' }).expect(/name/);
      const label = async (): Promise<unknown> => (await server.get('/shelves/2/label').expect(200)).body as unknown;
      await again();
      if (what === 'was written') await server.put('/shelves/2/label').send({ text: 'Poems' }).expect(200);
      if (what === 'was removed') await remove('/shelves/2/label');
      await remove('/shelves/2');
      await server.get('/shelves/2/label').expect(404);
      await again();
      expect(await label()).toEqual({ text: 'blank' });
      app.load(app.state());
      expect(await label()).toEqual({ text: 'blank' });
      await remove('/shelves/2/label');
      await server.get('/shelves/2/label').expect(404);
      app.load(app.state());
      await server.get('/shelves/2/label').expect(404);
    });
  },
);

test('a request that is refused gives a record back that was written in it or before, or removed', async () => {
  const { app, server, remove } = await open();
  await server.put('/shelves/1/label').send({ text: 'Poems' }).expect(200);
  await remove('/shelves/2/label');
  const live = new LiveState(app.snapshot().state);
  const draft = new Draft(live);
  draft.put('/shelves/1/label', SINGLE_KEY, { text: 'Novels' });
  for (const [key, path] of [1, 2].map((key) => [key, `/shelves/${key}/label`] as const)) {
    draft.forget(path);
    draft.deleteWithSeededDescendants('/shelves', key);
    expect(live.has(path)).toBe(false);
  }
  draft.undo();
  expect(live.collection('/shelves/1/label').get(SINGLE_KEY)).toEqual({ text: 'Poems' });
  expect(live.collection('/shelves/2/label').size).toBe(0);
  expect(live.has('/shelves/2/label')).toBe(true);
});

test('an emptied collection takes with it what lies below its items', async () => {
  const { server, remove, list } = await open();
  await remove('/shelves/1/books');
  await server.put('/shelves/1/books/1').send({ name: 'Emma' }).expect(201);
  expect(await list('/shelves/1/books/1/notes')).toEqual([]);
});

test('it comes back with a state of before, and is gone in forks and in states of after', async () => {
  const { app, server, remove, list } = await open();
  const before = app.snapshot();
  await remove('/shelves/2');
  await server.put('/shelves/2').send({ name: 'again' }).expect(201);
  const after = app.snapshot();
  const { headers } = app.sandbox('one').fork('other');
  expect((await server.get('/shelves/2/books').set(headers)).body).toHaveLength(2);
  app.sandbox('late').restore(after);
  const late = app.sandbox('late').fork('later');
  expect((await server.get('/shelves/2/books').set(late.headers)).body).toEqual([]);
  expect(app.diff(after)).toEqual({});
  app.restore(before);
  expect(await list('/shelves/2/books')).toHaveLength(2);
  expect(Object.keys(app.diff(after))).toContain('/shelves/2/books');
  app.restore(after);
  expect(await list('/shelves/2/books')).toEqual([]);
  app.reset();
  expect(await list('/shelves/2/books')).toHaveLength(2);
});

test('a saved state of after, read again, gives the same bytes', async () => {
  const [one, two] = [await open(), await open()];
  await one.remove('/shelves/2', '/rooms/attic/desks/1');
  two.app.load(one.app.state({ secrets: true }));
  expect(stateOf(two)).toBe(stateOf(one));
});
