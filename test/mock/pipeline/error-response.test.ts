import type { Problem } from '../../../src/core/http/problem';
import { ErrorWriter } from '../../../src/mock/context/error-response';
import { buildModel } from '../../../src/openapi/model/api-model';
import { readSource } from '../../../src/openapi/read/read-source';

const text = { type: 'string' };
const whole = { type: 'integer' };
const object = (
  properties: object,
  required: readonly string[] = Object.keys(properties),
  more: object = {},
): object => ({
  type: 'object',
  properties,
  required,
  ...more,
});
const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });

const FAULT: Problem = {
  status: 422,
  code: 'missing_field',
  message: 'The field /address/street is missing',
  pointer: '/address/street',
  details: [
    { in: 'body', pointer: '/address/street', code: 'required', message: 'must be there' },
    { in: 'query', name: 'page', code: 'minimum', message: 'must be at least 1' },
  ],
};
const NOT_FOUND: Problem = { status: 404, code: 'resource_not_found', message: 'There is no 7 in /things' };
const REFUSED = { head: { method: 'POST', target: '/things?key=secret' }, nowMs: Date.UTC(2031, 0, 2, 3, 4, 5) };

function written(
  schema: object,
  problem: Problem = FAULT,
  mediaType = 'application/json',
): { body: unknown; type: string; valid: boolean } {
  const content = { [mediaType]: { schema: { $ref: '#/components/schemas/Failure' } } };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    paths: { '/things': { post: { operationId: 'make', responses: { default: { description: 'Wrong', content } } } } },
    components: { schemas: { Failure: schema } },
  };
  const api = buildModel(readSource(JSON.stringify(document), 'things.json'));
  const response = new ErrorWriter(api).write(problem, api.operationById('make'), REFUSED);
  const type = response.headers[response.headers.indexOf('Content-Type') + 1]!;
  const body: unknown = type.startsWith('text/') ? response.body : JSON.parse(String(response.body));
  const validate = api.schemaAt('/components/schemas/Failure')!.validate('response');
  return { body, type, valid: validate(body).length === 0 };
}

const MESSAGE = FAULT.message;
/** The faults, where nothing beside them says which place they mean. */
const SENTENCES = ['The field /address/street must be there', 'The query parameter "page" must be at least 1'];

test.each<{ of: string; schema: object }>([
  { of: 'nothing', schema: {} },
  { of: 'a description alone', schema: { description: 'Something went wrong' } },
  { of: 'no property of the object that it is', schema: { type: 'object' } },
  { of: 'what it is not', schema: { not: { type: 'integer' } } },
])('where the schema says $of, problem details are told', ({ schema }) => {
  const { body, type } = written(schema, NOT_FOUND);
  expect(type).toBe('application/json');
  expect(body).toStrictEqual({
    type: 'about:blank',
    title: 'resource_not_found',
    status: 404,
    detail: NOT_FOUND.message,
    message: NOT_FOUND.message,
    code: 'resource_not_found',
  });
});

test('a text that is declared as the whole body is the message', () => {
  expect(written(text, NOT_FOUND).body).toBe(NOT_FOUND.message);
});

