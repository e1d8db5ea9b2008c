import request from 'supertest';
import { createMockServer } from '../../src/library/create-mock-server';
import { fetchDescriptionText, loadDescriptionText } from '../../src/files/load-description';
import { description, loadText, thrownBy } from './load-text';
import { serveText } from '../support/serve-text';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

const BOOKS = `
  /books:
    get:
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }`;

function told(text: string): { rule: string; severity: string; line: number | undefined; message: string }[] {
  return loadText(text).warnings.map(({ rule, severity, line, message }) => ({ rule, severity, line, message }));
}

describe('a reference in the place of a map', () => {
  test('of properties is read as the map that it leads to', () => {
    const { api, warnings } = loadText(
      description({
        paths: BOOKS,
        schemas: `
    Base: { type: object, properties: { title: { type: string } } }
    Book: { type: object, properties: { $ref: '#/components/schemas/Base/properties', pages: { type: integer } } }`,
      }),
    );
    const book = api.schemaAt('/components/schemas/Book');
    expect(
      book
        ?.validate('response')({ title: 1, pages: 'x' })
        .map(({ pointer }) => pointer),
    ).toStrictEqual(['/title', '/pages']);
    expect(warnings).toMatchObject([{ rule: 'read-as-meant', severity: 'warning' }]);
  });

  test('of components, responses, paths and parameters, in other files, has the places of those files', async () => {
    folder.write(
      'all.yaml',
      `schemas:
  Book: { type: object, required: [shelf], properties: { shelf: { $ref: '#/schemas/Shelf' } } }
  Shelf: { type: object, properties: { row: { type: integer } } }
responses:
  '200': { description: ok, content: { application/json: { schema: { $ref: '#/schemas/Book' }, example: { shelf: { row: first } } } } }
parameters:
  - { name: page, in: query, schema: { type: integer } }
paths:
  /books:
    get:
      parameters: { $ref: '#/parameters' }
      responses: { $ref: '#/responses' }
`,
    );
    const file = folder.write(
      'openapi.yaml',
      `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths: { $ref: 'all.yaml#/paths' }
components: { schemas: { $ref: 'all.yaml#/schemas' } }
`,
    );
    const { api, warnings } = await fetchDescriptionText(
      `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths: { $ref: 'all.yaml#/paths' }
components: { schemas: { $ref: 'all.yaml#/schemas' } }
`,
      file,
    );
    expect(api.operations.map(({ id, parameters }) => [id, parameters.map(({ name }) => name)])).toStrictEqual([
      ['GET /books', ['page']],
    ]);
    expect(warnings.filter(({ rule }) => rule === 'read-as-meant')).toHaveLength(4);
    expect(warnings.find(({ rule }) => rule === 'example-valid')).toMatchObject({ line: 5 });
    expect(Object.keys(Object(Object(api.document.root).components).schemas)).toStrictEqual(['Book', 'Shelf']);
  });

  test('that leads to no map, nowhere or back to itself is an error', () => {
    const refused = (reference: string, more = ''): string =>
      thrownBy(() =>
        loadText(description({ paths: BOOKS, schemas: `{ Book: { properties: { $ref: '${reference}' } } ${more} }` })),
      )
        .findings.map(({ message }) => message)
        .join();
    expect(refused('#/openapi')).toContain('leads to no map');
    expect(refused('#/components/schemas/None')).toContain('does not exist');
    expect(refused('#/components/schemas/Book/properties')).toContain('itself');
  });

  test('is a property called $ref where it is a schema', () => {
    const text = description({ paths: BOOKS, schemas: '{ Book: { properties: { $ref: { type: string } } } }' });
    expect(told(text)).toStrictEqual([]);
  });
});

test('2xx and Default are read as 2XX and default, in operations, components and webhooks', async () => {
  const text = `openapi: 3.1.0
info: { title: Library, version: 1.0.0 }
paths:
  /books:
    get:
      responses:
        2xx: { description: ok, content: { application/json: { example: fine } } }
        Default: { description: error }
webhooks:
  sold:
    post:
      responses:
        2xx:
          description: ok
`;
  expect(told(text).map(({ rule, line }) => [rule, line])).toStrictEqual([
    ['read-as-meant', 7],
    ['read-as-meant', 8],
    ['read-as-meant', 13],
  ]);
  const app = await createMockServer({ description: folder.write('ranges.yaml', text) });
  await request(app).get('/books').expect(200, '"fine"');
});

test('a member that is null is read as if it were not there; a null that is a value stays', () => {
  const text = description({
    paths: `
  /books:
    parameters: ~
    get:
      requestBody: ~
      responses: { '200': { description: ok, headers: ~, content: { application/json: { schema: { nullable: true, type: string, default: ~ }, example: ~ } } } }`,
  });
  expect(told(text).map(({ rule, message }) => [rule, /"\w+"/.exec(message)?.[0]])).toStrictEqual([
    ['read-as-meant', '"parameters"'],
    ['read-as-meant', '"requestBody"'],
    ['read-as-meant', '"headers"'],
  ]);
  expect(JSON.stringify(loadText(text).api.document.root)).toContain('"default":null},"example":null');
});

