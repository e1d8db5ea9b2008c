import request from 'supertest';
import { serveText } from '../support/serve-text';

const DOCUMENT = `openapi: 3.1.0
info: { title: Desk, version: 1.0.0 }
paths:
  /json: { post: { requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '204': { description: ok } } } }
  /file: { post: { requestBody: { content: { application/octet-stream: {} } }, responses: { '204': { description: ok } } } }
  /xml: { get: { responses: { '200': { description: ok, content: { application/xml: { example: { name: Ann } } } } } } }
`;

const octets = (length: number): Buffer => Buffer.alloc(length, 'x');
const json = (length: number): string => JSON.stringify({ text: 'x'.repeat(length) });

test('files may be larger than JSON', async () => {
  const app = await serveText(DOCUMENT);
  await request(app).post('/file').type('application/octet-stream').send(octets(3_000_000)).expect(204);
  const refused = await request(app).post('/json').type('application/json').send(json(1_100_000)).expect(413);
  expect(refused.headers['x-standin-problem']).toContain('--max-body');
});

test('maxBody is the limit of both', async () => {
  const app = await serveText(DOCUMENT, { maxBody: 2_000_000 });
  await request(app).post('/json').type('application/json').send(json(1_100_000)).expect(204);
  await request(app).post('/file').type('application/octet-stream').send(octets(2_000_001)).expect(413);
  await expect(serveText(DOCUMENT, { maxBody: -1 })).rejects.toThrow('maxBody');
});

test('XML that an object is the example of is XML', async () => {
  const { text } = await request(await serveText(DOCUMENT))
    .get('/xml')
    .expect(200);
  expect(text).toContain('<name>Ann</name>');
});
