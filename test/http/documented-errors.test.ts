import supertest from 'supertest';
import { serveText } from '../support/serve-text';

const answer = (schema: object, extra: object = {}): object => ({
  description: 'an answer',
  content: { 'application/json': { schema, ...extra } },
});
const text = { type: 'string' };

const describe = (responses: object): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Small', version: '1.0.0' },
    security: [{ key: [] }],
    paths: { '/report': { get: { responses } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  });

test('an error has what its example has beside the cause, and the cause is the true one', async () => {
  const inner = { type: 'object', properties: { message: text, docs: text, hint: text } };
  const schema = { type: 'object', properties: { error: inner, support: text, code: text } };
  const example = {
    error: { message: 'Somebody else was refused', docs: 'https://docs.example.com/keys' },
    support: 'desk@example.com',
    code: 'old',
  };
  const app = await serveText(describe({ 200: answer({ type: 'object' }), 401: answer(schema, { example }) }));
  const { body } = await supertest(app).get('/report').expect(401);
  expect(body).toMatchObject({
    error: { message: expect.stringContaining('X-Key') as string, docs: 'https://docs.example.com/keys' },
    support: 'desk@example.com',
    code: 'missing_api_key',
  });
});

test('of a oneOf whose schemas are not told apart one is answered, and that is told', async () => {
  const schema = {
    oneOf: [
      { type: 'object', required: ['a'], properties: { a: text } },
      { type: 'object', required: ['a'], properties: { a: text, b: text } },
    ],
  };
  const description = describe({ 200: answer(schema) });
  const app = await serveText(description, { auth: 'off' });
  const { body } = await supertest(app).get('/report').expect(200);
  expect(body).toMatchObject({ a: expect.any(String) as string });
  const [entry] = app.journal();
  expect(JSON.stringify(entry)).toContain('oneOf');
  await supertest(await serveText(description, { auth: 'off', strict: true }))
    .get('/report')
    .expect(500);
});
