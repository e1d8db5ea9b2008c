import { loadDescription } from '../../src/files/load-description';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { locationAt } from '../../src/openapi/read/source-document';
import { thrownBy } from './load-text';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Writes files below a folder of their own. @returns the path of the first */
function write(files: Readonly<Record<string, string>>): string {
  const [first] = Object.entries(files).map(([name, text]) => folder.write(name, text));
  return first!;
}

const head = (version = '3.0.3'): string => `openapi: ${version}\ninfo: { title: Library, version: 1.0.0 }\n`;

function violations(api: ApiModel, value: unknown): string[] {
  const schema = api.operations[0]!.responses.get('200')!.content[0]!.schema!;
  return schema
    .validate('response')(value as never)
    .map(({ message }) => message);
}

const BOOKS = `paths:
  /books:
    get:
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: 'REFERENCE' } } } }
`;

test.each([
  { name: 'a whole file', reference: 'book.yaml', file: 'book.yaml' },
  { name: 'a part of a file', reference: 'parts.yaml#/definitions/Book', file: 'parts.yaml' },
  { name: 'a file in a folder', reference: './schemas/book.json', file: 'schemas/book.json' },
  { name: 'a percent-encoded name', reference: 'my%20book.yaml', file: 'my book.yaml' },
  { name: 'an escaped pointer', reference: 'parts.yaml#/x~1y/a%20b', file: 'parts.yaml' },
])('a schema is $name', ({ reference, file }) => {
  const schema = '{ "type": "object", "required": ["title"], "properties": { "title": { "type": "string" } } }';
  const content = file === 'parts.yaml' ? `definitions: { Book: ${schema} }\nx/y: { a b: ${schema} }\n` : schema;
  const { api, warnings } = loadDescription(
    write({ 'openapi.yaml': head() + BOOKS.replace('REFERENCE', reference), [file]: content }),
  );
  expect(warnings).toStrictEqual([]);
  expect(violations(api, { title: 'Emma' })).toStrictEqual([]);
  expect(violations(api, {})).toStrictEqual(['must have the property "title"']);
});

test('a file gets its name among the components, and the name that the description gives it where there is one', () => {
  const { api } = loadDescription(
    write({
      'openapi.yaml': `${head()}${BOOKS.replace('REFERENCE', 'book.yaml')}components: { schemas: { Volume: { $ref: book.yaml } } }`,
      'book.yaml': 'type: object\nproperties: { author: { $ref: author.yaml } }',
      'author.yaml': 'type: string',
    }),
  );
  expect(api.operations[0]!.responses.get('200')!.content[0]!.schema!.pointer).toBe('/components/schemas/Volume');
  expect(api.schemaAt('/components/schemas/author')?.value).toStrictEqual({ type: 'string' });
});

test('circles between files, back into the first as well, end', () => {
  const { api, warnings } = loadDescription(
    write({
      'openapi.yaml': `${head()}${BOOKS.replace('REFERENCE', 'book.yaml')}components: { schemas: { Name: { type: string } } }`,
      'book.yaml': 'type: object\nproperties: { author: { $ref: author.yaml#/Author }, next: { $ref: "#" } }',
      'author.yaml':
        'Author: { type: object, properties: { books: { type: array, items: { $ref: ./book.yaml } }, name: { $ref: "openapi.yaml#/components/schemas/Name" } } }',
    }),
  );
  expect(warnings).toStrictEqual([]);
  expect(violations(api, { next: { author: { books: [{}], name: 'Jane' } } })).toStrictEqual([]);
  expect(violations(api, { next: { author: { books: [{ author: { name: 7 } }] } } })).toHaveLength(1);
});

test('path items, parameters and responses stand in files of their own, and two paths share one', () => {
  const { api, warnings } = loadDescription(
    write({
      'openapi.yaml': `${head()}paths:\n  /a: { $ref: 'paths/item.yaml' }\n  /b: { $ref: 'paths/item.yaml' }\n`,
      'paths/item.yaml': `get:
  parameters: [{ $ref: '../parameters.yaml#/limit' }]
  responses: { '200': { $ref: '../responses.yaml#/ok' } }
`,
      'parameters.yaml': 'limit: { name: limit, in: query, schema: { type: integer } }',
      'responses.yaml': 'ok: { description: fine }',
    }),
  );
  expect(warnings).toStrictEqual([]);
  expect(
    api.operations.map(({ id, parameters, responses }) => [id, parameters[0]?.name, responses.get('200')?.description]),
  ).toStrictEqual([
    ['GET /a', 'limit', 'fine'],
    ['GET /b', 'limit', 'fine'],
  ]);
});

