import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument, type SmallMock } from './small-mock';

const User = object({ id: text, login: text, email: text });
const Group = object({ id: text, name: text, about: text });
const nothing = { 204: null, 404: null };

/** Users and groups, of which a PUT puts one into the other. */
function groups(member = 'userId', listed: object = ref('User')): string {
  return smallApi(
    {
      'GET /users': { answers: { 200: list(ref('User')) } },
      'POST /users': { body: ref('User'), answers: { 201: ref('User') } },
      'GET /users/{id}': { answers: { 200: ref('User'), 404: null } },
      'DELETE /users/{id}': { answers: nothing },
      'GET /users/{id}/groups': { answers: { 200: list(ref('Group')) } },
      'GET /groups': { answers: { 200: list(ref('Group')) } },
      'POST /groups': { body: ref('Group'), answers: { 201: ref('Group') } },
      'GET /groups/{groupId}': { answers: { 200: ref('Group'), 404: null } },
      'DELETE /groups/{groupId}': { answers: nothing },
      'GET /groups/{groupId}/users': { answers: { 200: list(listed) } },
      [`PUT /groups/{groupId}/users/{${member}}`]: { answers: nothing },
      [`DELETE /groups/{groupId}/users/{${member}}`]: { answers: nothing },
    },
    { User, Group },
    { id: { type: 'string', description: 'ID or login' }, [member]: { type: 'string' } },
  );
}

async function makeEnds({ send }: SmallMock): Promise<{ user: string; other: string; group: string }> {
  const user = await send('POST', '/users', { login: 'ada', email: 'ada@a.example' });
  const other = await send('POST', '/users', { login: 'bob', email: 'bob@a.example' });
  const group = await send('POST', '/groups', { name: 'first' });
  const idOf = ({ body }: typeof user): string => (body as { id: string }).id;
  return { user: idOf(user), other: idOf(other), group: idOf(group) };
}

test.each(['userId', 'user', 'id', 'member_id'])(
  'PUT …/users/{%s} is seen from both sides, and taken back',
  async (member) => {
    const mock = mockOfDocument(groups(member));
    const { user, other, group } = await makeEnds(mock);
    const { send } = mock;
    expect((await send('PUT', `/groups/${group}/users/${user}`)).status).toBe(204);
    const users = await send('GET', `/groups/${group}/users`);
    expect(users.body).toMatchObject([{ id: user, login: 'ada', email: 'ada@a.example' }]);
    expect((await send('GET', `/users/${user}/groups`)).body).toMatchObject([{ id: group, name: 'first' }]);
    expect((await send('GET', `/users/${other}/groups`)).body).toEqual([]);
    expect((await send('DELETE', `/groups/${group}/users/${user}`)).status).toBe(204);
    expect((await send('GET', `/groups/${group}/users`)).body).toEqual([]);
    expect((await send('GET', `/users/${user}/groups`)).body).toEqual([]);
    expect((await send('GET', `/users/${user}`)).body).toMatchObject({ login: 'ada' });
  },
);

test('both ends must be there, by any of their names', async () => {
  const mock = mockOfDocument(groups());
  const { user, group } = await makeEnds(mock);
  expect((await mock.send('PUT', `/groups/${group}/users/nobody`)).status).toBe(404);
  expect((await mock.send('PUT', `/groups/none/users/${user}`)).status).toBe(404);
  expect((await mock.send('PUT', `/groups/${group}/users/ada`)).status).toBe(204);
  expect((await mock.send('GET', `/groups/${group}/users`)).body).toMatchObject([{ id: user }]);
});

test('what is removed is in no group any more', async () => {
  const mock = mockOfDocument(groups());
  const { user, other, group } = await makeEnds(mock);
  for (const each of [user, other]) await mock.send('PUT', `/groups/${group}/users/${each}`);
  await mock.send('DELETE', `/users/${user}`);
  expect((await mock.send('GET', `/groups/${group}/users`)).body).toMatchObject([{ id: other }]);
  await mock.send('DELETE', `/groups/${group}`);
  expect((await mock.send('GET', `/users/${other}/groups`)).body).toEqual([]);
});

/** Contacts and companies, of which the key of one is sent to the other. */
function attached(listedBy: object = {}): string {
  const Contact = object({ id: text, name: text, ...listedBy });
  const named = { body: object({ name: text }) };
  return smallApi(
    {
      'GET /contacts': { answers: { 200: list(ref('Contact')) } },
      'POST /contacts': { ...named, answers: { 201: ref('Contact') } },
      'GET /contacts/{id}': { answers: { 200: ref('Contact') } },
      'GET /contacts/{contact_id}/companies': { answers: { 200: list(ref('Company')) } },
      'POST /contacts/{contact_id}/companies': { body: object({ id: text }, ['id']), answers: { 200: ref('Company') } },
      'DELETE /contacts/{contact_id}/companies/{id}': { answers: { 200: ref('Company') } },
      'GET /companies': { answers: { 200: list(ref('Company')) } },
      'POST /companies': { ...named, answers: { 201: ref('Company') } },
      'GET /companies/{id}': { answers: { 200: ref('Company') } },
      'GET /companies/{company_id}/contacts': { answers: { 200: list(ref('Contact')) } },
    },
    { Contact, Company: object({ id: text, name: text, size: { type: 'integer' } }) },
  );
}

test.each([
  ['nothing', {}],
  ['a list of its own', { companies: object({ data: list(object({ id: text })) }) }],
])('what takes a key is seen from the other end, where that shows %s', async (_, listedBy) => {
  const { send } = mockOfDocument(attached(listedBy));
  const made = async (path: string, name: string): Promise<string> =>
    ((await send('POST', path, { name })).body as { id: string }).id;
  const [ann, bob] = [await made('/contacts', 'ann'), await made('/contacts', 'bob')];
  const [first, second] = [await made('/companies', 'first'), await made('/companies', 'second')];
  for (const each of [ann, bob]) await send('POST', `/contacts/${each}/companies`, { id: second });
  await send('POST', `/contacts/${ann}/companies`, { id: first });
  const namesIn = async (path: string): Promise<string[]> =>
    ((await send('GET', path)).body as { name: string }[]).map(({ name }) => name);
  expect(await namesIn(`/companies/${second}/contacts`)).toEqual(['ann', 'bob']);
  expect(await namesIn(`/companies/${first}/contacts`)).toEqual(['ann']);
  expect(await namesIn(`/contacts/${ann}/companies`)).toEqual(['first', 'second']);
  await send('DELETE', `/contacts/${ann}/companies/${second}`);
  expect(await namesIn(`/companies/${second}/contacts`)).toEqual(['bob']);
});
