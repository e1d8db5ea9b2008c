import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';

const ITEM = { body: ref('Job'), answers: { 200: ref('Job') } };
const API = smallApi(
  {
    'GET /areas': { answers: { 200: list(ref('Area')) } },
    'POST /areas': { body: ref('Area'), answers: { 201: ref('Area') } },
    'GET /areas/{name}': { answers: { 200: ref('Area'), 404: null } },
    'GET /areas/{area}/jobs': { answers: { 200: list(ref('Job')) } },
    'POST /areas/{area}/jobs': { body: ref('Job'), answers: { 201: ref('Job'), 409: null } },
    'GET /areas/{area}/jobs/{name}': { answers: { 200: ref('Job'), 404: null } },
    'PUT /areas/{area}/jobs/{name}': ITEM,
    'PATCH /areas/{area}/jobs/{name}': ITEM,
    'DELETE /areas/{area}/jobs/{name}': { answers: { 204: null } },
  },
  {
    About: object({ name: text, generateName: text, area: text, labels: { type: 'object' } }),
    Area: object({ metadata: ref('About') }),
    Job: object({ metadata: ref('About'), size: whole }),
  },
);

const serve = async () => supertest(await serveText(API));

test.each(['uuid', 'authorization_uuid', 'nodeGuid'])('a key that is called a UUID is one: %s', async (key) => {
  const Node = object({ [key]: text, name: text });
  const calls = {
    'GET /nodes': { answers: { 200: list(ref('Node')) } },
    'POST /nodes': { body: object({ name: text }), answers: { 201: ref('Node') } },
    [`GET /nodes/{${key}}`]: { answers: { 200: ref('Node'), 404: null } },
  };
  const server = supertest(await serveText(smallApi(calls, { Node }), { state: 'seeded' }));
  const { body: made } = await server.post('/nodes').send({ name: 'a' }).expect(201);
  const { body: nodes } = await server.get('/nodes').expect(200);
  for (const node of [made, ...(nodes as object[])] as Record<string, string>[]) {
    expect(node[key]).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    await server.get(`/nodes/${node[key]}`).expect(200, node);
  }
});

test('what is created under a name in metadata is found under that name, with where it lies', async () => {
  const server = await serve();
  await server
    .post('/areas')
    .send({ metadata: { name: 'north' } })
    .expect(201);
  const job = { metadata: { name: 'sweep', labels: { a: 'b' } }, size: 2 };
  const kept = { metadata: { name: 'sweep', labels: { a: 'b' }, area: 'north' }, size: 2 };
  await server.post('/areas/north/jobs').send(job).expect(201, kept);
  await server.get('/areas/north/jobs/sweep').expect(200, kept);
  await server.get('/areas/north/jobs').expect(200, [kept]);
  await server.post('/areas/north/jobs').send(job).expect(409);
  await server.get('/areas/south/jobs/sweep').expect(404);
  await server.delete('/areas/north/jobs/sweep').expect(204);
  await server.get('/areas/north/jobs/sweep').expect(404);
});

test('the name stays whatever replaces or changes the item', async () => {
  const server = await serve();
  await server
    .post('/areas')
    .send({ metadata: { name: 'north' } })
    .expect(201);
  await server
    .post('/areas/north/jobs')
    .send({ metadata: { name: 'sweep' }, size: 2 })
    .expect(201);
  const put = await server.put('/areas/north/jobs/sweep').send({ size: 3 }).expect(200);
  expect(put.body).toEqual({ metadata: { name: 'sweep', area: 'north' }, size: 3 });
  const patched = await server
    .patch('/areas/north/jobs/sweep')
    .send({ metadata: { labels: { x: 'y' } } })
    .expect(200);
  expect(patched.body).toEqual({ metadata: { name: 'sweep', area: 'north', labels: { x: 'y' } }, size: 3 });
});

test('a name that the service makes begins as it was asked for', async () => {
  const server = await serve();
  const made = async (sent: object): Promise<string> => {
    const { body } = (await server.post('/areas').send(sent).expect(201)) as { body: { metadata: { name: string } } };
    return body.metadata.name;
  };
  const name = await made({ metadata: { generateName: 'job-' } });
  expect(name).toMatch(/^job-.+/);
  await server.get(`/areas/${name}`).expect(200);
  await server.get(`/areas/${await made({})}`).expect(200);
});

