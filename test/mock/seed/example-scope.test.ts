import supertest from 'supertest';
import { checkDescription } from '../../../src/library/check-description';
import { createMockServer } from '../../../src/library/create-mock-server';
import { temporaryFolder } from '../../support/temporary-folder';
import { ref } from '../../support/flow';

const folder = temporaryFolder();
const content = (schema: string, example: unknown): string =>
  `{ description: ok, content: { application/json: { schema: ${schema}, example: ${JSON.stringify(example)} } } }`;
const listOf = (name: string): string => `{ type: array, items: ${ref(name)} }`;

const ADA = { login: 'ada', mood: 'calm' };
const EMMA = { name: 'emma', owner: ADA, stars: 3 };

let written = 0;

/** Repositories by owner and name: an owner is shown in each, as users are listed. */
function hub(repositories: readonly object[], notes: readonly object[] = []): string {
  return folder.write(
    `hub-${(written += 1)}.yaml`,
    `openapi: 3.0.3
info: { title: Hub, version: 1.0.0 }
paths:
  /users:
    get: { responses: { '200': ${content(listOf('Owner'), [ADA])} } }
  /users/{username}:
    parameters: [{ name: username, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': ${content(ref('User'), { login: 'ada', mood: 'calm', age: 36 })}, '404': { description: none } } }
  /users/{username}/repos:
    parameters: [{ name: username, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': ${content(listOf('Repo'), repositories)} } }
  /repos/{owner}/{repo}:
    parameters:
      - { name: owner, in: path, required: true, schema: { type: string } }
      - { name: repo, in: path, required: true, schema: { type: string } }
    get: { responses: { '200': ${content(ref('Repo'), EMMA)}, '404': { description: none } } }
    patch:
      requestBody: { content: { application/json: { schema: { type: object, properties: { stars: { type: integer } } } } } }
      responses: { '200': ${content(ref('Repo'), EMMA)} }
    delete: { responses: { '204': { description: gone } } }
  /repos/{owner}/{repo}/notes:
    parameters:
      - { name: owner, in: path, required: true, schema: { type: string } }
      - { name: repo, in: path, required: true, schema: { type: string } }
    get: { responses: { '200': ${content(listOf('Note'), notes)} } }
  /repos/{owner}/{repo}/notes/{id}:
    parameters:
      - { name: owner, in: path, required: true, schema: { type: string } }
      - { name: repo, in: path, required: true, schema: { type: string } }
      - { name: id, in: path, required: true, schema: { type: integer } }
    get: { responses: { '200': { description: ok, content: { application/json: { schema: ${ref('Note')} } } } } }
components:
  schemas:
    Owner: { type: object, required: [login], properties: { login: { type: string }, mood: { type: string } } }
    User: { type: object, required: [login], properties: { login: { type: string }, mood: { type: string }, age: { type: integer } } }
    Repo:
      type: object
      required: [name]
      properties:
        { name: { type: string }, full_name: { type: string }, owner: ${ref('Owner')}, stars: { type: integer }, url: { type: string } }
    Note:
      type: object
      required: [id]
      properties:
        { id: { type: integer }, text: { type: string }, url: { type: string }, _links: { type: object }, repo: ${ref('Repo')} }
`,
  );
}

async function serve(...parts: Parameters<typeof hub>) {
  const app = await createMockServer({ description: hub(...parts) });
  return { app, server: supertest(app) };
}

test('an example lies below what an object in it names, and is remembered and removed there', async () => {
  const { server } = await serve([{ name: 'persuasion', owner: { login: 'jane' } }]);
  await server.get('/repos/ada/emma').expect(200, EMMA);
  await server.get('/repos/jane/persuasion').expect(200);
  await server.get('/repos/jane/emma').expect(404);
  await server.patch('/repos/ada/emma').send({ stars: 4 }).expect(200);
  await server.get('/repos/ada/emma').expect(200, { ...EMMA, stars: 4 });
  await server.delete('/repos/ada/emma').expect(204);
  await server.get('/repos/ada/emma').expect(404);
});

test('a path that names the same items by another word shows the same items', async () => {
  const { server } = await serve([EMMA]);
  await server.patch('/repos/ada/emma').send({ stars: 9 }).expect(200);
  await server.get('/users/ada/repos').expect(200, [{ ...EMMA, stars: 9 }]);
  await server.delete('/repos/ada/emma').expect(204);
  await server.get('/users/ada/repos').expect(200, []);
});

test.each([
  { by: 'its address', note: { id: 7, text: 'a', url: 'https://hub.example/v1/repos/ada/emma/notes/7' } },
  { by: 'its address in links', note: { id: 7, text: 'a', _links: { self: { href: '/repos/ada/emma/notes/7' } } } },
  { by: 'the item above, and what that shows', note: { id: 7, text: 'a', repo: { name: 'emma', owner: ADA } } },
  {
    by: 'the item above with its full name',
    note: { id: 7, text: 'a', repo: { name: 'emma', full_name: 'ada/emma' } },
  },
])('a nested example lies where $by says', async ({ note }) => {
  const { server } = await serve([EMMA], [note]);
  const { body } = (await server.get('/repos/ada/emma/notes').expect(200)) as { body: object[] };
  expect(body).toMatchObject([{ id: 7, text: 'a' }]);
});

test.each([
  {
    what: 'the address of another item',
    note: { id: 7, text: 'a', url: 'https://hub.example/repos/ada/emma/notes/8' },
  },
  {
    what: 'an address that does not parse',
    note: { id: 7, text: 'a', url: 'https://hub.example/repos/%zz/emma/notes/7' },
  },
  { what: 'only a part of the path', note: { id: 7, text: 'a', repo: { name: 'emma' } } },
])('$what says nothing', async ({ note }) => {
  const { server } = await serve([EMMA], [note]);
  const { body } = (await server.get('/repos/ada/emma/notes').expect(200)) as { body: { text?: string }[] };
  expect(body.filter(({ text }) => text === 'a')).toEqual([]);
});

test('an example that names two places lies in none, and check says so', async () => {
  const torn = { name: 'odes', owner: { login: 'ada' }, full_name: 'john/odes' };
  const { server } = await serve([torn]);
  await server.get('/repos/ada/odes').expect(404);
  await server.get('/repos/john/odes').expect(404);
  const { findings } = await checkDescription({ description: hub([torn]) });
  expect(findings.filter(({ rule }) => rule === 'seed-example')).toMatchObject([
    { severity: 'warning', message: expect.stringContaining('two values of {owner}, "ada" and "john"') },
  ]);
});

test('an exported state has what examples show below a variable of no collection, and is a fixture', async () => {
  const { app } = await serve([EMMA]);
  const state = app.state();
  expect(state).toMatchObject({ collections: { '/repos/ada': [EMMA] } });
  const again = await createMockServer({
    description: hub([EMMA]),
    fixtures: folder.write('state.json', JSON.stringify(state)),
  });
  expect(again.state()).toEqual(state);
});

test('the order in which collections are looked at changes nothing', async () => {
  const [first, second] = [await serve([EMMA]), await serve([EMMA])];
  await first.server.get('/repos/ada/emma');
  await second.server.get('/users/ada/repos');
  expect(JSON.stringify(second.app.state())).toBe(JSON.stringify(first.app.state()));
});
