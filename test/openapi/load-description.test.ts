import { join } from 'node:path';
import { loadApi } from '../../src/files/load-api';
import { loadDescription } from '../../src/files/load-description';
import { SpecError } from '../../src/core/errors/standin-error';
import { ExactNumber } from '../../src/core/json/exact-number';
import { equalJson } from '../../src/core/json/json-value';
import { getAtPointer } from '../../src/core/json/json-pointer';
import { stringifyJson, stringifyJsonPretty } from '../../src/core/json/stringify-json';
import type { Operation } from '../../src/openapi/model/operation';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { description, loadText, thrownBy } from './load-text';

const PETSTORE = join(__dirname, '..', '..', 'spec', 'petstore.yaml');

function valueIn(api: ApiModel, pointer: string): unknown {
  return getAtPointer(api.document.root, pointer);
}

/** What two loaded operations can be compared by: everything but functions. */
function facts({ parameters, requestBody, responses, ...operation }: Operation): unknown {
  return {
    ...operation,
    parameters: parameters.map(({ schema, ...parameter }) => ({ ...parameter, schema: schema?.pointer })),
    requestBody: requestBody?.content.map(({ schema, ...entry }) => ({ ...entry, schema: schema?.pointer })),
    responses: [...responses.values()].map(({ content, headers, ...response }) => ({
      ...response,
      content: content.map(({ schema, ...entry }) => ({ ...entry, schema: schema?.pointer })),
      headers: [...headers.values()].map(({ schema, ...header }) => ({ ...header, schema: schema?.pointer })),
    })),
  };
}

describe('YAML reads as JSON would', () => {
  const values = `
  text: { no: no, yes: yes, on: on, off: off, y: y, tilde: '~', hex: '0x10', sexagesimal: 12:30:45, grouped: 1_000 }
  date: 2030-12-05
  moment: 2030-12-05T00:00:00Z
  nothing: [null, ~, ]
  truth: [true, false]
  safe: 9007199254740991
  unsafe: 9007199254740993
  largest: 9223372036854775807
  smallest: -9223372036854775808
  beyond: 18446744073709551616
  decimal: 0.1
  trailing: 2.50
  long: 0.12345678901234567891
  huge: 1e400`;
  const { api } = loadText(description({ more: `x-values:${values}\n` }));

  test.each([
    ['text/no', 'no'],
    ['text/yes', 'yes'],
    ['text/on', 'on'],
    ['text/off', 'off'],
    ['text/y', 'y'],
    ['text/tilde', '~'],
    ['text/hex', '0x10'],
    ['text/sexagesimal', '12:30:45'],
    ['text/grouped', '1_000'],
    ['date', '2030-12-05'],
    ['moment', '2030-12-05T00:00:00Z'],
    ['nothing', [null, null]],
    ['truth', [true, false]],
    ['safe', 9007199254740991],
    ['unsafe', 9007199254740993n],
    ['largest', 9223372036854775807n],
    ['smallest', -9223372036854775808n],
    ['beyond', 18446744073709551616n],
    ['decimal', 0.1],
    ['trailing', 2.5],
    ['long', new ExactNumber('0.12345678901234567891')],
    ['huge', new ExactNumber('1e400')],
  ])('%s is %p', (name, value) => {
    expect(valueIn(api, `/x-values/${name}`)).toStrictEqual(value);
  });

  test('a key that is a number or a date is text', () => {
    const { api: withKeys } = loadText(
      description({ more: 'x-keys: { 200: a, 2030-12-05: b, 1.0: c, true: d, 9007199254740993: e, null: f }\n' }),
    );
    const keys = ['200', '2030-12-05', '1.0', 'true', '9007199254740993', 'null'];
    expect(Object.keys(valueIn(withKeys, '/x-keys') as object).toSorted()).toStrictEqual(keys.toSorted());
  });
});

