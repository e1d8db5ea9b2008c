import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';

const TEAM = object({ id: whole, name: text, slug: text }, ['id', 'name', 'slug']);
const API = smallApi(
  {
    'GET /teams/{team_id}': { answers: { 200: ref('Team'), 404: null } },
    'GET /orgs/{org}/teams': { answers: { 200: list(ref('Team')) } },
    'POST /orgs/{org}/teams': { body: object({ name: text }, ['name']), answers: { 201: ref('Team') } },
    'GET /orgs/{org}/teams/{team_slug}': { answers: { 200: ref('Team'), 404: null } },
    'GET /orgs/{org}/teams/{team_slug}/members': { answers: { 200: list(object({ login: text })), 404: null } },
    'PUT /orgs/{org}/teams/{team_slug}/members/{login}': { answers: { 204: null, 404: null } },
    'GET /orgs/{org}/teams/{team_slug}/members/{login}': { answers: { 204: null, 404: null } },
    'DELETE /orgs/{org}/teams/{team_slug}': { answers: { 204: null, 404: null } },
  },
  { Team: TEAM },
  { team_id: whole },
);

test('an item is found under the name that a path calls it by, as well as under its key', async () => {
  const server = supertest(await serveText(API));
  const { body } = await server.post('/orgs/acme/teams').send({ name: 'Night Shift' }).expect(201);
  const team = body as { id: number; slug: string };
  expect(team.slug).toBe('night-shift');
  await server.get('/orgs/acme/teams/night-shift').expect(200, team);
  await server.get(`/teams/${team.id}`).expect(200, team);
  await server.put('/orgs/acme/teams/night-shift/members/ada').expect(204);
  await server.get('/orgs/acme/teams/night-shift/members/ada').expect(204);
  await server.get('/orgs/acme/teams/day-shift').expect(404);
  await server.delete('/orgs/acme/teams/night-shift').expect(204);
  await server.get('/orgs/acme/teams/night-shift').expect(404);
});

test('names of which the description says that either will do are the same item', async () => {
  const api = JSON.parse(
    smallApi(
      {
        'POST /groups': { body: object({ name: text }), answers: { 201: ref('Group') } },
        'GET /groups': { answers: { 200: list(ref('Group')) } },
        'GET /groups/{group}': { answers: { 200: ref('Group'), 404: null } },
      },
      { Group: object({ slug: text, id: whole, name: text }, ['slug', 'id']) },
    ),
  ) as { paths: Record<string, { get: { parameters: { description?: string }[] } }> };
  api.paths['/groups/{group}']!.get.parameters[0]!.description =
    'The slug version of the name. You can also substitute this value with the group id.';
  const server = supertest(await serveText(JSON.stringify(api)));
  const { body } = await server.post('/groups').send({ name: 'Night Shift' }).expect(201);
  const group = body as { id: number; slug: string };
  await server.get(`/groups/${group.slug}`).expect(200, group);
  await server.get(`/groups/${group.id}`).expect(200, group);
  await server.get('/groups/none').expect(404);
});

test.each([
  'To see your own calendar, use the "primary" keyword.',
  'Id of the calendar; the special value `primary` is your own.',
])('a word that is told to be a special one names the item of whoever asks: %s', async (description) => {
  const Calendar = object({ id: text, title: text }, ['id']);
  const calls = {
    'GET /calendars': { answers: { 200: list(ref('Calendar')) } },
    'GET /calendars/{id}': { answers: { 200: ref('Calendar'), 404: null } },
    'PATCH /calendars/{id}': { body: object({ title: text }), answers: { 200: ref('Calendar'), 404: null } },
  };
  const api = JSON.parse(smallApi(calls, { Calendar })) as {
    paths: Record<string, Record<string, { parameters: { description?: string }[] }>>;
  };
  for (const method of ['get', 'patch'])
    api.paths['/calendars/{id}']![method]!.parameters[0]!.description = description;
  const server = supertest(await serveText(JSON.stringify(api), { state: 'seeded' }));
  const { body } = await server.patch('/calendars/primary').send({ title: 'Mine' }).expect(200);
  await server.get('/calendars/primary').expect(200, body as object);
  await server.get(`/calendars/${(body as { id: string }).id}`).expect(200, body as object);
  await server.get('/calendars/secondary').expect(404);
});

