import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text } from '../../support/small-api';

test('what is made with the answer of a row is found under its key, where it is read in another shape', async () => {
  const server = supertest(
    await serveText(
      smallApi(
        {
          'GET /rooms': { answers: { 200: object({ rooms: list(ref('Row')) }) } },
          'POST /rooms': { body: object({ name: text, floor: text }, ['name']), answers: { 201: ref('Row') } },
          'GET /rooms/{roomId}': { answers: { 200: object({ basic: object({ name: text, code: text }) }), 404: null } },
          'DELETE /rooms/{roomId}': { answers: { 204: null, 404: null } },
        },
        { Row: object({ id: text, name: text, floor: text, status: text }, ['id']) },
      ),
    ),
  );
  const made = (await server.post('/rooms').send({ name: 'attic', floor: '4' }).expect(201)).body as { id: string };
  expect(made).toMatchObject({ name: 'attic', floor: '4' });
  await server.get(`/rooms/${made.id}`).expect(200);
  const listed = (await server.get('/rooms').expect(200)).body as { rooms: { id: string }[] };
  expect(listed.rooms.map(({ id }) => id)).toContain(made.id);
  await server.delete(`/rooms/${made.id}`).expect(204);
  await server.get(`/rooms/${made.id}`).expect(404);
});
