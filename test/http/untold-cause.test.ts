import request from 'supertest';
import { createMockServer } from '../../src/library/create-mock-server';
import { serveText } from '../support/serve-text';

const DOCUMENT = `openapi: 3.1.0
info: { title: Desk, version: 1.0.0 }
paths:
  /notes:
    get:
      parameters: [{ name: 'größe', in: query, schema: { type: integer } }]
      responses:
        '200': { description: ok }
        '400': { description: no, content: { application/json: { schema: { type: object, properties: { ok: { const: false } } } } } }
    head: { responses: { '200': { description: ok } } }
`;

const query = `?${encodeURIComponent('größe')}=much`;

test('a refusal whose body has no room for its cause tells it in a header', async () => {
  const app = await serveText(DOCUMENT);
  const { body, headers } = await request(app).get(`/notes${query}`).set('Origin', 'http://localhost:3000').expect(400);
  expect(body).toEqual({ ok: false });
  expect(headers['x-standin-problem']).toBe(
    'invalid_parameter: The query parameter "gr%C3%B6%C3%9Fe" must be an integer',
  );
  expect(headers['access-control-expose-headers']).toContain('X-Standin-Problem');
});

test('one whose body tells it has no such header', async () => {
  const app = await createMockServer({ auth: 'off' });
  const { body, headers } = await request(app).get('/pets/none').expect(400);
  expect(body).toMatchObject({ code: 'invalid_parameter' });
  expect(headers).not.toHaveProperty('x-standin-problem');
});