test('a number without quotes in the place of a name is that name', () => {
  const text = description({
    paths: `
  /books:
    get: { operationId: 12, parameters: [{ name: 7, in: query, schema: { type: string } }], responses: {} }`,
  });
  const { api, warnings } = loadText(text);
  expect(warnings.filter(({ rule }) => rule === 'read-as-meant')).toHaveLength(2);
  expect(api.operationById('12')?.parameters.map(({ name }) => name)).toStrictEqual(['7']);
});

describe('several schemas of items without a type', () => {
  const ofBook = (book: string): string => description({ paths: BOOKS, schemas: `\n    Book: ${book}` });
  const validate = (text: string) => loadText(text).api.schemaAt('/components/schemas/Book')?.validate('response');
  const branches = '[{ type: object, required: [title] }, { type: integer }]';

  test.each([`{ items: { anyOf: ${branches} } }`, `{ title: Book, items: { oneOf: ${branches} } }`])(
    'are a choice: %s',
    (book) => {
      const judge = validate(ofBook(book));
      expect([{ title: 'x' }, 5, {}, 'x', [5]].map((value) => judge?.(value).length === 0)).toStrictEqual([
        true,
        true,
        false,
        false,
        false,
      ]);
      expect(told(ofBook(book))).toMatchObject([{ rule: 'read-as-meant', severity: 'warning' }]);
    },
  );

  test.each(['{ items: { type: integer } }', `{ minItems: 1, items: { anyOf: ${branches} } }`])(
    'stay what they are beside words of lists, or alone: %s',
    (book) => {
      expect(validate(ofBook(book))?.('x')).toStrictEqual([]);
      expect(told(ofBook(book)).filter(({ rule }) => rule === 'read-as-meant')).toStrictEqual([]);
    },
  );
});

describe('a pattern', () => {
  const ofBook = (words: string): string =>
    description({ paths: BOOKS, schemas: `\n    Book: { type: string, ${words} }` });
  const fits = (words: string, text: string): boolean =>
    loadText(ofBook(words)).api.schemaAt('/components/schemas/Book')?.validate('request')(text).length === 0;
  const isTold = (words: string): boolean => told(ofBook(words)).some(({ rule }) => rule === 'read-as-meant');

  test.each(["pattern: '^[a-z](?!..)[a-z]+$', example: abcd", "pattern: 'a-z, 0-9', example: x1"])(
    'that its own example does not fit is not there: %s',
    (words) => {
      expect(fits(words, 'anything')).toBe(true);
      expect(isTold(words)).toBe(true);
    },
  );

  test.each([
    ["pattern: '\\A[a-z]+\\z'", true],
    ["pattern: '^[a-z]+$', example: abc", false],
    ["pattern: '^[^\\\\d]+$'", true],
    ["pattern: '^[^\\\\A]\\w+$'", false],
    ["pattern: '^[a-z]+$'", false],
    ["pattern: '/^[a-z]+$/'", true],
    ["pattern: '/^[a-z]+$/i', minLength: 3", true],
  ])('is kept otherwise, with anchors and without delimiters as meant: %s', (words, isWarned) => {
    expect([fits(words, 'abc'), fits(words, 'A1')]).toStrictEqual([true, false]);
    expect(isTold(words)).toBe(isWarned);
  });
});

describe('a pattern written as a literal', () => {
  const fits = (pattern: string, text: string): boolean =>
    loadText(description({ paths: BOOKS, schemas: `\n    Book: { type: string, pattern: '${pattern}' }` }))
      .api.schemaAt('/components/schemas/Book')
      ?.validate('request')(text).length === 0;

  test.each([
    ['/^[a-z_]+$/i', 'Ab_c', true],
    ['/^[a-z_]+$/i', 'Ab 1', false],
    ['/^ab$/i', 'AB', true],
    ['/^[a-f]+$/i', 'ABC', true],
    ['/^\\d+$/i', '12', true],
    ['/^\\d+$/i', 'ab', false],
    // A path: there may well be such a text.
    ['^/[a-z]+/$', 'abc', false],
    ['/[a-z]+/', '/abc/', true],
    ['/[a-z]+/', 'abc', false],
  ])('%s, and %s: %s', (pattern, text, isFitting) => {
    expect(fits(pattern, text)).toBe(isFitting);
  });
});

