import { gzipSync } from 'node:zlib';
import { serverOfTests } from '../support/server';

const server = serverOfTests();
beforeEach(() => {
  server.app.reset();
});
afterEach(() => {
  expect(server.defects).toEqual([]);
});

const KEY = { Authorization: 'Bearer test-key' };
const JSON_TYPE = { ...KEY, 'Content-Type': 'application/json' };
const PET = JSON.stringify({ name: 'Nova', categoryId: 1 });

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, { headers: KEY, ...init });
}

async function codeOf(response: Response): Promise<string> {
  const { code, status } = (await response.json()) as { code: string; status: number };
  expect([status, response.headers.get('content-type')]).toEqual([response.status, 'application/json']);
  return `${code} ${status}`;
}

test('a life of a pet', async () => {
  const created = await call('/pets', { method: 'POST', headers: JSON_TYPE, body: PET });
  expect([created.status, await created.json()]).toEqual([
    201,
    { id: 4, name: 'Nova', categoryId: 1, status: 'available' },
  ]);
  const location = created.headers.get('location') ?? '';
  const etag = created.headers.get('etag') ?? '';
  expect(location).toBe(`${server.url}/pets/4`);

  const read = await fetch(location, { headers: KEY });
  expect([read.status, read.headers.get('etag')]).toEqual([200, etag]);
  expect(read.headers.get('deprecation')).toBe('@1767225600');
  const again = await fetch(location, { headers: { ...KEY, 'If-None-Match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);

  const body = JSON.stringify({ name: 'Nova', categoryId: 2, status: 'sold' });
  const replaced = await fetch(location, { method: 'PUT', headers: { ...JSON_TYPE, 'If-Match': etag }, body });
  expect([replaced.status, await replaced.json()]).toEqual([
    200,
    { id: 4, name: 'Nova', categoryId: 2, status: 'sold' },
  ]);
  const late = await fetch(location, { method: 'DELETE', headers: { ...KEY, 'If-Match': etag } });
  expect(await codeOf(late)).toBe('precondition_failed 412');
  const removed = await fetch(location, { method: 'DELETE', headers: KEY });
  expect([removed.status, await removed.text()]).toEqual([204, '']);
  expect(await codeOf(await fetch(location, { headers: KEY }))).toBe('resource_not_found 404');
});

describe('the types that fetch gives a body of its own accord', () => {
  test.each([
    ['a string', () => PET],
    ['a form', () => new URLSearchParams({ name: 'Nova', categoryId: '1' })],
    [
      'form data',
      () => {
        const data = new FormData();
        data.set('name', 'Nova');
        return data;
      },
    ],
    ['bytes', () => new TextEncoder().encode(PET)],
    ['a blob', () => new Blob([PET])],
    ['a blob of text', () => new Blob([PET], { type: 'text/plain' })],
  ])('%s is no JSON', async (_, body) => {
    expect(await codeOf(await call('/pets', { method: 'POST', body: body() }))).toBe('missing_content_type 400');
  });

  test.each([
    ['a blob of JSON', () => new Blob([PET], { type: 'application/json' }), KEY],
    ['bytes with the header', () => new TextEncoder().encode(PET), JSON_TYPE],
    ['a coded body', () => gzipSync(PET), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
  ])('%s is', async (_, body, headers) => {
    expect((await call('/pets', { method: 'POST', body: body(), headers })).status).toBe(201);
  });

  test('no body is missed', async () => {
    expect(await codeOf(await call('/pets', { method: 'POST', headers: JSON_TYPE }))).toBe('missing_body 400');
  });
});

describe('streams', () => {
  const stream = (parts: readonly string[], end: 'closes' | 'fails'): ReadableStream =>
    new ReadableStream({
      async pull(controller) {
        for (const part of parts) {
          controller.enqueue(new TextEncoder().encode(part));
          await new Promise(setImmediate);
        }
        if (end === 'closes') controller.close();
        else controller.error(new Error('the client changed its mind'));
      },
    });
  const post = (body: ReadableStream): Promise<Response> =>
    call('/pets', { method: 'POST', headers: JSON_TYPE, body, duplex: 'half' });

  test('a body in parts is read', async () => {
    expect((await post(stream(Array.from(PET), 'closes'))).status).toBe(201);
  });

  test('a body that breaks off changes nothing', async () => {
    const before = server.stateText();
    await expect(post(stream([PET], 'fails'))).rejects.toThrow();
    await call('/pets');
    expect(server.stateText()).toBe(before);
  });

  test('an aborted call changes nothing, or everything', async () => {
    const before = server.stateText();
    const controller = new AbortController();
    const parts = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode(PET.slice(0, 10)));
      },
    });
    const init = { method: 'POST', headers: JSON_TYPE, body: parts, duplex: 'half', signal: controller.signal };
    const answer = call('/pets', init as RequestInit);
    await call('/pets');
    controller.abort();
    await expect(answer).rejects.toThrow('aborted');
    await call('/pets');
    expect(server.stateText()).toBe(before);
  });
});

