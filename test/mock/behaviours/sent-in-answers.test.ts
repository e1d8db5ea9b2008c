import request from 'supertest';
import { serveText } from '../../support/serve-text';

const op = (method: string, body: string, answer: string, status = 200, parameters = ''): string => `
    ${method}:
      parameters: [${parameters}]
      requestBody: { content: { application/json: { schema: ${body} } } }
      responses: { '${status}': { description: ok, content: { application/json: ${answer} } } }`;
const key = (name: string): string => `{ name: ${name}, in: path, required: true, schema: { type: string } }`;
const TEXT = '{ type: string }';

const DOCUMENT = `openapi: 3.0.3
info: { title: Writes, version: 1.0.0 }
paths:
  /payments:${op(
    'post',
    `{ type: object, properties: { amount: { type: integer }, currencyCode: ${TEXT}, password: ${TEXT}, tags: { type: array, items: ${TEXT} }, card: { type: object, properties: { name: ${TEXT} } } } }`,
    `{ schema: { type: object, properties: { id: ${TEXT}, amount: { type: integer }, currency_code: ${TEXT}, password: ${TEXT}, page: { type: integer }, status: { type: string, enum: [done] }, card: { type: object, properties: { name: ${TEXT}, brand: ${TEXT} } }, tags: { type: array, items: { type: object, properties: { name: ${TEXT} } } } } }, example: { id: p1, amount: 5, currency_code: USD, password: x, status: done, card: { name: Bob, brand: visa }, tags: [{ name: old }] } }`,
    201,
    '{ name: page, in: query, schema: { type: integer } }',
  )}
  /issues/labels:${op(
    'post',
    `{ type: object, properties: { labels: { type: array, items: ${TEXT} } } }`,
    `{ schema: { type: array, items: { type: object, required: [id, name], properties: { id: { type: integer }, name: ${TEXT} } } }, example: [{ id: 1, name: bug }, { id: 2, name: wish }] }`,
  )}
  /files/{path}:${op(
    'put',
    `{ type: object, properties: { message: ${TEXT}, status: ${TEXT} } }`,
    `{ schema: { type: object, properties: { content: { type: object, properties: { path: ${TEXT}, size: { type: integer } } }, commit: { type: object, properties: { message: ${TEXT} } } } }, example: { content: { path: readme, size: 3 }, commit: { message: first } } }`,
    200,
    key('path'),
  )}
  /messages.send:${op(
    'post',
    `{ type: object, properties: { room: ${TEXT}, text: ${TEXT} } }`,
    `{ schema: { type: object, properties: { ok: { type: boolean }, room: ${TEXT}, message: { type: object, properties: { room: ${TEXT}, text: ${TEXT} } } } }, example: { ok: true, room: r1, message: { room: r1, text: old } } }`,
  )}
  /search:${op(
    'post',
    `{ type: object, properties: { fields: { type: array, items: ${TEXT} } } }`,
    `{ schema: { type: array, items: { type: object, properties: { name: ${TEXT} } } }, example: [{ name: found }] }`,
  )}
`;

describe('a write that no state stands behind shows what was sent', () => {
  test('members of the same name, in whatever case, of the kind that the answer has, at any depth', async () => {
    const app = await serveText(DOCUMENT);
    const sent = { amount: 77, currencyCode: 'EUR', card: { name: 'Ann' }, tags: ['a', 'b'] };
    const { body } = await request(app).post('/payments?page=7').send(sent).expect(201);
    expect(body).toEqual({
      id: 'p1',
      amount: 77,
      currency_code: 'EUR',
      password: 'x',
      status: 'done',
      card: { name: 'Ann', brand: 'visa' },
      tags: [{ name: 'a' }, { name: 'b' }],
    });
  });

  test('in the one object beside scalars, as far as they have no place for it', async () => {
    const app = await serveText(DOCUMENT);
    const { body } = await request(app).post('/messages.send').send({ room: 'r2', text: 'new' }).expect(200);
    expect(body).toEqual({ ok: true, room: 'r2', message: { room: 'r1', text: 'new' } });
  });

  test('a secret is not repeated, and neither is what was not sent', async () => {
    const app = await serveText(DOCUMENT);
    const { body } = await request(app).post('/payments').send({ password: 'hunter2' }).expect(201);
    expect(body).toMatchObject({ password: 'x', amount: 5 });
  });

  test('an entry for each of a list that is called as the path is', async () => {
    const app = await serveText(DOCUMENT);
    const { body } = await request(app)
      .post('/issues/labels')
      .send({ labels: ['urgent'] })
      .expect(200);
    expect(body).toEqual([{ id: 1, name: 'urgent' }]);
  });

  test('what the path says and the body says, each in the part of the envelope that has it', async () => {
    const app = await serveText(DOCUMENT);
    const { body } = await request(app).put('/files/a%2Fb.txt').send({ message: 'second' }).expect(200);
    expect(body).toEqual({ content: { path: 'a/b.txt', size: 3 }, commit: { message: 'second' } });
  });

  test('a list of something else says nothing of the rows that are answered', async () => {
    const app = await serveText(DOCUMENT);
    await request(app)
      .post('/search')
      .send({ fields: ['name'] })
      .expect(200, [{ name: 'found' }]);
  });

  test('an example that was asked for by its name is answered as it is', async () => {
    const app = await serveText(DOCUMENT);
    const asked = request(app).post('/payments').set('Prefer', 'code=201');
    expect((await asked.send({ amount: 77 }).expect(201)).body).toMatchObject({ amount: 5 });
  });
});

test('an item that stands beside other things in the answer of its write is the item', async () => {
  const FILE = `{ type: object, required: [path], properties: { path: ${TEXT}, text: ${TEXT} } }`;
  const app = await serveText(`openapi: 3.0.3
info: { title: Files, version: 1.0.0 }
paths:
  /files:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: ${FILE} } } } } } }
  /files/{path}:
    get: { parameters: [${key('path')}], responses: { '200': { description: ok, content: { application/json: { schema: ${FILE} } } } } }${op(
      'put',
      `{ type: object, properties: { text: ${TEXT}, message: ${TEXT} } }`,
      `{ schema: { type: object, properties: { content: ${FILE}, commit: { type: object, required: [sha], properties: { sha: ${TEXT} } } } } }`,
      201,
      key('path'),
    )}
`);
  const { body } = await request(app).put('/files/a').send({ text: 'hello' }).expect(201);
  expect(body).toMatchObject({ content: { path: 'a', text: 'hello' } });
});
