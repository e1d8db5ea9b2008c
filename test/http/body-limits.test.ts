import type { Server } from 'node:http';
import request from 'supertest';
import type { MockServer } from '../../src/express';
import { startAppServer } from '../support/app-server';
import { countCalls, useOneCallCounter } from '../support/count-calls';
import { serveText } from '../support/serve-text';

const DOCUMENT = `openapi: 3.1.0
info: { title: Desk, version: 1.0.0 }
paths:
  /json: { post: { requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '204': { description: ok } } } }
  /file: { post: { requestBody: { content: { application/octet-stream: {} } }, responses: { '204': { description: ok } } } }
  /form: { post: { requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object } } } }, responses: { '204': { description: ok } } } }
  /parts:
    post:
      requestBody: { content: { multipart/form-data: { schema: { type: object, properties: { file: { type: string, format: binary }, meta: { type: object } } } } } }
      responses: { '204': { description: ok } }
  /xml: { get: { responses: { '200': { description: ok, content: { application/xml: { example: { name: Ann } } } } } } }
`;

/** Nothing is stored: the tests share a mock, and one that takes bodies of two million bytes. */
let app: Server;
let large: Server;
beforeAll(async () => {
  app = await startAppServer(await serveText(DOCUMENT));
  large = await startAppServer(await serveText(DOCUMENT, { maxBody: 2_000_000 }));
});

const octets = (length: number): Buffer => Buffer.alloc(length, 'x');
const json = (length: number): string => JSON.stringify({ text: 'x'.repeat(length) });
/** More than 16 MiB of JSON, as bytes that are sent as they are. */
const LARGE = Buffer.from(json(17_000_000));
const asItIs = (body: unknown): string => body as string;

test('files may be larger than JSON', async () => {
  await request(app).post('/file').type('application/octet-stream').send(octets(3_000_000)).expect(204);
  const refused = await request(app).post('/json').type('application/json').send(json(1_100_000)).expect(413);
  expect(refused.headers['x-standin-problem']).toContain('--max-body');
});

test('maxBody is the limit of both', async () => {
  await request(large).post('/json').type('application/json').send(json(1_100_000)).expect(204);
  await request(large).post('/file').type('application/octet-stream').send(octets(2_000_001)).expect(413);
  await expect(serveText(DOCUMENT, { maxBody: -1 })).rejects.toThrow('maxBody');
});

const formOf = (fields: number): string => Array.from({ length: fields }, (_, index) => `f${index}=1`).join('&');

test('a form may have ten thousand names, more where a body may be larger, and any number of values of one', async () => {
  const send = (body: string): request.Test => request(app).post('/form').type('form').send(body);
  await send(formOf(10_000)).expect(204);
  await send('tag=1&'.repeat(20_000)).expect(204);
  const { body } = (await send(formOf(10_001)).expect(413)) as { body: { detail: string } };
  expect(body.detail).toBe('The form has fields of more than 10000 names; --max-body raises the limit of the mock');
  await request(large).post('/form').type('form').send(formOf(20_000)).expect(204);
  await request(large).post('/form').type('form').send(formOf(20_001)).expect(413);
});

test('what is no file among parts may be as large as JSON', async () => {
  const post = (): request.Test => request(app).post('/parts');
  await post().attach('file', octets(3_000_000), 'a.bin').expect(204);
  const metadata = { filename: 'blob', contentType: 'application/json' };
  const { body } = (await post()
    .attach('meta', Buffer.from(json(1_100_000)), metadata)
    .expect(413)) as {
    body: { detail: string };
  };
  expect(body.detail).toBe(
    'The parts that are no files have more than 1048576 bytes together; --max-body raises the limit of the mock',
  );
  const half = 'x'.repeat(600_000);
  await post().field('a', half).attach('file', octets(3_000_000), 'a.bin').expect(204);
  await post().field('a', half).field('b', half).expect(413);
  await request(large).post('/parts').field('a', half).field('b', half).expect(204);
});

test('an admin route takes a body as large as a whole state, and as the API takes', async () => {
  const put = (to: Server | MockServer, path: string, body: Buffer): request.Test =>
    request(to).put(`/__standin/${path}`).type('json').serialize(asItIs).send(body);
  const { body } = (await put(app, 'state', LARGE).expect(413)) as { body: { message: string } };
  expect(body.message).toBe('The body has more than 16777216 bytes; --max-body raises the limit of the mock');
  // Read, and found to be no state.
  await put(await serveText(DOCUMENT, { maxBody: 20_000_000 }), 'state', LARGE).expect(400);
});

test('faults are set up to a number', async () => {
  const app = await serveText(DOCUMENT);
  const put = (count: number, fault = 'status:503'): request.Test =>
    request(app)
      .put('/__standin/faults')
      .send({ faults: Array<string>(count).fill(fault) });
  await put(100).expect(200);
  const { body } = (await put(101).expect(400)) as { body: { message: string } };
  expect(body.message).toBe('The field /faults may have 100 faults at the most');
  await put(300_000, '').expect(400);
});

test('XML that an object is the example of is XML', async () => {
  const { text } = await request(app).get('/xml').expect(200);
  expect(text).toContain('<name>Ann</name>');
});

// Behind all others: code is not optimized while calls are counted.
describe('counted in calls', () => {
  useOneCallCounter();

  test('parts beyond the number that is taken are not read', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n\r\n';
    const send = (sent: string): request.Test =>
      request(app).post('/parts').type('multipart/form-data; boundary=x').send(sent);
    await send(`${part.repeat(900)}--x--\r\n`).expect(204);
    const work = (parts: number): Promise<number> =>
      countCalls(() => send(`${part.repeat(parts)}--x--\r\n`).expect(400));
    await work(2000);
    expect(await work(8000)).toBeLessThan(1.1 * (await work(2000)));
  });
});
