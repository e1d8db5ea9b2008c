import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import supertest from 'supertest';
import * as standinExpress from '../../src/express';
import { temporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '..', '..');

/** Code blocks of a language, in order. */
function blocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '');
}

/** A curl command of a shell block, and the output that the comment below it shows. */
function shownOutputs(markdown: string): { command: string; output: string }[] {
  return blocks(markdown, 'sh').flatMap((block) =>
    [...block.matchAll(/^(curl (?:.*\\\n)*.*)\n# (.*)$/gm)].map(([, command = '', output = '']) => ({
      command,
      output,
    })),
  );
}

const LIBRARY = join(ROOT, 'examples', 'library', 'openapi.yaml');

describe.each([
  { document: 'README.md', options: {} },
  { document: 'docs/mock-your-api.md', options: { description: LIBRARY } },
  { document: 'docs/sandboxes-and-faults.md', options: { description: LIBRARY } },
])('the commands of $document', ({ document, options }) => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const app = await standinExpress.createMockServer(options);
    server = createServer(app).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('each prints what the comment below it shows', async () => {
    const shown = shownOutputs(readFileSync(join(ROOT, document), 'utf8'));
    expect(shown.length).toBeGreaterThanOrEqual(3);
    for (const { command, output } of shown) {
      const here = command.replaceAll('http://127.0.0.1:4010', url);
      const { stdout } = await promisify(execFile)('bash', ['-c', here]);
      expect(`${command}\n${stdout}`).toBe(`${command}\n${output}`);
    }
  });
});

describe.each([
  { document: 'README.md', first: 0, last: 0 },
  { document: 'docs/jest-and-vitest.md', first: 0, last: 0 },
  { document: 'docs/jest-and-vitest.md', first: 1, last: 2 },
  { document: 'docs/sandboxes-and-faults.md', first: 0, last: 0 },
])('the test file of $document, blocks $first to $last', ({ document, first, last }) => {
  const samples = blocks(readFileSync(join(ROOT, document), 'utf8'), 'js').slice(first, last + 1);
  const sample = samples.join('');
  const load = (name: string): unknown => {
    if (name === 'supertest') return supertest;
    if (name === 'standin/express') return standinExpress;
    if (name === 'node:http') return { createServer };
    throw new Error(`${document} asks for ${name}, which a newcomer has not installed`);
  };
  const code = sample.replaceAll("'openapi.yaml'", JSON.stringify(LIBRARY));
  // The sample declares its own tests.
  // oxlint-disable-next-line typescript/no-implied-eval -- the text is our own document
  new Function('require', 'test', 'expect', 'beforeAll', 'beforeEach', 'afterAll', code)(
    load,
    test,
    expect,
    beforeAll,
    beforeEach,
    afterAll,
  );
});

describe('the samples of the documents', () => {
  const shop = {
    openapi: '3.0.3',
    info: { title: 'Library', version: '1' },
    paths: {
      '/authors': collectionOf('Author'),
      '/authors/{authorId}': itemOf('Author', 'authorId'),
      '/books': collectionOf('Book'),
      '/books/{bookId}': { ...itemOf('Book', 'bookId'), patch: { operationId: 'lendBook', ...patchOf('Book') } },
    },
    components: {
      schemas: {
        Author: { type: 'object', properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } } },
        Book: {
          type: 'object',
          properties: {
            id: { type: 'integer', readOnly: true },
            authorId: { type: 'integer' },
            lent: { type: 'boolean' },
            lentAt: { type: 'string', format: 'date-time' },
          },
        },
      },
    },
  };

  test('the rules of docs/reference/rules.md do what is said there', async () => {
    const [sample = ''] = blocks(readFileSync(join(ROOT, 'docs/reference/rules.md'), 'utf8'), 'js');
    const module = { exports: {} };
    // oxlint-disable-next-line typescript/no-implied-eval -- the text is our own document
    new Function('module', sample)(module);
    const description = writeDescription(shop);
    const app = await standinExpress.createMockServer({ description, rules: module.exports as never, auth: 'off' });
    const author = await supertest(app).post('/authors').send({ name: 'Le Guin' }).expect(201);
    await supertest(app).post('/books').send({ authorId: 99 }).expect(422);
    const book = await supertest(app).post('/books').send({ authorId: author.body.id }).expect(201);
    await supertest(app).delete(`/authors/${author.body.id}`).expect(409);
    const lent = await supertest(app).patch(`/books/${book.body.id}`).send({}).expect(200);
    expect(lent.body).toMatchObject({ lent: true, lentAt: expect.any(String) });
    await supertest(app).patch(`/books/${book.body.id}`).send({}).expect(409);
  });

  test('the fixture of docs/reference/fixtures.md can be loaded', async () => {
    const [sample = ''] = blocks(readFileSync(join(ROOT, 'docs/reference/fixtures.md'), 'utf8'), 'json');
    const app = await standinExpress.createMockServer({ fixtures: JSON.parse(sample), auth: 'off' });
    await supertest(app).get('/pets/1').expect(200, { id: 1, name: 'Biscuit', categoryId: 1, status: 'available' });
  });
});

function json(name: string): object {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
}

function collectionOf(name: string): object {
  const list = { 'application/json': { schema: { type: 'array', items: { $ref: `#/components/schemas/${name}` } } } };
  return {
    get: { responses: { '200': { description: 'All', content: list } } },
    post: { requestBody: { content: json(name) }, responses: { '201': { description: 'One', content: json(name) } } },
  };
}

function itemOf(name: string, parameter: string): object {
  return {
    parameters: [{ name: parameter, in: 'path', required: true, schema: { type: 'integer' } }],
    get: { responses: { '200': { description: 'One', content: json(name) } } },
    delete: { responses: { '204': { description: 'Gone' } } },
  };
}

function patchOf(name: string): object {
  return { requestBody: { content: json(name) }, responses: { '200': { description: 'One', content: json(name) } } };
}

function writeDescription(description: object): string {
  return temporaryFolder().write('openapi.json', JSON.stringify(description));
}
