import request from 'supertest';
import { createMockServer } from '../../src/library/create-mock-server';
import { serveText } from '../support/serve-text';
import { temporaryFolder } from '../support/temporary-folder';

const ITEM = '{ type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }';

const DOCUMENT = `openapi: 3.1.0
info: { title: Desk, version: 1.0.0 }
paths:
  /notes:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: ${ITEM} } } } } } }
    post:
      requestBody: { content: { application/json: { schema: ${ITEM} } } }
      responses: { '201': { description: made, content: { application/json: { schema: ${ITEM} } } } }
  /notes/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }, { name: Accept, in: header, schema: { enum: [application/vnd.desk+json;version=2] } }]
      responses: { '200': { description: ok, content: { application/xml: { schema: ${ITEM} }, application/json: { schema: ${ITEM} }, text/csv: { schema: { type: string } } } } }
  /odd: { get: { responses: { '200': { description: ok, content: { error: { schema: { type: object, required: [ok], properties: { ok: { const: true } } } } } } } } }
  /file: { get: { responses: { '200': { description: ok, content: { text/plain: { example: plain }, application/xml: { example: <a/> } } } } } }
  /documented:
    get: { responses: { '200': { description: ok, content: { application/json: { example: 1 } } }, '406': { description: no } } }
  /stated:
    get: { x-standin: { accept: strict }, responses: { '200': { description: ok, content: { application/json: { example: 1 } } } } }
`;

describe('an Accept that fits none of the documented types', () => {
  test.each([
    'application/vnd.desk+json',
    'application/vnd.desk.v3+json',
    'application/vnd.desk+json;version=2',
    'application/json;version=2',
    'application/octet-stream',
    'text/html',
    'json',
  ])('gets the nearest of them with a warning: %s', async (accept) => {
    const app = await serveText(DOCUMENT);
    const { headers } = await request(app).get('/notes').set('Accept', accept).expect(200);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['x-standin-problem']).toMatch(/^not_acceptable: The header Accept leaves out application\/json/);
    expect(app.journal().at(-1)).toMatchObject({ status: 200, warnings: [{ code: 'not_acceptable' }] });
  });

  test.each(['application/json', '*/*', 'text/html, */*;q=0.1', 'application/*', ''])(
    'is none where it takes one: %s',
    async (accept) => {
      const app = await serveText(DOCUMENT);
      const { headers } = await request(app).get('/notes').set('Accept', accept).expect(200);
      expect(headers).not.toHaveProperty('x-standin-problem');
    },
  );

  test.each(['application/json;q=0', '*/*;q=0', 'text/html, application/json;q=0.0', 'application/*;q=0, text/html'])(
    'is refused where it excludes all of them: %s',
    async (accept) => {
      const app = await serveText(DOCUMENT);
      await request(app).get('/notes').set('Accept', accept).expect(406);
    },
  );

  test('is rejected with --strict, with handling=strict, and where 406 is documented or asked for', async () => {
    const strict = await serveText(DOCUMENT, { strict: true });
    await request(strict).get('/notes').set('Accept', 'text/html').expect(406);
    const app = await serveText(DOCUMENT);
    await request(app).get('/notes').set('Accept', 'text/html').set('Prefer', 'handling=strict').expect(406);
    await request(app).get('/documented').set('Accept', 'text/html').expect(406);
    // Another name for the same syntax is what clients of such descriptions send.
    await request(app).get('/documented').set('Accept', 'application/vnd.notes.v3+json').expect(200);
    await request(app).get('/stated').set('Accept', 'text/html').expect(406);
  });

  test('is taken as the overrides say', async () => {
    const overrides = 'standin: overrides/1\naccept: strict\noperations: { GET /documented: { accept: lenient } }\n';
    const folder = temporaryFolder();
    const app = await serveText(DOCUMENT, { overrides: folder.write('overrides.yaml', overrides) });
    folder.remove();
    await request(app).get('/notes').set('Accept', 'text/html').expect(406);
    await request(app).get('/documented').set('Accept', 'text/html').expect(200, '1');
  });

  test('is refused at the Petstore, whose contract is 406', async () => {
    const app = await createMockServer({ auth: 'off' });
    await request(app).get('/pets').set('Accept', 'text/html').expect(406);
  });
});

describe('what is answered is the type that is nearest', () => {
  test.each([
    ['text/xml', 'application/xml'],
    ['application/vnd.other+xml, text/html;q=0.5', 'application/xml'],
    ['text/markdown', 'text/plain'],
    ['image/png', 'text/plain'],
  ])('where the description answers: %s gets %s', async (accept, type) => {
    const app = await serveText(DOCUMENT);
    const { headers } = await request(app).get('/file').set('Accept', accept).expect(200);
    expect(headers['content-type']).toBe(type);
  });

  test('a key that is no media type stands for JSON', async () => {
    const app = await serveText(DOCUMENT);
    const { headers } = await request(app).get('/odd').set('Accept', '*/*').expect(200, { ok: true });
    expect(headers['content-type']).toBe('application/json');
    expect(headers).not.toHaveProperty('x-standin-problem');
  });

  test('an item of the state is written as XML, or as the description shows it, where that is wanted', async () => {
    const app = await serveText(DOCUMENT);
    await request(app).post('/notes').send({ id: 1, name: 'Ann' }).expect(201);
    const { id } = (await request(app).get('/notes')).body[0] as { id: number };
    const xml = await request(app).get(`/notes/${id}`).set('Accept', 'application/xml').expect(200);
    expect(xml.headers['content-type']).toBe('application/xml');
    expect(xml.text).toContain(`<id>${id}</id>`);
    const csv = await request(app).get(`/notes/${id}`).set('Accept', 'text/csv').expect(200);
    expect(csv.headers['content-type']).toBe('text/csv');
    const any = await request(app).get(`/notes/${id}`).set('Accept', '*/*').expect(200);
    expect(any.headers['content-type']).toBe('application/json');
    const vendor = await request(app).get(`/notes/${id}`).set('Accept', 'application/vnd.desk+json').expect(200);
    expect(vendor.headers['content-type']).toBe('application/json');
  });
});

test('another name for JSON leaves the entity tag as it is', async () => {
  const thing = '{ type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }';
  const body = `content: { application/json: { schema: ${thing} }, application/vnd.thing+json: { schema: ${thing} } }`;
  const app = await serveText(`openapi: 3.0.3
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    post: { requestBody: { ${body} }, responses: { '201': { description: made, ${body} } } }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: one, headers: { ETag: { schema: { type: string } } }, ${body} } } }
`);
  const made = await request(app).post('/things').send({ id: 'a', name: 'A' }).expect(201);
  const path = `/things/${(made.body as { id: string }).id}`;
  const usual = await request(app).get(path).expect(200);
  const named = await request(app).get(path).set('Accept', 'application/vnd.thing+json').expect(200);
  expect(named.headers['content-type']).toBe('application/vnd.thing+json');
  expect(usual.headers['etag']).toEqual(expect.any(String));
  expect(named.headers['etag']).toBe(usual.headers['etag']);
});
