import request from 'supertest';
import type { MockServer } from '../../src/server/mock-server';
import { checkBody } from '../../src/checks/request/body';
import { buildModel } from '../../src/openapi/model/api-model';
import { readSource } from '../../src/openapi/read/read-source';
import type { JsonValue } from '../../src/core/json/json-value';
import { loadText } from '../openapi/load-text';
import { partsOfText, serveText } from '../support/serve-text';

const POST = (content: string): string => `
    post:
      requestBody: { required: true, content: { ${content} } }
      responses: { '204': { description: ok } }`;

const DOCUMENT = `openapi: 3.0.3
info: { title: Desk, version: 1.0.0 }
paths:
  /form:${POST("application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Note' } }")}
  /deep:${POST(
    "application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Note' }, encoding: { author: { style: deepObject, explode: true }, tags: { style: form, explode: false } } }",
  )}
  /parts:${POST(
    "multipart/form-data: { schema: { $ref: '#/components/schemas/Upload' }, encoding: { photo: { contentType: 'image/png, image/jpeg' }, title: { contentType: 'text/csv; charset=utf-8, text/plain' } } }",
  )}
  /text:${POST('text/plain: { schema: { type: string, maxLength: 5 } }')}
  /number:${POST('text/plain: { schema: { type: integer } }')}
  /octets:${POST('application/octet-stream: { schema: { type: string, format: binary, maxLength: 3 } }')}
  /images:${POST('image/*: {}')}
  /suffix:${POST('application/vnd.note+json: { schema: { type: object, required: [text] } }')}
  /range:${POST("application/*: { schema: { $ref: '#/components/schemas/Note' } }")}
  /xml:${POST("application/xml: { schema: { $ref: '#/components/schemas/Note' } }")}
  /types:
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: ok }, '415': { description: no } }
components:
  schemas:
    Note:
      type: object
      required: [text]
      properties:
        text: { type: string }
        size: { type: integer, minimum: 1 }
        isOpen: { type: boolean }
        tags: { type: array, items: { type: string }, maxItems: 3 }
        author: { type: object, properties: { name: { type: string }, age: { type: integer } } }
        people: { type: array, items: { type: object, properties: { age: { type: integer } } } }
    Upload:
      type: object
      required: [title, photo]
      properties:
        title: { type: string, maxLength: 5 }
        size: { type: integer }
        photo: { type: string, format: binary, maxLength: 4 }
        files: { type: array, items: { type: string, format: binary } }
        author: { type: object, properties: { age: { type: integer } } }
`;

/** A request that takes JSON; its responses are to follow. */
const TYPES = `openapi: 3.0.3
info: { title: Desk, version: 1.0.0 }
paths:
  /types:
    post:
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }`;

/** Sequences came with OpenAPI 3.2. */
const SEQUENCES = `openapi: 3.2.0
info: { title: Log, version: 1.0.0 }
paths:
  /lines:${POST(
    'application/jsonl: { itemSchema: { type: object, required: [n], properties: { n: { type: integer } } } }',
  )}
  /items:${POST('application/x-ndjson: { schema: { type: object, properties: { n: { type: integer } } } }')}
`;

const { operations } = loadText(DOCUMENT).api;
const all = [...operations, ...buildModel(readSource(SEQUENCES, 'sequences.yaml')).operations];

/** What the body of a path becomes. */
async function valueOf(path: string, contentType: string, body: string | Uint8Array): Promise<JsonValue | string> {
  const entry = all.find((operation) => operation.path === path)!.requestBody!.content[0]!;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const check = await checkBody(entry, contentType, bytes);
  return check.kind === 'valid' ? check.value : `refused: ${check.problem.message}`;
}

const FORM = 'application/x-www-form-urlencoded';