describe('what schemas of 3.0 say in a description of 3.1', () => {
  const later = (schema: string, more = ''): string => `openapi: 3.1.0
info: { title: Library, version: 1.0.0 }
${more}
paths: {}
components: { schemas: { Book: ${schema} } }
`;
  const fits = (text: string, value: never): boolean =>
    loadText(text).api.schemaAt('/components/schemas/Book')?.validate('response')(value).length === 0;

  test.each([
    { schema: '{ type: number, minimum: 0, exclusiveMinimum: true }', good: 0.5, bad: 0 },
    { schema: '{ type: number, maximum: 9, exclusiveMaximum: true }', good: 8, bad: 9 },
    { schema: '{ type: number, minimum: 0, exclusiveMinimum: false }', good: 0, bad: -1 },
    { schema: '{ type: string, nullable: true }', good: null, bad: 1 },
    { schema: '{ type: array, items: [{ type: string }] }', good: ['a', 1], bad: [1] },
  ])('$schema is read as it was meant there', ({ schema, good, bad }) => {
    expect(told(later(schema))).toMatchObject([{ rule: 'read-as-meant', severity: 'warning' }]);
    expect(fits(later(schema), good as never)).toBe(true);
    expect(fits(later(schema), bad as never)).toBe(false);
  });

  test('is left alone in a dialect where it is at home', () => {
    const schema = '{ $schema: "http://json-schema.org/draft-04/schema#", minimum: 0, exclusiveMinimum: true }';
    expect(told(later(schema))).toStrictEqual([]);
    expect(fits(later(schema), 0 as never)).toBe(false);
  });
});

describe('null beside keywords that lack it', () => {
  const schemas = [
    "{ nullable: true, allOf: [{ $ref: '#/components/schemas/Part' }] }",
    "{ nullable: true, oneOf: [{ $ref: '#/components/schemas/Part' }] }",
    "{ type: object, nullable: true, anyOf: [{ $ref: '#/components/schemas/Part' }] }",
    "{ $ref: '#/components/schemas/Part', nullable: true }",
    '{ nullable: true, enum: [{ size: 1 }] }',
  ];
  const text = description({
    schemas: `
    Part: { type: object, properties: { size: { type: integer } } }
    Whole: { type: object, properties: { ${schemas.map((schema, index) => `p${index}: ${schema}`).join(', ')} } }`,
  });

  test('is allowed, with one warning', () => {
    const { api, warnings } = loadDescriptionText(text, 'openapi.yaml');
    const violations = api.schemaAt('/components/schemas/Whole')!.validate('response');
    for (const index of schemas.keys()) {
      expect(violations({ [`p${index}`]: null })).toStrictEqual([]);
      expect(violations({ [`p${index}`]: { size: 1 } })).toStrictEqual([]);
      expect(violations({ [`p${index}`]: { size: 'x' } })).not.toStrictEqual([]);
    }
    expect(violations({ p0: { size: 'x' } })).toMatchObject([{ pointer: '/p0/size' }]);
    expect(warnings).toMatchObject([{ rule: 'read-as-meant', severity: 'warning' }]);
  });

  test('is refused by the letter', () => {
    const { api, warnings } = loadDescriptionText(text, 'openapi.yaml', { isStrict: true });
    const violations = api.schemaAt('/components/schemas/Whole')!.validate('response');
    for (const index of schemas.keys()) expect(violations({ [`p${index}`]: null })).not.toStrictEqual([]);
    expect(warnings).toStrictEqual([]);
  });
});

test.each([
  ['example', "example: { $ref: '#/components/examples/Grey' }", { colour: 'grey' }],
  ['the value of an example', "example: { $ref: '#/components/examples/Grey/value' }", { colour: 'grey' }],
  ['examples', "examples: { a: { value: [{ $ref: '#/components/examples/Grey' }, 1] } }", [{ colour: 'grey' }, 1]],
  ['a chain', "example: { deep: { $ref: '#/components/examples/Chain' } }", { deep: { inner: { colour: 'grey' } } }],
  ['nothing', "example: { $ref: '#/components/examples/None' }", { $ref: '#/components/examples/None' }],
  ['data', "example: { $ref: '#/components/examples/Grey', more: 1 }", { $ref: '#/components/examples/Grey', more: 1 }],
])('a reference in the data of an example: %s', async (_, media, body) => {
  const app = await serveText(`openapi: 3.0.3
info: { title: Paints, version: 1.0.0 }
paths:
  /paints: { get: { responses: { '200': { description: ok, content: { application/json: { ${media} } } } } } }
components:
  examples:
    Grey: { value: { colour: grey } }
    Chain: { value: { inner: { $ref: '#/components/examples/Grey' } } }
`);
  await request(app).get('/paints').expect(200, body);
});

test('references in the example of a schema that lead to themselves stay as they are', () => {
  const { warnings } = loadDescriptionText(
    description({ schemas: "{ Loop: { example: { next: { $ref: '#/components/schemas/Loop/example' } } } }" }),
    'openapi.yaml',
  );
  expect(warnings).toMatchObject([{ rule: 'read-as-meant', message: expect.stringContaining('"$ref"') }]);
});