test('what is wrong in a file is told of that file, at its line', () => {
  const file = write({
    'openapi.yaml': head() + BOOKS.replace('REFERENCE', 'book.yaml'),
    'book.yaml': 'type: object\nproperties:\n  title:\n    type: strng\n',
  });
  expect(thrownBy(() => loadDescription(file)).findings).toMatchObject([
    { rule: 'openapi-schema', file: folder.file('book.yaml'), line: 4, pointer: '/properties/title/type' },
  ]);
});

test('what is judged by a schema of a file is located there', () => {
  const { api } = loadDescription(
    write({ 'openapi.yaml': head() + BOOKS.replace('REFERENCE', 'book.yaml'), 'book.yaml': '\n\ntype: string' }),
  );
  expect(locationAt(api.document, '/components/schemas/book/type')).toMatchObject({
    file: folder.file('book.yaml'),
    line: 3,
  });
});

test('the same file by two spellings is read once', () => {
  const { api } = loadDescription(
    write({
      'openapi.yaml': `${head()}${BOOKS.replace('REFERENCE', './x/../book.yaml')}components: { schemas: { A: { type: array, items: { $ref: book.yaml } } } }`,
      'book.yaml': 'type: string',
    }),
  );
  const root = api.document.root as { components: { schemas: object } };
  expect(Object.keys(root.components.schemas)).toStrictEqual(['A', 'book']);
});

test('a discriminator finds its schemas in other files', () => {
  const { api, warnings } = loadDescription(
    write({
      'openapi.yaml': head() + BOOKS.replace('REFERENCE', 'any.yaml'),
      'any.yaml': `oneOf: [{ $ref: novel.yaml }]
discriminator: { propertyName: kind, mapping: { novel: ./novel.yaml } }
`,
      'novel.yaml': 'type: object\nrequired: [kind]\nproperties: { kind: { type: string } }\n',
    }),
  );
  expect(warnings).toStrictEqual([]);
  expect(api.schemaAt('/components/schemas/any')?.value).toMatchObject({
    discriminator: { mapping: { novel: '#/components/schemas/novel' } },
  });
});

describe('from 3.1 on', () => {
  test('$anchor and $id name schemas, in other files as well', () => {
    const { api, warnings } = loadDescription(
      write({
        'openapi.yaml': `${head('3.1.0')}${BOOKS.replace('REFERENCE', '#book')}components:
  schemas:
    Book: { $anchor: book, type: object, required: [title], properties: { title: { $ref: 'https://example.com/text' }, author: { $ref: 'more.yaml#person' } } }
    Text: { $id: 'https://example.com/text', type: string, $ref: '#/$defs/short', $defs: { short: { maxLength: 5 } } }
`,
        'more.yaml': '$defs: { Person: { $anchor: person, type: integer } }',
      }),
    );
    expect(warnings).toStrictEqual([]);
    const root = JSON.stringify(api.document.root);
    expect(root).not.toContain('#book');
    expect(root).toContain('"$ref":"#/components/schemas/Text/$defs/short"');
    expect(root).toContain('"$ref":"#/components/schemas/Person"');
  });

  test('path items become components', () => {
    const { api, warnings } = loadDescription(
      write({
        'openapi.yaml': `${head('3.1.0')}paths: { /a: { $ref: item.yaml } }`,
        'item.yaml': "get: { responses: { '200': { description: ok } } }",
      }),
    );
    expect(warnings).toStrictEqual([]);
    expect(api.operations[0]?.pointer).toBe('/components/pathItems/item/get');
  });
});

