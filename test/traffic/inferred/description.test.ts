import { getAtPointer } from '../../../src/core/json/json-pointer';
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value';
import { readSource } from '../../../src/openapi/read/read-source';
import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { draftDescriptionText } from '../../../src/traffic/inferred/draft-text';
import { inferDescription } from '../../../src/traffic/inferred/infer-description';
import { loadText, thrownBy } from '../../openapi/load-text';
import { exchange } from '../recorded';

function inferred(...exchanges: readonly CleanExchange[]): JsonObject {
  return inferDescription(exchanges, { title: 'api.example' });
}

function at(document: JsonObject, pointer: string): JsonValue | undefined {
  return getAtPointer(document, pointer);
}

/** The schema of the response of `GET /value`. */
function schemaOf(...values: readonly unknown[]): JsonValue | undefined {
  const document = inferred(...values.map((answered) => exchange('GET /value', { answered })));
  return at(document, '/paths/~1value/get/responses/200/content/application~1json/schema');
}

const key = { Authorization: 'Bearer ~secret.token~' };
const pet = { id: 1, name: 'Rex', tag: 'dog', born: '2020-01-02' };
const PETS: readonly CleanExchange[] = [
  exchange('GET /pets?limit=2&tag=dog', { headers: key, answered: [pet] }),
  exchange('POST /pets', {
    headers: key,
    sent: { name: 'Rex', tag: 'dog' },
    status: 201,
    answered: pet,
    responseHeaders: { Location: '/pets/1' },
  }),
  exchange('GET /pets/1', { headers: key, answered: pet, responseHeaders: { ETag: '"1"', Date: 'x' } }),
  exchange('GET /pets/1', { status: 401, answered: { code: 'unauthorized', message: 'no' } }),
  exchange('GET /pets/9', { headers: key, status: 404, answered: { code: 'not_found', message: 'no' } }),
  exchange('PUT /pets/1', { headers: { ...key, 'if-match': '"1"' }, sent: { name: 'Tom' }, answered: pet }),
  exchange('PATCH /pets/1', { headers: key, sent: { tag: 'cat' }, answered: pet }),
  exchange('POST /pets/1/feed', { headers: key, status: 204 }),
  exchange('GET /pets/findByTag?tag=dog', { headers: key, answered: [pet, pet] }),
  exchange('DELETE /pets/1', { headers: key, status: 204 }),
];

