import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { readContract } from '../../src/formats/contract/contract-reader';
import { CONTRACT_FORMAT } from '../../src/formats/contract/contract';
import type { SourceFinding } from '../../src/core/errors/standin-error';
import type { JsonValue } from '../../src/core/json/json-value';
import type { Overview, RequestDetails, RequestList } from '../../src/server/actions/shapes';
import { createServerParts } from '../../src/library/create-mock-server';
import { expectError, openPetstore, usePetstore } from '../support/petstore';
import { serveText } from '../support/serve-text';
import request from 'supertest';

const shop = usePetstore();
const ADMIN = '/__standin';
const NOVA = { name: 'Nova', categoryId: 1 };

async function requests(query = ''): Promise<RequestList> {
  return (await shop.get(`${ADMIN}/requests${query}`).expect(200)).body as RequestList;
}

async function details(seq: number): Promise<RequestDetails> {
  return (await shop.get(`${ADMIN}/request?seq=${seq}`).expect(200)).body as RequestDetails;
}

describe('the requests', () => {
  test('of all sandboxes have one order, and are had page by page', async () => {
    const { last: before } = await requests('?after=0&limit=1000');
    await shop.get('/pets?limit=1');
    await shop.get('/pets/1', { 'X-Standin-Sandbox': 'a' });
    await shop.post('/pets', NOVA, { 'X-Standin-Sandbox': 'a' });
    await shop.delete('/pets/2');
    const all = await requests(`?after=${before}`);
    expect(all).toMatchObject({ last: before + 4, dropped: 0 });
    expect(all.requests.map(({ seq, sandbox, method }) => [seq - before, sandbox, method])).toEqual([
      [1, 'default', 'GET'],
      [2, 'a', 'GET'],
      [3, 'a', 'POST'],
      [4, 'default', 'DELETE'],
    ]);
    expect(all.requests[2]).toEqual({
      seq: before + 3,
      sandbox: 'a',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      durationMs: expect.any(Number) as number,
      method: 'POST',
      target: '/pets',
      operation: 'createPet',
      status: 201,
      code: null,
      warnings: 0,
      changes: 2,
      forced: null,
      delivery: null,
    });
    expect(all.requests[3]).toMatchObject({ status: 409, code: 'pet_in_use', changes: 0 });
    const first = await requests(`?after=${before}&limit=2`);
    expect(first).toMatchObject({ last: before + 2, dropped: 0, requests: [{ seq: before + 1 }, { seq: before + 2 }] });
    expect(await requests(`?after=${before}&sandbox=a`)).toMatchObject({
      last: before + 4,
      dropped: 0,
      requests: [{ seq: before + 2 }, { seq: before + 3 }],
    });
    expect((await requests(`?after=${before}&sandbox=default`)).requests).toHaveLength(2);
    expect(await requests(`?after=${before + 4}`)).toEqual({ requests: [], last: before + 4, dropped: 0 });
  });

  test('are had from the newest on as well', async () => {
    const { last: before } = await requests('?after=0&limit=1000');
    for (const id of [1, 2, 3]) await shop.get(`/pets/${id}`);
    const seqs = async (query: string): Promise<[number[], number, number]> => {
      const { requests: shown, last, dropped } = await requests(query);
      return [shown.map(({ seq }) => seq - before), last - before, dropped];
    };
    expect(await seqs(`?newest=true&limit=2&after=${before}`)).toEqual([[2, 3], 3, 0]);
    expect(await seqs(`?newest=true&limit=2&after=${before}&before=${before + 2}`)).toEqual([[1], 3, 0]);
    expect(await seqs(`?newest=true&limit=2&after=${before}&before=${before + 1}`)).toEqual([[], 3, 0]);
    expect(await seqs(`?newest=true&limit=0&after=${before}`)).toEqual([[], 3, 0]);
    expect(await seqs(`?newest=true&sandbox=nobody`)).toEqual([[], 3, 0]);
    expectError(await shop.get(`${ADMIN}/requests?before=9`), 400, 'invalid_parameter', 'newest=true');
  });

  test('are lost by no page without any, and more than a page may have is told', async () => {
    const { last: before } = await requests('?after=0&limit=1000');
    await shop.get('/pets/1');
    await shop.get('/pets/2');
    const none = await requests(`?after=${before}&limit=0`);
    expect(none).toEqual({ requests: [], last: before, dropped: 0 });
    expect(await requests(`?after=${none.last}`)).toMatchObject({
      last: before + 2,
      dropped: 0,
      requests: [{ seq: before + 1 }, { seq: before + 2 }],
    });
    expectError(await shop.get(`${ADMIN}/requests?limit=1001`), 400, 'invalid_parameter', 'from 0 to 1000');
  });

  test('that are not remembered any more are counted', async () => {
    const { last } = await requests('?after=0&limit=1000');
    await shop.getManyTimes('/nowhere', 1003);
    const { dropped, requests: shown } = await requests(`?after=${last}&limit=5`);
    expect([dropped, shown[0]?.seq, shown.length]).toEqual([3, last + 4, 5]);
    expect((await requests(`?newest=true&after=${last}&limit=5`)).dropped).toBe(3);
    expectError(await shop.get(`${ADMIN}/request?seq=${last + 1}`), 404, 'resource_not_found', String(last + 1));
    await shop.post(`${ADMIN}/reset`, {}).expect(204);
    expect(await requests(`?after=${last + 1003}`)).toEqual({ requests: [], last: last + 1003, dropped: 0 });
  });
});

