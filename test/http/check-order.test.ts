import { gzipSync } from 'node:zlib';
import { expectError, openPetstore, usePetstore, type Headers, type Method, type Petstore } from '../support/petstore';
import { startServer } from '../support/server';
import { exchange } from '../support/wire';

const shop = usePetstore({ apiKeys: ['test-key'] });

const LARGE = `{"name":"${'x'.repeat(1024 * 1024)}"}`;
const NOVA = { name: 'Nova', categoryId: 1 };
const LATE = new Date('2031-01-01T00:00:00Z');

/** A request with faults of two neighbouring checks, or of one and a later one: the earlier speaks. */
interface Both {
  readonly faults: string;
  readonly method: Method;
  readonly path: string;
  readonly body?: object | string | Buffer;
  readonly headers?: Headers;
  readonly status: number;
  readonly code: string;
}

const NO_KEY = { Authorization: undefined };
const HTML = { Accept: 'text/html' };
const ZSTD = { 'Content-Encoding': 'zstd' };
const TEXT = { 'Content-Type': 'text/plain' };
const STALE = { 'If-Match': '"stale"' };

const PAIRS: readonly Both[] = [
  {
    faults: 'target too long, no such path',
    method: 'get',
    path: `/nowhere?${'a'.repeat(9000)}`,
    status: 414,
    code: 'uri_too_long',
  },
  {
    faults: 'no such path, no such method',
    method: 'patch',
    path: '/nowhere',
    body: {},
    status: 404,
    code: 'route_not_found',
  },
  {
    faults: 'no such path, no key',
    method: 'get',
    path: '/nowhere',
    headers: NO_KEY,
    status: 404,
    code: 'route_not_found',
  },
  {
    faults: 'no such method, no key',
    method: 'patch',
    path: '/pets',
    headers: NO_KEY,
    body: {},
    status: 405,
    code: 'method_not_allowed',
  },
  {
    faults: 'no such method, bad id',
    method: 'post',
    path: '/pets/abc',
    body: {},
    status: 405,
    code: 'method_not_allowed',
  },
  {
    faults: 'no such method, undecodable id',
    method: 'post',
    path: '/pets/%zz',
    body: {},
    status: 405,
    code: 'method_not_allowed',
  },
  {
    faults: 'no key, Accept',
    method: 'get',
    path: '/pets',
    headers: { ...NO_KEY, ...HTML },
    status: 401,
    code: 'missing_api_key',
  },
  { faults: 'no key, bad id', method: 'get', path: '/pets/abc', headers: NO_KEY, status: 401, code: 'missing_api_key' },
  {
    faults: 'no key, undecodable id',
    method: 'get',
    path: '/pets/%zz',
    headers: NO_KEY,
    status: 401,
    code: 'missing_api_key',
  },
  {
    faults: 'no key, undecodable query',
    method: 'get',
    path: '/pets?name=%zz',
    headers: NO_KEY,
    status: 401,
    code: 'missing_api_key',
  },
  {
    faults: 'no key, no such item',
    method: 'get',
    path: '/pets/99',
    headers: NO_KEY,
    status: 401,
    code: 'missing_api_key',
  },
  {
    faults: 'no key, bad body',
    method: 'post',
    path: '/pets',
    body: '{',
    headers: NO_KEY,
    status: 401,
    code: 'missing_api_key',
  },
  {
    faults: 'no key, large body',
    method: 'post',
    path: '/pets',
    body: LARGE,
    headers: NO_KEY,
    status: 401,
    code: 'missing_api_key',
  },
  {
    faults: 'Accept, Content-Encoding',
    method: 'post',
    path: '/pets',
    body: NOVA,
    headers: { ...HTML, ...ZSTD },
    status: 406,
    code: 'not_acceptable',
  },
  {
    faults: 'Accept, Content-Type',
    method: 'post',
    path: '/pets',
    body: NOVA,
    headers: { ...HTML, ...TEXT },
    status: 406,
    code: 'not_acceptable',
  },
  {
    faults: 'Accept, no such item',
    method: 'get',
    path: '/pets/99',
    headers: HTML,
    status: 406,
    code: 'not_acceptable',
  },
  {
    faults: 'Content-Encoding, Content-Type',
    method: 'post',
    path: '/pets',
    body: NOVA,
    headers: { ...ZSTD, ...TEXT },
    status: 415,
    code: 'unsupported_content_encoding',
  },
  {
    faults: 'Content-Encoding, large body',
    method: 'post',
    path: '/pets',
    body: LARGE,
    headers: ZSTD,
    status: 415,
    code: 'unsupported_content_encoding',
  },
  {
    faults: 'Content-Type, large body',
    method: 'post',
    path: '/pets',
    body: LARGE,
    headers: TEXT,
    status: 400,
    code: 'missing_content_type',
  },
  {
    faults: 'Content-Type, bad id',
    method: 'put',
    path: '/pets/abc',
    body: NOVA,
    headers: TEXT,
    status: 400,
    code: 'missing_content_type',
  },
  {
    faults: 'Content-Type, bad JSON',
    method: 'post',
    path: '/pets',
    body: '{',
    headers: TEXT,
    status: 400,
    code: 'missing_content_type',
  },
  { faults: 'large body, bad id', method: 'put', path: '/pets/abc', body: LARGE, status: 413, code: 'body_too_large' },
  {
    faults: 'body that unfolds to a large one, bad id',
    method: 'put',
    path: '/pets/abc',
    body: gzipSync(LARGE),
    headers: { 'Content-Encoding': 'gzip' },
    status: 413,
    code: 'body_too_large',
  },
  {
    faults: 'large body, bad JSON',
    method: 'post',
    path: '/pets',
    body: LARGE.slice(1),
    status: 413,
    code: 'body_too_large',
  },
  { faults: 'bad id, no body', method: 'put', path: '/pets/abc', status: 400, code: 'invalid_parameter' },
  { faults: 'bad id, bad JSON', method: 'put', path: '/pets/abc', body: '{', status: 400, code: 'invalid_parameter' },
  {
    faults: 'bad id, bad member',
    method: 'put',
    path: '/pets/abc',
    body: { name: '' },
    status: 400,
    code: 'invalid_parameter',
  },
  {
    faults: 'bad query, bad cursor',
    method: 'get',
    path: '/pets?cursor=x&limit=0',
    status: 400,
    code: 'invalid_parameter',
  },
  {
    faults: 'unknown query parameter (strict), bad JSON',
    method: 'post',
    path: '/pets?colour=red',
    body: '{',
    headers: { Prefer: 'handling=strict' },
    status: 400,
    code: 'invalid_parameter',
  },
  {
    faults: 'bad Idempotency-Key, bad member',
    method: 'post',
    path: '/pets',
    body: { name: '' },
    headers: { 'Idempotency-Key': '' },
    status: 400,
    code: 'invalid_parameter',
  },
  {
    faults: 'Idempotency-Key empty in quotes, bad member',
    method: 'post',
    path: '/pets',
    body: { name: '' },
    headers: { 'Idempotency-Key': '""' },
    status: 400,
    code: 'invalid_parameter',
  },
  {
    faults: 'bad JSON, bad member',
    method: 'post',
    path: '/pets',
    body: '{"name":1,',
    status: 400,
    code: 'invalid_json',
  },
  {
    faults: 'duplicate member, bad member',
    method: 'post',
    path: '/pets',
    body: '{"name":1,"name":1}',
    status: 400,
    code: 'invalid_json',
  },
  { faults: 'no body, no such item', method: 'put', path: '/pets/99', status: 400, code: 'missing_body' },
  { faults: 'bad JSON, no such item', method: 'put', path: '/pets/99', body: '{', status: 400, code: 'invalid_json' },
  {
    faults: 'missing member, no such item',
    method: 'put',
    path: '/pets/99',
    body: {},
    status: 400,
    code: 'missing_field',
  },
  {
    faults: 'bad member, If-Match',
    method: 'put',
    path: '/pets/1',
    body: { ...NOVA, name: '' },
    headers: STALE,
    status: 400,
    code: 'invalid_field',
  },
  {
    faults: 'no such item, If-Match',
    method: 'put',
    path: '/pets/99',
    body: NOVA,
    headers: STALE,
    status: 404,
    code: 'resource_not_found',
  },
  {
    faults: 'no such item, unknown category',
    method: 'put',
    path: '/pets/99',
    body: { ...NOVA, categoryId: 9 },
    status: 404,
    code: 'resource_not_found',
  },
  {
    faults: 'If-Match, unknown category',
    method: 'put',
    path: '/pets/1',
    body: { ...NOVA, categoryId: 9 },
    headers: STALE,
    status: 412,
    code: 'precondition_failed',
  },
  {
    faults: 'If-Match, immutable id',
    method: 'patch',
    path: '/store/orders/1',
    body: { id: 9 },
    headers: STALE,
    status: 412,
    code: 'precondition_failed',
  },
  {
    faults: 'If-Match, transition',
    method: 'put',
    path: '/pets/3',
    body: { ...NOVA, status: 'pending' },
    headers: STALE,
    status: 412,
    code: 'precondition_failed',
  },
  {
    faults: 'If-Match, pet in use',
    method: 'delete',
    path: '/pets/2',
    headers: STALE,
    status: 412,
    code: 'precondition_failed',
  },
  {
    faults: 'If-Match, category in use',
    method: 'delete',
    path: '/categories/1',
    headers: STALE,
    status: 412,
    code: 'precondition_failed',
  },
  {
    faults: 'If-Match, complete order',
    method: 'delete',
    path: '/store/orders/2',
    headers: STALE,
    status: 412,
    code: 'precondition_failed',
  },
  {
    faults: 'unknown category, transition',
    method: 'put',
    path: '/pets/3',
    body: { ...NOVA, categoryId: 9, status: 'pending' },
    status: 422,
    code: 'unknown_reference',
  },
  {
    faults: 'unknown pet, complete order',
    method: 'patch',
    path: '/store/orders/2',
    body: { petId: 99 },
    status: 422,
    code: 'unknown_reference',
  },
  {
    faults: 'another pet, complete order',
    method: 'patch',
    path: '/store/orders/2',
    body: { petId: 1 },
    status: 422,
    code: 'immutable_field',
  },
  {
    faults: 'another id, complete order',
    method: 'patch',
    path: '/store/orders/2',
    body: { id: 9, complete: false },
    status: 422,
    code: 'immutable_field',
  },
  {
    faults: 'another pet, insufficient stock',
    method: 'patch',
    path: '/store/orders/1',
    body: { petId: 1, quantity: 99 },
    status: 422,
    code: 'immutable_field',
  },
];