describe('a reference that leads nowhere', () => {
  test.each([
    { name: 'a missing file', files: {}, reference: 'none.yaml', message: 'none.yaml does not exist' },
    { name: 'a folder', files: { 'sub/x.yaml': 'a: 1' }, reference: 'sub', message: 'is a folder' },
    {
      name: 'a missing part',
      files: { 'b.yaml': 'a: 1' },
      reference: 'b.yaml#/c',
      message: 'b.yaml#/c does not exist',
    },
    {
      name: 'a file that is no YAML',
      files: { 'b.yaml': 'a: [1' },
      reference: 'b.yaml',
      message: 'b.yaml is not valid YAML',
    },
    {
      name: 'another machine',
      files: {},
      reference: 'https://example.com/a.yaml',
      message: 'it is not allowed to ask example.com',
    },
    {
      name: 'this machine',
      files: {},
      reference: 'http://127.0.0.1:1/a',
      message: 'it is not allowed to ask 127.0.0.1:1',
    },
    { name: 'another protocol', files: {}, reference: 'ftp://example.com/a', message: 'neither a file nor on the web' },
  ])('$name', ({ files, reference, message }) => {
    const file = write({ 'openapi.yaml': head() + BOOKS.replace('REFERENCE', reference), ...files });
    const found = thrownBy(() => loadDescription(file)).findings.filter(({ rule }) => rule === 'ref-resolves');
    expect(found).toMatchObject([{ file, line: 7, message: expect.stringContaining(message) as string }]);
    if (reference.startsWith('http')) expect(found[0]?.hint).toContain('--allow-remote');
  });

  test('a file whose reference is itself', () => {
    const file = write({ 'openapi.yaml': head() + BOOKS.replace('REFERENCE', 'b.yaml'), 'b.yaml': '$ref: "#"' });
    expect(thrownBy(() => loadDescription(file)).findings).toMatchObject([
      { rule: 'ref-resolves', message: expect.stringContaining('leads back to itself') as string },
      { rule: 'ref-resolves', file: folder.file('b.yaml'), line: 1 },
    ]);
  });

  test('path items that stand in each other without end', () => {
    const file = write({
      'openapi.yaml': `${head()}paths: { /a: { $ref: item.yaml } }`,
      'item.yaml': `post:
  responses: { '200': { description: ok } }
  callbacks: { done: { '{$url}': { $ref: item.yaml } } }
`,
    });
    expect(thrownBy(() => loadDescription(file)).findings).toMatchObject([
      { rule: 'ref-resolves', file: folder.file('item.yaml'), line: 3 },
    ]);
  });
});

test('an operationRef is relative to its own file, and leads to what stands there', () => {
  const links = (...references: string[]): string =>
    `{ '200': { description: ok, links: { ${references.map((reference, index) => `l${index}: { operationRef: '${reference}' }`).join(', ')} } } }`;
  const { api, warnings } = loadDescription(
    write({
      'openapi.yaml': `${head()}paths:
  /books: { $ref: paths/books.yaml }
  /volumes: { $ref: paths/books.yaml }
  /authors: { $ref: 'paths/others.yaml#/authors' }
  /shelves: { get: { responses: ${links('#/paths/~1authors/get', 'paths/books.yaml#/post')} } }
`,
      'paths/books.yaml': `
get: { responses: ${links('#/post', 'books.yaml#/post', 'others.yaml#/authors/get', '../openapi.yaml#/paths/~1shelves/get', '#/paths/~1shelves/get')} }
post: { responses: { '204': { description: made } } }
`,
      'paths/others.yaml': `authors: { get: { responses: ${links('#/authors/get', 'elsewhere.yaml#/get')} } }`,
    }),
  );
  expect(warnings).toStrictEqual([]);
  const linked = (id: string): unknown =>
    api
      .operationById(id)
      ?.responses.get('200')
      ?.links.map(({ operationId }) => operationId);
  expect(linked('GET /books')).toStrictEqual([
    'POST /books',
    'POST /books',
    'GET /authors',
    'GET /shelves',
    'GET /shelves',
  ]);
  expect(linked('GET /volumes')).toStrictEqual([
    'POST /volumes',
    'POST /volumes',
    'GET /authors',
    'GET /shelves',
    'GET /shelves',
  ]);
  expect(linked('GET /authors')).toStrictEqual(['GET /authors', undefined]);
  expect(linked('GET /shelves')).toStrictEqual(['GET /authors', 'POST /books']);
});

test('an operationRef of a part that leads to no operation is a finding in that file', () => {
  const file = write({
    'openapi.yaml': `${head()}paths: { /books: { $ref: books.yaml } }`,
    'books.yaml': `get: { responses: { '200': { description: ok, links: { next: { operationRef: '#/put' } } } } }`,
  });
  const { warnings } = loadDescription(file);
  expect(warnings).toMatchObject([{ rule: 'link-operation-exists', file: expect.stringContaining('books.yaml') }]);
});
