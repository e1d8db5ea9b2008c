import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';

const User = object({ id: whole, name: text, login: text, email: text }, ['id']);
const Ticket = object({
  id: whole,
  title: text,
  assignee: ref('User'),
  assignee_id: whole,
  reporterEmail: text,
  reporter: text,
});

test('the key beside an object is that of the item that stands there, and one person has one name', async () => {
  const api = smallApi(
    {
      'GET /users': { answers: { 200: list(ref('User')) } },
      'GET /users/{id}': { answers: { 200: ref('User'), 404: null } },
      'GET /tickets': { answers: { 200: list(ref('Ticket')) } },
      'GET /tickets/{id}': { answers: { 200: ref('Ticket'), 404: null } },
    },
    { User, Ticket },
    { id: whole },
  );
  const server = supertest(await serveText(api, { state: 'seeded' }));
  const users = (await server.get('/users').expect(200)).body as Record<string, unknown>[];
  for (const { name, login, email } of users) {
    const [first, last] = String(name).toLowerCase().split(' ');
    expect(email).toBe(`${first}.${last}@example.com`);
    expect(login).toMatch(new RegExp(`^${first}\\d+$`));
  }
  const tickets = (await server.get('/tickets').expect(200)).body as Record<string, unknown>[];
  for (const { assignee, assignee_id: key, reporter, reporterEmail } of tickets) {
    expect(users).toContainEqual(assignee);
    expect(key).toBe((assignee as { id: number }).id);
    expect(reporterEmail).toBe(`${String(reporter).toLowerCase().replace(' ', '.')}@example.com`);
  }
});
