import { buildModel } from '../../src/openapi/build-model';
import { errorContent, errorRole, houseError } from '../../src/openapi/error-schema';
import { readSource } from '../../src/openapi/read-source';

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
const house = houseError(api);

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
  expect(houseError(buildModel(readSource(text, 'shop.yaml')))).toBeUndefined();
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
