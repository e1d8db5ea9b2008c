import { bodySchema } from '../../src/checks/response/body/body-schema';
import { observeResponse } from '../../src/checks/response-check';
import { buildModel } from '../../src/openapi/model/api-model';
import { readSource } from '../../src/openapi/read/read-source';

/** What the check says of a body under a Content-Type that is documented with a schema. */
function judged(...about: Parameters<typeof findings>): readonly string[] | undefined {
  return findings(...about)?.map(({ message }) => message);
}

function findings(mediaType: string, schema: object, body: string | Uint8Array): ReturnType<typeof bodySchema.run> {
  const content = { [mediaType]: { schema } };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Notes', version: '1' },
    paths: { '/note': { get: { operationId: 'read', responses: { '200': { description: 'A note', content } } } } },
  };
  const api = buildModel(readSource(JSON.stringify(document), 'notes.json'));
  const response = { status: 200, headers: ['Content-Type', mediaType], body };
  const about = { operation: api.operationById('read'), method: 'GET', response, expected: undefined };
  return bodySchema.run(observeResponse(api, about));
}

const object = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

test.each([
  { of: 'a text that happens to be JSON', type: 'text/html', schema: { type: 'string' }, body: '{"id":1}', want: [] },
  {
    of: 'a text that is a number',
    type: 'text/plain; charset=UTF-8',
    schema: { type: 'string' },
    body: '12',
    want: [],
  },
  { of: 'a number as text', type: 'text/plain', schema: { type: 'integer' }, body: '12', want: [] },
  {
    of: 'no number',
    type: 'text/plain',
    schema: { type: 'integer' },
    body: 'x',
    want: ['The body must be an integer'],
  },
  {
    of: 'a text of a list of texts',
    type: 'text/csv',
    schema: { type: 'string', enum: ['a', 'b'] },
    body: 'c',
    want: ['The body must be one of "a", "b"'],
  },
  { of: 'an object in a text', type: 'text/plain', schema: object, body: '{"id":1}', want: [] },
  {
    of: 'a wrong object in a text',
    type: 'text/plain',
    schema: object,
    body: '{}',
    want: ['The body must have the property "id"'],
  },
  {
    of: 'octets that are a number',
    type: 'application/octet-stream',
    schema: { type: 'string', format: 'binary' },
    body: '12',
    want: [],
  },
  {
    of: 'octets that the description calls bytes',
    type: 'application/octet-stream',
    schema: { type: 'string', format: 'byte' },
    body: 'PK no base64',
    want: undefined,
  },
  { of: 'octets that no schema describes', type: 'application/zip', schema: object, body: 'PK', want: undefined },
  { of: 'XML', type: 'application/xml', schema: object, body: '<id/>', want: undefined },
])('$of is judged as what is documented: $type', ({ type, schema, body, want }) => {
  expect(judged(type, schema, body)).toStrictEqual(want);
  expect(judged(type, schema, Buffer.from(body))).toStrictEqual(want);
});

test('what was expected is named, and a fingerprint keeps the words that it was made of', () => {
  expect(findings('application/json', object, '{}')).toMatchObject([
    { expected: 'the property "id"', identity: { expected: 'have the member "id"' } },
  ]);
  expect(findings('application/json', { type: 'string', minLength: 3 }, '"a"')).toMatchObject([
    { expected: 'at least 3 characters', identity: { expected: 'have at least 3 characters' } },
  ]);
});
