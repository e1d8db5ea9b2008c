import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text } from '../../support/small-api';

// The base path says what the items are: `/story`, `/story/{id}`.
const CALLS = {
  'GET /': { query: { limit: { type: 'integer' }, offset: { type: 'integer' } }, answers: { 200: list(ref('Story')) } },
  'POST /': { body: ref('Story'), answers: { 201: ref('Story') } },
  'GET /{id}': { answers: { 200: ref('Story'), 404: null } },
  'PUT /{id}': { body: ref('Story'), answers: { 200: ref('Story'), 404: null } },
  'DELETE /{id}': { answers: { 204: null, 404: null } },
  'GET /{id}/notes': { answers: { 200: list(ref('Note')), 404: null } },
  'POST /{id}/notes': { body: ref('Note'), answers: { 201: ref('Note'), 404: null } },
  'GET /{id}/notes/{noteId}': { answers: { 200: ref('Note'), 404: null } },
  'GET /health': { answers: { 200: object({ ok: { type: 'boolean' } }) } },
};
const id = { type: 'string', readOnly: true };
const SCHEMAS = { Story: object({ id, title: text }, ['title']), Note: object({ id, body: text, author: text }) };

function described(servers: readonly object[]): string {
  return JSON.stringify({ ...(JSON.parse(smallApi(CALLS, SCHEMAS)) as object), servers });
}

test.each(['/', '/story', '/v1/story/'])(
  'items right below the base path are those of a collection: %s',
  async (url) => {
    const server = supertest(await serveText(described([{ url }]), { state: 'empty' }));
    const base = url.replace(/\/$/, '');
    const made = await server.post(`${base}/`).send({ title: 'One' }).expect(201);
    const story = made.body as { id: string; title: string };
    expect(story.title).toBe('One');
    await server.get(`${base}/`).expect(200, [story]);
    await server.get(`${base}/${story.id}`).expect(200, story);
    await server.get(new URL(made.headers['location'] as string, 'http://localhost').pathname).expect(200, story);
    await server
      .put(`${base}/${story.id}`)
      .send({ title: 'Two' })
      .expect(200, { ...story, title: 'Two' });
    const { body: note } = await server.post(`${base}/${story.id}/notes`).send({ body: 'n' }).expect(201);
    await server.get(`${base}/${story.id}/notes`).expect(200, [note]);
    await server.get(`${base}/${story.id}/notes/${(note as { id: string }).id}`).expect(200, note as object);
    await server.get(`${base}/none/notes`).expect(404);
    await server.get(`${base}/health`).expect(200);
    const { body: state } = await server.get('/__standin/state').expect(200);
    await server.delete(`${base}/${story.id}`).expect(204);
    await server.get(`${base}/${story.id}`).expect(404);
    await server.get(`${base}/${story.id}/notes`).expect(404);
    await server
      .put('/__standin/state')
      .send(state as object)
      .expect(204);
    await server.get(`${base}/`).expect(200, [{ ...story, title: 'Two' }]);
  },
);

test('what the whole service answers at `/` stays what it is', async () => {
  const api = smallApi(
    {
      'GET /': { answers: { 200: object({ service: text, version: text }) } },
      'GET /{name}': { answers: { 200: ref('Story'), 404: null } },
      'PUT /{name}': { body: ref('Story'), answers: { 200: ref('Story') } },
    },
    SCHEMAS,
  );
  const server = supertest(await serveText(api, { state: 'empty' }));
  const { body } = await server.get('/').expect(200);
  expect(body).toEqual({ service: expect.any(String), version: expect.any(String) });
  await server.put('/a').send({ title: 'T' });
  await server.get('/').expect(200, body as object);
});
