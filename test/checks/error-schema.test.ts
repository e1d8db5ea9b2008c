import { buildModel } from '../../src/openapi/model/api-model';
import {
  commonErrorContent,
  errorContent,
  errorRole,
  defaultErrorContent,
  documentedErrors,
} from '../../src/openapi/view/responses';
import { readSource } from '../../src/openapi/read/read-source';

const json = (name: string): string => `{ application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;
const DESCRIPTION = `openapi: 3.0.3
info: { title: Shop, version: '1' }
paths:
  /a:
    get:
      operationId: getA
      responses:
        '200': { description: ok, content: ${json('Item')} }
        '400': { description: bad, content: ${json('Special')} }
        '404': { description: none, content: ${json('House')} }
        '409': { description: text, content: { text/plain: { schema: { type: string } } } }
  /b:
    get:
      operationId: getB
      responses:
        '200': { description: ok, content: ${json('Item')} }
        '404': { description: none, content: { application/problem+json: { schema: { $ref: '#/components/schemas/House' } } } }
        default: { description: any, content: { '*/*': { schema: { type: object } } } }
components:
  schemas: { Item: { type: object }, Special: { type: object }, House: { type: object } }
`;
const api = buildModel(readSource(DESCRIPTION, 'shop.yaml'));
const house = defaultErrorContent(api);

test('the house error is the one that most errors share, successes not counted', () => {
  expect(house?.schema?.pointer).toBe('/components/schemas/House');
});

test.each([
  { id: 'getA', status: 400, want: '/components/schemas/Special', type: 'application/json' },
  { id: 'getA', status: 500, want: '/components/schemas/House', type: 'application/json' },
  { id: 'getB', status: 404, want: '/components/schemas/House', type: 'application/problem+json' },
  { id: 'getB', status: 500, want: '/components/schemas/House', type: 'application/json' },
  { id: undefined, status: 404, want: '/components/schemas/House', type: 'application/json' },
])('the error of $id with $status is $want', ({ id, status, want, type }) => {
  const content = errorContent(id === undefined ? undefined : api.operationById(id), status, house);
  expect({ pointer: content?.schema?.pointer, type: content?.mediaType }).toEqual({ pointer: want, type });
});

test('a description without errors in JSON has no house error', () => {
  const text = `openapi: 3.0.3
info: { title: Shop, version: '1' }
paths: { /a: { get: { responses: { '200': { description: ok } } } } }
`;
  expect(defaultErrorContent(buildModel(readSource(text, 'shop.yaml')))).toBeUndefined();
});

test.each([
  ['status', 'status'],
  ['statusCode', 'status'],
  ['error_code', 'code'],
  ['type', 'code'],
  ['detail', 'message'],
  ['details', undefined],
  ['id', undefined],
])('the member %s says the %s of an error', (name, role) => {
  expect(errorRole(name)).toBe(role);
});

describe('what errors are held to', () => {
  const inline = (example: string): string =>
    `{ type: object, properties: { id: { type: string, example: ${example} }, message: { type: string } } }`;
  const errors = (schema: string): string => `{ description: x, content: { application/json: { schema: ${schema} } } }`;
  const operation = (path: string, responses: string): string =>
    `  ${path}: { get: { operationId: 'get${path}', responses: { '200': { description: ok }, ${responses} } } }\n`;
  const describe = (...paths: string[]): ReturnType<typeof buildModel> =>
    buildModel(
      readSource(
        `openapi: 3.0.3\ninfo: { title: Shop, version: '1' }\npaths:\n${paths.join('')}components:\n  schemas:\n    Failure: { type: object, required: [reason], properties: { reason: { type: string } } }\n`,
        'shop.yaml',
      ),
    );
  const FAILURE = errors(`{ $ref: '#/components/schemas/Failure' }`);

  test('errors that are written inline count together, whatever their examples are', () => {
    const model = describe(
      operation('/a', `'404': ${errors(inline('one'))}, '400': ${FAILURE}`),
      operation('/b', `'404': ${errors(inline('two'))}`),
      operation('/c', `'404': ${errors(inline('three'))}, '500': ${FAILURE}`),
    );
    expect(Object.keys(commonErrorContent(model)?.schema?.value['properties'] ?? {})).toEqual(['id', 'message']);
  });

  test('one operation does not speak for the others', () => {
    const model = describe(
      operation('/a', `'404': { description: none }`),
      operation('/b', `'404': { description: none }`),
      operation('/c', `'500': ${FAILURE}`),
    );
    expect(commonErrorContent(model)).toBeUndefined();
    expect(defaultErrorContent(model)?.schema?.pointer).toBe('/components/schemas/Failure');
  });

  test.each([
    { id: 'get/a', status: 404, want: ['id,message'] },
    { id: 'get/a', status: 409, want: [] },
    { id: 'get/a', status: 500, want: ['reason', 'id,message'] },
    { id: undefined, status: 500, want: ['reason'] },
  ])('$status of $id may be one of $want', ({ id, status, want }) => {
    const model = describe(
      operation('/a', `'404': ${errors(inline('one'))}, '409': { description: no content }`),
      operation('/b', `'404': ${FAILURE}`),
      operation('/c', `'404': ${FAILURE}`),
    );
    const promised = documentedErrors(
      id === undefined ? undefined : model.operationById(id),
      status,
      commonErrorContent(model),
    );
    expect(promised.map(({ schema }) => Object.keys(schema?.value['properties'] ?? {}).join())).toEqual(want);
  });
});
