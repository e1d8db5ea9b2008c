import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { killAll, serve, type Served } from './standin-process';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/until';

afterEach(killAll);

/** A description of books; what an item has beside its id is written in. */
function description(properties: string, more = ''): string {
  const content = '{ application/json: { schema: { $ref: "#/components/schemas/Book" } } }';
  return `openapi: 3.0.3
info: { title: Shelf, version: 1.0.0 }
paths:
  /books:
    get:
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
    post:
      requestBody: { required: true, content: ${content} }
      responses: { '201': { description: made, content: ${content} } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: ${content} } } }
${more}
components:
  schemas:
    Book:
      type: object
      required: [id, title]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string }
${properties}
`;
}

const VIEWS = `  /version:
    get:
      responses:
        '200': { description: ok, content: { text/plain: { example: two, schema: { type: string } } } }
`;

interface Shelf {
  readonly server: Served;
  readonly folder: string;
  readonly save: (name: string, text: string) => void;
}

function openShelf(...more: string[]): Promise<Shelf> {
  return openShelfWith({}, ...more);
}

/** @param files - beside the description, fixtures and rules, by their paths */
async function openShelfWith(files: Readonly<Record<string, string>>, ...more: string[]): Promise<Shelf> {
  const folder = temporaryFolder().path;
  const save = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
  };
  save('api.yaml', description(''));
  save('seed.json', fixture('First'));
  save('rules.js', rules('Ada'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    save(name, text);
  }
  const flags = ['--watch', '--auth', 'off', '--log', 'silent', '--fixtures', 'seed.json', '--rules', 'rules.js'];
  const server = await serve(['api.yaml', ...flags, ...more], { cwd: folder });
  return { server, folder, save };
}

function fixture(title: string): string {
  return JSON.stringify({ standin: 'fixture/1', collections: { '/books': [{ id: 1, title }] } });
}

/** What is posted gets a title by the rule. */
function rules(title: string): string {
  return `module.exports = {
  standin: 'rules/1',
  references: [],
  operations: { 'POST /books': (event) => { event.item.title = '${title}'; } },
};`;
}

async function textOf(url: string, body?: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, body === undefined ? {} : { method: 'POST', headers, body });
  return response.text();
}

test('an edited description is taken in; what is stored stays, a broken one is told and not taken', async () => {
  const { server, save } = await openShelf('--rules', 'off');
  const box = { 'x-standin-sandbox': 'a', 'content-type': 'application/json' };
  await textOf(`${server.url}/books`, '{"title":"Second"}');
  await fetch(`${server.url}/books`, { method: 'POST', headers: box, body: '{"title":"Boxed"}' });
  await textOf(`${server.url}/version`);

  save('api.yaml', description('', VIEWS));
  await until(async () => (await textOf(`${server.url}/version`)) === 'two', 'the new path');
  expect(server.output().stdout).toMatch(/reloaded api\.yaml in \d+ ms/);
  expect(await textOf(`${server.url}/books/2`)).toContain('Second');
  expect(await (await fetch(`${server.url}/books/2`, { headers: box })).text()).toContain('Boxed');
  const journal = await textOf(`${server.url}/__standin/journal`);
  expect((JSON.parse(journal) as object[]).slice(0, 2)).toMatchObject([
    { target: '/books', status: 201 },
    { target: '/version', status: 404 },
  ]);

  save('api.yaml', description('', VIEWS).replace('version: 1.0.0 }', 'version: 1.0.0'));
  await until(() => server.output().stderr.includes('not reloaded'), 'the reason');
  expect(server.output().stderr).toMatch(/api\.yaml:\d+:\d+ error/);
  expect(await textOf(`${server.url}/version`)).toBe('two');

  save('api.yaml', '[]');
  await until(() => server.output().stderr.split('not reloaded').length === 3, 'the other reason');
  expect(await textOf(`${server.url}/books/2`)).toContain('Second');
});

test('a file that another one is renamed over is taken in, again and again', async () => {
  const { server, folder, save } = await openShelf();
  for (const example of ['two', 'three', 'four']) {
    save('api.yaml~', description('', VIEWS.replace('two', example)));
    renameSync(join(folder, 'api.yaml~'), join(folder, 'api.yaml'));
    await until(async () => (await textOf(`${server.url}/version`)) === example, example);
  }
});

test('items that do not fit any more are listed, and kept', async () => {
  const { server, save } = await openShelf('--rules', 'off');
  await textOf(`${server.url}/books`, '{"title":"Second"}');
  save(
    'api.yaml',
    description('        pages: { type: integer }').replace(
      'title: { type: string }',
      'title: { type: string, maxLength: 5 }',
    ),
  );
  await until(() => server.output().stderr.includes('/books/2'), 'the item that is too long');
  expect(server.output().stderr).toMatch(/\/books\/2 does not fit any more, and is kept: \/title .*5/);
  expect(await textOf(`${server.url}/__standin/state`)).toContain('Second');
});

