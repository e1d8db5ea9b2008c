import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { parse } from 'yaml';
import { createServerParts } from '../../src/library/create-mock-server';
import { loadOverrides } from '../../src/files/load-mock-files';
import { readOverrides } from '../../src/formats/overrides';
import type { SourceFinding } from '../../src/core/errors/standin-error';
import { readSource } from '../../src/openapi/read/read-source';
import { temporaryFolder } from '../support/temporary-folder';
import { LIBRARY } from '../mock/library';
import { thrownBy } from '../openapi/load-text';

const schema = JSON.parse(readFileSync(resolve(__dirname, '../../docs/overrides.schema.json'), 'utf8')) as object;
const validate = new Ajv2020({ strict: false }).compile(schema);
const folder = temporaryFolder();

function read(text: string): { overrides: ReturnType<typeof readOverrides>; findings: SourceFinding[] } {
  const findings: SourceFinding[] = [];
  const overrides = readOverrides(readSource(`standin: overrides/1\n${text}`, 'overrides.yaml'), LIBRARY, findings);
  return { overrides, findings };
}

test('everything that can be said', () => {
  const { overrides, findings } = read(`$schema: https://example.com/overrides.schema.json
resources:
  /books: { key: title, schema: Book, references: { authorName: /authors, year: false } }
  /authors: { stateless: true }
operations:
  DELETE /books/{id}: { behaviour: act, resource: /books, sets: { isLent: true } }
  listBooks: { stateless: true, filters: {} }
`);
  expect(findings).toStrictEqual([]);
  expect(overrides.resources.get('/books')).toMatchObject({
    isStateless: false,
    key: 'title',
    schema: '/components/schemas/Book',
    references: new Map<string, string | false>([
      ['authorName', '/authors'],
      ['year', false],
    ]),
    evidence: { text: 'overrides.yaml:4 says so' },
  });
  expect(overrides.resources.get('/authors')).toMatchObject({ isStateless: true });
  expect(overrides.operations.get(LIBRARY.operationById('deleteBook')!)).toMatchObject({
    behaviour: 'act',
    resource: '/books',
    sets: [{ property: 'isLent', value: true }],
  });
  expect(overrides.operations.get(LIBRARY.operationById('listBooks')!)).toMatchObject({ isStateless: true });
});

test.each([
  ['resources: { /boks: {} }', 2, 'Did you mean "/books"?'],
  ['resources:\n  /books: { keys: id }', 3, 'Did you mean "key"?'],
  ['operations: { listBoks: {} }', 2, 'Did you mean "listBooks"?'],
  ['operations:\n  GET /boks: {}', 3, 'Did you mean "GET /books"?'],
  ['operations: { listBooks: { behaviour: lists } }', 2, 'Did you mean "list"?'],
  ['operations: { listBooks: { resource: /book } }', 2, 'Did you mean "/books"?'],
  ['operation: {}', 2, 'Did you mean "operations"?'],
])('a name that is not known is told with its line, and what was probably meant: %s', (text, line, hint) => {
  const { findings } = read(text);
  expect(findings).toMatchObject([{ rule: 'overrides-format', severity: 'error', file: 'overrides.yaml', line, hint }]);
});

test.each([
  ['{}', true],
  ['resources: { /books: { stateless: 1 } }', false],
  ['resources: { /books: { key: "" } }', false],
  ['resources: { /books: { references: { year: true } } }', false],
  ['resources: { /books: { references: [] } }', false],
  ['resources: { /books: { schema: 7 } }', false],
  ['resources: []', false],
  ['operations: { listBooks: { behaviour: dance } }', false],
  ['operations: { deleteBook: { sets: [] } }', false],
  ['operations: { listBooks: { behaviour: read, resource: /books } }', true],
  ['other: 1', false],
])('the schema for editors and the reader agree on %s: %s', (text, isGood) => {
  const written = text === '{}' ? '' : text;
  expect(read(written).findings.length === 0).toBe(isGood);
  expect(validate(parse(`standin: overrides/1\n${written}`))).toBe(isGood);
});

test('a file is refused whole, with every finding and its place', () => {
  const file = folder.write('o.yaml', 'standin: overrides/1\nresources:\n  /boks: {}\n  /books: { kee: id }\n');
  const error = thrownBy(() => loadOverrides(file, LIBRARY));
  expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: `The overrides ${file} cannot be used: 2 errors` });
  expect(error.findings).toMatchObject([
    { file, line: 3 },
    { file, line: 4 },
  ]);
  const missing = thrownBy(() => loadOverrides(`${file}.none`, LIBRARY));
  expect(missing).toMatchObject({ code: 'CONFIG_INVALID', message: `${file}.none does not exist` });
});

test('a running mock watches the file, and follows it', async () => {
  const overrides = folder.write('watched.yaml', 'standin: overrides/1\n');
  const description = resolve(__dirname, '../corpus/documents/pets-plain.yaml');
  const parts = await createServerParts({ description, overrides });
  expect(parts.files()).toContain(overrides);
  const [path = ''] = parts.mock.resources.map((resource) => resource.path);
  writeFileSync(overrides, `standin: overrides/1\nresources:\n  ${path}: { stateless: true }\n`);
  await parts.reload();
  expect(parts.mock.resources.map((resource) => resource.path)).not.toContain(path);
});