test('rows that are made up show the names under which they are found', async () => {
  const server = supertest(await serveText(API, { state: 'seeded' }));
  const { body } = (await server.get('/areas').expect(200)) as { body: { metadata: { name: string } }[] };
  expect(body.length).toBeGreaterThan(0);
  for (const { metadata } of body) await server.get(`/areas/${metadata.name}`).expect(200);
});

test('what is about somebody is found under the id of whom it shows', async () => {
  const server = supertest(
    await serveText(
      smallApi(
        {
          'GET /halls': { answers: { 200: list(object({ id: text, name: text })) } },
          'GET /halls/{hall_id}': { answers: { 200: object({ id: text, name: text }) } },
          'GET /halls/{hall_id}/guests': { answers: { 200: list(ref('Guest')) } },
          'GET /halls/{hall_id}/guests/{person_id}': { answers: { 200: ref('Guest'), 404: null } },
          'PUT /halls/{hall_id}/guests/{person_id}': { body: object({ seat: text }), answers: { 201: ref('Guest') } },
        },
        {
          Person: object({ id: text, name: text }, ['id', 'name']),
          Guest: object({ person: ref('Person'), seat: text }, ['person']),
        },
      ),
      { state: 'seeded' },
    ),
  );
  const seeded = (await server.get('/halls/1/guests').expect(200)).body as { person: { id: string } }[];
  expect(seeded.length).toBeGreaterThan(0);
  for (const guest of seeded) await server.get(`/halls/1/guests/${guest.person.id}`).expect(200, guest);
  await server.put('/halls/1/guests/ada').send({ seat: 'B4' }).expect(201);
  const { body } = (await server.get('/halls/1/guests/ada').expect(200)) as { body: object };
  expect(body).toMatchObject({ person: { id: 'ada' }, seat: 'B4' });
});

test('a key that the path calls an e-mail address is one, also beside the items', async () => {
  const Row = object({ email: text, reason: text });
  const calls = {
    'GET /bounces': { answers: { 200: list(ref('Row')) } },
    'GET /bounces/{email}': { answers: { 200: object({ reason: text, since: whole }), 404: null } },
    'DELETE /bounces/{email}': { answers: { 204: null, 404: null } },
  };
  const server = supertest(await serveText(smallApi(calls, { Row }), { state: 'seeded' }));
  const { body } = await server.get('/bounces').expect(200);
  for (const { email } of body as { email: string }[]) {
    expect(email).toMatch(/^\S+@\S+\.\S+$/);
    await server.get(`/bounces/${email}`).expect(200);
  }
});

test('the property that refers to the schema of the variable is the key, and whoever creates an item chooses it', async () => {
  const Kind = { type: 'string', enum: ['SYNTAX', 'STYLE'] };
  const Rule = object({ config: text, type: ref('Kind') }, ['config']);
  const calls = {
    'GET /rules': { answers: { 200: list(ref('Kind')) } },
    'POST /rules': { body: ref('Rule'), answers: { 204: null, 409: null } },
    'GET /rules/{rule}': { answers: { 200: ref('Rule'), 404: null } },
    'PUT /rules/{rule}': { body: ref('Rule'), answers: { 200: ref('Rule'), 404: null } },
    'DELETE /rules/{rule}': { answers: { 204: null, 404: null } },
  };
  const api = smallApi(calls, { Kind, Rule }, { rule: ref('Kind') });
  for (const state of ['empty', 'seeded'] as const) {
    const server = supertest(await serveText(api, { state }));
    await server.post('/rules').send({ type: 'STYLE', config: 'c' }).expect(204);
    await server.get('/rules/STYLE').expect(200, { config: 'c', type: 'STYLE' });
    await server.post('/rules').send({ type: 'STYLE', config: 'd' }).expect(409);
    await server.delete('/rules/STYLE').expect(204);
    await server.get('/rules/STYLE').expect(404);
  }
});
