import { askedOperation, emptyApi } from '../../../src/traffic/secrets/exchange-operation';
import { loadText } from '../../openapi/load-text';
import { recorded } from './recorded';

const { api } = loadText(`openapi: 3.0.3
info: { title: Shop, version: 1.0.0 }
servers: [{ url: https://shop.example/v1 }, { url: 'https://{tenant}.example/{tenant}', variables: { tenant: { default: a } } }]
paths:
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: getThing, responses: { '200': { description: fine } } }
    delete: { operationId: deleteThing, responses: { '204': { description: gone } } }
`);

test.each([
  ['below its base path', 'GET', '/v1/things/7?x=1', 'getThing'],
  ['below what a variable may be', 'DELETE', '/other/things/7', 'deleteThing'],
  ['behind a gateway that takes the base path off', 'GET', '/things/7', 'getThing'],
  ['HEAD', 'HEAD', '/v1/things/7', 'getThing'],
])('the operation of a request: %s', (_, method, target, id) => {
  const asked = askedOperation(api, recorded({ method, target }).request);
  expect(asked?.operation?.id).toBe(id);
  expect(asked?.match.pathParameters).toEqual({ id: '7' });
});

test.each([
  ['a method that is not described', 'PATCH', '/v1/things/7', true],
  ['a path that is not', 'GET', '/v1/other', false],
  ['no path', 'OPTIONS', '*', false],
])('none: %s', (_, method, target, isPath) => {
  const asked = askedOperation(api, recorded({ method, target }).request);
  expect(asked?.operation).toBeUndefined();
  expect(asked !== undefined).toBe(isPath);
});

test('a description that says nothing has no operations', () => {
  expect(emptyApi().operations).toEqual([]);
  expect(askedOperation(emptyApi(), recorded({}).request)).toBeUndefined();
});

test('the path of the target may stand before the paths of the description', () => {
  const { request } = recorded({ target: '/api/v2/things/7' });
  expect(askedOperation(api, request)).toBeUndefined();
  expect(askedOperation(api, request, '/api/v2')?.operation?.id).toBe('getThing');
});
