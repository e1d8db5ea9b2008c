import { buildModel } from '../../src/openapi/build-model';
import { findResponse } from '../../src/openapi/find-response';
import type { Operation } from '../../src/openapi/model';
import { readSource } from '../../src/openapi/read-source';
import { createPayloadSource, type GeneratedPayload, type PayloadSource } from '../../src/payload/payload-source';

/** An operation whose GET has the responses given; nobody judged it. */
function operationWith(responses: object): Operation {
  const document = {
    openapi: '3.0.3',
    info: { title: 'Tea', version: '1' },
    paths: { '/tea': { get: { operationId: 'getTea', responses } } },
    components: { schemas: { Cups: { type: 'integer', maximum: 9, example: 3 } } },
  };
  return buildModel(readSource(JSON.stringify(document), 'tea.json')).operationById('getTea')!;
}

const withContent = (content: object): Operation => operationWith({ '200': { description: 'Tea', content } });
const withJson = (media: object): Operation => withContent({ 'application/json': media });

/** A source whose generator gives what it is told, and counts how often it was loaded and asked. */
function sourceWith(payload: GeneratedPayload): PayloadSource & { loads: number; readonly asked: [string, number][] } {
  const source = {
    loads: 0,
    asked: [] as [string, number][],
    ...createPayloadSource(() => {
      source.loads += 1;
      return {
        generate({ id }, status) {
          source.asked.push([id, status]);
          return Promise.resolve(payload);
        },
      };
    }),
  };
  return source;
}

const noSource = (): PayloadSource =>
  createPayloadSource(() => {
    throw new Error('No generator should be loaded');
  });

function answer(
  operation: Operation,
  source = noSource(),
  status = 200,
  accept?: string,
): ReturnType<PayloadSource['answer']> {
  return source.answer(operation, findResponse(operation, status), status, accept);
}

const text = { type: 'string' };

describe('an example is answered with, and no generator is loaded', () => {
  test('the one beside the schema', async () => {
    expect(await answer(withJson({ schema: text, example: 'Assam' }))).toEqual({
      status: 200,
      headers: ['Cache-Control', 'no-store', 'Content-Type', 'application/json'],
      body: '"Assam"',
    });
  });

  test.each([
    [
      'the first of the named ones',
      { schema: text, examples: { a: { value: 'Assam' }, b: { value: 'Ceylon' } } },
      '"Assam"',
    ],
    ['one without a schema beside it', { example: { leaves: [1, 2.5, null] } }, '{"leaves":[1,2.5,null]}'],
    ['one that is null', { schema: { type: 'string', nullable: true }, example: null }, 'null'],
    ['one that is false', { example: false }, 'false'],
    ['one that looks like a refusal', { example: { code: 'black' } }, '{"code":"black"}'],
    ['the one of the schema', { schema: { type: 'string', example: 'Ceylon' } }, '"Ceylon"'],
    ['the one of a schema behind a reference', { schema: { $ref: '#/components/schemas/Cups' } }, '3'],
    [
      'the one beside the schema before its own',
      { schema: { type: 'string', example: 'x' }, example: 'Assam' },
      '"Assam"',
    ],
  ])('%s', async (_which, media, body) => {
    expect(await answer(withJson(media))).toMatchObject({ status: 200, body });
  });

  test('an invalid one is passed over for the next', async () => {
    const examples = { many: { value: 12 }, none: { value: 'none' }, few: { value: 2 } };
    const media = { schema: { $ref: '#/components/schemas/Cups' }, examples };
    expect(await answer(withJson(media))).toMatchObject({ body: '2' });
    expect(await answer(withJson({ ...media, examples: { many: { value: 12 } } }))).toMatchObject({ body: '3' });
  });

  test('every digit of it is kept', async () => {
    const document = `{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{"/tea":{"get":{"operationId":"getTea",
      "responses":{"200":{"description":"T","content":{"application/json":{"example":[9007199254740993,2.50]}}}}}}}}`;
    const operation = buildModel(readSource(document, 'tea.json')).operationById('getTea')!;
    expect(await answer(operation)).toMatchObject({ body: '[9007199254740993,2.50]' });
  });
});