describe('documents that are good', () => {
  test('status codes without quotes', () => {
    const { api, warnings } = loadText(
      description({
        paths: `
  /books:
    get:
      responses:
        200: { description: The books }
        404: { description: None }
        4XX: { description: Something else }
        default: { description: Anything }`,
      }),
    );
    expect([...api.operations[0]!.responses.keys()]).toStrictEqual(['200', '404', '4XX', 'default']);
    expect(warnings).toStrictEqual([]);
  });

  test.each(['3.0.0', '3.0.1', '3.0.2', '3.0.3', '3.0.4'])('the patch digit of OpenAPI %s', (version) => {
    const { api } = loadText(description({}).replace('3.0.3', version));
    expect(api.title).toBe('Library');
  });

  test.each([
    ['a byte order mark', `\uFEFF${description({})}`],
    ['lines that end with CR LF', description({}).replaceAll('\n', '\r\n')],
    ['a comment first', `# A library\n${description({})}`],
    ['a document marker first', `---\n${description({})}`],
    ['one flow mapping', "{ openapi: 3.0.3, info: { title: Library, version: '1' }, paths: {} }"],
    ['JSON inside a .yaml file', '{ "openapi": "3.0.3", "info": { "title": "Library", "version": "1" }, "paths": {} }'],
  ])('%s', (_, text) => {
    expect(loadText(text).api.title).toBe('Library');
  });

  test('a JSON file with a byte order mark', () => {
    const text = '\uFEFF{ "openapi": "3.0.3", "info": { "title": "Library", "version": "1" }, "paths": {} }';
    expect(loadText(text, 'openapi.json').api.title).toBe('Library');
  });

  test('anchors and aliases', () => {
    const { api } = loadText(
      description({
        schemas: `
    Name: &name { type: string, maxLength: 5 }
    Title: *name`,
      }),
    );
    expect(api.schemaAt('/components/schemas/Title')?.validate('request')('too long')).toHaveLength(1);
  });

  test('a schema that refers to itself judges a tree of any depth', () => {
    const { api } = loadText(
      description({
        schemas: `
    Node:
      type: object
      required: [name]
      properties:
        name: { type: string }
        children: { type: array, items: { $ref: '#/components/schemas/Node' } }`,
      }),
    );
    const validate = api.schemaAt('/components/schemas/Node')!.validate('response');
    expect(validate({ name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] })).toStrictEqual([]);
    expect(validate({ name: 'a', children: [{ name: 'b', children: [{ name: 7 }] }] })).toMatchObject([
      { pointer: '/children/0/children/0/name', keyword: 'type', message: 'must be a string' },
    ]);
  });

  test('two schemas that refer to each other', () => {
    const { api } = loadText(
      description({
        schemas: `
    Book: { type: object, properties: { author: { $ref: '#/components/schemas/Author' } } }
    Author:
      type: object
      required: [name]
      properties: { name: { type: string }, books: { type: array, items: { $ref: '#/components/schemas/Book' } } }`,
      }),
    );
    const validate = api.schemaAt('/components/schemas/Book')!.validate('request');
    expect(validate({ author: { name: 'A', books: [{ author: { name: 'B' } }] } })).toStrictEqual([]);
    expect(validate({ author: { name: 'A', books: [{ author: {} }] } })).toMatchObject([
      { pointer: '/author/books/0/author', keyword: 'required', property: 'name' },
    ]);
  });

  test.each([
    ['a slash and a tilde', `'#/components/schemas/a~1b~0c'`],
    ['a space', `'#/components/schemas/d%20e'`],
    ['a letter beyond ASCII', `'#/components/schemas/%C3%A9'`],
    ['a part of a path', `'#/paths/~1books~1%7BbookId%7D/get/parameters/0/schema'`],
    ['a reference to a reference', `'#/components/schemas/Alias'`],
  ])('a $ref with %s', (_, reference) => {
    const { api } = loadText(
      description({
        paths: `
  /books/{bookId}:
    get:
      parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: The book } }`,
        schemas: `
    Alias: { $ref: '#/components/schemas/a~1b~0c' }
    Subject: { type: object, properties: { it: { $ref: ${reference} } } }`,
        more: '',
      }).replace(
        '    Alias:',
        '    a/b~c: { type: integer }\n    d e: { type: integer }\n    é: { type: integer }\n    Alias:',
      ),
    );
    const validate = api.schemaAt('/components/schemas/Subject')!.validate('request');
    expect(validate({ it: 7 })).toStrictEqual([]);
    expect(validate({ it: 'seven' })).toMatchObject([{ pointer: '/it', message: 'must be an integer' }]);
  });

  test('names that every object inherits are ordinary names', () => {
    const { api } = loadText(
      `{
  "openapi": "3.0.3",
  "info": { "title": "Library", "version": "1" },
  "paths": {},
  "components": { "schemas": {
    "constructor": { "type": "integer" },
    "Book": { "type": "object", "required": ["toString"], "properties": {
      "__proto__": { "type": "integer" }, "constructor": { "$ref": "#/components/schemas/constructor" }, "toString": {}
    } }
  } }
}`,
      'openapi.json',
    );
    const validate = api.schemaAt('/components/schemas/Book')!.validate('request');
    expect(validate(JSON.parse('{ "__proto__": 1, "constructor": 2, "toString": 3 }'))).toStrictEqual([]);
    expect(validate({})).toMatchObject([{ keyword: 'required', property: 'toString' }]);
    const wrong = validate(JSON.parse('{ "__proto__": "a", "constructor": "b", "toString": "c" }'));
    expect(wrong.map(({ pointer }) => pointer).toSorted()).toStrictEqual(['/__proto__', '/constructor']);
    expect(api.schemaAt('/components/schemas/toString')).toBeUndefined();
  });

  test('a member called $ref, and one in an example, is data', () => {
    const { api } = loadText(
      description({
        schemas: `
    Link:
      type: object
      properties: { $ref: { type: string } }
      example: { $ref: nowhere.yaml }
      default: { $ref: '#/nowhere' }
      enum: [{ $ref: nowhere.yaml }, { $ref: '#/nowhere' }]`,
      }),
    );
    const validate = api.schemaAt('/components/schemas/Link')!.validate('request');
    expect(validate({ $ref: 'nowhere.yaml' })).toStrictEqual([]);
    expect(validate({ $ref: 'elsewhere.yaml' })).toMatchObject([{ keyword: 'enum' }]);
  });

  test('what is inside an extension is not looked at', () => {
    const { api } = loadText(description({ more: "x-webhooks: { newBook: { $ref: './webhooks.yaml' } }\n" }));
    expect(api.title).toBe('Library');
  });

  test('an extension may hold anything wherever it stands', () => {
    const { warnings } = loadText(
      description({
        paths: `
  x-{a}: { $ref: nowhere.yaml }
  x-{b}: { $ref: nowhere.yaml }
  /books:
    x-old: { $ref: nowhere.yaml }
    get:
      responses: { '200': { description: ok }, x-more: { $ref: nowhere.yaml, links: { a: { operationId: none } } } }`,
        schemas: "{ Book: { type: object, x-schema: { type: nothing, example: { $ref: '#/no~where' } } } }",
      }),
    );
    expect(warnings).toStrictEqual([]);
  });

  test('a schema or property whose name begins with x- is no extension', () => {
    const text = description({ schemas: "{ x-book: { properties: { x-page: { $ref: '#/nowhere' } } } }" });
    expect(thrownBy(() => loadText(text)).findings).toMatchObject([
      { rule: 'ref-resolves', pointer: '/components/schemas/x-book/properties/x-page/$ref' },
    ]);
  });

  test('an example of a component may leave out what travels the other way', () => {
    const schema = (example: string): string =>
      description({
        schemas: `
    Book:
      type: object
      required: [id, secret]
      properties: { id: { type: integer, readOnly: true }, secret: { type: string, writeOnly: true } }
      example: ${example}`,
      });
    expect(loadText(schema('{ id: 1 }')).warnings).toStrictEqual([]);
    expect(loadText(schema('{ secret: s }')).warnings).toStrictEqual([]);
    expect(loadText(schema('{}')).warnings).toMatchObject([{ rule: 'example-valid', severity: 'warning' }]);
  });

  test('an example of XML is text, whatever the schema of its value', () => {
    const paths = (mediaType: string): string => `
  /books:
    get:
      responses:
        '200': { description: ok, content: { ${mediaType}: { schema: { type: object }, example: <book/> } } }`;
    expect(loadText(description({ paths: paths('application/xml') })).warnings).toStrictEqual([]);
    expect(loadText(description({ paths: paths('application/json') })).warnings).toMatchObject([
      { rule: 'example-valid', severity: 'warning' },
    ]);
  });

  test('a pattern that works only without the u flag', () => {
    const { api } = loadText(description({ schemas: "{ Isbn: { type: string, pattern: '^[\\d\\_]+$' } }" }));
    expect(api.schemaAt('/components/schemas/Isbn')?.validate('request')('1_2')).toStrictEqual([]);
  });

  test("a description's parameters: an operation replaces those of its path, and some headers are ignored", () => {
    const { api } = loadText(
      description({
        paths: `
  /books/{bookId}:
    parameters:
      - { name: bookId, in: path, required: true, schema: { type: string } }
      - { name: limit, in: query, schema: { type: string } }
    get:
      parameters:
        - { name: limit, in: query, required: true, schema: { type: integer } }
        - { name: limit, in: header, schema: { type: boolean } }
        - { name: Accept, in: header, schema: { type: string } }
        - { name: content-type, in: header, schema: { type: string } }
        - { name: AUTHORIZATION, in: header, schema: { type: string } }
      responses: { '200': { description: The book } }`,
      }),
    );
    const parameters = api.operations[0]!.parameters.map(({ name, in: location, required, schema }) => {
      return `${name} ${location} ${String(required)} ${JSON.stringify(schema?.value['type'])}`;
    });
    expect(parameters).toStrictEqual([
      'bookId path true "string"',
      'limit query true "integer"',
      'limit header false "boolean"',
    ]);
  });

  test("security: an operation's list replaces the root's, an empty one opens it", () => {
    const { api } = loadText(
      description({
        paths: `
  /books:
    get: { operationId: inherits, responses: { '200': { description: ok } } }
    post: { operationId: opens, security: [], responses: { '201': { description: ok } } }
    put: { operationId: replaces, security: [{}, { key: [], token: [] }], responses: { '200': { description: ok } } }`,
        more: `  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    token: { type: http, scheme: Bearer }
security: [{ key: [] }]
`,
      }),
    );
    const security = Object.fromEntries(api.operations.map((operation) => [operation.id, operation.security]));
    const [key, token] = ['key', 'token'].map((name) => ({ name, scopes: [] }));
    expect(security).toStrictEqual({ inherits: [[key]], opens: [], replaces: [[], [key, token]] });
    expect(api.securitySchemes.get('token')).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(api.securitySchemes.get('key')).toMatchObject({ type: 'apiKey', in: 'header', parameterName: 'X-Key' });
  });
});