describe('a form', () => {
  test.each<[string, JsonValue]>([
    ['text=a+b%2Bc', { text: 'a b+c' }],
    ['text=7&size=7&isOpen=true', { text: '7', size: 7, isOpen: true }],
    ['text=a&tags=x&tags=y', { text: 'a', tags: ['x', 'y'] }],
    ['text=a&tags=x', { text: 'a', tags: ['x'] }],
    ['text=a&tags[]=x&tags[]=y', { text: 'a', tags: ['x', 'y'] }],
    ['text=a&author=%7B%22age%22%3A7%7D', { text: 'a', author: { age: 7 } }],
    ['text=a&author[name]=Ann&author[age]=7', { text: 'a', author: { name: 'Ann', age: 7 } }],
    ['text=a&people=%7B%22age%22%3A7%7D&people=%7B%7D', { text: 'a', people: [{ age: 7 }, {}] }],
    ['text=a&people=%5B%7B%22age%22%3A7%7D%5D', { text: 'a', people: [{ age: 7 }] }],
    ['text=a&people[0][age]=7&people[1][age]=8', { text: 'a', people: [{ age: 7 }, { age: 8 }] }],
    ['text=a&other=1&other=2', { text: 'a', other: ['1', '2'] }],
    ['text=a&__proto__=x', JSON.parse('{"text":"a","__proto__":"x"}') as JsonValue],
  ])('%s is %j', async (body, value) => {
    expect(await valueOf('/form', FORM, body)).toStrictEqual(value);
  });

  it('is read by its encoding', async () => {
    expect(await valueOf('/deep', FORM, 'text=a&tags=x,y&author[age]=7')).toStrictEqual({
      text: 'a',
      tags: ['x', 'y'],
      author: { age: 7 },
    });
  });

  test.each([
    ['size=1', 'The field /text is missing: the body must have the property "text"'],
    ['text=a&size=0', 'The field /size must be'],
    ['text=a&size=x', 'The field /size must be an integer'],
    ['text=a&text=b', 'The field /text must be sent once only'],
    ['text=%zz', 'The field "text" of the body holds a percent sequence'],
    ['text=a&author={', 'The field /author is not valid JSON'],
    ['text=a&tags=1&tags=2&tags=3&tags=4', 'The field /tags must have at most 3 items'],
  ])('%s is refused: %s', async (body, message) => {
    expect(await valueOf('/form', FORM, body)).toContain(message);
  });
});

describe('text and octets', () => {
  const bytes = (...octets: number[]): Uint8Array => Uint8Array.from(octets);
  test.each<[string, string, string | Uint8Array, JsonValue]>([
    ['/text', 'text/plain', 'héllo', 'héllo'],
    ['/text', 'text/plain; charset=iso-8859-1', bytes(0xe9), 'é'],
    ['/text', 'text/plain; charset=US-ASCII', 'hello', 'hello'],
    ['/number', 'text/plain', '7', 7],
    ['/octets', 'application/octet-stream', bytes(0, 0xff, 0x80), '\u0000\u00ff\u0080'],
    ['/images', 'image/png', bytes(0x89, 0x50), '\u0089P'],
    ['/xml', 'application/xml', '<a/>', '<a/>'],
    ['/items', 'application/x-ndjson', '{"n":1}\n{"n":2}', [{ n: 1 }, { n: 2 }]],
    ['/lines', 'application/jsonl', '{"n":1}\n\n{"n":9007199254740993}\n', [{ n: 1 }, { n: 9007199254740993n }]],
    ['/suffix', 'application/vnd.note+json; charset=utf-8', '{"text":"a"}', { text: 'a' }],
    ['/range', 'application/json', '{"text":"a"}', { text: 'a' }],
    ['/range', FORM, 'text=a', { text: 'a' }],
  ])('%s as %s', async (path, contentType, body, value) => {
    expect(await valueOf(path, contentType, body)).toStrictEqual(value);
  });

  test.each<[string, string, string | Uint8Array, string]>([
    ['/text', 'text/plain', 'too long', 'The body must have at most 5 characters'],
    ['/text', 'text/plain', bytes(0xff), 'The body is not text of the charset'],
    ['/number', 'text/plain', 'x', 'The body must be an integer'],
    ['/octets', 'application/octet-stream', bytes(1, 2, 3, 4), 'The body must have at most 3 characters'],
    ['/items', 'application/x-ndjson', '{"n":1}\n{"n":"x"}', 'The field /1/n must be an integer'],
    ['/lines', 'application/jsonl', '{"n":1}\n{"n":"x"}', 'The field /1/n must be an integer'],
    ['/lines', 'application/jsonl', '{"n":1}\n{}', 'The field /1/n is missing'],
    ['/lines', 'application/jsonl', '{"n":1}\n{', 'Text 2 of the body is not valid JSON'],
  ])('%s as %s refuses %j', async (path, contentType, body, message) => {
    expect(await valueOf(path, contentType, body)).toContain(message);
  });
});