describe('a request', () => {
  async function latest(): Promise<RequestDetails> {
    return details((await requests('?limit=1000')).last);
  }

  test('is shown with its response, what it changed, and what was said of it', async () => {
    await shop.post('/pets', { ...NOVA, name: 'Żółw' }).expect(201);
    const shown = await latest();
    expect(shown.requestBody).toEqual({
      text: '{"name":"Żółw","categoryId":1}',
      size: 33,
      isCut: false,
      isUnread: false,
    });
    expect(shown.responseHeaders).toEqual(expect.arrayContaining(['Location', 'Content-Type']));
    expect(JSON.parse(shown.responseBody.text ?? '')).toMatchObject({ name: 'Żółw' });
    expect(shown.responseBody.size).toBe(Buffer.byteLength(shown.responseBody.text ?? ''));
    expect(shown.changedItems.map(({ collection }) => collection).toSorted()).toEqual(['/inventory', '/pets']);
    expect(shown.changedItems[0]).toMatchObject({ before: null, after: expect.any(Object) as object });
    await shop.get('/pets?limit=0');
    expect(await latest()).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      message: expect.any(String) as string,
    });
  });

  test('shows a long body in part, and no bytes that are no text', async () => {
    await shop.post('/pets', JSON.stringify({ ...NOVA, name: 'x'.repeat(20_000) }));
    const { requestBody, curl } = await latest();
    expect([requestBody.text?.length, requestBody.size, requestBody.isCut]).toEqual([16_384, 20_026, true]);
    expect(curl).toContain('@body');
    await shop.send('post', '/pets', Buffer.from([0xff, 0xd8, 0x00]), {
      'Content-Type': 'application/json',
    });
    expect((await latest()).requestBody).toEqual({ text: null, size: 3, isCut: false, isUnread: false });
  });

  test('shows no secret', async () => {
    await shop.get('/pets?api_key=secret-in-query', { Authorization: 'Bearer secret-one', Cookie: 'sid=secret-two' });
    const text = JSON.stringify(await latest());
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/secret-(?:in|one|two)/);
    expect(JSON.stringify(await requests('?limit=1000'))).not.toContain('secret-in-query');
  });

  test('is written as a command, as JavaScript, and as a step that a contract can have', async () => {
    await shop.post('/pets?x=%24%7Ba%7D', { ...NOVA, name: "it's ${a}" });
    const post = await latest();
    expect(post.curl).toMatch(/^curl -i -X POST '?"?http:\/\/127\.0\.0\.1:\d+\/pets/);
    expect(post.curl).toContain('Authorization: Bearer $STANDIN_API_KEY');
    expect(post.fetch).toContain('"Bearer " + apiKey');
    await shop.get('/pets/1?limit=2');
    const get = await latest();
    await shop.get('/nowhere/at%20all');
    const unknown = await latest();
    const { api } = await createServerParts({}, {});
    for (const { step, status } of [post, get, unknown]) {
      const root = { standin: CONTRACT_FORMAT, name: 'it', steps: parse(step) as JsonValue };
      const findings: SourceFinding[] = [];
      const contract = readContract({ file: 'it.yaml', root, locationOf: () => undefined }, api.operations, findings);
      expect(findings).toEqual([]);
      expect(contract?.steps).toHaveLength(1);
      expect(step).toContain(`status: ${status}`);
    }
    expect(parse(get.step)).toMatchObject([{ operation: 'getPet', parameters: { petId: '1' } }]);
    expect(parse(post.step)).toMatchObject([{ body: { name: "it's $${a}" } }]);
    const code = `(async () => { ${post.fetch} return response; })()`;
    const sent = runInNewContext(code, { fetch: (...given: unknown[]) => given }) as Promise<[string, RequestInit]>;
    const [, init] = await sent;
    expect(init).toMatchObject({ method: 'POST', headers: { Authorization: 'Bearer YOUR-KEY' } });
    expect(JSON.parse(init.body as string)).toMatchObject({ name: "it's ${a}" });
  });
});

