import { type ApiModel, buildModel } from '../../src/openapi/model/api-model';
import { findResponse } from '../../src/openapi/view/responses';
import type { Operation } from '../../src/openapi/model/operation';
import { readSource } from '../../src/openapi/read/read-source';
import {
  createPayloadSource,
  type BodyMaker,
  type BodyPreference,
  type GeneratedPayload,
  type PayloadSource,
} from '../../src/payload/payload-source';

/** The model of each operation that was made. */
const MODELS = new WeakMap<Operation, ApiModel>();

/** An operation whose GET has the responses given; nobody judged it. */
function operationWith(responses: object): Operation {
  const document = {
    openapi: '3.0.3',
    info: { title: 'Tea', version: '1' },
    paths: { '/tea': { get: { operationId: 'getTea', responses } } },
    components: { schemas: { Cups: { type: 'integer', maximum: 9, example: 3 } } },
  };
  return keep(buildModel(readSource(JSON.stringify(document), 'tea.json')));
}

function keep(api: ApiModel): Operation {
  const operation = api.operationById('getTea')!;
  MODELS.set(operation, api);
  return operation;
}

const withContent = (content: object): Operation => operationWith({ '200': { description: 'Tea', content } });
const withJson = (media: object): Operation => withContent({ 'application/json': media });

/** How a source is made, and what it asked of its generator. */
interface Maker {
  readonly maker: BodyMaker;
  readonly payload: GeneratedPayload | undefined;
  loads: number;
  readonly asked: [string, number][];
}

/** A generator of Prism's kind that gives what it is told; without anything, it must not be loaded. */
const makerOf = (
  payload?: GeneratedPayload,
  maker: BodyMaker = payload === undefined ? 'sampler' : 'prism',
): Maker => ({
  maker,
  payload,
  loads: 0,
  asked: [],
});

function sourceOf(operation: Operation, maker: Maker): PayloadSource {
  return createPayloadSource({
    api: MODELS.get(operation)!,
    maker: maker.maker,
    generator: () => {
      const { payload } = maker;
      if (payload === undefined) throw new Error('No generator should be loaded');
      maker.loads += 1;
      return {
        generate({ id }, status) {
          maker.asked.push([id, status]);
          return Promise.resolve(payload);
        },
      };
    },
  });
}

function answer(
  operation: Operation,
  maker = makerOf(),
  status = 200,
  accept?: string,
  wish?: BodyPreference,
): ReturnType<PayloadSource['respond']> {
  return sourceOf(operation, maker).respond(operation, findResponse(operation, status), status, accept, wish);
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
    const operation = keep(buildModel(readSource(document, 'tea.json')));
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
    expect(await answer(operation, makerOf(), status)).toEqual({
      status,
      headers: ['Cache-Control', 'no-store'],
      body: undefined,
    });
  });
});

describe('without a valid example a body is made up', () => {
  test('by the sampler, and nothing is loaded for it', async () => {
    expect(await answer(withJson({ schema: { type: 'integer', minimum: 7, maximum: 7 } }))).toMatchObject({
      body: '7',
    });
  });

  test('the same each time, and another one for another seed', async () => {
    const operation = withJson({
      schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, city: text } },
    });
    const wish = (seed: string | undefined): BodyPreference => ({ example: undefined, isDynamic: false, seed });
    const first = await answer(operation);
    expect(await answer(operation)).toEqual(first);
    expect(await answer(operation, makerOf(), 200, undefined, wish(undefined))).toEqual(first);
    expect(await answer(operation, makerOf(), 200, undefined, wish('other'))).not.toEqual(first);
  });

  test('by the generator where it was chosen: loaded once, asked for each answer', async () => {
    const maker = makerOf({ kind: 'generated', value: 'Assam' });
    const operation = withJson({ schema: text, example: 7 });
    const source = sourceOf(operation, maker);
    for (let count = 0; count < 2; count++) {
      expect(await source.respond(operation, findResponse(operation, 200), 200, undefined)).toMatchObject({
        body: '"Assam"',
      });
    }
    expect(maker.asked).toEqual([
      ['getTea', 200],
      ['getTea', 200],
    ]);
    expect(maker.loads).toBe(1);
  });

  test('by the generator where the request wants it, whatever examples there are', async () => {
    const maker = makerOf({ kind: 'generated', value: 'Assam' }, 'sampler');
    const operation = withJson({ schema: text, example: 'Ceylon' });
    const wish = { example: undefined, isDynamic: true, seed: undefined };
    expect(await answer(operation, maker)).toMatchObject({ body: '"Ceylon"' });
    expect(await answer(operation, maker, 200, undefined, wish)).toMatchObject({ body: '"Assam"' });
    expect(maker.loads).toBe(1);
  });

  test('an empty list of the generator gives way to one with items, unless there may be none', async () => {
    const wish = { example: undefined, isDynamic: true, seed: undefined };
    const of = (list: object): ReturnType<typeof answer> => {
      const operation = withJson({ schema: { type: 'array', items: text, ...list } });
      return answer(operation, makerOf({ kind: 'generated', value: [] }, 'sampler'), 200, undefined, wish);
    };
    expect(await of({})).toMatchObject({ body: expect.stringMatching(/^\[".+",".+"\]$/) });
    expect(await of({ maxItems: 0 })).toMatchObject({ body: '[]' });
  });

  test.each<[string, GeneratedPayload]>([
    ['breaks the schema', { kind: 'generated', value: { cups: 'two' } }],
    ['is not there', { kind: 'failed', reason: 'the pot is empty' }],
  ])('by the sampler when what the generator makes %s', async (_what, payload) => {
    const schema = {
      type: 'object',
      required: ['cups'],
      properties: { cups: { type: 'integer', minimum: 2, maximum: 2 } },
    };
    expect(await answer(withJson({ schema }), makerOf(payload))).toMatchObject({ status: 200, body: '{"cups":2}' });
  });

  test('a 501 tells why there is none', async () => {
    const schema = {
      type: 'object',
      properties: { pot: { $ref: '#/components/schemas/Cups' } },
      required: ['pot', 'lid'],
      additionalProperties: false,
    };
    expect(await answer(withJson({ schema }))).toEqual({
      status: 501,
      code: 'not_implemented',
      message: expect.stringMatching(/^No body could be made for getTea 200: .*; add an example to the description$/),
    });
  });
});

