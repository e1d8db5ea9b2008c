import request from 'supertest';
import { partsOfText, serveText } from '../../support/serve-text';

const FILE =
  '{ type: object, required: [id, filename, bytes], properties: { id: { type: string }, filename: { type: string }, bytes: { type: integer }, mime_type: { type: string }, purpose: { type: string } } }';
const DOCUMENT = `openapi: 3.0.3
info: { title: Files, version: 1.0.0 }
paths:
  /files:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: ${FILE} } } } } } }
    post:
      requestBody: { content: { multipart/form-data: { schema: { type: object, required: [file], properties: { file: { type: string, format: binary }, purpose: { type: string } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: ${FILE} } } } }
  /files/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: ${FILE} } } } } }
    delete: { responses: { '204': { description: gone } } }
  /files/{id}/content:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: ok, content: { application/octet-stream: { schema: { type: string, format: binary } } } }, '404': { description: none } } }
`;
const OCTETS = Buffer.from([0, 255, 10, 13, 200, 65]);

/** The octets that a path answers, and their type. */
async function octetsAt(app: Parameters<typeof request>[0], path: string): Promise<readonly [string, Buffer]> {
  const got = await request(app)
    .get(path)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        done(null, Buffer.concat(chunks));
      });
    })
    .expect(200);
  return [String(got.headers['content-type']), got.body as Buffer];
}

