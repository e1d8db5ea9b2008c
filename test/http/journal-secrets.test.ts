import request from 'supertest';
import type { MockServer } from '../../src/server/mock-server';
import { redactJournalEntry } from '../../src/mock/sandbox/state-export';
import { partsOfText, serveText } from '../support/serve-text';

const CONTENT = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
];
const contentOf = (...types: string[]): string =>
  `{ ${types.map((type) => `${type}: { schema: ${type.includes('json-patch') ? '{ type: array, items: {} }' : "{ $ref: '#/components/schemas/User' }"} }`).join(', ')} }`;

/** Users have a password, and a card with a code; logging in is kept nowhere. */
const DESCRIPTION = `openapi: 3.0.3
info: { title: Users, version: 1.0.0 }
paths:
  /users:
    post:
      requestBody: { required: true, content: ${contentOf(...CONTENT.filter((type) => !type.includes('patch')))} }
      responses: { '201': { description: new, content: ${contentOf('application/json')} }, '400': { description: bad } }
  /users/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: ${contentOf('application/json')} } } }
    patch:
      requestBody: { content: ${contentOf(...CONTENT.slice(1, 3))} }
      responses: { '200': { description: ok, content: ${contentOf('application/json')} } }
  /login:
    post:
      requestBody: { content: { application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/User' }, { type: object, required: [pin], properties: { pin: { type: string, format: password } } }] } } } }
      responses: { '204': { description: ok } }
components:
  schemas:
    User:
      type: object
      required: [id]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string, maxLength: 20 }
        password: { type: string, writeOnly: true, maxLength: 20, pattern: '^h' }
        cards: { type: array, items: { type: object, properties: { code: { type: integer, writeOnly: true }, kind: { type: string } } } }
`;

const SECRETS = /hunter|4711/;
let app: MockServer;
beforeEach(async () => {
  app = await serveText(DESCRIPTION, { auth: 'off' });
});

async function send(method: 'post' | 'patch', path: string, type: string, body: string): Promise<string> {
  await request(app)[method](path).set('Content-Type', type).send(body);
  const entry = app.journal().at(-1);
  expect(JSON.stringify(entry)).not.toMatch(SECRETS);
  return entry?.requestBody ?? '';
}

test.each([
  ['application/json', '{"name":"ann","password":"hunter2"}', '{"name":"ann","password":"[redacted]"}'],
  ['application/json', '{"p\\u0061ssword":"hunter2"}', '{"password":"[redacted]"}'],
  ['application/json', '{"cards":[{"kind":"a","code":4711}]}', '{"cards":[{"kind":"a","code":"[redacted]"}]}'],
  ['application/json', '{ "name":"nothing to hide" }', '{ "name":"nothing to hide" }'],
  ['application/json', '{"password":"hunter2"', '[redacted]'],
  ['application/json', `{"password":"hunter2","name":"${'x'.repeat(20000)}"}`, '[redacted]'],
  ['application/json', '{"password":"my hunter2"}', '{"password":"[redacted]"}'],
  ['application/json', '{"password":"hunter2 hunter2 hunter2 hunter2"}', '{"password":"[redacted]"}'],
  ['application/json', '{"cards":[{"code":"4711"}]}', '{"cards":[{"code":"[redacted]"}]}'],
  // Not read at all.
  ['text/plain', '{"password":"hunter2"}', ''],
  ['application/x-www-form-urlencoded', 'name=ann&password=hunter2', 'name=ann&password=[redacted]'],
  ['application/x-www-form-urlencoded', 'pass%77ord=hunter2', 'pass%77ord=[redacted]'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--x--\r\n',
    '[redacted]',
  ],
])('the journal shows no write-only property of a request in %s: %s', async (type, body, shown) => {
  expect(await send('post', '/users', type, body)).toBe(shown);
});

test('nor what a patch sets it to', async () => {
  await send('post', '/users', 'application/json', '{"name":"ann"}');
  const merged = await send('patch', '/users/1', 'application/merge-patch+json', '{"password":"hunter2"}');
  expect(merged).toBe('{"password":"[redacted]"}');
  const patch = '[{"op":"add","path":"/password","value":"hunter4"},{"op":"add","path":"/name","value":"bob"}]';
  const shown = await send('patch', '/users/1', 'application/json-patch+json', patch);
  expect(shown).toBe(patch.replace('hunter4', '[redacted]'));
});

test('nor where nothing is kept, nor of an operation that the description does not have any more', async () => {
  const body = '{"password":"hunter2"}';
  const shown = '{"password":"[redacted]"}';
  expect(await send('post', '/login', 'application/json', body)).toBe(shown);
  const { api } = await partsOfText(DESCRIPTION);
  const [entry] = app.journal();
  if (entry === undefined) throw new Error('There is no entry');
  expect(redactJournalEntry(api, { ...entry, operation: 'gone', requestBody: body }).requestBody).toBe(shown);
});

test('nor what is write-only beside a reference, from OpenAPI 3.1 on', async () => {
  const beside = `{ $ref: '#/components/schemas/User', properties: { phrase: { type: string, writeOnly: true } } }`;
  const text = DESCRIPTION.replace('3.0.3', '3.1.0').replace(
    "oneOf: [{ $ref: '#/components/schemas/User' }",
    `oneOf: [{ type: object, additionalProperties: ${beside} }`,
  );
  app = await serveText(text, { auth: 'off' });
  const body = '{"ann":{"phrase":"hunter6","name":"a"}}';
  expect(await send('post', '/login', 'application/json', body)).toBe(body.replace('hunter6', '[redacted]'));
});

test('nor a password that is told by its format alone', async () => {
  expect(await send('post', '/login', 'application/json', '{"pin":"hunter5"}')).toBe('{"pin":"[redacted]"}');
});
