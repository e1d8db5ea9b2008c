import request from 'supertest';
import { serveText } from '../../support/serve-text';
import { answers, inPath, takes } from '../../support/flow';

const LABEL =
  '{ type: object, required: [id, name, color], properties: { id: { type: integer }, name: { type: string }, color: { type: string } } }';
const ISSUE = `{ type: object, required: [id, labels], properties: { id: { type: integer }, title: { type: string }, tags: { type: array, items: { type: string } }, labels: { type: array, items: { oneOf: [{ type: string }, ${LABEL}] } } } }`;
const LABELS = `{ type: array, items: ${LABEL} }`;
const NAMES =
  '{ oneOf: [{ type: object, properties: { labels: { type: array, items: { type: string } } } }, { type: array, items: { type: string } }] }';

const DOCUMENT = `openapi: 3.1.0
info: { title: Issues, version: 1.0.0 }
paths:
  /labels:
    get: { ${answers(LABELS)} }
    post: { ${takes('{ type: object, properties: { name: { type: string }, color: { type: string } } }')}, ${answers(LABEL, 201)} }
  /labels/{name}:
    parameters: [${inPath('name', 'string')}]
    get: { ${answers(LABEL)} }
  /issues:
    get: { ${answers(`{ type: array, items: ${ISSUE} }`)} }
    post: { ${takes('{ type: object, properties: { title: { type: string }, labels: { type: array, items: { type: string } } } }')}, ${answers(ISSUE, 201)} }
  /issues/{id}:
    parameters: [${inPath('id')}]
    get: { ${answers(ISSUE)} }
  /issues/{id}/labels:
    parameters: [${inPath('id')}]
    get:
      parameters: [{ name: page, in: query, schema: { type: integer } }, { name: per_page, in: query, schema: { type: integer } }]
      ${answers(LABELS)}
    post: { ${takes(NAMES)}, ${answers(LABELS)} }
    put: { ${takes(NAMES)}, ${answers(LABELS)} }
    delete: { responses: { '204': { description: none left } } }
  /issues/{id}/labels/{name}:
    parameters: [${inPath('id')}, ${inPath('name', 'string')}]
    delete: { ${answers(LABELS)} }
  /issues/{id}/tags:
    parameters: [${inPath('id')}]
    post: { ${takes('{ type: object, properties: { tags: { type: array, items: { type: string } } } }')}, ${answers(ISSUE, 201)} }
    delete: { ${takes('{ type: object, properties: { tags: { type: array, items: { type: string } } } }')}, ${answers(ISSUE)} }
  /issues/{id}/tags/{tag}:
    parameters: [${inPath('id')}, ${inPath('tag', 'string')}]
    get: { responses: { '204': { description: there }, '404': { description: not there } } }
    put: { responses: { '204': { description: put there } } }
`;

const named = (...names: string[]) => names.map((name) => expect.objectContaining({ name }) as unknown);

async function withIssue(): Promise<ReturnType<typeof request>> {
  const app = request(await serveText(DOCUMENT));
  await app.post('/labels').send({ name: 'urgent', color: 'red' }).expect(201);
  await app
    .post('/issues')
    .send({ title: 'a', labels: ['bug'] })
    .expect(201);
  await app.post('/issues').send({ title: 'b', labels: [] }).expect(201);
  return app;
}

describe('a list that is a property of an item and a place below it', () => {
  test('shows what the item was made with, and only of that item', async () => {
    const app = await withIssue();
    expect((await app.get('/issues/1/labels').expect(200)).body).toEqual(named('bug'));
    await app.get('/issues/2/labels').expect(200, []);
    await app.get('/issues/9/labels').expect(404);
  });

  test('is added to, once each, with what is kept of an entry elsewhere', async () => {
    const app = await withIssue();
    const { body } = await app
      .post('/issues/1/labels')
      .send({ labels: ['urgent', 'bug'] })
      .expect(200);
    expect(body).toEqual(named('bug', 'urgent'));
    expect(body).toContainEqual(expect.objectContaining({ name: 'urgent', color: 'red' }));
    await app.get('/issues/1/labels').expect(200, body as object);
    expect((await app.get('/issues/1')).body).toMatchObject({ title: 'a', labels: named('bug', 'urgent') });
    expect((await app.get('/issues/2')).body).toMatchObject({ labels: [] });
  });

  test('is replaced, loses an entry or all, and leaves the entries of the collection alone', async () => {
    const app = await withIssue();
    expect((await app.put('/issues/1/labels').send(['x', 'y', 'urgent']).expect(200)).body).toEqual(
      named('x', 'y', 'urgent'),
    );
    expect((await app.delete('/issues/1/labels/urgent').expect(200)).body).toEqual(named('x', 'y'));
    await app.delete('/issues/1/labels/urgent').expect(404);
    await app.get('/labels/urgent').expect(200);
    await app.delete('/issues/1/labels').expect(204);
    await app.get('/issues/1/labels').expect(200, []);
  });

  test('comes in pages where they are declared', async () => {
    const app = await withIssue();
    await app.put('/issues/1/labels').send(['a', 'b', 'c']).expect(200);
    expect((await app.get('/issues/1/labels?per_page=2')).body).toEqual(named('a', 'b'));
    expect((await app.get('/issues/1/labels?per_page=2&page=2')).body).toEqual(named('c'));
    await app.get('/issues/1/labels?per_page=2&page=3').expect(200, []);
  });

  test('is of plain texts as well, and the item is answered where that is declared', async () => {
    const app = await withIssue();
    const { body } = await app
      .post('/issues/1/tags')
      .send({ tags: ['p', 'q'] })
      .expect(201);
    expect(body).toMatchObject({ id: 1, tags: ['p', 'q'] });
    await app.get('/issues/1/tags/p').expect(204);
    await app.get('/issues/1/tags/z').expect(404);
    await app.put('/issues/1/tags/z').expect(204);
    await app.get('/issues/1/tags/z').expect(204);
    expect(
      (
        await app
          .delete('/issues/1/tags')
          .send({ tags: ['p'] })
          .expect(200)
      ).body,
    ).toMatchObject({ tags: ['q', 'z'] });
  });
  test('loses nothing where a body says what, and the version of the description gives it no meaning', async () => {
    const app = request(await serveText(DOCUMENT.replace('3.1.0', '3.0.3')));
    await app.post('/issues').send({ title: 'a', labels: [] }).expect(201);
    await app
      .post('/issues/1/tags')
      .send({ tags: ['p'] })
      .expect(201);
    await app.delete('/issues/1/tags').send({ tags: ['q'] });
    expect((await app.get('/issues/1').expect(200)).body).toMatchObject({ tags: ['p'] });
  });
});