describe('the bundled Petstore', () => {
  const yaml = loadDescription(PETSTORE);

  it('loads without a warning', () => {
    expect(yaml.warnings).toStrictEqual([]);
    expect(yaml.api.operations).toHaveLength(18);
  });

  it('is compiled once, however often it is loaded', () => {
    expect(loadApi().api).toBe(loadApi().api);
  });

  it('is what is loaded when no file is named', () => {
    expect(loadDescription().api.document.file).toBe(PETSTORE);
  });

  it('keeps the digits of its bounds and examples', () => {
    expect(valueIn(yaml.api, '/components/schemas/Order/properties/id/maximum')).toBe(9223372036854775807n);
    expect(valueIn(yaml.api, '/components/parameters/PetId/examples/large/value')).toBe(9007199254740993n);
  });

  test.each([
    ['compact JSON', stringifyJson(yaml.api.document.root), 'openapi.json'],
    ['indented JSON', stringifyJsonPretty(yaml.api.document.root), 'openapi.json'],
    ['JSON in a file called .yaml', stringifyJson(yaml.api.document.root), 'openapi.yaml'],
  ])('loads the same from %s', (_, text, name) => {
    expect(text).toContain('9223372036854775807');
    const { api, warnings } = loadText(text, name);
    expect(equalJson(api.document.root, yaml.api.document.root)).toBe(true);
    expect(warnings).toStrictEqual([]);
    expect(api.operations.map(facts)).toStrictEqual(yaml.api.operations.map(facts));
    expect([...api.securitySchemes]).toStrictEqual([...yaml.api.securitySchemes]);
    const validate = api.schemaAt('/components/schemas/Pet')!.validate('response');
    expect(validate({ id: 9223372036854775807n, name: 'Biscuit', categoryId: 1 })).toStrictEqual([]);
    expect(validate({ id: 9223372036854775808n, name: 'Biscuit', categoryId: 1 })).not.toStrictEqual([]);
  });
});

describe('limits of a document', () => {
  const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);

  test.each([
    ['JSON', 'openapi.json', (inner: string) => `{ "openapi": "3.0.3", "x-deep": ${inner} }`],
    ['YAML', 'openapi.yaml', (inner: string) => `openapi: 3.0.3\nx-deep: ${inner}\n`],
  ])('%s nested a thousand levels deep is refused at its place', (_, name, around) => {
    const error = thrownBy(() => loadText(around(nested('[', ']', 1000)), name));
    expect(error).toBeInstanceOf(SpecError);
    expect(error.code).toBe('SPEC_SYNTAX');
    expect(error.findings).toMatchObject([{ message: expect.stringMatching(/deep|nest/i), line: expect.any(Number) }]);
  });

  test('YAML nested a hundred thousand levels deep is refused, not a defect', () => {
    const error = thrownBy(() => loadText(`openapi: 3.0.3\nx-deep: ${nested('[', ']', 100_000)}\n`));
    expect(error.code).toBe('SPEC_SYNTAX');
  });
});