describe('over HTTP', () => {
  let app: MockServer;
  beforeAll(async () => {
    app = await serveText(DOCUMENT);
  });

  const upload = (): request.Test => request(app).post('/parts').field('title', 'Ann');
  const PNG = Buffer.from([0x89, 0x50, 0xff, 0]);

  it('reads the parts of a multipart form', async () => {
    await upload()
      .field('size', '7')
      .field('author', '{"age":7}')
      .attach('photo', PNG, { filename: 'a.png', contentType: 'image/png' })
      .attach('files', Buffer.from([0xff]), 'a.bin')
      .attach('files', Buffer.from('b'), 'b.txt')
      .expect(204);
    const [entry] = app.journal();
    expect(entry?.code).toBeUndefined();
  });

  it('reads parts whose names stand in brackets as the members that they name', async () => {
    const part = (name: string, value: string, file = ''): string =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
    const inBrackets = [
      part('title', 'Ann'),
      part('author[age]', '7'),
      part('files[1]', 'b%', '; filename="b.txt"'),
      part('files[0]', 'a+', '; filename="a.txt"'),
    ].join('');
    expect(
      await valueOf('/parts', 'multipart/form-data; boundary=x', `${inBrackets}${part('photo', 'p')}--x--`),
    ).toEqual({ title: 'Ann', author: { age: 7 }, files: ['a+', 'b%'], photo: 'p' });
    const bad = `${part('title', 'Ann')}${part('author[age]', 'x')}${part('photo', 'p')}--x--`;
    expect(await valueOf('/parts', 'multipart/form-data; boundary=x', bad)).toContain('The field /author/age must be');
  });

  it.each(['text/csv; charset=utf-8', 'text/csv', 'text/plain'])('accepts a part of the type %s', async (type) => {
    await request(app)
      .post('/parts')
      .attach('title', Buffer.from('Ann'), { contentType: type, filename: 'title' })
      .attach('photo', PNG, { filename: 'a.png', contentType: 'image/png' })
      .expect(204);
  });

  test.each<[string, (form: request.Test) => request.Test, string]>([
    ['a part that is missing', (form) => form, 'The field /photo is missing'],
    [
      'a file of another type',
      (form) => form.attach('photo', PNG, { filename: 'a.gif', contentType: 'image/gif' }),
      'The part /photo is of the type "image/gif"; it must be image/png or image/jpeg',
    ],
    [
      'a file that is too long',
      (form) => form.attach('photo', Buffer.alloc(5), { filename: 'a.png', contentType: 'image/png' }),
      'The field /photo must have at most 4 characters',
    ],
    [
      'a number that is none',
      (form) => form.field('size', 'x').attach('photo', PNG, { filename: 'a.png', contentType: 'image/png' }),
      'The field /size must be an integer',
    ],
    [
      'JSON that is none',
      (form) => form.field('author', '{').attach('photo', PNG, { filename: 'a.png', contentType: 'image/png' }),
      'The part /author is not valid JSON',
    ],
    [
      'a file twice',
      (form) =>
        form
          .attach('photo', PNG, { filename: 'a.png', contentType: 'image/png' })
          .attach('photo', PNG, { filename: 'b.png', contentType: 'image/png' }),
      'The field /photo must be a string',
    ],
  ])('refuses %s', async (_, fill, message) => {
    const { body } = await fill(upload()).expect(400);
    expect((body as { detail: string }).detail).toContain(message);
  });

  test.each([
    ['multipart/form-data; boundary=x', '--x\r\nno end'],
    ['multipart/form-data', '--x--'],
    ['multipart/form-data; boundary=x', 'nothing of the kind'],
  ])('refuses %s with %j', async (type, text) => {
    const { body } = await request(app).post('/parts').set('Content-Type', type).send(text).expect(400);
    expect((body as { code: string }).code).toMatch(/^(?:invalid_body|missing_field)$/);
  });

  it('says what a body is missing, and what type it must have', async () => {
    const missing = await request(app).post('/form').expect(400);
    expect(missing.body).toMatchObject({ code: 'missing_body' });
    const wrong = await request(app).post('/form').set('Content-Type', 'text/plain').send('text=a').expect(400);
    expect(wrong.body).toMatchObject({ code: 'unsupported_media_type', status: 400 });
    const documented = await request(app).post('/types').set('Content-Type', 'text/plain').send('a').expect(415);
    expect(documented.body).toMatchObject({ code: 'unsupported_media_type' });
    const charset = await request(app).post('/text').set('Content-Type', 'text/plain; charset=utf-16').send('a');
    expect(charset.status).toBe(400);
  });

  it.each([
    { documented: ["'415'", "'400'"], status: 415 },
    { documented: ['4XX'], status: 415 },
    { documented: ['default'], status: 415 },
    { documented: ["'400'", 'default'], status: 415 },
    { documented: ["'400'"], status: 400 },
    { documented: ["'422'"], status: 422 },
  ])('answers a wrong Content-Type with $status where $documented is documented', async ({ documented, status }) => {
    const errors = documented.map((each) => `${each}: { $ref: '#/components/responses/Failure' }`).join(', ');
    const text = `${TYPES}
      responses: { '204': { description: ok }, ${errors} }
components:
  responses:
    Failure:
      description: no
      content: { application/json: { schema: { required: [code], properties: { code: { type: string } } } } }
`;
    // Otherwise a missing one is taken for that of the operation.
    const types = await serveText(text, { strict: true });
    const wrong = await request(types).post('/types').set('Content-Type', 'text/plain').send('a').expect(status);
    expect(wrong.body).toMatchObject({ code: 'unsupported_media_type' });
    // Without any type the request is malformed, and not of a type that is not supported.
    const untyped = await request(types)
      .post('/types')
      .unset('Content-Type')
      .send(Buffer.from('{}'))
      .expect(status === 415 ? 400 : status);
    expect(untyped.body).toMatchObject({ code: 'missing_content_type' });
  });

  it.each([
    { shown: ['missing_content_type'], code: 'missing_content_type' },
    { shown: ['missing_content_type', 'unsupported_media_type'], code: 'unsupported_media_type' },
    { shown: ['other'], code: 'unsupported_media_type' },
  ])('says $code of a wrong Content-Type where 400 has examples of $shown', async ({ shown, code }) => {
    const examples = shown.map((name) => `${name}: { value: { code: ${name} } }`).join(', ');
    const types = await serveText(`${TYPES}
      responses:
        '204': { description: ok }
        '400':
          description: no
          content:
            application/json:
              schema: { required: [code], properties: { code: { type: string } } }
              examples: { ${examples} }
`);
    const { body } = await request(types).post('/types').set('Content-Type', 'text/plain').send('a').expect(400);
    expect(body).toMatchObject({ code });
  });

  it('takes a body where none is declared, and does not look at it', async () => {
    const bare = await serveText(`openapi: 3.0.3
info: { title: Desk, version: 1.0.0 }
paths:
  /notes:
    get: { responses: { '204': { description: ok } } }
    delete:
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: ok } }
`);
    await request(bare).get('/notes').set('Content-Type', 'application/json').send('{').expect(204);
    await request(bare).delete('/notes').set('Content-Type', 'text/plain').send('x').expect(204);
    await request(bare).delete('/notes').expect(204);
  });
});

it('warns of bodies that no schema judges', async () => {
  const { warnings } = await partsOfText(DOCUMENT);
  expect(warnings.map(({ rule, message }) => `${rule}: ${message}`)).toStrictEqual([
    'body-not-judged: Bodies of application/xml for POST /xml are taken as they come: XML is not parsed',
  ]);
});

const SHELF = `openapi: 3.0.3
info: { title: Shelf, version: 1.0.0 }
paths:
  /books:
    post:
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Book' } }
          application/xml: { schema: { $ref: '#/components/schemas/Book' } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
  /books/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
components:
  schemas:
    Book:
      type: object
      required: [title]
      properties: { id: { type: integer, readOnly: true }, title: { type: string }, pages: { type: integer } }
      example: { id: 1, title: Example }
`;

it('stores what came in a form, and answers XML as if nothing stood behind', async () => {
  const app = await serveText(SHELF);
  await request(app).post('/books').type('form').send({ title: 'Emma', pages: 7 }).expect(201);
  await request(app).get('/books/1').expect(200, { id: 1, title: 'Emma', pages: 7 });
  await request(app).post('/books').set('Content-Type', 'application/xml').send('<book/>').expect(201);
  await request(app).get('/books/2').expect(404);
});
