import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { checkDescription } from '../../src/library/check-description';
import { createServerParts } from '../../src/library/create-mock-server';
import { type CreateMockServerOptions } from '../../src/library/mock-options';
import { namedPack, packsByTitle } from '../../src/files/load-rules-and-packs';
import { ConfigError } from '../../src/core/errors/standin-error';
import { list, object, ref, smallApi, text } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';
import { thrownBy } from '../openapi/load-text';

const folder = temporaryFolder();
const ROOT = join(__dirname, '../..');
const MANIFEST = 'standin: pack/1\nname: mine\nabout: what books mean\n';
const BOOKS = smallApi(
  {
    'GET /books': { answers: { 200: list(ref('Book')) }, query: { q: text } },
    'POST /books': { body: ref('Book'), answers: { 201: ref('Book') } },
    'GET /books/{id}': { answers: { 200: ref('Book') } },
    'POST /books/{id}/lend': { answers: { 204: null } },
  },
  { Book: object({ id: text, title: text, state: { type: 'string', enum: ['in', 'out'] } }, ['id']) },
);

/** A pack in a folder of its own. @returns its path */
function packOf(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, content] of Object.entries({ 'pack.yaml': MANIFEST, ...files }))
    folder.write(`${name}/${file}`, content);
  return folder.file(name);
}

function served(options: CreateMockServerOptions): ReturnType<typeof createServerParts> {
  return createServerParts({ description: folder.write('books.json', BOOKS), auth: 'off', ...options });
}

const OVERRIDES = `standin: overrides/1
operations:
  POST /books/{id}/lend: { behaviour: act, sets: { state: out } }
`;
const OVERLAY = `overlay: 1.0.0
info: { title: Changes, version: '1' }
actions:
  - target: $.components.schemas.Book.properties.state.enum
    update: lost
`;
const RULES = `module.exports = {
  standin: 'rules/1',
  beginning: 'seeded',
  filters: { q: ({ value }) => (value === undefined ? undefined : (item) => item.title.startsWith(value)) },
};
`;

test('a pack brings an overlay, overrides and rules', async () => {
  const pack = packOf('whole', { 'overlay.yaml': OVERLAY, 'overrides.yaml': OVERRIDES, 'rules.js': RULES });
  const { app, packs, warnings } = await served({ packs: [pack] });
  expect(packs).toMatchObject([{ name: 'mine', chosen: 'named' }]);
  expect(warnings).toStrictEqual([]);
  const ask = supertest(app);
  await ask.post('/books').send({ id: 'a', title: 'Emma', state: 'lost' }).expect(201);
  await ask.post('/books/a/lend').expect(204);
  expect((await ask.get('/books/a')).body).toMatchObject({ state: 'out' });
  expect((await ask.get('/books?q=Em')).body).toMatchObject([{ id: 'a' }]);
  expect((await ask.get('/books?q=Zz')).body).toStrictEqual([]);
  // Rules that know how to live with what is made up leave the mock with it.
  expect((await ask.get('/books')).body.length).toBeGreaterThan(1);
});

test('what the user says comes after what a pack says', async () => {
  const pack = packOf('first', { 'overrides.yaml': OVERRIDES, 'rules.js': RULES });
  const { app } = await served({
    packs: [pack],
    overrides: { operations: { 'POST /books/{id}/lend': { behaviour: 'act', sets: { state: 'in' } } } },
    rules: {
      standin: 'rules/1',
      filters: {
        q: ({ value, refuse }) => (value === 'no' ? refuse(400, 'bad_query', 'Not that one') : undefined),
      },
    },
  });
  const ask = supertest(app);
  await ask.post('/books').send({ id: 'a', title: 'Emma', state: 'out' }).expect(201);
  await ask.post('/books/a/lend').expect(204);
  expect((await ask.get('/books/a')).body).toMatchObject({ state: 'in' });
  expect((await ask.get('/books?q=Zz')).body).toHaveLength(1);
  await ask.get('/books?q=no').expect(400);
});

test('what this version of an API lacks is left out of a pack, with a warning and its place', async () => {
  const pack = packOf('newer', {
    'overlay.yaml': OVERLAY.replace('Book', 'Shelf'),
    'overrides.yaml': `${OVERRIDES}  POST /books/{id}/burn: { behaviour: act, sets: { state: out } }\nresources: { /shelves: { key: id } }\n`,
    'rules.js': "module.exports = { standin: 'rules/1', operations: { burnBook() {} } };",
  });
  const { warnings } = await served({ packs: [pack] });
  const told = warnings.map(({ file, line, message }) => `${file.replace(pack, '')}:${line ?? ''} ${message}`);
  expect(told).toStrictEqual([
    '/overlay.yaml:4 Nothing of the description is at $.components.schemas.Shelf.properties.state.enum',
    '/overrides.yaml:5 The description has no path /shelves: what the pack says of it is left out',
    '/overrides.yaml:4 The description has no operation POST /books/{id}/burn: what the pack says of it is left out',
    '/rules.js: The description has no operation burnBook that works on a resource: its rule is left out',
  ]);
});

