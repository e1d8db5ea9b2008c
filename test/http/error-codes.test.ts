import type { Response } from 'supertest';
import { PROBLEM_STATUS } from '../../src/core/http/problem';
import { expectError, openPetstore, usePetstore, type Petstore } from '../support/petstore';
import { OPERATIONS } from '../support/description';
import { startServer } from '../support/server';
import { exchange, type WireResponse } from '../support/wire';
import { temporaryFolder } from '../support/temporary-folder';

const shop = usePetstore();
const NOVA = { name: 'Nova', categoryId: 1 };
const LATE = new Date('2031-01-01T00:00:00Z');

/** What §6 of the contract lists, by status. */
const CODES = {
  invalid_json: 400,
  missing_body: 400,
  missing_content_type: 400,
  missing_field: 400,
  invalid_field: 400,
  missing_parameter: 400,
  invalid_parameter: 400,
  invalid_cursor: 400,
  bad_request: 400,
  missing_api_key: 401,
  malformed_authorization: 401,
  invalid_api_key: 401,
  forbidden: 403,
  route_not_found: 404,
  resource_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  body_too_large: 413,
  uri_too_long: 414,
  expectation_failed: 417,
  headers_too_large: 431,
  category_in_use: 409,
  pet_in_use: 409,
  pet_not_available: 409,
  insufficient_stock: 409,
  invalid_status_transition: 409,
  order_already_complete: 409,
  idempotency_in_progress: 409,
  id_space_exhausted: 409,
  operation_sunset: 410,
  precondition_failed: 412,
  precondition_required: 428,
  unsupported_content_encoding: 415,
  unsupported_media_type: 415,
  unknown_reference: 422,
  immutable_field: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  not_implemented: 501,
} as const;

/** What other descriptions, and other options, meet beside that: other bodies and patches, chosen keys, sandboxes, trouble on demand. */
const BEYOND = {
  invalid_body: 400,
  invalid_patch: 400,
  insufficient_scope: 403,
  invalid_sandbox: 400,
  invalid_fault: 400,
  key_mismatch: 400,
  key_taken: 409,
  patch_conflict: 409,
  item_too_large: 413,
  invalid_result: 422,
  sandbox_exists: 409,
  nothing_to_undo: 409,
  conflict: 409,
  still_referenced: 409,
  sandbox_gone: 410,
  schema_unusable: 501,
  invalid_response: 500,
  unsupported_transfer_coding: 501,
  fault_not_available: 501,
  store_unavailable: 503,
  too_many_listeners: 503,
  fault_injected: 503,
} as const;

type Code = keyof typeof CODES;

/** Codes that no request to this mock leads to, and why. */
const NEVER: Partial<Record<Code, string>> = {
  idempotency_in_progress: 'a request is done before the next one begins',
  request_timeout: 'takes ten seconds of real time; the server itself answers it',
};

/** A description with what the Petstore does not have: a required query parameter, a 415, an operation without a success. */
const OTHER = `openapi: 3.0.3
info: { title: Other, version: 1.0.0 }
paths:
  /search:
    get:
      parameters: [{ name: q, in: query, required: true, schema: { type: string } }]
      responses: { '200': { description: Found } }
  /notes:
    post:
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { '201': { description: Noted }, '415': { description: Not JSON } }
  /secret:
    get:
      responses: { '200': { description: Never told, content: { application/json: { schema: { type: integer, minimum: 2, maximum: 1 } } } } }
`;

async function other(): Promise<Petstore> {
  return openPetstore({ description: temporaryFolder().write('other.yaml', OTHER) });
}

type Provoke = () => Promise<Response | WireResponse>;

/** Sends lines of text to a listening mock. */
async function wire(...lines: string[]): Promise<WireResponse> {
  const served = await startServer();
  try {
    return await exchange(served.host, lines);
  } finally {
    await served.close();
  }
}

