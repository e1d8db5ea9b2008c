import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import express from 'express';
import request from 'supertest';
import { readLines } from '../../src/files/line-file';
import { createMockServer, createServerParts } from '../../src/library/create-mock-server';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import type { CleanExchange } from '../../src/traffic/exchange/recorded-exchange';
import { readRecordingLines, type Recording } from '../../src/traffic/exchange/recording-lines';
import { KEY, startServer, type TestServer } from '../support/server';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/until';

const folder = temporaryFolder();
let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

let count = 0;
function newFile(ending = 'ndjson'): string {
  count += 1;
  return folder.file(`r${count}.${ending}`);
}

const HEADERS = { Authorization: KEY, 'Content-Type': 'application/json' };

/** A mock on a port that records, and how to call it and read what it recorded. */
async function recording(options: CreateMockServerOptions = {}): Promise<{
  readonly call: (path: string, init?: RequestInit) => Promise<Response>;
  readonly read: () => Recording;
  readonly targets: () => string[];
  readonly server: TestServer;
}> {
  const file = newFile();
  const started = await startServer({ ...options, record: file });
  server = started;
  const read = (): Recording => readRecordingLines(readLines(file), file);
  return {
    call: (path, init = {}) => fetch(`${started.url}${path}`, { headers: HEADERS, ...init }),
    read,
    targets: () => read().exchanges.map(({ request: { method, target } }) => `${method} ${target}`),
    server: started,
  };
}

/** Waits until what is recorded a moment after the client has its response is there. */
async function readUntil(read: () => Recording, isComplete: (recording: Recording) => boolean): Promise<Recording> {
  await until(() => isComplete(read()), 'the exchanges in the file');
  return read();
}

const NOTES = `openapi: 3.0.3
info: { title: Notes, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /notes:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Note: { type: object, required: [text], properties: { id: { type: integer, readOnly: true }, text: { type: string } } }
`;

test('each exchange is in the file when its response is there, whole, and without its secrets', async () => {
  const { call, read, server: mock } = await recording({ description: folder.write('notes.yaml', NOTES) });
  const text = 'x'.repeat(40_000);
  const body = JSON.stringify({ text });
  const { id } = (await (await call('/notes', { method: 'POST', body })).json()) as { id: number };
  const [first] = read().exchanges;
  expect(first?.request).toMatchObject({ method: 'POST', target: '/notes', body: { kind: 'text', text: body } });
  expect(first?.response).toMatchObject({ status: 201, body: { kind: 'text' } });
  await call(`/notes/${id}`);
  const { exchanges, header, secrets } = read();
  expect(JSON.parse((exchanges[1]?.response?.body as { text: string }).text)).toEqual({ id, text });
  expect(JSON.stringify(exchanges)).not.toContain('test-key');
  expect(secrets).toEqual([expect.objectContaining({ kind: 'credential' })]);
  expect(header).toMatchObject({ target: `http://127.0.0.1:${mock.port}` });
  expect(exchanges.every(({ startedAt = 0, endedAt = 0 }) => startedAt > 0 && endedAt >= startedAt)).toBe(true);
});

test('rejections, HEAD and conditional requests are exchanges as others, and a body that the mock did not read is there', async () => {
  const { call, read, targets } = await recording();
  const etag = (await call('/pets/1')).headers.get('etag') ?? '';
  await call('/pets/1', { method: 'HEAD' });
  await call('/pets/1', { headers: { ...HEADERS, 'If-None-Match': etag } });
  await call('/pets', { method: 'POST', body: '{"name":' });
  await call('/pets', {
    method: 'POST',
    body: '{"name":"Rex","categoryId":1}',
    headers: { Authorization: 'Bearer no' },
  });
  await call('/nowhere');
  await call('/pets/1', {
    method: 'OPTIONS',
    headers: { Origin: 'http://a.b', 'Access-Control-Request-Method': 'PUT' },
  });
  const { exchanges } = await readUntil(read, (seen) => seen.exchanges.length === 7);
  const byStatus = (status: number): CleanExchange => {
    const found = exchanges.find(({ response }) => response?.status === status);
    if (found === undefined) throw new Error(`There is no ${status}`);
    return found;
  };
  expect(targets()).toHaveLength(7);
  expect(exchanges[1]?.response?.status).toBe(200);
  expect(exchanges[1]?.response?.body).toBeUndefined();
  expect(byStatus(304).response?.body).toBeUndefined();
  expect(byStatus(400).request.body).toEqual({ kind: 'text', text: '{"name":' });
  expect(byStatus(401).request.body).toEqual({ kind: 'text', text: '{"name":"Rex","categoryId":1}' });
  expect(byStatus(404).response?.body).toMatchObject({ kind: 'text' });
  expect(byStatus(204).response?.headers.map((text) => text.toLowerCase())).toContain('access-control-allow-methods');
});