describe('the cause is told in the shape that is declared, and the body is valid', () => {
  test.each<{ shape: string; schema: object; want: unknown; problem?: Problem }>([
    {
      shape: 'code, message, status',
      schema: object({ code: text, message: text, status: whole }),
      want: { code: 'missing_field', message: MESSAGE, status: 422 },
    },
    {
      shape: 'a number as code',
      schema: object({ code: { type: 'integer', format: 'int32' }, message: text }),
      want: { code: 422, message: MESSAGE },
    },
    {
      shape: 'the status as text',
      schema: object({ statusCode: text, msg: text }),
      want: { statusCode: '422', msg: MESSAGE },
    },
    {
      shape: 'a code out of a list',
      schema: object({ code: { type: 'string', enum: ['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR'] }, detail: text }),
      want: { code: 'VALIDATION_ERROR', detail: MESSAGE },
    },
    {
      shape: 'another code out of the same list',
      schema: object({ code: { type: 'string', enum: ['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR'] }, detail: text }),
      problem: NOT_FOUND,
      want: { code: 'NOT_FOUND', detail: NOT_FOUND.message },
    },
    {
      shape: 'words that share no more than "missing" or "invalid" with the code',
      schema: object({ error: { type: 'string', enum: ['missing_post_type', 'invalid_name', 'not_authed'] } }),
      problem: { status: 401, code: 'missing_api_key', message: 'No key' },
      want: { error: 'not_authed' },
    },
    {
      shape: 'words that services have for a precondition',
      schema: object({ code: { type: 'string', enum: ['VALIDATION', 'CONFLICT', 'STALE'] } }),
      problem: { status: 412, code: 'precondition_failed', message: 'Another ETag' },
      want: { code: 'STALE' },
    },
    {
      shape: 'a list with nothing that fits but a word for the rest',
      schema: object({ code: { type: 'string', enum: ['E_COFFEE', 'UNKNOWN'] } }),
      want: { code: 'UNKNOWN' },
    },
    {
      shape: 'a code with a pattern',
      schema: object({ errorCode: { type: 'string', pattern: '^[A-Z_]+$' }, errorMessage: text }),
      want: { errorCode: 'MISSING_FIELD', errorMessage: MESSAGE },
    },
    {
      shape: 'a code that can only be made up',
      schema: object({ code: { type: 'string', pattern: '^E\\d{4}$' }, message: text }),
      want: { code: expect.stringMatching(/^E\d{4}$/), message: MESSAGE },
    },
    {
      shape: 'an envelope',
      schema: object({ error: object({ code: text, message: text }) }),
      want: { error: { code: 'missing_field', message: MESSAGE } },
    },
    {
      shape: 'an envelope with numbers, words and a list',
      schema: object({
        error: object({
          code: whole,
          message: text,
          status: text,
          errors: list(object({ reason: text, location: text })),
        }),
      }),
      want: {
        error: {
          code: 422,
          message: MESSAGE,
          status: 'MISSING_FIELD',
          errors: [
            { reason: 'must be there', location: '/address/street' },
            { reason: 'must be at least 1', location: 'page' },
          ],
        },
      },
    },
    {
      shape: 'JSON:API',
      schema: object({
        errors: list(
          object({
            status: text,
            code: text,
            title: text,
            detail: text,
            source: object({ pointer: text, parameter: text }, []),
          }),
        ),
      }),
      want: {
        errors: [
          {
            status: '422',
            code: 'required',
            title: 'Required',
            detail: 'must be there',
            source: { pointer: '/address/street' },
          },
          {
            status: '422',
            code: 'minimum',
            title: 'Minimum',
            detail: 'must be at least 1',
            source: { parameter: 'page' },
          },
        ],
      },
    },
    {
      shape: 'JSON:API for what is no fault of a value',
      schema: object({ errors: list(object({ status: text, title: text, detail: text }), { minItems: 1 }) }),
      problem: NOT_FOUND,
      want: { errors: [{ status: '404', title: 'Resource not found', detail: NOT_FOUND.message }] },
    },
    {
      shape: 'a message and a link to the documentation',
      schema: object({ message: text, documentation_url: text }, ['message']),
      want: { message: MESSAGE },
    },
    {
      shape: 'problem details',
      schema: object({
        type: { type: 'string', format: 'uri' },
        title: text,
        status: whole,
        detail: text,
        instance: text,
      }),
      want: { type: 'about:blank', title: 'Missing field', status: 422, detail: MESSAGE, instance: '/things' },
    },
    {
      shape: 'statusCode, error, message',
      schema: object({ statusCode: whole, error: text, message: text }),
      want: { statusCode: 422, error: 'missing_field', message: MESSAGE },
    },
    { shape: 'error alone', schema: object({ error: text }), want: { error: MESSAGE } },
    {
      shape: 'a code and its description',
      schema: object({ error: text, error_description: text }),
      want: { error: 'missing_field', error_description: MESSAGE },
    },
    {
      shape: 'flags',
      schema: object({ success: { type: 'boolean' }, error: { type: 'boolean' }, message: text }),
      want: { success: false, error: true, message: MESSAGE },
    },
    {
      shape: 'time, method, path, trace',
      schema: object({
        timestamp: { type: 'string', format: 'date-time' },
        path: text,
        method: text,
        traceId: { type: 'string', format: 'uuid' },
        message: text,
      }),
      want: {
        timestamp: '2031-01-02T03:04:05.000Z',
        path: '/things',
        method: 'POST',
        traceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        message: MESSAGE,
      },
    },
    {
      shape: 'the time as a number',
      schema: object({ timestamp: { type: 'integer', format: 'int64' }, message: text }),
      want: { timestamp: REFUSED.nowMs, message: MESSAGE },
    },
    {
      shape: 'fields with their faults',
      schema: object({ message: text, errors: list(object({ field: text, message: text })) }),
      want: {
        message: MESSAGE,
        errors: [
          { field: 'address.street', message: 'must be there' },
          { field: 'page', message: 'must be at least 1' },
        ],
      },
    },
    {
      shape: 'faults as texts',
      schema: object({ message: text, details: list(text) }),
      want: { message: MESSAGE, details: SENTENCES },
    },
    {
      shape: 'a map of fields',
      schema: object({ title: text, errors: { type: 'object', additionalProperties: list(text) } }),
      want: { title: MESSAGE, errors: { 'address.street': ['must be there'], page: ['must be at least 1'] } },
    },
    {
      shape: 'places in segments',
      schema: object({ detail: list(object({ loc: list({ anyOf: [text, whole] }), msg: text, type: text })) }),
      want: {
        detail: [
          { loc: ['body', 'address', 'street'], msg: 'must be there', type: 'required' },
          { loc: ['query', 'page'], msg: 'must be at least 1', type: 'minimum' },
        ],
      },
    },
    {
      shape: 'a list as a whole',
      schema: list(object({ code: text, message: text })),
      want: [
        { code: 'required', message: SENTENCES[0] },
        { code: 'minimum', message: SENTENCES[1] },
      ],
    },
    {
      shape: 'a list of messages alone',
      schema: object({ errors: list(object({ message: text, help: text }, ['message'])) }),
      want: { errors: SENTENCES.map((message) => ({ message })) },
    },
    {
      shape: 'a list of messages alone, for one fault',
      schema: object({ errors: list(object({ message: text })) }),
      problem: { status: 422, code: 'unknown_reference', message: 'No 7 in /shelves', pointer: '/shelf' },
      want: { errors: [{ message: 'No 7 in /shelves' }] },
    },
    {
      shape: 'a reason in words',
      schema: object({ errors: list(object({ field: text, reason: text })) }),
      want: {
        errors: [
          { field: 'address.street', reason: 'must be there' },
          { field: 'page', reason: 'must be at least 1' },
        ],
      },
    },
    {
      shape: 'a code and a reason in words',
      schema: object({ error: text, reason: text }),
      want: { error: 'missing_field', reason: MESSAGE },
    },
    {
      shape: 'a reason beside a message',
      schema: object({ reason: text, message: text }),
      want: { reason: 'missing_field', message: MESSAGE },
    },
    {
      shape: 'parts of one object',
      schema: { allOf: [object({ code: text }), object({ message: text, fields: list(text) }, ['message'])] },
      want: { code: 'missing_field', message: MESSAGE, fields: SENTENCES },
    },
    {
      shape: 'one of several',
      schema: { oneOf: [object({ note: whole }), object({ code: text, message: text })] },
      want: { code: 'missing_field', message: MESSAGE },
    },
    {
      shape: 'members that are no part of any error',
      schema: object(
        {
          message: text,
          service: { type: 'string', example: 'things' },
          retries: { type: 'integer', minimum: 3, maximum: 3 },
          note: text,
        },
        ['message', 'service', 'retries'],
      ),
      want: { message: MESSAGE, service: 'things', retries: 3 },
    },
    {
      shape: 'a message with little room',
      schema: object({ message: { type: 'string', maxLength: 9 } }),
      want: { message: 'The field' },
    },
    { shape: 'nothing but a text', schema: text, want: MESSAGE },
    {
      shape: 'no other members',
      schema: object({ message: text }, ['message'], { additionalProperties: false }),
      want: { message: MESSAGE },
    },
    {
      shape: 'an error within an error',
      schema: { ...object({ message: text, cause: { $ref: '#/components/schemas/Failure' } }, ['message']) },
      want: { message: MESSAGE },
    },
  ])('$shape', ({ schema, want, problem }) => {
    expect(written(schema, problem)).toMatchObject({ body: want, valid: true });
  });
});

