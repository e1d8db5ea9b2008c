import request from 'supertest';
import { serveText } from '../../support/serve-text';

const headers = (more: string): string =>
  `headers: { X-Trace: { required: true, schema: { type: string, example: t1 } }, ${more} }`;
const cup = `content: { application/json: { schema: { $ref: '#/components/schemas/Cup' } } }`;
const DOCUMENT = `openapi: 3.0.3
info: { title: Cups, version: '1' }
paths:
  /cups:
    get:
      responses:
        '200':
          description: all
          ${headers('X-Total-Count: { required: true, schema: { type: integer } }, X-Spare: { schema: { type: string } }')}
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Cup' } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Cup' } } } }
      responses: { '201': { description: made, ${headers('Location: { required: true, schema: { type: string } }')}, ${cup} } }
  /cups/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: one, ${cup} }, '404': { description: none, ${headers('')} } } }
    patch:
      requestBody: { content: { application/merge-patch+json: { schema: { type: object } }, application/json-patch+json: { schema: { type: array } } } }
      responses: { '200': { description: one, ${cup} }, '415': { description: no } }
components:
  schemas:
    Cup: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`;

test('answers from the state have the headers that they must have, the known ones with what is true', async () => {
  const app = await serveText(DOCUMENT);
  const made = await request(app).post('/cups').send({ name: 'a' }).expect(201).expect('X-Trace', 't1');
  expect(made.headers['location']).toMatch(/\/cups\/1$/);
  const list = await request(app).get('/cups').expect('X-Trace', 't1').expect('X-Total-Count', '1');
  expect(list.headers).not.toHaveProperty('x-spare');
  await request(app).head('/cups').expect('X-Trace', 't1');
  await request(app).get('/cups/2').expect(404).expect('X-Trace', 't1');
});

test('a 415 to a PATCH tells which kinds of patch are known', async () => {
  const app = await serveText(DOCUMENT);
  await request(app)
    .patch('/cups/1')
    .set('Content-Type', 'text/plain')
    .send('x')
    .expect(415)
    .expect('Accept-Patch', 'application/merge-patch+json, application/json-patch+json');
});

test('headers with content are JSON or text, and exploded objects have equals signs', async () => {
  const point = { type: 'object', required: ['x'], properties: { x: { type: 'integer' } } };
  const json = (entry: object): object => ({ required: true, content: { 'application/json': entry } });
  const app = await serveText(
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Points', version: '1' },
      paths: {
        '/points': {
          get: {
            responses: {
              204: {
                description: 'ok',
                headers: {
                  'X-Shown': json({ schema: point, example: { x: 1 } }),
                  'X-Named': json({ examples: { a: { value: [1, 'b'] } } }),
                  'X-Made': json({ schema: { $ref: '#/components/schemas/Point' } }),
                  'X-List': json({ schema: { type: 'array', minItems: 1, items: { type: 'integer' } } }),
                  'X-Text': { content: { 'text/plain': { schema: { type: 'string' }, example: 'hello' } } },
                  'X-Pairs': { schema: point, example: { x: 2, y: 3 } },
                  'X-Equals': { schema: point, explode: true, examples: { one: { value: { x: 2, y: 3 } } } },
                  'X-Null': { schema: { type: 'integer', nullable: true, example: null } },
                },
              },
            },
          },
        },
      },
      components: { schemas: { Point: point } },
    }),
  );
  const { headers } = await request(app).get('/points').expect(204);
  expect(headers).toMatchObject({
    'x-shown': '{"x":1}',
    'x-named': '[1,"b"]',
    'x-made': expect.stringMatching(/^\{"x":-?\d+\}$/),
    'x-list': expect.stringMatching(/^\[-?\d+/),
    'x-text': 'hello',
    'x-pairs': 'x,2,y,3',
    'x-equals': 'x=2,y=3',
  });
  expect(headers).not.toHaveProperty('x-null');
});
