import request from 'supertest';
import { runContract } from '../../src/library/run-contract';
import { createMockServer } from '../../src/library/create-mock-server';
import type { RunResult } from '../../src/runner/result/run-result';
import type { ContractOfRequests } from '../../src/server/controls/contract-of-journal';
import type { MockServer } from '../../src/server/mock-server';
import { recordSession } from '../support/recorded-traffic';
import { KEY, startServer } from '../support/server';
import { serveText } from '../support/serve-text';
import { temporaryFolder } from '../support/temporary-folder';
import { petstoreSession } from '../traffic/petstore-session';
import { problemsOf } from '../support/failure-lines';

const folder = temporaryFolder();
const HEADERS = { Authorization: KEY, 'Content-Type': 'application/json' };

/** At a mock that nobody used yet. */
async function replayed(contracts: string): Promise<RunResult> {
  const mock = await startServer();
  try {
    return await runContract({ contracts, baseUrl: mock.url, mode: 'own', apiKey: 'test-key', probesAuth: false });
  } finally {
    await mock.close();
  }
}

async function contractBy(app: MockServer, body: object, status = 200, sandbox = ''): Promise<ContractOfRequests> {
  const answer = await request(app).post(`/__standin/contract${sandbox}`).send(body).expect(status);
  return answer.body as ContractOfRequests;
}

const messageOf = (body: unknown): string => (body as { message: string }).message;

test('what somebody did at a mock is a contract that passes at a fresh one, whether it was recorded or is remembered', async () => {
  const recorded = folder.file('recorded.yaml');
  const mock = await startServer({ record: recorded });
  await recordSession(mock.url, petstoreSession);
  const remembered = mock.app.contract({ file: 'contracts/session.yaml', baseUrl: mock.url });
  const { lines } = await mock.app.stopRecording();
  await mock.close();
  expect(remembered.yaml).not.toContain('test-key');
  expect(remembered).toMatchObject({ file: 'contracts/session.yaml', requests: 35, environment: [], identities: [] });
  expect(remembered.command).toBe(`npx standin verify contracts/session.yaml --base-url ${mock.url}`);
  // The mock rejects a caller before it reads what they send: the journal has no body then, and a recording has.
  expect(remembered.notes.filter((note) => note.includes('--record'))).toEqual([
    expect.stringMatching(/is pending: the recording holds no body for it: the mock did not read it/),
  ]);
  expect(lines.join('\n')).not.toContain('pending');
  for (const file of [recorded, folder.write('session.yaml', remembered.yaml)]) {
    const result = await replayed(file);
    expect(problemsOf(result)).toEqual([]);
    expect(result.outcome).toBe('conforms');
    expect(result.leftBehind).toEqual([]);
  }
});

