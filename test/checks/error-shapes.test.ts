import { errorContract } from '../../src/checks/response/body/error-contract';
import { observeResponse } from '../../src/checks/response-check';
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
    { body: '[{}]', want: '/response/body/0/code: The field /0 must have the property "code"' },
    { body: '{"code":"a"}', want: '/response/body: The body must be an array' },
  ])('is judged by its schema: $body', ({ body, want }) => {
    expect(judge(`{ type: array, items: ${ENTRY} }`, body)).toEqual([want]);
  });

  test('is none where an object is documented', () => {
    expect(judge(ENTRY, '[]')).toEqual(['/response/body: The response must be an error object']);
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

/** What `error-contract` says of an answer of one of three operations, of which two have errors with a `reason`. */
function judgeAmongOthers(own: string, status: number, body: string): readonly string[] | undefined {
  const reason = `content: { application/json: { schema: { $ref: '#/components/schemas/Failure' } } }`;
  const { api } = loadText(`openapi: 3.0.3
info: { title: Errors, version: 1.0.0 }
paths:
  /things: { get: { responses: { '200': { description: ok }, '404': ${own} } } }
  /a: { get: { responses: { '404': { description: none, ${reason} } } } }
  /b: { get: { responses: { '404': { description: none, ${reason} } } } }
components: { schemas: { Failure: { type: object, required: [reason], properties: { reason: { type: string } } } } }
`);
  const headers = body === '' ? [] : ['Content-Type', 'application/json'];
  const response = { status, headers, body };
  const [operation] = api.operations;
  const observed = observeResponse(api, { operation, method: 'GET', response, expected: undefined });
  return errorContract.run(observed)?.map(({ at, message }) => `${at}: ${message}`);
}

describe('an error of an operation that differs from the others', () => {
  const OWN = `{ description: none, content: { application/json: { schema: ${ENTRY} } } }`;

  test.each([
    { name: 'its own shape where it documents it', own: OWN, status: 404, body: '{"code":"a"}', want: [] },
    { name: 'no other there', own: OWN, status: 404, body: '{"reason":"a"}', want: [expect.stringContaining('code')] },
    { name: 'its own shape where it documents none', own: OWN, status: 500, body: '{"code":"a"}', want: [] },
    { name: 'the common shape where it documents none', own: OWN, status: 500, body: '{"reason":"a"}', want: [] },
    { name: 'one of the two', own: OWN, status: 500, body: '{"oops":1}', want: [expect.stringContaining('reason')] },
    { name: 'nothing without content', own: '{ description: none }', status: 404, body: '', want: undefined },
    { name: 'any body without content', own: '{ description: none }', status: 404, body: '"no"', want: undefined },
  ])('may have $name', ({ own, status, body, want }) => {
    expect(judgeAmongOthers(own, status, body)).toEqual(want);
  });
});