describe('a description from traffic', () => {
  const document = inferred(...PETS);
  const operations = Object.entries(document['paths'] as Record<string, JsonObject>).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      method === 'parameters' ? [] : [[`${method} ${path}`, operation as JsonObject] as const],
    ),
  );

  it('is valid, is loaded without a finding, and says that it was inferred', () => {
    const { warnings } = loadText(draftDescriptionText(document));
    expect(warnings).toEqual([]);
    expect(document).toMatchObject({
      openapi: '3.1.1',
      info: { title: 'api.example', description: expect.stringContaining('Inferred from 10 recorded exchanges') },
      'x-standin-inferred': { exchanges: 10 },
    });
  });

  it('has readable ids for its operations, and tags by what they are about', () => {
    expect(operations.map(([name, { operationId }]) => [name, operationId])).toEqual([
      ['get /pets', 'listPets'],
      ['post /pets', 'createPet'],
      ['get /pets/findByTag', 'findPetsByTag'],
      ['get /pets/{petId}', 'getPet'],
      ['put /pets/{petId}', 'replacePet'],
      ['patch /pets/{petId}', 'updatePet'],
      ['delete /pets/{petId}', 'deletePet'],
      ['post /pets/{petId}/feed', 'feedPet'],
    ]);
    expect(new Set(operations.flatMap(([, { tags }]) => tags))).toEqual(new Set(['pets']));
  });

  it('shares the schemas of what several operations show, take and report', () => {
    const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    const response = (path: string, method: string, status: number): JsonValue | undefined =>
      at(document, `/paths/${path}/${method}/responses/${status}/content/application~1json/schema`);
    expect(response('~1pets~1{petId}', 'get', 200)).toEqual(ref('Pet'));
    expect(response('~1pets', 'get', 200)).toEqual({ type: 'array', items: ref('Pet') });
    expect(response('~1pets~1findByTag', 'get', 200)).toEqual({ type: 'array', items: ref('Pet') });
    expect(response('~1pets~1{petId}', 'get', 404)).toEqual(ref('Error'));
    expect(at(document, '/components/schemas')).toEqual({
      Error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'string' }, message: { type: 'string' } },
      },
      NewPet: {
        type: 'object',
        required: ['name', 'tag'],
        properties: { name: { type: 'string' }, tag: { type: 'string' } },
      },
      Pet: {
        type: 'object',
        required: ['id', 'name', 'tag', 'born'],
        properties: {
          id: { type: 'integer' },
          name: { type: 'string' },
          tag: { type: 'string' },
          born: { type: 'string', format: 'date' },
        },
      },
      PetReplacement: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      PetUpdate: { type: 'object', properties: { tag: { type: 'string' } } },
    });
  });

  it('documents parameters, and the headers that a client chose to send', () => {
    expect(at(document, '/paths/~1pets/get/parameters')).toEqual([
      { name: 'limit', in: 'query', schema: { type: 'integer' } },
      { name: 'tag', in: 'query', schema: { type: 'string' } },
    ]);
    expect(at(document, '/paths/~1pets~1{petId}/parameters')).toEqual([
      { name: 'petId', in: 'path', required: true, schema: { type: 'integer' } },
    ]);
    expect(at(document, '/paths/~1pets~1{petId}/put/parameters')).toEqual([
      { name: 'If-Match', in: 'header', schema: { type: 'string' } },
    ]);
  });

  it('documents the response headers by which clients go on', () => {
    expect(at(document, '/paths/~1pets/post/responses/201/headers')).toEqual({
      Location: { required: true, schema: { type: 'string' } },
    });
    expect(at(document, '/paths/~1pets~1{petId}/get/responses/200/headers')).toEqual({
      ETag: { required: true, schema: { type: 'string' } },
    });
  });

  it('secures what was let in with credentials, and documents the 401 that was seen', () => {
    expect(at(document, '/components/securitySchemes')).toEqual({ bearerAuth: { type: 'http', scheme: 'bearer' } });
    for (const [, { security }] of operations) expect(security).toEqual([{ bearerAuth: [] }]);
    expect(at(document, '/paths/~1pets~1{petId}/get/responses/401/description')).toBe('Unauthorized');
  });

  it('is the same for the same traffic, whenever it was recorded', () => {
    const later = PETS.map((each) => ({ ...each, startedAt: 5, endedAt: 6, source: 'other' }));
    expect(draftDescriptionText(inferred(...later))).toBe(draftDescriptionText(document));
  });

  it('changes little with a little more traffic', () => {
    const etag = { ETag: '"2"' };
    const second = exchange('GET /pets/2', { headers: key, answered: { ...pet, id: 2 }, responseHeaders: etag });
    const more = inferred(...PETS, second);
    const lines = (text: JsonObject): string[] => draftDescriptionText(text).split('\n');
    const before = lines(document);
    const changed = lines(more).filter((line, index) => line !== before[index]);
    // The three places that say how many exchanges there were.
    expect(changed).toHaveLength(3);
  });

  it('is written as YAML with what a person should know at its head', () => {
    const text = draftDescriptionText(document);
    expect(text).toMatch(
      /^# api\.example: a first description, inferred from 10 recorded exchanges\.\n# It has 8 oper/,
    );
    expect(readSource(text, 'draft.yaml').root).toEqual(document);
  });
});

