import request from 'supertest';
import { serveText } from '../../support/serve-text';

const PIN = `content: { application/json: { schema: { $ref: '#/components/schemas/Pin' } } }`;
const DOCUMENT = `openapi: 3.0.3
info: { title: Pins, version: '1' }
paths:
  /names:
    get:
      responses:
        '200':
          description: ok
          headers: { 'Two words': { required: true, schema: { type: string } }, X-Ünlaut: { schema: { type: string } }, X-Good: { schema: { type: string, example: yes it is } } }
  /types:
    get:
      responses:
        '200': { description: ok, content: { 'text/plain; title="針"': { schema: { type: string, example: pin } } } }
  /pins:
    get: { responses: { '200': { description: all, content: { application/vnd.針+json: { schema: { type: array, items: { $ref: '#/components/schemas/Pin' } } } } } } }
    post:
      requestBody: { ${PIN} }
      responses: { '201': { description: made, headers: { 'Two words': { required: true, schema: { type: string } } }, ${PIN} } }
  /pins/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: one, ${PIN} } } }
    put:
      requestBody: { ${PIN} }
      responses: { '200': { description: one, ${PIN} }, '204': { description: changed, ${PIN} } }
    delete: { responses: { default: { description: any, ${PIN} } } }
  /empty:
    get: { responses: { '204': { description: nothing, ${PIN} } } }
  /again:
    post: { responses: { '205': { description: nothing, ${PIN} } } }
components:
  schemas:
    Pin: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`;

test('a header whose name is no token is left out, whether it is required or not', async () => {
  const app = await serveText(DOCUMENT);
  const { headers } = await request(app).get('/names').expect(200).expect('X-Good', 'yes it is');
  expect(Object.keys(headers)).not.toContain('two words');
  await request(app)
    .post('/pins')
    .send({ name: 'a' })
    .expect(201)
    .expect('Location', /\/pins\/1$/);
});

test.each([{}, { Origin: 'http://localhost:5173' }])(
  'a media type that no header can hold is encoded: %j',
  async (page) => {
    const app = await serveText(DOCUMENT);
    const type = 'text/plain; title="%E9%87%9D"';
    await request(app).get('/types').set(page).expect(200).expect('Content-Type', type);
    await request(app)
      .get('/pins')
      .set(page)
      .expect(200)
      .expect('Content-Type', /^application\/vnd\.%E9%87%9D\+json/);
  },
);

test.each(['GET /empty', 'POST /again', 'PUT /pins/1', 'DELETE /pins/1'])(
  'where HTTP has no content none is sent, whatever is documented: %s',
  async (line) => {
    const app = await serveText(DOCUMENT);
    await request(app).post('/pins').send({ name: 'a' });
    const [method = '', path = ''] = line.split(' ');
    const asked = request(app)[method.toLowerCase() as 'get'](path).set('Prefer', 'return=minimal');
    const { status, headers, text } = await (method === 'PUT' ? asked.send({ name: 'b' }) : asked);
    expect([204, 205]).toContain(status);
    expect(headers).not.toHaveProperty('content-type');
    expect(headers['content-length']).toBe(status === 205 ? '0' : undefined);
    expect(text).toBe('');
  },
);
