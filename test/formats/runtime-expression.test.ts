import {
  evaluateExpression,
  type ObservedValues,
  observeRequest,
  parseRuntimeExpression,
  placeOfExpression,
} from '../../src/formats/contract/runtime-expression';
import { ExactNumber } from '../../src/core/json/exact-number';
import type { JsonValue } from '../../src/core/json/json-value';

const OBSERVED: ObservedValues = {
  body: { id: 9007199254740993n, list: [0, false, '', null], 'a/b': 1 },
  header: (name) => (name.toLowerCase() === 'location' ? '/items/7' : undefined),
  status: 201,
  request: observeRequest(
    {
      method: 'PUT',
      target: '/v1/items/a%2Fb/parts/2?limit=10&limit=20&q=a%20b',
      rawHeaders: ['Content-Type', 'application/json', 'X-A', '1'],
      body: new TextEncoder().encode('{"price":19.990,"name":null}'),
    },
    'https://shop.example',
    '/v1/items/{itemId}/parts/{part}',
  ),
};

test.each<[string, JsonValue | undefined, string]>([
  ['$response.body#/id', 9007199254740993n, '/response/body/id'],
  ['$response.body#/list/0', 0, '/response/body/list/0'],
  ['$response.body#/list/1', false, '/response/body/list/1'],
  ['$response.body#/list/2', '', '/response/body/list/2'],
  ['$response.body#/list/3', null, '/response/body/list/3'],
  ['$response.body#/list/4', undefined, '/response/body/list/4'],
  ['$response.body#/a~1b', 1, '/response/body/a~1b'],
  ['$response.header.Location', '/items/7', '/response/headers/location'],
  ['$response.header.ETag', undefined, '/response/headers/etag'],
  ['$request.body#/name', null, '/request/body/name'],
  ['$request.body#/other', undefined, '/request/body/other'],
  ['$request.path.itemId', 'a/b', '/request/path/itemId'],
  ['$request.path.part', '2', '/request/path/part'],
  ['$request.path.other', undefined, '/request/path/other'],
  ['$request.query.limit', '10', '/request/query/limit'],
  ['$request.query.q', 'a b', '/request/query/q'],
  ['$request.query.other', undefined, '/request/query/other'],
  ['$request.header.x-a', '1', '/request/headers/x-a'],
  ['$url', 'https://shop.example/v1/items/a%2Fb/parts/2?limit=10&limit=20&q=a%20b', '/request/url'],
  ['$method', 'PUT', '/request/method'],
  ['$statusCode', 201, '/response/status'],
])('%s is %p', (text, want, place) => {
  const expression = parseRuntimeExpression(text);
  expect(expression && evaluateExpression(expression, OBSERVED)).toEqual(want);
  expect(expression && placeOfExpression(expression)).toBe(place);
});

test('a number of the request keeps its digits', () => {
  const expression = parseRuntimeExpression('$request.body#/price');
  expect(expression && evaluateExpression(expression, OBSERVED)).toEqual(new ExactNumber('19.990'));
});

test.each([
  '$request.path.itemId',
  '$request.query.q',
  '$request.header.X',
  '$request.body',
  '$url',
  '$method',
  '$statusCode',
])('%s is nothing where only the body and the headers of the response are known', (text) => {
  const expression = parseRuntimeExpression(text);
  expect(expression).toBeDefined();
  expect(expression && evaluateExpression(expression, { body: {}, header: () => 'x' })).toBeUndefined();
});

test.each([
  { method: 'GET', target: '/other', body: '', template: undefined },
  { method: 'GET', target: '/other', body: '{"a"', template: '/items/{itemId}' },
])('a request that has no such parts gives nothing: $target', ({ method, target, body, template }) => {
  const message = { method, target, rawHeaders: [], body: new TextEncoder().encode(body) };
  const request = observeRequest(message, 'http://a', template);
  expect([request.body, request.pathParameter('itemId'), request.header('a')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([
  '',
  '$',
  '$response',
  '$response.status',
  '$response.body#id',
  '$response.body#/~2',
  '$response.header.',
  '$response.header.a b',
  '$response.query.a',
  '$response.path.a',
  '$request.path.',
  '$urls',
  '$statuscode',
  'response.body',
])('%j is no expression', (text) => {
  expect(parseRuntimeExpression(text)).toBeUndefined();
});