test.each([
  ['{ type: string, format: uuid, minLength: 24, maxLength: 24 }', '536e564f316c83104c000020'],
  ['{ type: string, format: date, minLength: 20 }', '2025-01-02T03:04:05Z'],
])('%s: no text fits both, and the length counts', (schema, value) => {
  const { api, warnings } = loadDescriptionText(description({ schemas: `{ Key: ${schema} }` }), 'openapi.yaml');
  expect(api.schemaAt('/components/schemas/Key')!.accepts(value, 'request')).toBe(true);
  expect(api.schemaAt('/components/schemas/Key')!.accepts('short', 'request')).toBe(false);
  expect(warnings).toMatchObject([{ rule: 'read-as-meant', message: expect.stringContaining('length') }]);
});

test('a format whose texts have an allowed length stays', () => {
  const schemas = '{ Key: { type: string, format: uuid, minLength: 1, maxLength: 64 } }';
  const { api, warnings } = loadDescriptionText(description({ schemas }), 'openapi.yaml');
  expect(api.schemaAt('/components/schemas/Key')!.accepts('no UUID', 'request')).toBe(false);
  expect(warnings).toStrictEqual([]);
});

describe('a format of times that its own example has in another form', () => {
  const at = (example: string, format = 'date-time'): string =>
    description({
      paths: BOOKS,
      schemas: `
    Book: { type: object, properties: { at: { type: string, format: ${format}, example: '${example}' } } }`,
    });

  test.each([
    ['2015-01-01T05:18:23-0700', 'date-time', '2015-01-01T05:18:23-0700'],
    ['2015-01-01 05:18', 'date-time', '2016-02-03 11:00'],
    ['31.12.2015', 'date', '01.01.2016'],
  ])('refuses nothing: %s', (example, format, other) => {
    const { api, warnings } = loadText(at(example, format));
    const book = api.schemaAt('/components/schemas/Book');
    expect(book?.validate('request')({ at: other })).toEqual([]);
    expect(warnings).toMatchObject([{ rule: 'read-as-meant', message: expect.stringContaining(format) as string }]);
  });

  test.each([
    ['2015-01-01T05:18:23Z', 'date-time'],
    ['the time of the order', 'date-time'],
    ['string', 'date-time'],
    ['2015-01-01T00:00:00.000Z', 'date'],
  ])('stays beside %s', (example, format) => {
    const book = loadText(at(example, format)).api.schemaAt('/components/schemas/Book');
    expect(book?.validate('request')({ at: '2015-01-01 05:18' })).toHaveLength(1);
  });
});

test('x-example is an example where there is no other', () => {
  const { api, warnings } = loadText(
    description({
      paths: BOOKS,
      schemas: `
    Book:
      type: object
      properties:
        contact: { type: string, x-example: a@example.com }
        title: { type: string, example: Kim, x-example: Other }`,
    }),
  );
  const [contact, title] = ['contact', 'title'].map((name) =>
    api.schemaAt(`/components/schemas/Book/properties/${name}`),
  );
  expect([contact?.value['example'], title?.value['example']]).toEqual(['a@example.com', 'Kim']);
  expect(warnings).toEqual([]);
});

describe('additionalProperties: false beside an allOf', () => {
  const closed = (own: string): string =>
    description({
      paths: BOOKS,
      schemas: `
    Base: { type: object, required: [title], properties: { title: { type: string } } }
    Book: { allOf: [{ $ref: '#/components/schemas/Base' }], additionalProperties: false, ${own} }`,
    });

  test('is read as if it were not there where it would rule out what a part declares', () => {
    const { api, warnings } = loadDescriptionText(closed('properties: { pages: { type: integer } }'), 'openapi.yaml');
    const book = api.schemaAt('/components/schemas/Book');
    expect(book?.validate('request')({ title: 'Emma', pages: 320 })).toEqual([]);
    expect(warnings).toMatchObject([{ rule: 'read-as-meant', message: expect.stringContaining('allOf') as string }]);
  });

  test('stays where the properties of all parts stand beside it', () => {
    const { api, warnings } = loadDescriptionText(
      closed('properties: { title: {}, pages: { type: integer } }'),
      'openapi.yaml',
    );
    const book = api.schemaAt('/components/schemas/Book');
    expect(book?.validate('request')({ title: 'Emma', price: 3 })).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  test('stays with --strict', () => {
    const { api } = loadDescriptionText(closed('properties: { pages: { type: integer } }'), 'openapi.yaml', {
      isStrict: true,
    });
    expect(api.schemaAt('/components/schemas/Book')?.validate('request')({ title: 'Emma' })).toHaveLength(1);
  });
});
