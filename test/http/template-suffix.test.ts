import request from 'supertest';
import type { MockServer } from '../../src/server/mock-server';
import { explainRequest } from '../../src/explain/explain-request';
import { partsOfText, serveText } from '../support/serve-text';

const answer = (word: string): string =>
  `responses: { '200': { description: ok, content: { application/json: { schema: { type: string, enum: [${word}] } } } } }`;
const action = (word: string): string =>
  `parameters: [{ name: Action, in: query, required: true, schema: { type: string, enum: [${word}] } }]`;
const target = (word: string): string =>
  `parameters: [{ name: X-Amz-Target, in: header, required: true, schema: { type: string, enum: [${word}] } }]`;
const path = (name: string): string => `{ name: ${name}, in: path, required: true, schema: { type: string } }`;

const DOCUMENT = `openapi: 3.0.3
info: { title: Queues, version: 1.0.0 }
paths:
  /#Action=Create:
    get: { operationId: create, ${action('Create')}, ${answer('create')} }
    post: { operationId: createByPost, ${action('Create')}, ${answer('createByPost')} }
  /#Action=Delete:
    get: { operationId: delete, ${action('Delete')}, ${answer('delete')} }
  /target#X-Amz-Target=Q_1.Add:
    post: { operationId: add, ${target('Q_1.Add')}, ${answer('add')} }
  /target#X-Amz-Target=Q_1.Drop:
    post: { operationId: drop, ${target('Q_1.Drop')}, ${answer('drop')} }
  /tags/{arn}#tagKeys:
    delete:
      operationId: untag
      parameters:
        - ${path('arn')}
        - { name: tagKeys, in: query, required: true, schema: { type: array, items: { type: string } } }
      ${answer('untag')}
  /tags/{resource}:
    get: { operationId: tags, parameters: [${path('resource')}], ${answer('tags')} }
    delete: { operationId: dropAll, parameters: [${path('resource')}], ${answer('dropAll')} }
  /weather?city={city}:
    get: { operationId: byCity, parameters: [{ name: city, in: path, required: true, schema: { type: integer } }], ${answer('byCity')} }
  /weather?lat={lat}&lon={lon}:
    get: { operationId: byPlace, parameters: [${path('lat')}, ${path('lon')}], ${answer('byPlace')} }
  /analyze:
    post:
      operationId: analyze
      requestBody: { content: { application/json: { schema: { type: object } } } }
      ${answer('analyze')}
  /analyze#overload=stream:
    post:
      operationId: analyzeStream
      requestBody: { content: { application/octet-stream: { schema: { type: string, format: binary } } } }
      ${answer('analyzeStream')}
`;

let app: MockServer;
beforeAll(async () => {
  app = await serveText(DOCUMENT);
});

test.each([
  { method: 'get', url: '/?Action=Create', want: 'create' },
  { method: 'get', url: '/?Version=1&Action=Delete', want: 'delete' },
  { method: 'post', url: '/?Action=Create', want: 'createByPost' },
  { method: 'post', url: '/target', headers: { 'X-Amz-Target': 'Q_1.Drop' }, want: 'drop' },
  { method: 'post', url: '/target', headers: { 'X-Amz-Target': 'Q_1.Add' }, want: 'add' },
  { method: 'delete', url: '/tags/a1?tagKeys=x', want: 'untag' },
  { method: 'delete', url: '/tags/a1', want: 'dropAll' },
  { method: 'get', url: '/tags/a1', want: 'tags' },
  { method: 'get', url: '/weather?city=7', want: 'byCity' },
  { method: 'get', url: '/weather?lon=1&lat=2', want: 'byPlace' },
  { method: 'post', url: '/analyze', headers: { 'Content-Type': 'application/json' }, body: '{}', want: 'analyze' },
  {
    method: 'post',
    url: '/analyze',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: 'x',
    want: 'analyzeStream',
  },
  { method: 'post', url: '/analyze?overload=stream', want: 'analyzeStream' },
] as const)('$method $url is answered by $want', async ({ method, url, want, ...more }) => {
  const { headers = {}, body } = more as { headers?: Record<string, string>; body?: string };
  const sent = request(app)[method](url).set(headers);
  const response = await (body === undefined ? sent : sent.send(body));
  expect({ status: response.status, body: response.body as unknown }).toStrictEqual({ status: 200, body: want });
});

test('a request that none fits is refused by the rules of the first', async () => {
  const response = await request(app).get('/?Action=Purge').expect(400);
  expect(JSON.stringify(response.body)).toContain('Action');
  await request(app).get('/').expect(400);
});

test('a path parameter that stands in the query is judged like any other', async () => {
  await request(app).get('/weather?city=seven').expect(400);
});

test('Allow names the methods of every operation on the path', async () => {
  await request(app).put('/').expect(405).expect('Allow', 'GET, POST, HEAD, OPTIONS');
  await request(app)
    .options('/tags/a1')
    .expect(204)
    .expect('Allow', /DELETE/);
});

test('explain takes a template for the request that it stands for', async () => {
  const parts = await partsOfText(DOCUMENT);
  expect(await explainRequest(parts, 'GET', '/#Action=Delete', undefined)).toMatchObject({
    request: 'GET /?Action=Delete',
    operation: { operation: 'delete' },
    answer: { status: 200 },
  });
  expect(await explainRequest(parts, 'POST', '/target#X-Amz-Target=Q_1.Drop', undefined)).toMatchObject({
    request: 'POST /target',
    operation: { operation: 'drop' },
    answer: { status: 200 },
  });
});

const ACCOUNTS = `openapi: 3.0.3
info: { title: Points, version: 1.0.0 }
paths:
  /points#x-account:
    parameters: [{ name: x-account, in: header, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Point' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Point' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Point' } } } } }
  /points/{id}#x-account:
    parameters: [{ name: x-account, in: header, required: true, schema: { type: string } }, { name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Point' } } } } } }
    delete: { responses: { '204': { description: gone } } }
components:
  schemas:
    Point: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`;

test('a header that must be there leaves an operation on its resource', async () => {
  const points = await serveText(ACCOUNTS);
  const account = { 'x-account': 'a' };
  const made = await request(points).post('/points').set(account).send({ name: 'home' }).expect(201);
  expect(made.headers['location']).toMatch(/\/points\/1$/);
  await request(points)
    .get('/points/1')
    .set(account)
    .expect(200, made.body as object);
  await request(points).delete('/points/1').set(account).expect(204);
  await request(points).get('/points/1').set(account).expect(404);
});