describe('a selection of the requests', () => {
  let app: MockServer;
  beforeEach(async () => {
    app = await createMockServer();
    for (const path of ['/pets', '/pets/1', '/categories', '/pets/9999']) await request(app).get(path).set(HEADERS);
  });

  test('is what the contract has, in the order in which they came', async () => {
    const { yaml, requests, counts } = await contractBy(app, { requests: [4, 2] });
    expect([requests, counts.steps]).toEqual([2, 2]);
    expect([...yaml.matchAll(/operation: (\w+)/g)].map(([, id]) => id).slice(-2)).toEqual(['getPet', 'getPet']);
    expect(yaml).toMatch(/status: 200[^]*status: 404/);
    expect((await contractBy(app, {})).requests).toBe(4);
  });

  test('is told what of it is gone, and what was left out', async () => {
    await request(app).get('/pets/2').set(HEADERS).set('Prefer', 'code=404');
    await request(app).get('/pets/2').set(HEADERS).set('X-Standin-Fault', 'status:503');
    await request(app).get('/pets/2').set(HEADERS).set('X-Standin-Fault', 'latency:1ms');
    const { leftOut, notes, counts } = await contractBy(app, { requests: [1, 5, 6, 7, 70, 71] });
    expect(notes[0]).toBe('2 of 6 requests are not remembered any more, and not in it');
    expect(leftOut).toEqual([
      {
        reason: 'responses that the mock was told to give, which are not those of the API',
        count: 2,
        examples: [expect.stringContaining('GET http://127.0.0.1:')],
      },
    ]);
    expect(counts.steps).toBe(2);
  });

  test('is of one sandbox, that of the query', async () => {
    await request(app).post('/pets').set(HEADERS).set('X-Standin-Sandbox', 'ann').send({ name: 'Rex', categoryId: 1 });
    await request(app).get('/_s/ann/pets/4').set(HEADERS);
    expect(messageOf(await contractBy(app, { requests: [1, 5] }, 400))).toMatch(
      /^The request 5 is of the sandbox ann, and a contract is of one state; .*\?sandbox=ann/,
    );
    const own = await contractBy(app, { requests: [5, 6] }, 200, '?sandbox=ann');
    expect(own.yaml).not.toMatch(/ann|_s\//);
    expect(own.counts).toMatchObject({ steps: 2 });
    expect(app.sandbox('ann').contract().yaml).toBe(
      (await contractBy(app, {}, 200, '?sandbox=ann')).yaml.replace(/http:\S+/, 'http://127.0.0.1:4010'),
    );
  });

  test('that is empty, gone or misnamed is rejected in words', async () => {
    expect(messageOf(await contractBy(app, { requests: [] }, 400))).toContain(
      'None of these requests of the main state',
    );
    expect(messageOf(await contractBy(app, { requests: [77] }, 400))).toContain('is remembered');
    expect(messageOf(await contractBy(app, { requests: ['7'] }, 400))).toBe(
      'The field /requests must be an array of whole numbers from 0 on, such as [7,8]',
    );
    expect(messageOf(await contractBy(app, { file: 'x.txt' }, 400))).toContain('It ends in .yaml');
    expect(() => app.contract({ baseUrl: 'localhost' })).toThrow('The baseUrl "localhost" is not an http');
    await request(app).get('/nowhere').set(HEADERS);
    expect(messageOf(await contractBy(app, { requests: [5] }, 400))).toContain('knows none of 1 recorded request');
  });
});

const NOTES = `openapi: 3.0.3
info: { title: Notes, version: 1.0.0 }
servers: [{ url: /v1 }]
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } } }
    delete: { operationId: removeNote, responses: { '204': { description: gone } } }
components:
  schemas:
    Note: { type: object, required: [text], properties: { id: { type: integer, readOnly: true }, text: { type: string }, pin: { type: string }, code: { type: string, writeOnly: true } } }
`;

describe('a body that is not remembered as a whole', () => {
  test('is told, and nothing is made up in its place', async () => {
    const app = await serveText(NOTES);
    const text = 'x'.repeat(20_000);
    await request(app).post('/v1/notes').send({ text }).expect(201);
    await request(app).get('/v1/notes/1').expect(200);
    const { yaml, notes } = app.contract();
    expect(notes.join('\n')).toMatch(
      /request 2 \(GET \/v1\/notes\/1\): the mock remembers 16384 of the \d+ bytes of its response, so that only its status/,
    );
    expect(notes.join('\n')).toMatch(/pending: .* the mock remembers only the beginning of it/);
    expect(yaml).not.toContain('xxx');
  });
});

describe('secrets', () => {
  test('that the description, the options or their look tell are names in the contract', async () => {
    const app = await serveText(NOTES, { secretPointers: ['/pin'], secretHeaders: ['X-Team'] });
    const token = 'sk_live_Zx9kQ2mT7vLp4RwYb8NcHs6J';
    const sent = { text: token, pin: '48151623', code: 'hush-hush' };
    await request(app).post('/v1/notes').set('X-Team', 'red-42').send(sent).expect(201);
    const { yaml, environment } = app.contract();
    for (const secret of [token, '48151623', 'hush-hush', 'red-42']) expect(yaml).not.toContain(secret);
    expect(environment.length).toBeGreaterThan(0);
  });

  test('that would stand in it all the same end it, and are not shown', async () => {
    const app = await serveText(NOTES);
    // The first request has it where nothing says that it is one.
    await request(app).post('/v1/notes').send({ text: 'correct horse battery' }).expect(201);
    await request(app).post('/v1/notes').send({ text: 'b', code: 'correct horse battery' }).expect(201);
    const message = messageOf(await contractBy(app, {}, 400));
    expect(message).toMatch(/^contracts\/recorded\.yaml:\d+ would hold the secret \w+, .*nothing was written/);
    expect(message).not.toContain('correct horse');
  });
});

test('a program that gave the description itself is told a name for it', async () => {
  const { parse } = await import('yaml');
  const app = await createMockServer({ description: parse(NOTES) as object });
  await request(app).post('/v1/notes').send({ text: 'a' }).expect(201);
  expect(app.contract().command).toBe(
    'npx standin verify contracts/recorded.yaml --spec openapi.yaml --base-url http://127.0.0.1:4010/v1',
  );
});
