import request from 'supertest';
import { partsOfText, serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf } from './small-mock';

const User = object({ id: { ...whole, readOnly: true }, name: text, bio: text }, ['id', 'name']);

const described = (self: string, own = ref('User')): string =>
  smallApi(
    {
      'GET /users': { answers: { 200: list(ref('User')) } },
      'POST /users': { body: ref('User'), answers: { 201: ref('User') } },
      'GET /users/{id}': { answers: { 200: ref('User'), 404: null } },
      'DELETE /users/{id}': { answers: { 204: null } },
      [`GET ${self}`]: { answers: { 200: own } },
      [`PATCH ${self}`]: { body: object({ name: text, bio: text, locale: text }), answers: { 200: own } },
    },
    { User, Private: object({ id: { ...whole, readOnly: true }, name: text, bio: text, locale: text }, ['id']) },
    { id: whole },
  );

test.each(['/me', '/user', '/users/me', '/self', '/users/@me'])('%s is one of the users', async (self) => {
  const app = await serveText(described(self), { state: 'seeded' });
  const { body: me } = (await request(app).get(self).expect(200)) as { body: { id: number } };
  const { body: same } = await request(app).get(`/users/${me.id}`).expect(200);
  expect(same).toEqual(me);
  await request(app).patch(self).send({ bio: 'new' }).expect(200);
  const { body: users } = await request(app).get('/users').expect(200);
  expect(users).toContainEqual({ ...me, bio: 'new' });
  await request(app).post('/users').send({ name: 'b' }).expect(201);
  expect((await request(app).get(self).expect(200)).body).toMatchObject({ id: me.id });
  await request(app).delete(`/users/${me.id}`).expect(204);
  await request(app).get(self).expect(404);
});

test('where there is nobody, whoever asks comes to be', async () => {
  const { send } = mockOfDocument(described('/me'));
  const me = objectOf(await send('PATCH', '/me', { name: 'a' }));
  expect((await send('GET', '/users')).body).toEqual([me]);
  expect(objectOf(await send('GET', `/users/${me['id'] as number}`))).toMatchObject({ name: 'a' });
});

test('what is told of whoever asks alone is kept, and shown there', async () => {
  const { send } = mockOfDocument(described('/me', ref('Private')));
  await send('POST', '/users', { name: 'a' });
  await send('PATCH', '/me', { locale: 'fr', bio: 'b' });
  expect(objectOf(await send('GET', '/me'))).toMatchObject({ id: 1, name: 'a', bio: 'b', locale: 'fr' });
  expect(objectOf(await send('GET', '/users/1'))).toEqual({ id: 1, name: 'a', bio: 'b' });
});

test('what is below whoever asks is found under the name of that user', async () => {
  const app = await serveText(
    smallApi(
      {
        'GET /users': { answers: { 200: list(ref('User')) } },
        'GET /users/{login}': { answers: { 200: ref('User') } },
        'GET /user': { answers: { 200: ref('User') } },
        'POST /user/repos': { body: object({ name: text }, ['name']), answers: { 201: ref('Repo') } },
        'GET /user/repos': { answers: { 200: list(ref('Repo')) } },
        'GET /repos/{owner}/{repo}': { answers: { 200: ref('Repo') } },
        'DELETE /repos/{owner}/{repo}': { answers: { 204: null } },
      },
      {
        User: object({ login: text, name: text }, ['login']),
        Repo: object({ name: text, owner: ref('User') }, ['name', 'owner']),
      },
    ),
    { state: 'seeded' },
  );
  const { body: me } = (await request(app).get('/user').expect(200)) as { body: { login: string } };
  await request(app).post('/user/repos').send({ name: 'lib' }).expect(201);
  const { body: repo } = await request(app).get(`/repos/${me.login}/lib`).expect(200);
  expect(repo).toMatchObject({ name: 'lib', owner: { login: me.login } });
});

test.each([
  ['another thing', object({ plan: text, seats: whole, name: text })],
  ['a thing without the key', object({ name: text, bio: text })],
])('%s stays a record of its own', async (_, own) => {
  const { mock } = await partsOfText(described('/account', own));
  expect(mock.model.resources.map(({ path }) => path)).toContain('/account');
});

test('an operation that is said to read stays a record of its own', async () => {
  const { mock } = await partsOfText(described('/me'), {
    overrides: { operations: { 'GET /me': { behaviour: 'read' } } },
  });
  expect(mock.model.resources.map(({ path }) => path)).toContain('/me');
});