test('admin calls are not recorded, nor what the window sends, nor what the browser is led to it by', async () => {
  const { call, read, targets } = await recording();
  await call('/__standin/health');
  await call('/__standin/send', { method: 'POST', body: '{"method":"GET","target":"/pets/1"}' });
  await call('/', { headers: { Accept: 'text/html' }, redirect: 'manual' });
  await call('/pets/2');
  expect(targets()).toEqual(['GET /pets/2']);
  expect(read().problems).toEqual([]);
});

test('a request in a sandbox is one to an origin of its own, and does not name it', async () => {
  const { call, read, server: mock } = await recording();
  await call('/pets/1');
  await call('/pets/1', { headers: { ...HEADERS, 'X-Standin-Sandbox': 'ann' } });
  await call('/pets/1', { headers: { ...HEADERS, Cookie: 'a=1; standin-sandbox=ann' } });
  await call('/_s/ann/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' });
  await call('/pets/1', { headers: { ...HEADERS, 'X-Standin-Sandbox': 'default' } });
  const { exchanges } = read();
  const own = `http://ann.sandbox.localhost:${mock.port}`;
  expect(exchanges.map(({ origin }) => origin)).toEqual([mock.url, own, own, own, mock.url]);
  expect(exchanges[3]?.request.target).toBe('/pets');
  expect(JSON.stringify(exchanges)).not.toMatch(/_s\/ann|standin-sandbox/i);
  expect(exchanges[2]?.request.headers.join()).toMatch(/cookie,a=/i);
});

test('what goes wrong on purpose is in the recording as the client got it', async () => {
  const { call, read } = await recording();
  await call('/pets/1', { headers: { ...HEADERS, Prefer: 'code=404' } });
  await call('/pets/1', { headers: { ...HEADERS, 'X-Standin-Fault': 'status:503' } });
  await call('/pets/1', { headers: { ...HEADERS, 'X-Standin-Fault': 'latency:20ms' } });
  await call('/pets/1', { headers: { ...HEADERS, 'X-Standin-Fault': 'dribble:20/1ms' } }).then((got) => got.text());
  for (const fault of ['reset', 'truncate'])
    await call('/pets/1', { headers: { ...HEADERS, 'X-Standin-Fault': fault } })
      .then((got) => got.text())
      .catch(() => undefined);
  const { exchanges } = await readUntil(read, (seen) => seen.exchanges.length === 6);
  expect(exchanges.map(({ response }) => response?.status)).toEqual([404, 503, 200, 200, undefined, undefined]);
  expect(exchanges.map(({ notes }) => notes.length)).toEqual([0, 0, 0, 0, 1, 1]);
  const late = exchanges[2];
  expect((late?.endedAt ?? 0) - (late?.startedAt ?? 0)).toBeGreaterThanOrEqual(15);
});

