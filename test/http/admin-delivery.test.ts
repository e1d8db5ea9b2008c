import type { RequestDetails, RequestList, SentRequest } from '../../src/server/actions/shapes';
import { KEY, startServer, type TestServer } from '../support/server';
import { exchange } from '../support/wire';

const JSON_HEADERS = { Authorization: KEY, 'Content-Type': 'application/json' };
const PET = '{"name":"Nova","categoryId":1}';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

async function admin<Result>(path: string, body?: object): Promise<Result> {
  const init = { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(body) };
  const response = await fetch(`${server.url}/__standin/${path}`, body === undefined ? {} : init);
  expect(response.status).toBe(200);
  return (await response.json()) as Result;
}

async function latest(): Promise<RequestDetails> {
  const { last } = await admin<RequestList>('requests?limit=1000');
  return admin<RequestDetails>(`request?seq=${last}`);
}

const send = (target = '/pets/1'): Promise<SentRequest> =>
  admin('send', { method: 'GET', target, headers: ['Authorization', KEY] });

describe('a request that is sent from the window', () => {
  test('is told to be late where a delay is forced, and is not waited for', async () => {
    server.app.respond('getPet', { delayMs: 60_000 });
    const sent = await send();
    const late = { delayMs: 60_000, dribble: null, end: null };
    expect(sent).toStrictEqual({ seq: 1, status: 200, delivery: late });
    expect(await latest()).toMatchObject({ status: 200, operation: 'getPet', delivery: late });
  });

  test.each([
    ['reset', { delayMs: 0, dribble: null, end: 'reset' }],
    ['truncate', { delayMs: 0, dribble: null, end: 'truncate' }],
    ['dribble:10/100ms', { delayMs: 0, dribble: { bytes: 10, everyMs: 100 }, end: null }],
    ['commit-then-fail', { delayMs: 0, dribble: null, end: 'reset' }],
  ])('is told what %s does to it', async (fault, delivery) => {
    server.app.setFaults(fault);
    expect(await send()).toMatchObject({ delivery });
    expect(await latest()).toMatchObject({ delivery });
  });

  test('is told nothing where nothing goes wrong', async () => {
    expect(await send()).toStrictEqual({ seq: 1, status: 200, delivery: null });
  });
});

test('how a response was sent is told of those to clients as well', async () => {
  server.app.setFaults('reset');
  await expect(fetch(`${server.url}/pets/1`, { headers: JSON_HEADERS })).rejects.toThrow('fetch failed');
  expect(await latest()).toMatchObject({ status: 200, delivery: { end: 'reset' } });
});

describe('the body of a request', () => {
  test.each([
    [
      'a status',
      (): void => {
        server.app.respond('createPet', { status: 400, times: 1 });
      },
    ],
    [
      'a fault',
      (): void => {
        server.app.setFaults('status:503;times=1');
      },
    ],
  ])('is shown where %s is forced, and the next request finds the connection in order', async (_, force) => {
    force();
    for (const status of [400, 201]) {
      const response = await fetch(`${server.url}/pets`, { method: 'POST', headers: JSON_HEADERS, body: PET });
      expect([400, 503].includes(response.status) ? 400 : response.status).toBe(status);
      await response.arrayBuffer();
      expect((await latest()).requestBody).toStrictEqual({ text: PET, size: 30, isCut: false, isUnread: false });
    }
  });

  test('is told to be unread where it is too large for the mock', async () => {
    server.app.respond('createPet', { status: 400 });
    const body = `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`;
    const response = await fetch(`${server.url}/pets`, { method: 'POST', headers: JSON_HEADERS, body }).catch(
      () => undefined,
    );
    expect(response?.status ?? 400).toBe(400);
    expect((await latest()).requestBody).toMatchObject({ text: null, isUnread: true });
  });

  test('is told to be unread where its head was enough to reject it', async () => {
    const lines = ['POST /pets HTTP/1.1', `Host: ${server.host}`, 'Content-Type: application/json'];
    expect((await exchange(server.host, [...lines, `Content-Length: ${PET.length}`], PET)).status).toBe(401);
    const { requestBody, curl } = await latest();
    expect(requestBody).toStrictEqual({ text: null, size: 0, isCut: false, isUnread: true });
    expect(curl).toContain('the mock did not read it');
  });
});
