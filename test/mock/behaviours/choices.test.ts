import request from 'supertest';
import { serveText } from '../../support/serve-text';
import { answers, takes } from '../../support/flow';

const RELEASE =
  '{ type: object, required: [id, tag_name], properties: { id: { type: integer }, tag_name: { type: string }, created_at: { type: string, format: date-time } } }';
const REF = '{ type: object, required: [ref], properties: { ref: { type: string }, sha: { type: string } } }';
const key = (name: string): string =>
  `parameters: [{ name: ${name}, in: path, required: true, schema: { type: string } }]`;

const DOCUMENT = `openapi: 3.0.3
info: { title: Releases, version: 1.0.0 }
paths:
  /releases:
    get: { ${answers(`{ type: array, items: ${RELEASE} }`)} }
    post: { ${takes('{ type: object, properties: { tag_name: { type: string } } }')}, ${answers(RELEASE, 201)} }
  /releases/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers(RELEASE)} }
    delete: { responses: { '204': { description: gone } } }
  /releases/latest:
    get: { ${answers(RELEASE)} }
  /releases/tags/{tag}:
    ${key('tag')}
    get: { ${answers(RELEASE)} }
  /git/refs:
    post: { ${takes(`{ type: object, required: [ref], properties: { ref: { type: string }, sha: { type: string } } }`)}, ${answers(REF, 201)} }
  /git/ref/{ref}:
    ${key('ref')}
    get: { ${answers(REF)} }
  /git/refs/{ref}:
    ${key('ref')}
    patch: { ${takes('{ type: object, properties: { sha: { type: string } } }')}, ${answers(REF)} }
    delete: { responses: { '204': { description: gone } } }
`;

describe('an item that is named by something else than its key', () => {
  test('is the one that was made last at /latest, and 404 where there is none', async () => {
    const app = await serveText(DOCUMENT);
    await request(app).get('/releases/latest').expect(404);
    for (const tag_name of ['v1', 'v2']) await request(app).post('/releases').send({ tag_name }).expect(201);
    const { body } = await request(app).get('/releases/latest').expect(200);
    expect(body).toMatchObject({ tag_name: 'v2' });
    await request(app)
      .delete(`/releases/${(body as { id: number }).id}`)
      .expect(204);
    expect((await request(app).get('/releases/latest').expect(200)).body).toMatchObject({ tag_name: 'v1' });
  });

  test('is found by the member that the path names', async () => {
    const app = await serveText(DOCUMENT);
    const made = await request(app).post('/releases').send({ tag_name: 'v1' }).expect(201);
    await request(app).get('/releases/tags/v1').expect(200, made.body);
    await request(app).get('/releases/tags/v9').expect(404);
  });

  test('may be asked for without the beginning of its key that the path has already', async () => {
    const app = await serveText(DOCUMENT);
    await request(app).post('/git/refs').send({ ref: 'refs/heads/main', sha: 'a' }).expect(201);
    await request(app).get('/git/ref/heads%2Fmain').expect(200, { ref: 'refs/heads/main', sha: 'a' });
    await request(app)
      .patch('/git/refs/heads%2Fmain')
      .send({ sha: 'b' })
      .expect(200, { ref: 'refs/heads/main', sha: 'b' });
    await request(app).delete('/git/refs/heads%2Fmain').expect(204);
    await request(app).get('/git/ref/heads%2Fmain').expect(404);
  });
});

test('a list that is sent where items hold a page of it is that page', async () => {
  const LINE =
    '{ type: object, required: [id, price], properties: { id: { type: string }, price: { type: object, required: [id], properties: { id: { type: string } } } } }';
  const ORDER = `{ type: object, required: [id, items], properties: { id: { type: string }, items: { type: object, required: [data, has_more, object], properties: { object: { type: string, enum: [list] }, data: { type: array, items: ${LINE} }, has_more: { type: boolean }, total_count: { type: integer } } } } }`;
  const app = await serveText(`openapi: 3.0.3
info: { title: Orders, version: 1.0.0 }
paths:
  /orders:
    post: { ${takes('{ type: object, properties: { items: { type: array, items: { type: object, properties: { price: { type: string } } } } } }')}, ${answers(ORDER, 201)} }
  /orders/{id}:
    ${key('id')}
    get: { ${answers(ORDER)} }
`);
  const { body } = await request(app)
    .post('/orders')
    .send({ items: [{ price: 'p1' }, { price: 'p2' }] })
    .expect(201);
  const { id, items } = body as { id: string; items: { data: unknown[] } };
  expect(items).toMatchObject({ object: 'list', has_more: false, total_count: 2 });
  expect(items.data).toMatchObject([{ price: { id: 'p1' } }, { price: { id: 'p2' } }]);
  await request(app).get(`/orders/${id}`).expect(200, body);
});