test('a client that breaks off leaves an exchange without a response', async () => {
  const { read, server: mock } = await recording();
  const socket = connect(mock.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const head = `POST /pets HTTP/1.1\r\nHost: a\r\nAuthorization: ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 50`;
  await new Promise<void>((resolve) =>
    socket.write(`${head}\r\n\r\n{"name":`, () => {
      resolve();
    }),
  );
  await fetch(`${mock.url}/pets/1`, { headers: HEADERS });
  socket.destroy();
  const { exchanges } = await readUntil(read, (seen) => seen.exchanges.length === 2);
  const broken = exchanges.find(({ request: { method } }) => method === 'POST');
  expect(broken).toMatchObject({
    response: undefined,
    notes: ['the client aborted it'],
    request: { body: { kind: 'omitted', reason: 'the client did not send all of it', bytes: 50 } },
  });
});

const FILES = `openapi: 3.0.3
info: { title: Files, version: 1.0.0 }
servers: [{ url: /v1 }]
paths:
  /files:
    post:
      requestBody:
        content:
          application/octet-stream: { schema: { type: string, format: binary } }
          multipart/form-data: { schema: { type: object, properties: { name: { type: string }, file: { type: string, format: binary } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { type: object, properties: { ok: { type: boolean } } } } } } }
`;

test('binary bodies and forms with files are whole, below a base path too', async () => {
  const { call, read } = await recording({ description: folder.write('files.yaml', FILES) });
  const bytes = Buffer.alloc(100_000, 0xf7);
  await call('/v1/files', { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: bytes });
  const form = new FormData();
  form.set('name', 'a');
  form.set('file', new Blob([bytes]), 'a.bin');
  await call('/v1/files', { method: 'POST', headers: {}, body: form });
  const [first, second] = read().exchanges.map(({ request: { body } }) => body as { kind: string; base64: string });
  expect(Buffer.from(first?.base64 ?? '', 'base64').equals(bytes)).toBe(true);
  expect(second?.kind).toBe('bytes');
  expect(Buffer.from(second?.base64 ?? '', 'base64').includes(bytes)).toBe(true);
  expect(read().exchanges[0]?.request.target).toBe('/v1/files');
});

test('a body that another middleware read, or that is larger than the mock takes, is told to be missing', async () => {
  const file = newFile();
  const app = await createMockServer({ record: file, maxBody: 10 });
  const outer = express().use(express.json(), app);
  await request(outer).post('/pets').set(HEADERS).send({ name: 'Rex' });
  await request(app).post('/pets').set(HEADERS).send({ name: 'Rex', categoryId: 1 }).expect(413);
  const { exchanges } = await readUntil(
    () => readRecordingLines(readLines(file), file),
    (seen) => seen.exchanges.length === 2,
  );
  expect(exchanges.map(({ request: { body } }) => body?.kind)).toEqual(['omitted', expect.any(String)]);
  expect(new Set(exchanges.map(({ origin }) => origin)).size).toBe(1);
});

test('after a reload, what the new description calls a secret is one as well', async () => {
  const description = (extra: string): string => `openapi: 3.0.3
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { text: { type: string${extra} } } } } } }
      responses: { '204': { description: done } }
`;
  const path = folder.write('reloaded.yaml', description(''));
  const file = newFile();
  const parts = await createServerParts({ description: path, record: file }, { isWatched: true });
  const post = (text: string): request.Test => request(parts.app).post('/notes').send({ text });
  await post('open to all');
  folder.write('reloaded.yaml', description(', writeOnly: true'));
  await parts.reload();
  await post('hush hush');
  await parts.app.stopRecording();
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('open to all');
  expect(text).not.toContain('hush hush');
});

describe('a recording that is stopped', () => {
  test('makes its contract, and says what became of it', async () => {
    const contract = newFile('yaml');
    const app = await createMockServer({ record: contract });
    const posted = await request(app).post('/pets').set(HEADERS).send({ name: 'Rex', categoryId: 1 });
    const { id } = posted.body as { id: number };
    await request(app).get(`/pets/${id}`).set(HEADERS).expect(200);
    await request(app).get(`/pets/${id}`).set(HEADERS).set('Prefer', 'code=404').expect(404);
    app.load({ standin: 'fixture/1', collections: {} });
    const { body } = await request(app).post('/__standin/stop-recording').send({}).expect(200);
    const again = await app.stopRecording();
    expect(body).toEqual(again);
    expect(again).toMatchObject({ contract, exchanges: 3, lost: 0 });
    expect(again.lines.join('\n')).toMatch(
      /^3 exchanges in \S+\.\nThe state was changed once by others [^]*Left out:\n {2}response that the mock was told to give[^]*\nReplay it: npx standin verify \S+ --base-url http:\/\/127\.0\.0\.1:\d+$/,
    );
    const text = readFileSync(contract, 'utf8');
    expect(text).toContain('createPet');
    expect(text).not.toMatch(/test-key|Prefer/);
    await request(app).get('/pets/1').set(HEADERS);
    expect(readFileSync(again.recording, 'utf8')).not.toContain('/pets/1"');
  });

  test('of sandboxes makes a contract of the one with most requests', async () => {
    const contract = newFile('yaml');
    const app = await createMockServer({ record: contract });
    await request(app).get('/pets/1').set(HEADERS);
    for (const path of ['/pets', '/pets/1', '/categories'])
      await request(app).get(path).set(HEADERS).set('X-Standin-Sandbox', 'ann').expect(200);
    const { lines } = await app.stopRecording();
    expect(lines.join('\n')).toContain('request to another origin (1): GET http://127.0.0.1:');
    expect(readFileSync(contract, 'utf8')).toMatch(/--base-url http:\/\/127\.0\.0\.1:\d+\n/);
  });

  test('leaves nothing where nothing was asked, and its recording where no contract can be made', async () => {
    const [first, second] = [newFile('yaml'), newFile('yaml')];
    const app = await createMockServer({ record: first });
    const stopped = await app.stopRecording();
    expect(stopped.contract).toBeUndefined();
    expect([existsSync(first), existsSync(stopped.recording)]).toEqual([false, false]);
    const other = await createMockServer({ record: second });
    await request(other).options('/pets');
    await expect(other.stopRecording()).rejects.toThrow('Nothing of 1 exchange is traffic of an API');
    expect(existsSync(second.replace('.yaml', '.recording.ndjson'))).toBe(true);
  });

  test('cannot be, where there is none', async () => {
    const app = await createMockServer();
    await expect(app.stopRecording()).rejects.toThrow('Nothing is recorded');
    const { body } = await request(app).post('/__standin/stop-recording').send({}).expect(400);
    expect((body as { message: string }).message).toContain('--record contracts/NAME.yaml');
  });
});

test.each<[CreateMockServerOptions, string]>([
  [{ record: 'x.txt' }, '--record names "x.txt", which is no name of a contract'],
  [{ record: 'x.ndjson', update: true }, '--update brings a recording into a contract, and x.ndjson is none'],
  [{ record: 'x.yaml', update: true, force: true }, '--update keeps the contract that --force writes over'],
  [{ force: true }, '--force says what happens to a contract that is there, and none is recorded'],
  [{ record: folder.write('there.yaml', '') }, 'there.yaml is there already'],
  [{ record: folder.write('there.ndjson', '') }, 'there.ndjson is there already'],
  [{ record: folder.file('there.yaml/x.yaml') }, 'there.yaml/x.recording.ndjson cannot be written'],
  [{ record: 'x.yaml', secretPointers: ['user/pin'] }, '--secret-pointer'],
])('%j is rejected', async (options, message) => {
  await expect(createMockServer(options)).rejects.toThrow(message);
  expect([existsSync('x.recording.ndjson'), existsSync('x.ndjson')]).toEqual([false, false]);
});

test('--force records anew, and --update brings what is new into the contract', async () => {
  const record = newFile('yaml');
  const record1 = async (options: CreateMockServerOptions, path: string): Promise<string> => {
    const app = await createMockServer({ record, ...options });
    await request(app).get(path).set(HEADERS).expect(200);
    await app.stopRecording();
    return readFileSync(record, 'utf8');
  };
  const first = await record1({}, '/pets');
  const edited = first.replace('standin: contract/1', '# by hand\nstandin: contract/1');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(record, edited);
  expect(await record1({ update: true }, '/categories')).toContain('# by hand');
  expect(await record1({ force: true }, '/categories')).not.toContain('# by hand');
});

test('personal data in what a mock answers is made up where that is asked for, and a second recording is compared', async () => {
  const people = temporaryFolder();
  for (const [name, twice] of [
    ['first', undefined],
    ['second', people.file('first.recording.ndjson')],
  ] as const) {
    const mock = await startServer({ record: people.file(`${name}.yaml`), anonymise: true, twice });
    const body = JSON.stringify({ name: 'Rex', categoryId: 1, tags: ['rex.harrison@gmail.com'] });
    const headers = { Authorization: KEY, 'Content-Type': 'application/json' };
    expect((await fetch(`${mock.url}/pets`, { method: 'POST', headers, body })).status).toBe(201);
    const { contract, lines } = await mock.app.stopRecording();
    await mock.close();
    expect(contract).toBe(people.file(`${name}.yaml`));
    expect(lines.join('\n')).toContain('Made up in place of personal data:');
    expect(readFileSync(people.file(`${name}.recording.ndjson`), 'utf8')).not.toContain('rex.harrison');
  }
});