test.each(PAIRS)('$faults: $status $code', async ({ method, path, body, headers, status, code }) => {
  await shop.refuses(shop.send(method, path, body, headers), status, code);
});

test('an expectation, no such path: 417', async () => {
  const served = await startServer();
  const lines = ['GET /nowhere HTTP/1.1', `Host: ${served.host}`, 'Expect: banana'];
  const { status, text } = await exchange(served.host, lines);
  expect({ status, code: (JSON.parse(text) as { code: string }).code }).toEqual({
    status: 417,
    code: 'expectation_failed',
  });
  await served.close();
});

describe('where the rate is limited', () => {
  let limited: Petstore;
  beforeAll(async () => {
    limited = await openPetstore({ rateLimit: { requests: 1, seconds: 3600 }, clock: LATE });
  });
  beforeEach(async () => {
    limited.app.reset();
    await limited.get('/pets').expect(200);
  });

  test('no such path or method comes first', async () => {
    expectError(await limited.get('/nowhere'), 404, 'route_not_found');
    expectError(await limited.patch('/pets', {}), 405, 'method_not_allowed');
  });

  test('the limit comes before the key, the sunset and all else', async () => {
    await limited.get('/pets', { Authorization: 'Bearer unknown' }).expect(401);
    expectError(await limited.get('/pets', { Authorization: 'Bearer unknown' }), 429, 'rate_limited');
    expectError(await limited.get('/pets/1'), 429, 'rate_limited');
    expectError(await limited.get('/pets', HTML), 429, 'rate_limited');
    expectError(await limited.post('/pets', '{', { 'Content-Type': 'text/plain' }), 429, 'rate_limited');
  });
});

