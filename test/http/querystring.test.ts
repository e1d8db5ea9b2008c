import { checkParameters, type ParameterCheck } from '../../src/checks/request/parameters';
import { buildModel } from '../../src/openapi/model/api-model';
import { readSource } from '../../src/openapi/read/read-source';

const SHAPE =
  'schema: { type: object, properties: { n: { type: integer }, tags: { type: array, items: { type: string } } } }';

function check(mediaType: string, query: string): ParameterCheck {
  const text = `openapi: 3.2.0
info: { title: Search, version: 1.0.0 }
paths:
  /search:
    get:
      parameters: [{ name: all, in: querystring, required: true, content: { ${mediaType}: { ${SHAPE} } } }]
      responses: { '204': { description: ok } }
`;
  const [operation] = buildModel(readSource(text, 'search.yaml')).operations;
  const head = { method: 'GET', target: '/search', headers: {}, rawHeaders: [] };
  return checkParameters(operation!, { head, pathParameters: {}, query, strict: true });
}

test.each([
  ['application/x-www-form-urlencoded', 'n=7&tags=a&tags=b', { n: 7, tags: ['a', 'b'] }],
  ['application/json', '%7B%22n%22%3A7%7D', { n: 7 }],
])('the whole query as %s: %s is %j', (mediaType, query, value) => {
  const checked = check(mediaType, query);
  expect(checked.kind === 'valid' ? [...checked.values.querystring] : checked).toStrictEqual([['all', value]]);
});

test.each([
  ['application/x-www-form-urlencoded', 'n=x', 'at /n must be an integer'],
  ['application/x-www-form-urlencoded', 'n=1&n=2', 'at /n must be sent once only'],
  ['application/json', '%7B', 'is not valid JSON'],
  ['application/json', '', 'is missing'],
])('the whole query as %s: %s is refused: %s', (mediaType, query, message) => {
  const checked = check(mediaType, query);
  expect(checked).toMatchObject({ kind: 'refused', problem: { message: expect.stringContaining(message) as string } });
});