const PROVOKED: Partial<Record<Code, Provoke>> = {
  invalid_json: () => shop.post('/pets', '{'),
  missing_body: () => shop.post('/pets', undefined),
  missing_content_type: () => shop.post('/pets', NOVA, { 'Content-Type': undefined }),
  missing_field: () => shop.post('/pets', {}),
  invalid_field: () => shop.post('/pets', { ...NOVA, name: 1 }),
  missing_parameter: async () => (await other()).get('/search'),
  invalid_parameter: () => shop.get('/pets?limit=0'),
  invalid_cursor: () => shop.get('/pets?cursor=x'),
  bad_request: () => wire('GET /pets HTTP/1.1'),
  missing_api_key: () => shop.get('/pets', { Authorization: undefined }),
  malformed_authorization: () => shop.get('/pets', { Authorization: 'test-key' }),
  invalid_api_key: () => shop.get('/pets', { Authorization: 'Bearer other' }),
  forbidden: () => shop.post('/__standin/reset', {}, { Origin: 'http://example.com' }),
  route_not_found: () => shop.get('/nowhere'),
  resource_not_found: () => shop.get('/pets/99'),
  method_not_allowed: () => shop.patch('/pets', {}),
  not_acceptable: () => shop.get('/pets', { Accept: 'text/html' }),
  body_too_large: () => shop.post('/pets', ' '.repeat(1024 * 1024 + 1)),
  uri_too_long: () => shop.get(`/pets?name=${'a'.repeat(9000)}`),
  expectation_failed: () => wire('GET /pets HTTP/1.1', 'Host: localhost', 'Expect: banana'),
  headers_too_large: () => wire('GET /pets HTTP/1.1', 'Host: localhost', `X-Filler: ${'x'.repeat(17_000)}`),
  category_in_use: () => shop.delete('/categories/1'),
  pet_in_use: () => shop.delete('/pets/2'),
  pet_not_available: () => shop.post('/store/orders', { petId: 3 }),
  insufficient_stock: () => shop.post('/store/orders', { petId: 1, quantity: 4 }),
  invalid_status_transition: () => shop.put('/pets/3', { ...NOVA, status: 'available' }),
  order_already_complete: () => shop.delete('/store/orders/2'),
  id_space_exhausted: async () => {
    const last = await openPetstore({ idStart: 9223372036854775807n });
    await last.post('/pets', NOVA).expect(201);
    return last.post('/pets', NOVA);
  },
  operation_sunset: async () => (await openPetstore({ clock: LATE })).get('/pets/1'),
  precondition_failed: () => shop.put('/pets/1', NOVA, { 'If-Match': '"stale"' }),
  precondition_required: async () => (await openPetstore({ requireIfMatch: true })).delete('/pets/1'),
  unsupported_content_encoding: () => shop.post('/pets', NOVA, { 'Content-Encoding': 'zstd' }),
  unsupported_media_type: async () => (await other()).post('/notes', 'x', { 'Content-Type': 'text/plain' }),
  unknown_reference: () => shop.post('/pets', { ...NOVA, categoryId: 9 }),
  immutable_field: () => shop.patch('/store/orders/1', { id: 2 }),
  idempotency_key_reused: async () => {
    await shop.post('/pets', NOVA, { 'Idempotency-Key': 'k' }).expect(201);
    return shop.post('/pets', { ...NOVA, name: 'Vega' }, { 'Idempotency-Key': 'k' });
  },
  rate_limited: async () => {
    const limited = await openPetstore({ rateLimit: { requests: 1, seconds: 3600 } });
    await limited.get('/pets').expect(200);
    return limited.get('/pets');
  },
  internal_error: async () => {
    const served = await startServer({
      rules: {
        standin: 'rules/1',
        operations: {
          placeOrder() {
            throw new Error('a defect of a rule');
          },
        },
      },
    });
    const lines = ['POST /store/orders HTTP/1.1', `Host: ${served.host}`, 'Authorization: Bearer test-key'];
    const typed = [...lines, 'Content-Type: application/json', 'Content-Length: 2'];
    const response = await exchange(served.host, typed, '{}');
    expect(served.defects).toEqual([expect.objectContaining({ message: 'a defect of a rule' })]);
    expect(response.text).not.toContain('a defect of a rule');
    await served.close();
    return response;
  },
  not_implemented: async () => (await other()).get('/secret'),
};

/** Statuses of the protocol, which no operation needs to document; 410 and 403 are documented where they belong. */
const OF_PROTOCOL = new Set([405, 406, 408, 413, 414, 415, 417, 428, 429, 431, 503]);

test.each(Object.entries(PROVOKED) as [Code, Provoke][])('%s is given', async (code, provoke) => {
  const response = await provoke();
  const status = CODES[code];
  // A description without Error objects gets problem details in their place.
  const body = JSON.parse(response.text) as Record<string, unknown>;
  expect({ status: response.status, code: body['code'] }).toEqual({ status, code });
  if ('title' in body) return;
  if ('body' in response) expectError(response, status, code);
  else expect(body).toEqual({ code, message: expect.any(String) as string, status });
});

test('every code of the contract is given by some request, but for those that cannot be', () => {
  expect([...Object.keys(PROVOKED), ...Object.keys(NEVER)].sort()).toEqual(Object.keys(CODES).sort());
});

test('the codes and statuses that the mock knows are those of the contract', () => {
  expect({ ...CODES, ...BEYOND }).toMatchObject(PROBLEM_STATUS);
});

test('each refusal of an operation has a status that the operation documents, or one of the protocol', async () => {
  const sent = [
    shop.post('/pets', '{'),
    shop.get('/pets?limit=0'),
    shop.get('/pets/abc'),
    shop.get('/pets/99'),
    shop.put('/pets/1', NOVA, { 'If-Match': '"stale"' }),
    shop.put('/pets/3', { ...NOVA, status: 'available' }),
    shop.put('/pets/1', { ...NOVA, categoryId: 9 }),
    shop.put('/pets/99', NOVA),
    shop.delete('/pets/2'),
    shop.delete('/pets/99'),
    shop.delete('/pets/1', { 'If-Match': '"stale"' }),
    shop.post('/pets', { ...NOVA, categoryId: 9 }),
    shop.put('/categories/99', { name: 'Fish' }),
    shop.put('/categories/1', { name: 'Fish' }, { 'If-Match': '"stale"' }),
    shop.delete('/categories/1'),
    shop.post('/store/orders', { petId: 3 }),
    shop.post('/store/orders', { petId: 99 }),
    shop.patch('/store/orders/1', { id: 9 }),
    shop.patch('/store/orders/2', { complete: false }),
    shop.patch('/store/orders/1', {}, { 'If-Match': '"stale"' }),
    shop.delete('/store/orders/2'),
    shop.delete('/store/orders/1', { 'If-Match': '"stale"' }),
    shop.patch('/inventory/9', { quantity: 1 }),
    shop.patch('/inventory/1', {}),
    shop.patch('/inventory/1', { quantity: 1 }, { 'If-Match': '"stale"' }),
    shop.get('/pets', { Authorization: undefined }),
    shop.get('/pets', { Accept: 'text/html' }),
  ];
  for (const request of sent) await request;
  const entries = shop.app.journal();
  expect(entries).toHaveLength(sent.length);
  for (const { operation, status, method, target } of entries) {
    const { statuses } = OPERATIONS.find(({ operationId }) => operationId === operation)!;
    const isFine = status >= 400 && (statuses.includes(String(status)) || OF_PROTOCOL.has(status));
    expect({ method, target, status, isFine }).toEqual({ method, target, status, isFine: true });
  }
});