describe('the media type', () => {
  const schema = object({ code: text, message: text });

  test.each(['application/json', 'application/problem+json', 'application/vnd.things.v1+json; charset=utf-8'])(
    '%s',
    (type) => {
      expect(written(schema, FAULT, type)).toEqual({
        body: { code: 'missing_field', message: MESSAGE },
        type,
        valid: true,
      });
    },
  );

  test('of a text gets the message alone', () => {
    expect(written(text, FAULT, 'text/plain')).toEqual({ body: MESSAGE, type: 'text/plain', valid: true });
  });
});

describe('an error that is documented in another way than by a schema of JSON', () => {
  function write(content: object, problem: Problem = NOT_FOUND): { type: string; body: unknown } {
    const document = {
      openapi: '3.0.3',
      info: { title: 'Things', version: '1' },
      paths: { '/things': { get: { operationId: 'list', responses: { 404: { description: 'None', content } } } } },
    };
    const api = buildModel(readSource(JSON.stringify(document), 'things.json'));
    const response = new ErrorWriter(api).write(problem, api.operationById('list'), REFUSED);
    const type = response.headers[response.headers.indexOf('Content-Type') + 1]!;
    return { type, body: JSON.parse(String(response.body)) };
  }
  const { message } = NOT_FOUND;

  test.each([
    { example: { error: 'not found', status: 404 }, body: { error: message, status: 404 } },
    {
      example: { error: 'Bad Request', message: 'no', status: '400', code: 'bad', ok: 0, path: '/x' },
      body: { error: 'resource not found', message, status: '404', code: 'resource_not_found', ok: 0, path: '/x' },
    },
    {
      example: { error: { code: 410, message: 'gone', more: [{ detail: 'a' }, { detail: 'b' }] } },
      body: { error: { code: 404, message, more: [{ detail: message }] } },
    },
    { example: { errors: ['first', 'second'] }, body: { errors: [message] } },
  ])('it is told in the shape of its example $example', ({ example, body }) => {
    expect(write({ 'application/json': { example } })).toEqual({ type: 'application/json', body });
  });

  test('it has the media type that is documented, also where nothing says what it looks like', () => {
    const { type, body } = write({ 'application/json': {} });
    expect({ type, body }).toMatchObject({ type: 'application/json', body: { detail: message } });
  });

  test('an object in a media type of its own is JSON under that name', () => {
    const schema = object({ code: text, msg: text });
    const body = { code: 'resource_not_found', msg: message };
    expect(write({ 'application/vnd.goa.error': { schema } })).toEqual({ type: 'application/vnd.goa.error', body });
  });

  test.each(['application/xml', 'multipart/form-data'])('but not where it has a syntax: %s', (mediaType) => {
    expect(write({ [mediaType]: { schema: object({ code: text }) } })).toMatchObject({
      type: 'application/problem+json',
    });
  });
});

test('where nothing is declared, the faults are listed in problem details', () => {
  const document = { openapi: '3.0.3', info: { title: 'Things', version: '1' }, paths: {} };
  const api = buildModel(readSource(JSON.stringify(document), 'things.json'));
  const response = new ErrorWriter(api).write(FAULT, undefined, REFUSED);
  expect(JSON.parse(String(response.body))).toEqual({
    type: 'about:blank',
    title: 'missing_field',
    status: 422,
    detail: MESSAGE,
    message: MESSAGE,
    code: 'missing_field',
    pointer: '/address/street',
    errors: [
      { pointer: '/address/street', detail: 'must be there', code: 'required' },
      { parameter: 'page', detail: 'must be at least 1', code: 'minimum' },
    ],
  });
});

test('no query of the request is repeated, which may hold a key', () => {
  expect(JSON.stringify(written(object({ path: text, instance: text, url: text })))).not.toContain('secret');
});