describe('schemas from samples', () => {
  it.each<[string, readonly unknown[], unknown]>([
    ['integers', [1, 20], { type: 'integer' }],
    ['a number that may have a fraction', [1, 2.5], { type: 'number' }],
    ['null beside a value', ['a', null], { type: ['string', 'null'] }],
    ['several types', ['a', true], { type: ['string', 'boolean'] }],
    ['nothing but null', [null], {}],
    ['UUIDs', ['8c5a6f0e-3a44-4c6b-9d3b-0a7e1d2f3b4c'], { type: 'string', format: 'uuid' }],
    ['times', ['2024-01-01T10:00:00Z', null], { type: ['string', 'null'], format: 'date-time' }],
    ['days', ['2024-01-01', '2024-02-29'], { type: 'string', format: 'date' }],
    ['days among other texts', ['2024-01-01', ''], { type: 'string' }],
    ['addresses of e-mail', ['ann@example.com'], { type: 'string', format: 'email' }],
    ['addresses', ['https://example.com/a'], { type: 'string', format: 'uri' }],
    ['secrets', ['~secret.token~'], { type: 'string', format: 'password' }],
    ['an empty list', [[]], { type: 'array', items: {} }],
    ['lists, their items merged', [[1], ['a']], { type: 'array', items: { type: ['string', 'integer'] } }],
    ['an empty object', [{}], { type: 'object' }],
  ])('merges %s', (_, values, schema) => {
    expect(schemaOf(...values.map((value) => ({ value })))).toEqual({
      type: 'object',
      required: ['value'],
      properties: { value: schema },
    });
  });

  it('requires what each sample has, and no more', () => {
    expect(schemaOf({ a: 1, b: 1 }, { a: 2 })).toEqual({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    });
  });

  it('takes names that are keys for a map, and words for properties', () => {
    expect(schemaOf({ '17': { n: 1 }, '18': { n: 2, m: 1 } })).toEqual({
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['n'],
        properties: { n: { type: 'integer' }, m: { type: 'integer' } },
      },
    });
    expect(schemaOf({ available: 1, line_2: 2 })).toMatchObject({ properties: { available: {}, line_2: {} } });
  });

  it('takes many names that come seldom for a map', () => {
    const values = Array.from({ length: 30 }, (_, index) => ({
      [`word${'abcdefghijklmnopqrstuvwxyzäöüß'[index]}`]: 1,
    }));
    expect(schemaOf(...values)).toEqual({ type: 'object', additionalProperties: { type: 'integer' } });
  });

  it('infers no enum, whatever comes again and again', () => {
    expect(JSON.stringify(schemaOf(...Array.from({ length: 50 }, () => ({ status: 'sold' }))))).not.toContain('enum');
  });

  it('names no property after what every object has', () => {
    const document = inferred(
      exchange('GET /value', {
        answered: '{"__proto__":{"a":1},"constructor":1}',
        responseHeaders: { 'Content-Type': 'application/json' },
      }),
    );
    const schema = at(document, '/paths/~1value/get/responses/200/content/application~1json/schema') as JsonObject;
    expect(Object.keys(schema['properties'] as object)).toEqual(['__proto__', 'constructor']);
  });
});

describe('bodies that are no JSON', () => {
  it('describes forms, with lists and files', () => {
    const boundary = 'x';
    const parts = `--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nRex\r\n--x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n\u0089PNG\r\n--x--\r\n`;
    const document = inferred(
      exchange('POST /login', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        sent: 'user=ann&scope=a&scope=b&pin=~secret.pin~',
        answered: { token: '~secret.token~' },
      }),
      exchange('POST /photos', {
        headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
        sent: parts,
        status: 204,
      }),
    );
    expect(at(document, '/paths/~1login/post/requestBody/content')).toEqual({
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['user', 'scope', 'pin'],
          properties: {
            user: { type: 'string' },
            scope: { type: 'array', items: { type: 'string' } },
            pin: { type: 'string', format: 'password' },
          },
        },
      },
    });
    expect(at(document, '/paths/~1photos/post/requestBody/content')).toEqual({
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['title', 'photo'],
          properties: { title: { type: 'string' }, photo: { type: 'string', format: 'binary' } },
        },
      },
    });
  });

  it('describes texts as texts, bytes and what was not kept by their type alone', () => {
    const document = inferred(
      exchange('GET /note', { answered: 'hello', responseHeaders: { 'Content-Type': 'text/plain' } }),
      {
        ...exchange('GET /photo', {}),
        response: {
          status: 200,
          headers: ['Content-Type', 'image/png'],
          body: { kind: 'bytes', base64: 'AAAA' },
        },
      },
      {
        ...exchange('GET /large', {}),
        response: {
          status: 200,
          headers: ['Content-Type', 'application/json'],
          body: { kind: 'omitted', reason: 'too large', bytes: 9 },
        },
      },
    );
    const content = (path: string): JsonValue | undefined => at(document, `/paths/~1${path}/get/responses/200/content`);
    expect(content('note')).toEqual({ 'text/plain': { schema: { type: 'string' } } });
    expect(content('photo')).toEqual({ 'image/png': {} });
    expect(content('large')).toEqual({ 'application/json': {} });
  });

  it('marks a secret that is sent and never shown', () => {
    const document = inferred(
      exchange('POST /users', {
        sent: { name: 'ann', password: '~secret.password~' },
        status: 201,
        answered: { id: 1, name: 'ann' },
      }),
    );
    expect(
      at(document, '/components/schemas/NewUser/properties/password') ??
        at(document, '/paths/~1users/post/requestBody/content/application~1json/schema/properties/password'),
    ).toEqual({
      type: 'string',
      format: 'password',
      writeOnly: true,
    });
  });
});

