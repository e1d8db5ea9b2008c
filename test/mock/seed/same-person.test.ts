import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';

const User = object({ id: whole, login: text, name: text, email: text }, ['id', 'login']);
const Me = object({ id: whole, login: text, name: text, email: text, plan: text }, ['id', 'login']);
const Account = object({ username: text, full_name: text, email: text, plan: text });

const seeded = async (me: string, schema: string): Promise<ReturnType<typeof supertest>> =>
  supertest(
    await serveText(
      smallApi(
        {
          [`GET ${me}`]: { answers: { 200: ref(schema) } },
          [`PATCH ${me}`]: { body: object({ plan: text }), answers: { 200: ref(schema) } },
          'GET /users': { answers: { 200: list(ref('User')) } },
          'GET /users/{id}': { answers: { 200: ref('User') } },
          'GET /notes': { answers: { 200: list(ref('Note')) } },
          'GET /notes/{id}': { answers: { 200: ref('Note') } },
        },
        { User, Me, Account, Note: object({ id: whole, author: ref('User'), user_id: whole }) },
        { id: whole },
      ),
      { state: 'seeded' },
    ),
  );

test.each([
  ['/me', 'User'],
  ['/user', 'Me'],
  ['/users/me', 'Me'],
  ['/me', 'Me'],
])(
  'whoever asks is one person in %s (%s), among the others, and as the author of what is there',
  async (me, schema) => {
    const server = await seeded(me, schema);
    const { body: caller } = await server.get(me).expect(200);
    const { id, login, name, email } = caller;
    await server.get(`/users/${id}`).expect(200, { id, login, name, email });
    const { body: notes } = await server.get('/notes').expect(200);
    expect(notes[0]).toMatchObject({ author: { id, login, name, email }, user_id: id });
  },
);

test.each(['/account', '/me', '/profile', '/me/profile'])(
  'a record of the caller in a form of its own tells of the same person: %s',
  async (me) => {
    const server = await seeded(me, 'Account');
    const { body: people } = await server.get('/users').expect(200);
    const [{ login, name, email }] = people;
    const { body: caller } = await server.get(me).expect(200);
    expect(caller).toMatchObject({ username: login, full_name: name, email, plan: expect.any(String) });
  },
);