describe('send', () => {
  const send = (body: object): ReturnType<typeof shop.post> => shop.post(`${ADMIN}/send`, body);

  test('asks the mock as a client would, and says which request it was', async () => {
    const headers = ['Authorization', 'Bearer test-key', 'Content-Type', 'application/json'];
    const { body } = await send({ method: 'POST', target: '/pets', headers, body: JSON.stringify(NOVA) }).expect(200);
    const { seq, status } = body as { seq: number; status: number };
    expect(status).toBe(201);
    expect(await details(seq)).toMatchObject({ method: 'POST', operation: 'createPet', status: 201 });
    expect((await send({ method: 'GET', target: '/pets/4', headers }).expect(200)).body).toMatchObject({ status: 200 });
    expect((await send({ method: 'GET', target: '/pets/4' }).expect(200)).body).toMatchObject({ status: 401 });
  });

  test('takes the secrets that the page saw masked from the request it is like', async () => {
    await shop.get('/pets/1');
    const { last } = await requests('?limit=1000');
    const { method, target, requestHeaders } = await details(last);
    const again = { method, target, headers: requestHeaders };
    expect((await send({ ...again, like: last }).expect(200)).body).toMatchObject({ status: 200 });
    expect((await send(again).expect(200)).body).toMatchObject({ status: 401 });
    const moved = requestHeaders.map((text) => (text === 'Authorization' ? 'X-Other' : text));
    const { body } = await send({ ...again, headers: moved, like: last }).expect(200);
    expect(JSON.stringify(await details((body as { seq: number }).seq))).not.toContain('test-key');
  });

  test('gives the password back that was sent, and no other', async () => {
    const app = await serveText(`openapi: 3.0.3
info: { title: People, version: 1.0.0 }
paths:
  /people:
    post:
      operationId: addPerson
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string }, password: { type: string } } } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { type: object, properties: { id: { type: integer }, name: { type: string } } } } } } }
`);
    await request(app).post('/people').send({ name: 'Ada', password: 'hunter2' }).expect(201);
    const shown = (await request(app).get(`${ADMIN}/request?seq=1`).expect(200)).body as RequestDetails;
    expect(JSON.stringify(shown)).not.toContain('hunter2');
    const changed = (shown.requestBody.text ?? '').replace('Ada', 'Eve');
    const written = { method: 'POST', target: '/people', headers: ['Content-Type', 'application/json'], body: changed };
    await request(app)
      .post(`${ADMIN}/send`)
      .send({ ...written, like: 1 })
      .expect(200, { seq: 2, status: 201, delivery: null });
    const again = (await request(app).get(`${ADMIN}/request?seq=2`).expect(200)).body as RequestDetails;
    expect(again.requestBody.text).toBe('{"name":"Eve","password":"[redacted]"}');
    expect(again.requestBody.size).toBe('{"name":"Eve","password":"hunter2"}'.length);
  });

  test.each([
    { sent: { method: 'G ET', target: '/pets' }, says: '/method' },
    { sent: { method: 'GET', target: 'http://example.com/' }, says: '/target' },
    { sent: { method: 'GET', target: '/a b' }, says: '/target' },
    { sent: { method: 'GET', target: '/', headers: ['A'] }, says: '/headers' },
    { sent: { method: 'GET', target: '/', headers: ['A', 'b\r\nC: d'] }, says: '/headers/1' },
    { sent: { method: 'GET', target: '/', headers: ['A b', 'c'] }, says: '/headers/0' },
  ])('refuses $sent', async ({ sent, says }) => {
    await shop.refuses(send(sent), 400, 'invalid_field', says);
  });

  test.each([
    ['X-A', 'a\u010ab'],
    ['X-A', 'a\nb'],
    ['X A', 'b'],
  ])('refuses a header that HTTP cannot carry: %j: %j', async (name, value) => {
    const headers = [name, value, 'Authorization', 'Bearer secret'];
    await shop.refuses(send({ method: 'GET', target: '/pets', headers }), 400, 'invalid_field');
  });

  test('refuses to be like a request that is not remembered', async () => {
    await shop.refuses(send({ method: 'GET', target: '/pets', like: 999_999 }), 404, 'resource_not_found');
  });
});