describe('what is no JSON', () => {
  const bytesOf = async (mediaType: string, media: object = {}): Promise<{ body: unknown; type: string }> => {
    const response = await answer(withContent({ [mediaType]: media }));
    if ('code' in response) return { body: response.message, type: '' };
    return { body: response.body, type: response.headers[response.headers.indexOf('Content-Type') + 1]! };
  };
  const start = (body: unknown): string =>
    Buffer.from(body as Uint8Array)
      .toString('latin1')
      .slice(0, 4);

  test.each([
    ['image/png', '\x89PNG'],
    ['image/gif', 'GIF8'],
    ['image/jpeg', '\xff\xd8\xff\xe0'],
    ['application/pdf', '%PDF'],
    ['application/zip', 'PK\x05\x06'],
    ['application/octet-stream', 'stan'],
  ])('%s is a small file of its kind', async (mediaType, first) => {
    const { body, type } = await bytesOf(mediaType, { schema: { type: 'string', format: 'binary' } });
    expect({ type, start: start(body) }).toEqual({ type: mediaType, start: first });
  });

  test('a range of images is one of them', async () => {
    expect(await bytesOf('image/*')).toMatchObject({ type: 'image/png' });
  });

  test.each([
    ['text/plain', {}, 'Sample\n'],
    ['text/html', {}, expect.stringContaining('<!doctype html>')],
    ['text/csv', {}, 'id,name\r\n1,Juniper\r\n2,Willow\r\n'],
    ['text/plain', { schema: { type: 'string', enum: ['Assam'] } }, 'Assam'],
    ['application/xml', { schema: { type: 'object' }, example: '<tea/>' }, '<tea/>'],
    ['application/x-ndjson', { schema: { type: 'array', items: { enum: [1] } } }, '1\n1\n1\n'],
    ['application/jsonl', { example: [{ a: 1 }, { a: 2 }] }, '{"a":1}\n{"a":2}\n'],
    ['application/json-seq', { schema: { type: 'integer', enum: [7] } }, '\u001e7\n'],
    ['text/event-stream', { schema: { type: 'array', items: { enum: ['a'] } } }, 'data: a\n\ndata: a\n\ndata: a\n\n'],
    [
      'text/event-stream',
      { example: [{ event: 'tea', data: 'hot\nsweet' }] },
      'event: tea\ndata: hot\ndata: sweet\n\n',
    ],
  ])('%s with %j', async (mediaType, media, want) => {
    expect((await bytesOf(mediaType, media)).body).toEqual(want);
  });

  test('XML that nobody showed is made up as JSON is', async () => {
    const schema = { type: 'object', required: ['a'], properties: { a: text }, xml: { name: 'tea' } };
    const both = withContent({ 'application/xml': { schema }, 'application/hal+json': { schema: { enum: [1] } } });
    const answered = await answer(both, makerOf(), 200, 'application/xml');
    expect(answered).toMatchObject({ status: 200, body: expect.stringMatching(/<tea>\s*<a>/) });
  });
});

test('declared headers have values: an example, a default, a sample', async () => {
  const headers = {
    'X-Shown': { schema: text, example: 'tea' },
    'X-Count': { schema: { type: 'integer', minimum: 3, maximum: 3 } },
    'X-List': { schema: { type: 'array', items: { enum: ['a'] } } },
    ETag: { schema: text },
    'Content-Length': { schema: { type: 'integer' } },
  };
  expect(await answer(operationWith({ '200': { description: 'Tea', headers } }))).toMatchObject({
    headers: ['Cache-Control', 'no-store', 'X-Shown', 'tea', 'X-Count', '3', 'X-List', 'a,a', 'ETag', '"sample"'],
  });
});

describe('the Accept header', () => {
  const both = withContent({
    'application/json': { schema: text, example: 'Assam' },
    'text/plain': { schema: text, example: 'Ceylon' },
  });

  test('chooses among the media types that have an example', async () => {
    expect(await answer(both, makerOf(), 200, 'text/plain')).toMatchObject({ body: 'Ceylon' });
    expect(await answer(both, makerOf(), 200, 'application/json')).toMatchObject({ body: '"Assam"' });
  });

  test('gets a sample of a text that has no example', async () => {
    const operation = withContent({
      'application/json': { schema: text, example: 'Assam' },
      'text/plain': { schema: { type: 'string', enum: ['Ceylon'] } },
    });
    expect(await answer(operation, makerOf(), 200, 'text/plain')).toMatchObject({ body: 'Ceylon' });
  });
});

test('an operation that documents no success is answered without a body', async () => {
  const operation = operationWith({ '404': { description: 'Nothing there' } });
  expect(await answer(operation)).toMatchObject({ status: 200, body: undefined });
});
