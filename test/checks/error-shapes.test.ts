import { errorContract } from '../../src/checks/response/error-contract';
import { observeResponse } from '../../src/checks/response/response-check';
import { loadText } from '../openapi/load-text';

/** What `error-contract` says of a 404 that is documented with a schema. */
function judge(schema: string, body: string): readonly string[] | undefined {
  const { api } = loadText(`openapi: 3.0.3
info: { title: Errors, version: 1.0.0 }
paths:
  /things:
    get:
      responses:
        '404': { description: none, content: { application/json: { schema: ${schema} } } }
`);
  const [operation] = api.operations;
  const response = { status: 404, headers: ['Content-Type', 'application/json'], body };
  const observed = observeResponse(api, { operation, method: 'GET', response, expected: undefined });
  return errorContract.run(observed)?.map(({ at, message }) => `${at}: ${message}`);
}

const ENTRY = '{ type: object, required: [code], properties: { code: { type: string } } }';

describe('an error that is documented as a list', () => {
  test.each([['[{"code":"a"},{"code":"b"}]'], ['[]']])('is one: %s', (body) => {
    expect(judge(`{ type: array, items: ${ENTRY} }`, body)).toEqual([]);
  });

  test.each([
    { body: '[{}]', want: '/response/body/0/code: The field /0 must have the member "code"' },
    { body: '{"code":"a"}', want: '/response/body: The body must be an array' },
  ])('is judged by its schema: $body', ({ body, want }) => {
    expect(judge(`{ type: array, items: ${ENTRY} }`, body)).toEqual([want]);
  });

  test('is none where an object is documented', () => {
    expect(judge(ENTRY, '[]')).toEqual(['/response/body: The answer is no error object']);
  });
});

describe('a status member', () => {
  const MEMBER = '{ type: object, properties: { status: { type: string } } }';

  test.each(['error', 'fail', 'NOT_FOUND', '404', '404 Not Found', '404 - Not Found'])('may say "%s"', (status) => {
    expect(judge(MEMBER, JSON.stringify({ status }))).toEqual([]);
  });

  test.each(['400', '400 Bad Request', '4040'])('may not say "%s"', (status) => {
    const want = '/response/body/status: The status in the body is not the HTTP status';
    expect(judge(MEMBER, JSON.stringify({ status }))).toEqual([want]);
  });
});
