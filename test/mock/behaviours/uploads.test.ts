import request from 'supertest';
import { serveText } from '../../support/serve-text';

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
    const got = await request(app)
      .get(`/files/${id}/content`)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          done(null, Buffer.concat(chunks));
        });
      });
    expect(got.status).toBe(200);
    expect(got.headers['content-type']).toBe('application/x-thing');
    expect((got.body as Buffer).equals(OCTETS)).toBe(true);
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