test('an item that does not fit is told when it is new, not at each reload', async () => {
  const { server, save } = await openShelf('--rules', 'off', '--state', 'empty');
  const reloads = (): number => (server.output().stdout.match(/reloaded/g) ?? []).length;
  const complaints = (): string[] => server.output().stderr.match(/\/books\/\d+ does not fit/g) ?? [];
  const limited = description('').replace('title: { type: string }', 'title: { type: string, maxLength: 5 }');
  await textOf(`${server.url}/books`, '{"title":"Second"}');
  save('api.yaml', limited);
  await until(() => reloads() === 1, 'the first reload');
  save('api.yaml', `${limited}# Saved again\n`);
  await until(() => reloads() === 2, 'the second reload');
  save('api.yaml', limited.replace('maxLength: 5', 'maxLength: 4'));
  await until(() => complaints().length === 2, 'another reason');
  save('api.yaml', description(''));
  await until(() => reloads() === 4, 'the fourth reload');
  save('api.yaml', limited);
  await until(() => reloads() === 5, 'the fifth reload');
  await until(() => complaints().length === 3, 'what fitted meanwhile');
});

test('a collection that is gone is told, and kept in what is exported', async () => {
  const { server, save } = await openShelf('--rules', 'off', '--state', 'empty');
  await textOf(`${server.url}/books`, '{"title":"Second"}');
  save('api.yaml', description('').replaceAll('/books', '/volumes'));
  await until(() => server.output().stderr.includes('no collection /books any more'), 'the collection');
  expect(await textOf(`${server.url}/volumes`)).toBe('[]');
  expect(await textOf(`${server.url}/__standin/state`)).toContain('Second');
});

test('edited fixtures are what a state begins with in which nothing was changed, and what resets go back to', async () => {
  const { server, save } = await openShelf('--rules', 'off');
  save('seed.json', fixture('Other'));
  await until(async () => (await textOf(`${server.url}/books/1`)).includes('Other'), 'the new seed');
  await textOf(`${server.url}/books`, '{"title":"Second"}');
  save('seed.json', fixture('Third'));
  await until(() => (server.output().stdout.match(/reloaded seed\.json/g) ?? []).length === 2, 'the second reload');
  expect(await textOf(`${server.url}/books/1`)).toContain('Other');
  await textOf(`${server.url}/__standin/reset`, '{}');
  expect(await textOf(`${server.url}/books`)).toBe('[{"id":1,"title":"Third"}]');
});

test('edited rules are taken in', async () => {
  const { server, save } = await openShelf();
  expect(await textOf(`${server.url}/books`, '{"title":"x"}')).toContain('Ada');
  save('rules.js', rules('Grace'));
  await until(async () => (await textOf(`${server.url}/books`, '{"title":"x"}')).includes('Grace'), 'the new rule');
});

test('an edited part of the description is taken in, also one that was not there before', async () => {
  const { server, folder, save } = await openShelf('--rules', 'off');
  const version = (example: string): string => VIEWS.slice(VIEWS.indexOf('get:')).replace('two', example);
  save('api.yaml', description('', '  /version: { $ref: parts/version.yaml }'));
  await until(() => server.output().stderr.includes('version.yaml does not exist'), 'the reason');
  mkdirSync(join(folder, 'parts'));
  for (const example of ['three', 'four']) {
    save('parts/version.yaml', version(example));
    await until(async () => (await textOf(`${server.url}/version`)) === example, example);
  }

  save('parts/version.yaml', 'get: { $ref: get.yaml }');
  save('parts/get.yaml', 'responses: [');
  await until(() => server.output().stderr.includes('get.yaml is not valid YAML'), 'what is broken');
  expect(await textOf(`${server.url}/version`)).toBe('four');
  save('parts/version.yaml', version('five'));
  await until(async () => (await textOf(`${server.url}/version`)) === 'five', 'five');
});

describe('modules that a rules file loads', () => {
  const waitFor = async ({ server }: Shelf, title: string): Promise<void> => {
    await until(async () => (await textOf(`${server.url}/books`, '{"title":"x"}')).includes(title), title);
  };
  const using = { cjs: "const title = require('./lib/title');\n", mjs: "import title from './lib/title.mjs';\n" };
  const title = {
    cjs: (text: string) => `module.exports = '${text}';`,
    mjs: (text: string) => `export default '${text}';`,
  };
  const rulesOf = { cjs: rules('X'), mjs: rules('X').replace('module.exports =', 'export default') };

  test.each(['cjs', 'mjs'] as const)('are taken in when they are edited: .%s', async (form) => {
    const file = form === 'cjs' ? 'lib/title.js' : 'lib/title.mjs';
    const text = using[form] + rulesOf[form].replace("'X'", 'title');
    const shelf = await openShelfWith(
      { [file]: title[form]('Ada'), [`mine.${form}`]: text },
      '--rules',
      `mine.${form}`,
    );
    await waitFor(shelf, 'Ada');
    shelf.save(file, title[form]('Grace'));
    await waitFor(shelf, 'Grace');
    // One that is broken, and mended.
    shelf.save(file, 'syntax error');
    await until(() => shelf.server.output().stderr.includes('not reloaded'), 'the reason');
    shelf.save(file, title[form]('Joan'));
    await waitFor(shelf, 'Joan');
    // The file itself.
    shelf.save(`mine.${form}`, rulesOf[form].replace('X', 'Mary'));
    await waitFor(shelf, 'Mary');
  });

  test('are taken in when they come to be', async () => {
    const shelf = await openShelf();
    await waitFor(shelf, 'Ada');
    shelf.save('rules.js', using.cjs + rules('X').replace("'X'", 'title'));
    await until(() => shelf.server.output().stderr.includes("Cannot find module './lib/title'"), 'the reason');
    mkdirSync(join(shelf.folder, 'lib'));
    shelf.save('lib/title.js', title.cjs('Grace'));
    await waitFor(shelf, 'Grace');
  });
});
