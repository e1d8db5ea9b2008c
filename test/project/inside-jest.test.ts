import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as ExpressEntry from '../../src/express';
import { temporaryFolder } from '../support/temporary-folder';

/**
 * Most people's jest runs CommonJS in a realm of its own: native `import()` does not work there, and errors of Node's
 * own modules are no `instanceof Error`. What the build made must work there all the same.
 */
const { createMockServer } = createRequire(__filename)(
  join(__dirname, '..', '..', 'dist', 'src', 'express.js'),
) as typeof ExpressEntry;

const folder = temporaryFolder();
const description = folder.write(
  'openapi.yaml',
  `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /books:
    get:
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
    post:
      responses:
        '201':
          description: ok
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
components:
  schemas: { Book: { type: object, properties: { id: { type: integer } } } }
`,
);
const empty = folder.write('rules.cjs', "module.exports = { standin: 'rules/1' };");

test('the built package serves the bundled description', async () => {
  await expect(createMockServer()).resolves.toBeDefined();
});

test("the built package serves one's own description", async () => {
  await expect(createMockServer({ description })).resolves.toBeDefined();
});

test('the built package loads a rules file', async () => {
  await expect(createMockServer({ rules: empty })).resolves.toBeDefined();
});

test('the built package says what is wrong with a description', async () => {
  const invalid = folder.write('invalid.yaml', 'openapi: 3.0.3\npaths: []\n');
  await expect(createMockServer({ description: invalid, strict: true })).rejects.toMatchObject({
    code: 'SPEC_INVALID',
  });
});

test('the built package says that a file does not exist', async () => {
  const missing = { code: 'SPEC_UNREADABLE', message: expect.stringContaining('does not exist') };
  await expect(createMockServer({ description: 'nothing.yaml' })).rejects.toMatchObject(missing);
});