test.each([
  ['virtual-lines', 'virtual-line', 'virtualLine'],
  ['virtual_lines', 'virtual_line', 'virtualLine'],
  ['virtualLines', 'virtualLine', 'virtual_line'],
  ['Lines', 'LineNo', 'line_no'],
])(
  'a variable that is a property in another spelling is the key: %s/{%s} with %s',
  async (path, variable, property) => {
    const Line = object({ [property]: { type: 'string', minLength: 10, maxLength: 10 }, tags: list(text) });
    const calls = {
      [`GET /${path}`]: { answers: { 200: object({ lines: list(ref('Line')) }) } },
      [`POST /${path}`]: { body: object({ tags: list(text) }), answers: { 201: ref('Line') } },
      [`GET /${path}/{${variable}}`]: { answers: { 200: ref('Line'), 404: null } },
    };
    const server = supertest(await serveText(smallApi(calls, { Line }), { state: 'seeded' }));
    const { body: made } = await server.post(`/${path}`).send({}).expect(201);
    const { body } = await server.get(`/${path}`).expect(200);
    const { lines } = body as { lines: Record<string, string>[] };
    expect(lines).toContainEqual(made);
    for (const line of lines) await server.get(`/${path}/${line[property]}`).expect(200, line);
  },
);

test('an item is found by every long text that identifies it, by a short one only where words say so', async () => {
  const Plan = object({ name: text, id: text, planArn: text, size: text }, ['name']);
  const calls = {
    'GET /plans': { answers: { 200: list(ref('Plan')) } },
    'GET /plans/{name}': { answers: { 200: ref('Plan'), 404: null } },
    'PUT /plans/{name}': { body: ref('Plan'), answers: { 200: ref('Plan'), 201: ref('Plan') } },
    'DELETE /plans/{name}': { answers: { 204: null, 404: null } },
  };
  const server = supertest(await serveText(smallApi(calls, { Plan }), { state: 'empty' }));
  const long = { name: 'a', id: '/groups/g/plans/a', planArn: 'arn:cloud:plans:a' };
  await server.put('/plans/a').send(long).expect(201, long);
  await server.get(`/plans/${encodeURIComponent(long.id)}`).expect(200, long);
  await server.get(`/plans/${encodeURIComponent(long.planArn)}`).expect(200, long);
  const short = { name: 'b', id: '7' };
  await server.put('/plans/b').send(short).expect(201, short);
  await server.get('/plans/7').expect(404);
  await server.put('/plans/7').send({ name: '7' }).expect(201);
  await server.get('/plans/b').expect(200, short);
  await server.delete(`/plans/${encodeURIComponent(long.planArn)}`).expect(204);
  await server.get('/plans/a').expect(404);
  await server.get(`/plans/${encodeURIComponent(long.id)}`).expect(404);
});

test.each([
  ['ID or code. For ID no prefix is used e.g. `e28`. For code use prefix `code-`, e.g. `code-bob`.', 'code-'],
  ['The id, or the code prefixed with "c:".', 'c:'],
])('another name has the prefix that is told: %s', async (description, prefix) => {
  const Guest = object({ id: text, code: text, name: text }, ['id']);
  const variable = [{ name: 'guest_id', in: 'path', required: true, schema: text, description }];
  const answers = { 200: ref('Guest'), 404: null };
  const document = smallApi(
    {
      'POST /guests': { body: object({ code: text, name: text }, ['code']), answers: { 201: ref('Guest') } },
      'GET /guests': { answers: { 200: list(ref('Guest')) } },
      'GET /guests/{guest_id}': { answers },
      'PUT /guests/{guest_id}': { body: object({ name: text }), answers },
    },
    { Guest },
  );
  const api = JSON.parse(document) as { paths: Record<string, Record<string, { parameters: unknown }>> };
  for (const operation of Object.values(api.paths['/guests/{guest_id}']!)) operation.parameters = variable;
  const server = supertest(await serveText(JSON.stringify(api)));
  const { body } = await server.post('/guests').send({ code: 'bob', name: 'Bob' }).expect(201);
  const guest = body as { id: string };
  await server.get(`/guests/${prefix}bob`).expect(200, guest);
  await server.get(`/guests/${guest.id}`).expect(200, guest);
  await server.get(`/guests/${prefix}none`).expect(404);
  await server.put(`/guests/${prefix}bob`).send({ name: 'Rob' }).expect(200);
  await server.get(`/guests/${guest.id}`).expect(200, { ...guest, name: 'Rob' });
});
