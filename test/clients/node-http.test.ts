import { once } from 'node:events';
import { Agent, request, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import supertest from 'supertest';
import { serverOfTests } from '../support/server';

const server = serverOfTests();
let agent: Agent;
beforeEach(() => {
  server.app.reset();
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(() => {
  agent.destroy();
  expect(server.defects).toEqual([]);
});

const KEY = { Authorization: 'Bearer test-key' };
const JSON_TYPE = { ...KEY, 'Content-Type': 'application/json' };
const PET = '{"name":"Nova","categoryId":1}';

function open(path: string, options: RequestOptions = {}): ClientRequest {
  return request(`${server.url}${path}`, { agent, headers: KEY, ...options });
}

async function answerTo(outgoing: ClientRequest): Promise<{ status: number; text: string; response: IncomingMessage }> {
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { status: response.statusCode ?? 0, text, response };
}

async function call(path: string, options: RequestOptions = {}, body?: string): Promise<[number, string]> {
  const outgoing = open(path, options);
  outgoing.end(body);
  const { status, text } = await answerTo(outgoing);
  return [status, text];
}

/** `once` would fail on the error that comes before. */
function closed(emitter: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    emitter.once('close', resolve);
  });
}

test('one connection serves good and bad requests alike', async () => {
  const sockets = new Set<Socket | null>();
  const calls: [string, RequestOptions, string | undefined, number][] = [
    ['/pets', {}, undefined, 200],
    ['/pets/99', {}, undefined, 404],
    ['/pets', { headers: {} }, undefined, 401],
    ['/pets', { method: 'HEAD' }, undefined, 200],
    ['/pets/99', { method: 'HEAD' }, undefined, 404],
    ['/pets', { method: 'POST', headers: JSON_TYPE }, '{', 400],
    ['/pets', { method: 'POST', headers: JSON_TYPE }, PET, 201],
    ['/pets/4', { method: 'DELETE' }, undefined, 204],
    ['/pets', { method: 'PURGE' }, undefined, 405],
    ['/pets', { method: 'OPTIONS' }, undefined, 204],
    ['/pets', { headers: { ...KEY, Accept: 'text/html' } }, undefined, 406],
    ['/pets', {}, undefined, 200],
  ];
  for (const [path, options, body, status] of calls) {
    const outgoing = open(path, options);
    outgoing.end(body);
    const answer = await answerTo(outgoing);
    expect([path, answer.status]).toEqual([path, status]);
    sockets.add(outgoing.socket);
  }
  expect(sockets.size).toBe(1);
});

test('a refused body ends its connection, and the agent takes another', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const [status, text] = await call('/pets', { method: 'POST', headers: JSON_TYPE }, 'a'.repeat(1024 * 1024 + 1));
    expect([status, text]).toEqual([413, expect.stringContaining('body_too_large')]);
    expect((await call('/pets'))[0]).toBe(200);
  }
});

test('a request that waits for leave gets it', async () => {
  const headers = { ...JSON_TYPE, Expect: '100-continue', 'Content-Length': PET.length };
  const outgoing = open('/pets', { method: 'POST', headers });
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  outgoing.end(PET);
  expect((await answerTo(outgoing)).status).toBe(201);
});

test('one that must not is told why, and need not send', async () => {
  const headers = { 'Content-Type': 'application/json', Expect: '100-continue', 'Content-Length': PET.length };
  const outgoing = open('/pets', { method: 'POST', headers });
  let isContinued = false;
  outgoing.on('continue', () => {
    isContinued = true;
  });
  outgoing.on('error', () => undefined);
  outgoing.flushHeaders();
  const { status } = await answerTo(outgoing);
  outgoing.destroy();
  expect([status, isContinued]).toEqual([401, false]);
});

test('a chunked body with a trailer is read', async () => {
  const outgoing = open('/pets', { method: 'POST', headers: { ...JSON_TYPE, Trailer: 'X-Sum' } });
  for (const character of PET) outgoing.write(character);
  outgoing.addTrailers({ 'X-Sum': '1' });
  outgoing.end();
  expect((await answerTo(outgoing)).status).toBe(201);
});

test('a body on a GET is passed over', async () => {
  const headers = { ...KEY, 'Content-Length': 5 };
  expect((await call('/pets', { headers }, 'xxxxx'))[0]).toBe(200);
  expect((await call('/pets'))[0]).toBe(200);
});

test('a call that is destroyed half-way changes nothing', async () => {
  const before = server.stateText();
  const outgoing = open('/pets', { method: 'POST', headers: { ...JSON_TYPE, 'Content-Length': PET.length } });
  outgoing.on('error', () => undefined);
  outgoing.write(PET.slice(0, -1));
  await once(outgoing, 'socket');
  await new Promise(setImmediate);
  outgoing.destroy();
  await closed(outgoing);
  expect((await call('/pets'))[0]).toBe(200);
  expect(server.stateText()).toBe(before);
});

test('many connections are served side by side', async () => {
  const wide = new Agent({ keepAlive: true, maxSockets: 50 });
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => (await call(`/pets/${(index % 3) + 1}`, { agent: wide }))[0]),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  wide.destroy();
});

test('a client of HTTP/2 is turned away, and others are not', async () => {
  const session = connectHttp2(server.url);
  const stream = session.request({ ':path': '/pets' });
  stream.on('error', () => undefined);
  session.on('error', () => undefined);
  await closed(session);
  expect((await call('/pets'))[0]).toBe(200);
});

describe('supertest', () => {
  test('calls a mock that listens, and one that does not', async () => {
    for (const target of [server.url, server.app]) {
      server.app.reset();
      const created = await supertest(target).post('/pets').set(KEY).send({ name: 'Nova', categoryId: 1 });
      expect([created.status, created.body]).toEqual([
        201,
        { id: 4, name: 'Nova', categoryId: 1, status: 'available' },
      ]);
      const form = await supertest(target).post('/pets').set(KEY).type('form').send({ name: 'Nova' });
      expect([form.status, form.body]).toEqual([400, expect.objectContaining({ code: 'missing_content_type' })]);
      const head = await supertest(target).head('/pets/4').set(KEY);
      expect([head.status, head.headers['etag']]).toEqual([200, created.headers['etag']]);
      const refused = await supertest(target).get('/pets');
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer realm="petstore"']);
    }
  });
});
