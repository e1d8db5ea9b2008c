import request from 'supertest';
import { serveText } from '../../support/serve-text';

/** What is sent may say more than what is read. */
const documentWith = (item: string): string => `openapi: 3.0.3
info: { title: Store, version: 1.0.0 }
paths:
  /boxes:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Box' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string }, size: { type: integer } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } } } }
  /boxes/{name}:
    get:
      parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } } }, '404': { description: no } }
components:
  schemas:
    Box: ${item}
`;

const NAMED = documentWith(
  "{ type: object, required: [name], properties: { name: { type: string, pattern: '^[a-z]{3,8}$' }, size: { type: integer } } }",
);

describe('a key that no item can have', () => {
  test('is not given to an item; the answer says so', async () => {
    const app = await serveText(NAMED);
    const { body, headers } = await request(app).post('/boxes').send({ name: 'NOT GOOD', size: 1 }).expect(201);
    const { name } = body as { name: string };
    expect(name).toMatch(/^[a-z]{3,8}$/);
    expect(body).toEqual({ name, size: 1 });
    expect(headers['x-standin-problem']).toContain('/name must match');
    const warning = { code: 'invalid_result', message: expect.stringContaining('/name must match') as string };
    expect(app.journal().at(-1)).toMatchObject({ status: 201, warnings: [warning] });
    await request(app).get(`/boxes/${name}`).expect(200);
  });

  test('refuses the request where strict handling is asked for', async () => {
    const app = await serveText(NAMED);
    await request(app).post('/boxes').set('Prefer', 'handling=strict').send({ name: 'NOT GOOD' }).expect(422);
    await request(app).get('/boxes').expect(200, []);
  });

  test('one that items can have is kept', async () => {
    const app = await serveText(NAMED);
    const { body, headers } = await request(app).post('/boxes').send({ name: 'good' }).expect(201);
    expect(body).toEqual({ name: 'good' });
    expect(headers).not.toHaveProperty('x-standin-problem');
  });
});

describe('what requests let in and answers do not let out', () => {
  const LARGE = documentWith(
    '{ type: object, minProperties: 3, properties: { name: { type: string }, size: { type: integer } } }',
  );

  test('is told by every answer that shows it', async () => {
    const app = await serveText(LARGE);
    await request(app).get('/boxes').expect(200);
    const made = await request(app).post('/boxes').send({ name: 'a' }).expect(201);
    const read = await request(app).get('/boxes/a').expect(200);
    const listed = await request(app).get('/boxes').expect(200);
    for (const { headers } of [made, read, listed]) expect(headers['x-standin-problem']).toMatch(/^invalid_response: /);
    expect((await request(app).get('/__standin/health')).body).toMatchObject({ violations: 3 });
  });

  test('is an answer 500 with --strict', async () => {
    const app = await serveText(LARGE, { strict: true });
    await request(app).post('/boxes').send({ name: 'a' }).expect(500);
    await request(app).get('/boxes').expect(200, []);
  });
});