test.each([
  ['an unknown key', { 'pack.yaml': `${MANIFEST}title: T\n` }, 'pack.yaml', 4],
  ['no format', { 'pack.yaml': 'name: mine\nabout: x\n' }, 'pack.yaml', 1],
  ['an overlay that cannot be used', { 'overlay.yaml': OVERLAY.replace('update', 'updates') }, 'overlay.yaml', 5],
  ['overrides that cannot be used', { 'overrides.yaml': OVERRIDES.replace('out', 'gone') }, 'overrides.yaml', 3],
])('a pack with %s is refused, with its place', async (name, files, file, line) => {
  const pack = packOf(name.replaceAll(' ', '-'), files);
  const error: unknown = await served({ packs: [pack] }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).findings[0]).toMatchObject({ file: join(pack, file), line });
});

test('a pack is chosen by one of its titles, and one without titles by its name alone', () => {
  folder.write('packs/untitled/pack.yaml', `${MANIFEST}# nothing of Shop\n`);
  folder.write('packs/titled/pack.yaml', `${MANIFEST}titles: [Shop, Other shop]\n`);
  const chosen = packsByTitle({ info: { title: 'Shop' } }, folder.file('packs'));
  expect(chosen).toMatchObject([{ folder: join(folder.file('packs'), 'titled'), chosen: 'title' }]);
});

test('broken YAML is told with its place', async () => {
  const pack = packOf('broken', { 'overlay.yaml': 'overlay: [1.0.0\n' });
  await expect(served({ packs: [pack] })).rejects.toMatchObject({ code: 'SPEC_SYNTAX', findings: [{ line: 2 }] });
});

test('a pack that is not there is told, with the one that was meant', () => {
  expect(thrownBy(() => namedPack('kubernets'))).toMatchObject({
    code: 'CONFIG_INVALID',
    hint: expect.stringMatching(/^Did you mean "kubernetes"\?/),
  });
  folder.write('empty/readme.txt', 'nothing');
  expect(thrownBy(() => namedPack(folder.file('empty')))).toMatchObject({
    message: expect.stringMatching(/pack\.yaml/),
  });
});

describe('packs of the package', () => {
  const names = readdirSync(join(ROOT, 'packs'));

  test.each(names)('%s can be used, and is found by each of its titles', (name) => {
    const pack = namedPack(name);
    expect(pack).toMatchObject({ name, chosen: 'named' });
    expect([pack.overlay, pack.overrides, pack.rules].some((part) => part !== undefined)).toBe(true);
  });

  test('are chosen by the title of a description, unless packs are named or off', async () => {
    const titled = folder.write('titled.json', BOOKS.replace('"Small"', '"Docker Engine API"'));
    const chosen = async (packs?: CreateMockServerOptions['packs']): Promise<string[]> =>
      (await served({ description: titled, packs })).packs.map(({ name, chosen: why }) => `${name} by ${why}`);
    expect(await chosen()).toStrictEqual(['docker by title']);
    expect(await chosen('off')).toStrictEqual([]);
    expect(await chosen([])).toStrictEqual([]);
    expect(await chosen(['kubernetes'])).toStrictEqual(['kubernetes by named']);
  });

  test('are chosen by the whole title alone', () => {
    expect(packsByTitle({ info: { title: 'Kubernetes Dashboard' } })).toStrictEqual([]);
    expect(packsByTitle({ info: { title: 'API' } })).toStrictEqual([]);
    expect(packsByTitle({ info: {} })).toStrictEqual([]);
  });
});

test('an overlay of the user changes what is served, and what is checked', async () => {
  const overlay = folder.write('own.yaml', OVERLAY);
  const description = folder.write('checked.json', BOOKS);
  const { app } = await served({ description, overlays: [overlay] });
  await supertest(app).post('/books').send({ id: 'a', state: 'lost' }).expect(201);
  await supertest((await served({ description })).app)
    .post('/books')
    .send({ id: 'a', state: 'lost' })
    .expect(400);
  const wrong = folder.write('wrong.yaml', OVERLAY.replace('enum', 'type'));
  await expect(checkDescription({ description, overlays: [wrong] })).rejects.toBeInstanceOf(ConfigError);
  const broken = folder.write('schema.yaml', OVERLAY.replace('.enum', '').replace('lost', '{ type: wrong }'));
  const { findings } = await checkDescription({ description, overlays: [broken] });
  expect(findings).toContainEqual(expect.objectContaining({ file: broken, line: 5, severity: 'error' }));
});

test('an overlay changes the bundled description too', async () => {
  const overlay = {
    overlay: '1.0.0',
    info: { title: 'T', version: '1' },
    actions: [{ target: '$.info', update: { title: 'Changed' } }],
  };
  const { api } = await createServerParts({ overlays: [overlay] });
  expect(api.title).toBe('Changed');
});

test('one in the place of a list is told', async () => {
  await expect(served({ packs: 'docker' as never })).rejects.toMatchObject({
    message: 'The option packs must be an array of strings, or "off", got a string',
  });
});
