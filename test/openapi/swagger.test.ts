import { fetchApi, loadApi } from '../../src/files/load-api';
import type { SpecError } from '../../src/core/errors/standin-error';
import type { Operation } from '../../src/openapi/model/operation';
import { locationAt } from '../../src/openapi/read/source-document';
import { thrownBy } from './load-text';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

const TEXT = `swagger: "2.0"
info: { title: Library, version: 1.0.0 }
host: example.com
basePath: /v1
consumes: [application/json]
produces: [application/json]
paths:
  /books:
    get:
      parameters:
        - { name: limit, in: query, type: integer, maximum: 9007199254740993 }
        - { name: tags, in: query, type: array, items: { type: string }, collectionFormat: pipes }
      responses:
        200: { description: ok, schema: { type: array, items: { $ref: '#/definitions/Book' } } }
    post:
      parameters:
        - { name: book, in: body, required: true, schema: { $ref: '#/definitions/Book' } }
      responses: { 201: { description: made } }
securityDefinitions:
  key: { type: apiKey, in: header, name: X-Key }
definitions:
  Book:
    type: object
    required: [title]
    properties:
      title: { type: string }
      price: { type: number, multipleOf: 0.10 }
      author: { $ref: author.yaml }
`;

function write(text: string): string {
  folder.write('author.yaml', 'type: string\nx-nullable: true\n');
  return folder.write('swagger.yaml', text);
}

test('Swagger 2.0 is served as OpenAPI 3.0, with every digit', async () => {
  const { api, warnings } = await fetchApi(write(TEXT));
  expect(warnings).toStrictEqual([]);
  expect(api.basePath).toBe('/v1');
  const [list, create] = api.operations as [Operation, Operation];
  expect(list.parameters.map(({ name, style, explode }) => [name, style, explode])).toStrictEqual([
    ['limit', 'form', true],
    ['tags', 'pipeDelimited', false],
  ]);
  expect(list.parameters[0]?.schema?.value['maximum']).toBe(9007199254740993n);
  expect(create.requestBody?.required).toBe(true);
  const book = create.requestBody?.content[0]?.schema;
  const judge = book?.validate('request');
  expect(judge?.({ title: 'Emma', author: null }).map(({ message }) => message)).toStrictEqual([]);
  expect(judge?.({}).map(({ message }) => message)).toStrictEqual(['must have the property "title"']);
  expect(api.securitySchemes.get('key')).toMatchObject({ type: 'apiKey', in: 'header', parameterName: 'X-Key' });
});

test.each([
  { pointer: '/components/schemas/Book/properties/title', line: 26 },
  { pointer: '/components/securitySchemes/key', line: 20 },
  { pointer: '/paths/~1books/get/parameters/0/schema/maximum', line: 11 },
  { pointer: '/paths/~1books/get/responses/200/content/application~1json/schema/items', line: 14 },
  { pointer: '/paths/~1books/post/requestBody/content/application~1json', line: 15 },
])('$pointer of the converted document stands in line $line of the original', async ({ pointer, line }) => {
  const file = write(TEXT);
  const { api } = await fetchApi(file);
  expect(locationAt(api.document, pointer)).toMatchObject({ file, line });
});

test('it is judged by its own rules first, at its own lines', async () => {
  const file = write(TEXT.replace('in: body', 'in: boddy'));
  const refused = (await fetchApi(file, { isStrict: true }).catch((error: unknown) => error)) as SpecError;
  expect(refused.code).toBe('SPEC_INVALID');
  expect(refused.findings.map(({ line, file: at }) => [line, at])).toContainEqual([17, file]);
});

test('what cannot wait says how to go on', () => {
  expect(thrownBy(() => loadApi(write(TEXT)))).toMatchObject({
    code: 'SPEC_UNSUPPORTED_VERSION',
    hint: expect.stringContaining('npx swagger2openapi') as string,
  });
});