test('a body that is too large is refused in a way that fetch can read', async () => {
  const body = 'a'.repeat(3 * 1024 * 1024);
  expect(await codeOf(await call('/pets', { method: 'POST', headers: JSON_TYPE, body }))).toBe('body_too_large 413');
  expect((await call('/pets')).status).toBe(200);
});

test('a large answer comes whole', async () => {
  const name = 'x'.repeat(50);
  const description = '😀'.repeat(500);
  for (let index = 0; index < 98; index++) {
    await call('/categories', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ name, description }) });
  }
  const response = await call('/categories');
  const text = await response.text();
  expect(JSON.parse(text)).toHaveLength(100);
  expect(Buffer.byteLength(text)).toBe(Number(response.headers.get('content-length')));
});

test('calls at the same time are one after the other to the state', async () => {
  const created = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const response = await call('/pets', { method: 'POST', headers: JSON_TYPE, body: PET });
      return ((await response.json()) as { id: number }).id;
    }),
  );
  expect(new Set(created).size).toBe(60);

  // Three units in stock, and twenty that want one.
  const orders = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const init = { method: 'POST', headers: JSON_TYPE, body: '{"petId":1}' };
      return (await call('/store/orders', init)).status;
    }),
  );
  expect(orders.filter((status) => status === 201)).toHaveLength(3);
  expect(orders.filter((status) => status === 409)).toHaveLength(17);
  expect(await (await call('/inventory/1')).json()).toEqual({ petId: 1, quantity: 0, status: 'pending' });

  // One key, ten tries: one pet.
  const init = { method: 'POST', headers: { ...JSON_TYPE, 'Idempotency-Key': 'once' }, body: PET };
  const answers = await Promise.all(Array.from({ length: 10 }, async () => (await call('/pets', init)).text()));
  expect(new Set(answers).size).toBe(1);
});

test('only one of many that saw the same version may change it', async () => {
  const etag = (await call('/categories/1')).headers.get('etag') ?? '';
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const body = JSON.stringify({ name: `Dog ${index}` });
      const headers = { ...JSON_TYPE, 'If-Match': etag };
      return (await call('/categories/1', { method: 'PUT', headers, body })).status;
    }),
  );
  expect(statuses.sort()).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
});

test('HEAD, OPTIONS and errors leave the connection in order', async () => {
  for (let turn = 0; turn < 3; turn++) {
    const head = await call('/pets', { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('x-total-count')]).toEqual([200, '', '3']);
    const options = await call('/pets', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, expect.stringContaining('POST')]);
    expect(await codeOf(await call('/nothing'))).toBe('route_not_found 404');
    expect(await codeOf(await call('/pets', { headers: {} }))).toBe('missing_api_key 401');
  }
});