describe('after the sunset', () => {
  const late = usePetstore({ clock: LATE });

  test('the key comes before it', async () => {
    expectError(await late.get('/pets/1', NO_KEY), 401, 'missing_api_key');
    expectError(await late.get('/pets/1', { Authorization: 'Bearer unknown' }), 401, 'invalid_api_key');
  });

  test('it comes before Accept, Content-Encoding, parameters and the item', async () => {
    expectError(await late.get('/pets/1', HTML), 410, 'operation_sunset');
    expectError(await late.get('/pets/1', ZSTD), 410, 'operation_sunset');
    expectError(await late.get('/pets/abc'), 410, 'operation_sunset');
    expectError(await late.get('/pets/%zz'), 410, 'operation_sunset');
    expectError(await late.get('/pets/99'), 410, 'operation_sunset');
    expectError(await late.get('/pets/1', { 'If-None-Match': '*' }), 410, 'operation_sunset');
  });
});

describe('with an Idempotency-Key that was used', () => {
  const key = { 'Idempotency-Key': 'k' };
  beforeEach(async () => {
    await shop.post('/pets', NOVA, key).expect(201);
    await shop.post('/store/orders', { petId: 1 }, key).expect(201);
  });

  test('a fault of the body comes before the reuse', async () => {
    await shop.refuses(shop.post('/pets', '{', key), 400, 'invalid_json');
    await shop.refuses(shop.post('/pets', { name: 'Vega' }, key), 400, 'missing_field');
    await shop.refuses(shop.post('/pets', undefined, key), 400, 'missing_body');
    const strict = { ...key, Prefer: 'handling=strict' };
    await shop.refuses(shop.post('/pets', { ...NOVA, colour: 'red' }, strict), 400, 'invalid_field');
    await shop.refuses(shop.post('/pets?colour=red', NOVA, strict), 400, 'invalid_parameter');
  });

  test('the reuse comes before references and the state', async () => {
    await shop.refuses(shop.post('/pets', { ...NOVA, categoryId: 9 }, key), 422, 'idempotency_key_reused');
    await shop.refuses(shop.post('/store/orders', { petId: 99 }, key), 422, 'idempotency_key_reused');
    await shop.refuses(shop.post('/store/orders', { petId: 3 }, key), 422, 'idempotency_key_reused');
  });

  test('the replay comes before the state', async () => {
    await shop.patch('/inventory/1', { quantity: 0 }).expect(200);
    await shop.post('/store/orders', { petId: 1 }, key).expect(201);
  });

  test('the key of the API comes before the replay', async () => {
    expectError(await shop.post('/pets', NOVA, { ...key, ...NO_KEY }), 401, 'missing_api_key');
  });
});

test('with If-Match required: no such item, then the header, then references and the state', async () => {
  const strict = await openPetstore({ requireIfMatch: true });
  await strict.refuses(strict.put('/pets/1', { ...NOVA, name: '' }), 400, 'invalid_field');
  await strict.refuses(strict.put('/pets/99', NOVA), 404, 'resource_not_found');
  await strict.refuses(strict.put('/pets/1', { ...NOVA, categoryId: 9 }), 428, 'precondition_required');
  await strict.refuses(strict.delete('/pets/2'), 428, 'precondition_required');
  await strict.refuses(strict.patch('/store/orders/2', { complete: false }), 428, 'precondition_required');
});

test('references come before the exhaustion of ids', async () => {
  const last = await openPetstore({ idStart: 9223372036854775807n });
  await last.post('/pets', NOVA).expect(201);
  await last.post('/store/orders', {}).expect(201);
  await last.refuses(last.post('/pets', { ...NOVA, categoryId: 9 }), 422, 'unknown_reference');
  await last.refuses(last.post('/store/orders', { petId: 99 }), 422, 'unknown_reference');
  await last.refuses(last.post('/pets', NOVA), 409, 'id_space_exhausted');
});