describe('credentials in traffic', () => {
  it.each<[string, Parameters<typeof exchange>, object]>([
    [
      'a key in a header',
      ['GET /a', { headers: { 'X-Api-Key': '~secret.key~' } }],
      { xApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    ],
    [
      'a key in the query',
      ['GET /a?api_key=~secret.key~'],
      { apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' } },
    ],
    [
      'a session',
      ['GET /a', { headers: { Cookie: 'theme=dark; sessionid=~secret.session~' } }],
      { sessionidCookie: { type: 'apiKey', in: 'cookie', name: 'sessionid' } },
    ],
    [
      'Basic',
      ['GET /a', { headers: { Authorization: 'Basic ~secret.basic~' } }],
      { basicAuth: { type: 'http', scheme: 'basic' } },
    ],
    [
      'another scheme',
      ['GET /a', { headers: { Authorization: 'Token ~secret.token~' } }],
      { tokenAuth: { type: 'http', scheme: 'token' } },
    ],
    [
      'a bare token',
      ['GET /a', { headers: { Authorization: '~secret.token~' } }],
      { authorization: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    ],
  ])('knows %s', (_, [line, said], schemes) => {
    const document = inferred(exchange(line, { ...said, answered: {} }));
    expect(at(document, '/components/securitySchemes')).toEqual(schemes);
    expect(at(document, '/paths/~1a/get/security')).toEqual([{ [Object.keys(schemes)[0] ?? '']: [] }]);
    expect(at(document, '/paths/~1a/get/parameters')).toBeUndefined();
    expect(loadText(draftDescriptionText(document)).warnings).toEqual([]);
  });

  it('leaves open what was called without any', () => {
    const document = inferred(
      exchange('GET /open', { answered: {} }),
      exchange('GET /closed', { headers: key, answered: {} }),
      exchange('GET /either', { headers: key, answered: {} }),
      exchange('GET /either', { answered: {} }),
      exchange('GET /never', { status: 401, answered: {} }),
    );
    const security = (path: string): JsonValue | undefined => at(document, `/paths/~1${path}/get/security`);
    expect([security('open'), security('closed'), security('either'), security('never')]).toEqual([
      undefined,
      [{ bearerAuth: [] }],
      [{ bearerAuth: [] }, {}],
      [{ bearerAuth: [] }],
    ]);
  });
});

describe('traffic that no description can be made from', () => {
  it.each<[string, readonly CleanExchange[], RegExp]>([
    ['none at all', [], /no request to an API: there is nothing to describe/],
    ['requests alone', [exchange('GET /a', { isLost: true })], /none of the 1 request has a response/],
    ['methods that have no place', [exchange('PURGE /a')], /none of the 1 exchange has a method and a path/],
    [
      'pages alone',
      [1, 2].map((n) =>
        exchange(`GET /${n}`, { answered: '<html>', responseHeaders: { 'Content-Type': 'text/html; charset=utf-8' } }),
      ),
      /All 2 responses are HTML pages: what was recorded is no API/,
    ],
  ])('says so of %s', (_, exchanges, message) => {
    const error = thrownBy(() => inferred(...exchanges));
    expect(error.message).toMatch(message);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.hint).toBeDefined();
  });
});