describe('an upload', () => {
  test('gives the item its name, type and size, and is downloaded again as it was sent', async () => {
    const app = await serveText(DOCUMENT);
    const { body, headers } = await request(app)
      .post('/files')
      .field('purpose', 'test')
      .attach('file', OCTETS, { filename: 'a b.bin', contentType: 'application/x-thing' })
      .expect(201);
    const { id } = body as { id: string };
    expect(headers).not.toHaveProperty('x-standin-problem');
    expect(body).toEqual({ id, filename: 'a b.bin', bytes: 6, mime_type: 'application/x-thing', purpose: 'test' });
    await request(app)
      .get(`/files/${id}`)
      .expect(200, body as object);
    expect(await octetsAt(app, `/files/${id}/content`)).toStrictEqual(['application/x-thing', OCTETS]);
  });

  test('at a path beside the collection makes an item of it', async () => {
    const app = await serveText(DOCUMENT.replace('    post:\n', '  /files/upload:\n    post:\n'));
    const { body } = await request(app).post('/files/upload').attach('file', OCTETS, 'a.bin').expect(201);
    expect(body).toMatchObject({ filename: 'a.bin', bytes: 6 });
    await request(app).get('/files').expect(200, [body]);
    expect((await octetsAt(app, `/files/${(body as { id: string }).id}/content`))[1]).toStrictEqual(OCTETS);
  });

  test('that is a page runs as none of the mock, whose admin routes are open to its own pages', async () => {
    const app = await serveText(DOCUMENT);
    const page = { filename: 'a.html', contentType: 'text/html' };
    const { body } = await request(app).post('/files').attach('file', Buffer.from('<script>'), page).expect(201);
    const { headers } = await request(app)
      .get(`/files/${(body as { id: string }).id}/content`)
      .expect(200);
    expect(headers).toMatchObject({ 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' });
  });

  test('is kept for its sandbox alone, goes with its item and by a reset, and its octets are in no state that is shown', async () => {
    const app = await serveText(DOCUMENT);
    const { body } = await request(app)
      .post('/files')
      .attach('file', Buffer.from('secret octets'), 'a.txt')
      .expect(201);
    const { id } = body as { id: string };
    const shown = await request(app).get('/__standin/state').expect(200);
    expect(shown.text).not.toContain('secret octets');
    expect(shown.body).toMatchObject({ collections: { '/files': [{ $content: { type: 'text/plain', bytes: 13 } }] } });
    await request(app).get(`/files/${id}/content`).set('X-Standin-Sandbox', 'other').expect(404);
    await request(app).delete(`/files/${id}`).expect(204);
    await request(app).get(`/files/${id}/content`).expect(404);
    await request(app).post('/files').attach('file', Buffer.from('x'), 'b.txt').expect(201);
    app.reset();
    await request(app).get('/files').expect(200, []);
  });
});

const WHOLE = `openapi: 3.0.3
info: { title: Whole, version: 1.0.0 }
paths:
  /files:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/File' } } } } } } }
    post:
      parameters: [{ name: title, in: query, schema: { type: string } }]
      requestBody: { required: true, content: { application/octet-stream: { schema: { type: string, format: binary } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/File' } } } } }
  /files/{id}:
    parameters: &id [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/File' } } } } } }
    delete: { responses: { '204': { description: gone } } }
  /files/{id}/content:
    parameters: *id
    get: { responses: { '200': { description: ok, content: { '*/*': { schema: { type: string, format: binary } } } }, '404': { description: none } } }
    put:
      requestBody: { content: { '*/*': { schema: { type: string, format: binary } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/File' } } } } }
  /people:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Person' } } } } } } }
  /people/{id}:
    parameters: *id
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Person' } } } } } }
    put:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Person' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Person' } } } } }
  /people/{id}/photo:
    parameters: *id
    get: { responses: { '200': { description: ok, content: { image/png: { schema: { type: string, format: binary } } } }, '404': { description: none } } }
    put:
      requestBody: { content: { image/png: {} } }
      responses: { '204': { description: set } }
    delete: { responses: { '204': { description: gone }, '404': { description: none } } }
components:
  schemas:
    File: { type: object, required: [id, size], properties: { id: { type: string }, title: { type: string }, filename: { type: string }, size: { type: integer }, content_type: { type: string } } }
    Person: { type: object, required: [id, name], properties: { id: { type: string }, name: { type: string }, size: { type: integer } } }
`;

describe('a file that is a whole body', () => {
  test('makes an item, whose name stands in the query or in Content-Disposition', async () => {
    const app = await serveText(WHOLE, { state: 'empty' });
    const { body, headers } = await request(app)
      .post('/files?title=Notes')
      .set('Content-Type', 'application/octet-stream')
      .set('Content-Disposition', 'attachment; filename="notes.bin"')
      .send(OCTETS)
      .expect(201);
    expect(headers).not.toHaveProperty('x-standin-problem');
    expect(body).toStrictEqual({
      id: '1',
      title: 'Notes',
      filename: 'notes.bin',
      size: 6,
      content_type: 'application/octet-stream',
    });
    await request(app)
      .get('/files')
      .expect(200, [body as object]);
    expect(await octetsAt(app, '/files/1/content')).toStrictEqual(['application/octet-stream', OCTETS]);
  });

  test('takes the place of what an item was made of, and nothing else of it changes', async () => {
    const app = await serveText(WHOLE, { state: 'empty' });
    await request(app).post('/files?title=Notes').type('application/octet-stream').send(OCTETS).expect(201);
    const { body } = await request(app).put('/files/1/content').type('application/json').send('{"a":1}').expect(200);
    expect(body).toMatchObject({ id: '1', title: 'Notes', size: 7, content_type: 'application/json' });
    expect(await octetsAt(app, '/files/1/content')).toStrictEqual(['application/json', Buffer.from('{"a":1}')]);
    await request(app).put('/files/9/content').type('text/plain').send('x').expect(404);
  });

  test('is kept beside an item under its own path, and tells nothing of the item', async () => {
    const app = await serveText(WHOLE, { state: 'seeded' });
    const { body: list } = await request(app).get('/people').expect(200);
    const [first] = list as { id: string }[];
    const path = `/people/${first!.id}/photo`;
    await request(app).put(path).type('image/png').send(OCTETS).expect(204);
    expect(await octetsAt(app, path)).toStrictEqual(['image/png', OCTETS]);
    await request(app).get(`/people/${first!.id}`).expect(200, first);
    await request(app).put(`/people/${first!.id}`).send(first).expect(200);
    expect(await octetsAt(app, path)).toStrictEqual(['image/png', OCTETS]);
    const { text } = await request(app).get('/__standin/state').expect(200);
    expect(text).toContain('{"type":"image/png","bytes":6}');
    await request(app).delete(path).expect(204);
    await request(app).get(path).expect(404);
    await request(app).delete(path).expect(404);
  });

  test('that nobody sent is made up, as everything is that a mock begins with', async () => {
    const app = await serveText(WHOLE, { state: 'seeded' });
    const { body: list } = await request(app).get('/people').expect(200);
    const [first] = list as { id: string }[];
    const [type] = await octetsAt(app, `/people/${first!.id}/photo`);
    expect(type).toBe('image/png');
    await request(app).get('/people/nobody/photo').expect(404);
  });
});

const BLOBS = `openapi: 3.0.3
info: { title: Blobs, version: 1.0.0 }
paths:
  /shelves/{shelf}/blobs/{name}:
    parameters:
      - { name: shelf, in: path, required: true, schema: { type: string } }
      - { name: name, in: path, required: true, schema: { type: string } }
    get: { responses: { '200': { description: ok, content: { application/octet-stream: { schema: { type: string, format: binary } } } }, '404': { description: none } } }
    put:
      requestBody: { content: { application/octet-stream: { schema: { type: string, format: binary } } } }
      responses: { '201': { description: made }, '204': { description: replaced } }
    delete: { responses: { '204': { description: gone }, '404': { description: none } } }
  /logo:
    get: { responses: { '200': { description: ok, content: { image/png: {} } }, '404': { description: none } } }
    put: { requestBody: { content: { image/png: {} } }, responses: { '204': { description: set } } }
`;

describe('an item that is nothing but a file', () => {
  test('is there from its PUT to its DELETE', async () => {
    const app = await serveText(BLOBS, { state: 'seeded' });
    const path = '/shelves/a/blobs/x.bin';
    await request(app).get(path).expect(404);
    await request(app).put(path).type('application/octet-stream').send(OCTETS).expect(201);
    expect(await octetsAt(app, path)).toStrictEqual(['application/octet-stream', OCTETS]);
    await request(app).get('/shelves/b/blobs/x.bin').expect(404);
    await request(app).put(path).type('application/octet-stream').send(Buffer.from('new')).expect(204);
    expect(await octetsAt(app, path)).toStrictEqual(['application/octet-stream', Buffer.from('new')]);
    await request(app).delete(path).expect(204);
    await request(app).get(path).expect(404);
    await request(app).delete(path).expect(404);
  });

  test('may stand at a path without variables', async () => {
    const app = await serveText(BLOBS, { state: 'seeded' });
    await request(app).get('/logo').expect(404);
    await request(app).put('/logo').type('image/png').send(OCTETS).expect(204);
    expect(await octetsAt(app, '/logo')).toStrictEqual(['image/png', OCTETS]);
  });
});

// As programs write it: whatever else a service takes, the schema is that of what it makes.
const MEDIA = `openapi: 3.0.3
info: { title: Media, version: 1.0.0 }
paths:
  /films:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Film' } } } } } } }
    post:
      operationId: insertFilm
      parameters: [{ name: name, in: query, schema: { type: string } }]
      requestBody:
        content:
          video/mp4: { schema: { $ref: '#/components/schemas/Film' } }
          application/octet-stream: { schema: { $ref: '#/components/schemas/Film' } }
      responses: { '200': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Film' } } } } }
  /films/{film}:
    parameters: [{ name: film, in: path, required: true, description: Name of the film., schema: { type: string } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Film' } } } } } }
components:
  schemas:
    Film: { type: object, properties: { name: { type: string }, title: { type: string }, contentType: { type: string }, size: { type: string } } }
`;

describe('a body of octets whose schema is that of an object', () => {
  test('may be sent as JSON, which the schema judges', async () => {
    const app = await serveText(MEDIA, { state: 'empty' });
    const film = { name: 'dawn', title: 'Dawn' };
    const { headers } = await request(app).post('/films').send(film).expect(200, film);
    expect(headers).not.toHaveProperty('x-standin-problem');
    await request(app).get('/films/dawn').expect(200, film);
    await request(app).post('/films').send({ name: 'dusk', title: 1 }).expect(400);
  });

  test('makes an item of the octets all the same, under the key that the query names', async () => {
    const app = await serveText(MEDIA, { state: 'empty' });
    const film = { name: 'dusk', contentType: 'video/mp4' };
    await request(app).post('/films?name=dusk').type('video/mp4').send(OCTETS).expect(200, film);
    await request(app).get('/films/dusk').expect(200, film);
    await request(app).get('/films').expect(200, [film]);
  });

  test('is told at the start', async () => {
    const { warnings } = await partsOfText(MEDIA);
    expect(warnings.map(({ rule, hint }) => `${rule}: ${hint ?? ''}`)).toStrictEqual([
      'body-not-judged: JSON is taken as well: send that where the body matters.',
      'body-not-judged: JSON is taken as well: send that where the body matters.',
    ]);
  });
});

test('octets that a description calls bytes are no base64, and are downloaded as they were sent', async () => {
  const of = '{ application/octet-stream: { schema: { type: string, format: byte } } }';
  const app = await serveText(
    DOCUMENT.replace(
      "    get: { responses: { '200': { description: ok, content: { application/octet-stream: { schema: { type: string, format: binary } } } }",
      `    put: { requestBody: { required: true, content: ${of} }, responses: { '204': { description: put } } }
    get: { responses: { '200': { description: ok, content: ${of} }`,
    ),
  );
  const { body } = await request(app).post('/files').attach('file', OCTETS, 'a.bin').expect(201);
  const path = `/files/${(body as { id: string }).id}/content`;
  const other = Buffer.from([1, 2, 250]);
  await request(app).put(path).set('Content-Type', 'application/octet-stream').send(other).expect(204);
  expect((await octetsAt(app, path))[1]).toEqual(other);
});
