import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text } from '../../support/small-api';

const API = smallApi(
  {
    'GET /servers': { answers: { 200: list(ref('Server')) } },
    'GET /servers/{server_id}': { answers: { 200: ref('Server'), 404: null } },
    'GET /servers/{server_id}/statistics': { answers: { 200: list(object({ name: text })) } },
    'GET /servers/{server_id}/zones': { answers: { 200: list(ref('Zone')) } },
    'POST /servers/{server_id}/zones': { body: ref('Zone'), answers: { 201: ref('Zone') } },
    'GET /servers/{server_id}/zones/{zone_id}': { answers: { 200: ref('Zone'), 404: null } },
    'DELETE /servers/{server_id}/zones/{zone_id}': { answers: { 204: null } },
    'GET /servers/{server_id}/zones/{zone_id}/keys': { answers: { 200: list(object({ id: text })) } },
  },
  { Server: object({ id: text, type: text }, ['id', 'type']), Zone: object({ id: text, name: text }) },
);

test('an item that no operation makes is there once a path names it on its way', async () => {
  const server = supertest(await serveText(API));
  await server.get('/servers/localhost').expect(404);
  const { body } = (await server.post('/servers/localhost/zones').send({ name: 'a.' }).expect(201)) as {
    body: { id: string };
  };
  await server.get(`/servers/localhost/zones/${body.id}`).expect(200);
  await server.get('/servers/localhost').expect(200);
  expect((await server.get('/servers').expect(200)).body).toMatchObject([{ id: 'localhost' }]);
  const first = await server.get('/servers/other/statistics').expect(200);
  expect(first.headers['x-standin-problem']).toMatch(/^parent_named: .*"other".*no operation makes/);
  expect((await server.get('/servers/other/statistics').expect(200)).headers['x-standin-problem']).toBeUndefined();
  // One that can be made is there when it was.
  await server.get('/servers/localhost/zones/nowhere/keys').expect(404);
});

test('it came to be in the sandbox that named it, and the journal tells so', async () => {
  const app = await serveText(API);
  const server = supertest(app);
  const inside = { 'X-Standin-Sandbox': 'a' };
  await server.get('/servers/other/statistics').set(inside).expect(200);
  await server.get('/servers/other').set(inside).expect(200);
  await server.get('/servers/other').expect(404);
  expect(app.sandbox('a').journal()[0]).toMatchObject({ changes: [{ collection: '/servers', key: 'other' }] });
});

test('a request that finds nothing further down leaves none of it', async () => {
  const server = supertest(await serveText(API));
  await server.get('/servers/other/zones/nowhere/keys').expect(404);
  await server.get('/servers/other').expect(404);
});

test('with strict parents, or strict handling, it is not', async () => {
  const strict = supertest(await serveText(API, { strictParents: true }));
  await strict.get('/servers/localhost/zones').expect(404);
  const server = supertest(await serveText(API));
  await server.get('/servers/localhost/zones').set('Prefer', 'handling=strict').expect(404);
});

test('an item is found by its name where the description says that one will do, and the caller by the word for it', async () => {
  const api = JSON.parse(
    smallApi(
      {
        'GET /boxes': { answers: { 200: list(ref('Box')) } },
        'POST /boxes': { body: object({ Name: text }), answers: { 201: ref('Box') } },
        'GET /boxes/{id}': { answers: { 200: ref('Box'), 404: null } },
        'DELETE /boxes/{id}': { answers: { 204: null } },
        'GET /users': { answers: { 200: list(ref('User')) } },
        'POST /users': { body: ref('User'), answers: { 201: ref('User') } },
        'GET /users/{user_gid}': { answers: { 200: ref('User'), 404: null } },
      },
      { Box: object({ Id: text, Name: text }, ['Id']), User: object({ gid: text, name: text }) },
    ),
  ) as { paths: Record<string, { get: { parameters: { description?: string }[] } }> };
  api.paths['/boxes/{id}']!.get.parameters[0]!.description = 'ID or name of the box';
  api.paths['/users/{user_gid}']!.get.parameters[0]!.description = 'The gid of a user, or the string "me"';
  const server = supertest(await serveText(JSON.stringify(api)));
  const made = await server.post('/boxes').send({ Name: 'tin' }).expect(201);
  await server.get('/boxes/tin').expect(200, made.body as object);
  await server.delete('/boxes/tin').expect(204);
  await server.get('/boxes/tin').expect(404);
  await server.get('/users/me').expect(404);
  const user = await server.post('/users').send({ name: 'Ada' }).expect(201);
  await server.get('/users/me').expect(200, user.body as object);
});