test('the overview tells what is true of the mock now', async () => {
  const mock = await openPetstore({ clock: new Date('2030-01-01T00:00:00Z') });
  await mock.post('/pets', NOVA, { 'X-Standin-Sandbox': 'a' }).expect(201);
  await mock.put(`${ADMIN}/faults`, { faults: ['latency:1ms'] }).expect(200);
  await mock.post(`${ADMIN}/snapshot`, { name: 'before' }).expect(201);
  const overview = async (query = ''): Promise<Overview> =>
    (await mock.get(`${ADMIN}/overview${query}`).expect(200)).body as Overview;
  const main = await overview();
  expect(main).toMatchObject({
    standin: 'overview/1',
    title: 'Petstore API',
    version: '1.0.0',
    basePath: '',
    operations: 18,
    sandboxes: [{ id: 'a' }],
    sandboxHeader: 'x-standin-sandbox',
    forced: [],
    faults: ['latency:1ms'],
    snapshots: ['before'],
    undo: null,
    violations: 0,
  });
  expect(main.items).toBeLessThan((await overview('?sandbox=a')).items);
  expect((await overview('?sandbox=b')).items).toBe(main.items);
  await mock.put(`${ADMIN}/clock`, { now: '2031-01-01T00:00:00Z', fixed: true }).expect(204);
  expect((await overview()).clock).toEqual({ kind: 'fixed', now: '2031-01-01T00:00:00.000Z' });
  expect(new Date(main.startedAt).getFullYear()).toBe(new Date().getFullYear());
});

test('a copied curl command reads no file, whatever the body begins with', async () => {
  const { app } = await createServerParts({});
  await request(app)
    .post('/pets')
    .set({ Authorization: 'Bearer test-key', 'Content-Type': 'application/json' })
    .send('@/etc/passwd')
    .expect(400);
  const { body } = await request(app).get('/__standin/request?seq=1').expect(200);
  expect((body as { curl: string }).curl).toContain("--data-raw '@/etc/passwd'");
});
