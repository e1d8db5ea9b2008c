import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const Hook = object({ id: text, url: text }, ['id', 'url']);
const Detailed = object({ id: text, url: text, projects: list(text) }, ['id', 'url', 'projects']);

test('a choice between lists is a list, of the items of which least must be there', async () => {
  const api = smallApi(
    {
      'GET /hooks': { answers: { 200: { oneOf: [list(ref('Detailed')), list(ref('Hook'))] } } },
      'POST /hooks': { body: object({ url: text }), answers: { 200: ref('Hook') } },
      'GET /hooks/{id}': { answers: { 200: ref('Hook'), 404: null } },
    },
    { Hook, Detailed },
  );
  const server = supertest(await serveText(api));
  const { body } = await server.post('/hooks').send({ url: 'https://a.example' }).expect(200);
  await server.get('/hooks').expect(200, [body]);
});

const token = { type: 'string', nullable: true, description: 'Continuation token for the next page.' };
const number = { type: 'number', nullable: true };

test('what stands beside a list in one of several shapes is written in the first of them', async () => {
  const pagination = {
    oneOf: [
      object({ count: whole, next: token }, ['count', 'next']),
      object({ count: whole, next: number, prev: number }, ['count', 'next', 'prev']),
    ],
  };
  const api = smallApi(
    {
      'GET /hooks': { answers: { 200: object({ hooks: list(ref('Hook')), pagination }, ['hooks', 'pagination']) } },
      'POST /hooks': { body: object({ url: text }), answers: { 200: ref('Hook') } },
      'GET /hooks/{id}': { answers: { 200: ref('Hook'), 404: null } },
    },
    { Hook },
  );
  const { send } = mockOfDocument(api);
  await send('POST', '/hooks', { url: 'https://a.example' });
  expect((await send('GET', '/hooks')).body).toMatchObject({ pagination: { count: 1, next: null } });
});

const Variable = object({ id: text, key: text, value: text }, ['key', 'value']);

test('what was made is in the member that is called so, one or a list as it was sent', async () => {
  const sent = object({ key: text, value: text }, ['key', 'value']);
  const api = smallApi(
    {
      'GET /variables': { answers: { 200: object({ variables: list(ref('Variable')) }) } },
      'POST /variables': {
        body: { oneOf: [sent, list(sent)] },
        answers: {
          201: object(
            { created: { oneOf: [ref('Variable'), list(ref('Variable'))] }, failed: list(object({ error: text })) },
            ['created', 'failed'],
          ),
        },
      },
      'GET /variables/{id}': { answers: { 200: ref('Variable'), 404: null } },
    },
    { Variable },
  );
  const server = supertest(await serveText(api));
  const one = await server.post('/variables').send({ key: 'A', value: '1' }).expect(201);
  const { created } = one.body as { created: { id: string } };
  expect(one.body).toEqual({ created: { id: created.id, key: 'A', value: '1' }, failed: [] });
  await server.get(`/variables/${created.id}`).expect(200, created);
  const many = await server
    .post('/variables')
    .send([
      { key: 'B', value: '2' },
      { key: 'C', value: '3' },
    ])
    .expect(201);
  expect(many.body).toMatchObject({ created: [{ key: 'B' }, { key: 'C' }], failed: [] });
});

test('a state under two names changes under both, and what is removed is told by its key', async () => {
  const states = { type: 'string', enum: ['QUEUED', 'READY', 'CANCELED'] };
  const Build = object({ id: text, name: text, status: states, readyState: states }, ['id', 'status', 'readyState']);
  const api = smallApi(
    {
      'GET /builds': { answers: { 200: list(ref('Build')) } },
      'POST /builds': { body: object({ name: text }), answers: { 200: ref('Build') } },
      'GET /builds/{id}': { answers: { 200: ref('Build'), 404: null } },
      'PATCH /builds/{id}/cancel': { answers: { 200: ref('Build'), 404: null } },
      'DELETE /builds/{id}': {
        answers: {
          200: object({ uid: text, state: { type: 'string', enum: ['DELETED'] } }, ['uid', 'state']),
          404: null,
        },
      },
    },
    { Build },
  );
  const server = supertest(await serveText(api));
  const { body } = await server.post('/builds').send({ name: 'a' }).expect(200);
  const { id } = body as { id: string };
  const canceled = await server.patch(`/builds/${id}/cancel`).expect(200);
  expect(canceled.body).toMatchObject({ status: 'CANCELED', readyState: 'CANCELED' });
  await server.delete(`/builds/${id}`).expect(200, { uid: id, state: 'DELETED' });
});

test('a key beside the thing that was sent is of that thing, which may be named', async () => {
  const Project = object({ id: text, name: text }, ['id', 'name']);
  const Release = object({ id: text, project: ref('Project'), projectId: text }, ['id', 'projectId']);
  const api = smallApi(
    {
      'GET /projects': { answers: { 200: list(ref('Project')) } },
      'POST /projects': { body: object({ name: text }), answers: { 200: ref('Project') } },
      'GET /projects/{idOrName}': { answers: { 200: ref('Project'), 404: null } },
      'GET /releases': {
        query: { projectId: text },
        answers: { 200: list(object({ uid: text, projectId: text }, ['uid'])) },
      },
      'POST /releases': { body: object({ project: text }), answers: { 200: ref('Release') } },
      'GET /releases/{id}': { answers: { 200: ref('Release'), 404: null } },
    },
    { Project, Release },
  );
  const server = supertest(await serveText(api));
  const { id: projectId } = (await server.post('/projects').send({ name: 'web' }).expect(200)).body as { id: string };
  const { body } = await server.post('/releases').send({ project: 'web' }).expect(200);
  const { id } = body as { id: string };
  expect(body).toEqual({ id, project: { id: projectId, name: 'web' }, projectId });
  await server.get(`/releases?projectId=${projectId}`).expect(200, [{ uid: id, projectId }]);
});

test('an answer that is one of several shapes tells the key in the shape in which least must be there', async () => {
  const Row = object({ id: text, name: text }, ['id']);
  const told = { oneOf: [object({ uid: text, updated: whole }, ['uid', 'updated']), object({ uid: text }, ['uid'])] };
  const api = smallApi(
    {
      'GET /rows': { answers: { 200: list(ref('Row')) } },
      'POST /rows': { body: object({ name: text }), answers: { 200: told } },
      'GET /rows/{id}': { answers: { 200: ref('Row'), 404: null } },
    },
    { Row },
  );
  const server = supertest(await serveText(api));
  const { body } = await server.post('/rows').send({ name: 'a' }).expect(200);
  const { uid } = body as { uid: string };
  await server.get(`/rows/${uid}`).expect(200, { id: uid, name: 'a' });
});

test('a thing that is made up for a path has the key that the path names', async () => {
  const api = smallApi({ 'GET /users/{user_id}': { answers: { 200: object({ id: text, name: text }, ['id']) } } });
  const server = supertest(await serveText(api));
  const { body } = await server.get('/users/zoe').expect(200);
  expect(body).toMatchObject({ id: 'zoe' });
});