test('a PUT to a key that the client chose makes the item, unless the description forbids it', async () => {
  const server = supertest(
    await serveText(
      smallApi(
        {
          'GET /notes/{name}': { answers: { 200: ref('Note') } },
          'PUT /notes/{name}': { body: ref('Note'), answers: { 200: ref('Note') } },
          'DELETE /notes/{name}': { answers: { 204: null } },
          'GET /pages/{name}': { answers: { 200: ref('Note') } },
          'PUT /pages/{name}': { body: ref('Note'), answers: { 200: ref('Note'), 404: null } },
        },
        { Note: object({ name: text, text }, ['name']) },
      ),
    ),
  );
  await server.put('/notes/a').send({ name: 'a', text: 'x' }).expect(200);
  await server.get('/notes/a').expect(200, { name: 'a', text: 'x' });
  await server.put('/pages/a').send({ name: 'a', text: 'x' }).expect(404);
});

test('an account in which somebody signs in by its name is there, though accounts can be made', async () => {
  const api = JSON.parse(
    smallApi(
      {
        'POST /accounts': { body: object({ name: text }), answers: { 201: ref('Account') } },
        'GET /accounts/{account_id}': { answers: { 200: ref('Account'), 404: null } },
        'GET /accounts/{account_id}/calls': { answers: { 200: list(object({ id: text })), 404: null } },
      },
      { Account: object({ id: text, name: text }, ['id']) },
    ),
  ) as { components: object; security: object[] };
  api.components = { ...api.components, securitySchemes: { own: { type: 'http', scheme: 'basic' } } };
  api.security = [{ own: [] }];
  const server = supertest(await serveText(JSON.stringify(api), { auth: 'any' }));
  const first = await server.get('/accounts/ac1/calls').auth('ac1', 'x').expect(200);
  expect(first.headers['x-standin-problem']).toMatch(/^parent_named: .*"ac1".*signs in with it/);
  await server.get('/accounts/ac1').auth('ac1', 'x').expect(200);
  await server.get('/accounts/ac2/calls').auth('ac1', 'x').expect(404);
  const strict = supertest(await serveText(JSON.stringify(api), { auth: 'any', strictParents: true }));
  await strict.get('/accounts/ac1/calls').auth('ac1', 'x').expect(404);
});

const LISTS = smallApi(
  {
    'GET /users/@me/lists': { answers: { 200: list(ref('List')) } },
    'POST /users/@me/lists': { body: ref('List'), answers: { 201: ref('List') } },
    'GET /users/@me/lists/{list}': { answers: { 200: ref('List'), 404: null } },
    'DELETE /users/@me/lists/{list}': { answers: { 204: null } },
    'GET /lists/{list}/tasks': { answers: { 200: list(ref('Task')), 404: null } },
    'POST /lists/{list}/tasks': { body: ref('Task'), answers: { 201: ref('Task'), 404: null } },
    'GET /lists/{list}/tasks/{task}': { answers: { 200: ref('Task'), 404: null } },
  },
  { List: object({ id: text, title: text }), Task: object({ id: text, title: text }) },
);

test('items may lie below what stands at another path, by its word and the name of its variable', async () => {
  const server = supertest(await serveText(LISTS, { state: 'seeded' }));
  const { body } = await server.post('/users/@me/lists').send({ title: 'Home' }).expect(201);
  const { id } = body as { id: string };
  await server.get(`/lists/${id}/tasks`).expect(200, []);
  const made = await server.post(`/lists/${id}/tasks`).send({ title: 'Wash' }).expect(201);
  await server.get(`/lists/${id}/tasks`).expect(200, [made.body]);
  await server.post('/lists/none/tasks').send({ title: 'Wash' }).expect(404);
  await server.delete(`/users/@me/lists/${id}`).expect(204);
  await server.get(`/lists/${id}/tasks`).expect(404);
});