describe('the media type', () => {
  test.each([
    ['JSON before others', ['text/plain', 'application/json'], 'application/json', '"Assam"'],
    [
      'JSON by its suffix',
      ['text/plain', 'application/problem+json; charset=utf-8'],
      'application/problem+json; charset=utf-8',
      '"Assam"',
    ],
    ['the first when none is JSON', ['text/plain', 'text/html'], 'text/plain', 'Assam'],
    ['no sequence of JSON texts for JSON', ['text/plain', 'application/json-seq'], 'text/plain', 'Assam'],
    ['text for a range', ['*/*'], 'text/plain', 'Assam'],
  ])('is %s', async (_which, offered, mediaType, body) => {
    const operation = withContent(Object.fromEntries(offered.map((key) => [key, { schema: text, example: 'Assam' }])));
    expect(await answer(operation)).toEqual({
      status: 200,
      headers: ['Cache-Control', 'no-store', 'Content-Type', mediaType],
      body,
    });
  });

  test('is JSON for what is no text under a range', async () => {
    const response = await answer(withContent({ '*/*': { example: { cups: 2 } } }));
    expect(response).toMatchObject({ body: '{"cups":2}' });
    expect(response.headers).toContain('application/json');
  });
});

describe('there is no body', () => {
  test.each([
    ['no content', operationWith({ '204': { description: 'Drunk' } }), 204],
    ['empty content', operationWith({ '200': { description: 'Drunk', content: {} } }), 200],
  ])('where the description has %s', async (_what, operation, status) => {
    expect(await answer(operation, noSource(), status)).toEqual({
      status,
      headers: ['Cache-Control', 'no-store'],
      body: undefined,
    });
  });
});

describe('without a valid example the generator is asked', () => {
  test('once loaded, it is asked for each answer', async () => {
    const source = sourceWith({ kind: 'generated', value: 'Assam' });
    const operation = withJson({ schema: text, example: 7 });
    expect(await answer(operation, source)).toMatchObject({ status: 200, body: '"Assam"' });
    expect(await answer(operation, source, 200)).toMatchObject({ status: 200, body: '"Assam"' });
    expect(source.asked).toEqual([
      ['getTea', 200],
      ['getTea', 200],
    ]);
    expect(source.loads).toBe(1);
  });

  test('what it makes is judged before it is given out', async () => {
    const source = sourceWith({ kind: 'generated', value: { cups: 'two' } });
    const schema = { type: 'object', properties: { cups: { type: 'integer' } } };
    expect(await answer(withJson({ schema }), source)).toEqual({
      status: 501,
      code: 'not_implemented',
      message:
        'The body made for getTea 200 breaks its schema at "/cups": must be an integer; add an example to the description',
    });
  });

  test('its reason is told when it fails', async () => {
    const source = sourceWith({ kind: 'failed', reason: 'the pot is empty' });
    expect(await answer(withJson({ schema: text }), source)).toEqual({
      status: 501,
      code: 'not_implemented',
      message: 'No body could be made for getTea 200: the pot is empty; add an example to the description',
    });
  });
});

describe('the Accept header', () => {
  const both = withContent({
    'application/json': { schema: text, example: 'Assam' },
    'text/plain': { schema: text, example: 'Ceylon' },
  });

  test('chooses among the media types that have an example', async () => {
    expect(await answer(both, noSource(), 200, 'text/plain')).toMatchObject({ body: 'Ceylon' });
    expect(await answer(both, noSource(), 200, 'application/json')).toMatchObject({ body: '"Assam"' });
  });

  test('is told when it asks for a media type that has none', async () => {
    const operation = withContent({
      'application/json': { schema: text, example: 'Assam' },
      'text/plain': { schema: text },
    });
    expect(await answer(operation, noSource(), 200, 'text/plain')).toMatchObject({ code: 'not_implemented' });
  });
});

test('an operation that documents no success is not answered with one', async () => {
  const operation = operationWith({ '404': { description: 'Nothing there' } });
  expect(await answer(operation)).toMatchObject({ status: 501, code: 'not_implemented' });
});
