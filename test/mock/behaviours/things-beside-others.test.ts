import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';

const flag = { type: 'boolean' };

test('a thing that an answer names beside others is the item, in one answer and in one of several', async () => {
  const one = object({ machine: ref('Machine'), task: ref('Task') }, ['machine', 'task']);
  const many = object({ machines: list(ref('Machine')), task: ref('Task') }, ['machines', 'task']);
  const api = smallApi(
    {
      'GET /machines': { answers: { 200: object({ machines: list(ref('Machine')) }) } },
      'POST /machines': { body: object({ name: text }, ['name']), answers: { 201: one } },
      'GET /machines/{machineId}': { answers: { 200: object({ machine: ref('Machine') }), 404: null } },
      'GET /disks': { answers: { 200: object({ disks: list(ref('Disk')) }) } },
      'POST /disks': {
        body: object({ label: text }),
        answers: { 201: { oneOf: [object({ disk: ref('Disk') }), many] } },
      },
      'GET /disks/{diskId}': { answers: { 200: object({ disk: ref('Disk') }), 404: null } },
    },
    {
      Machine: object({ id: whole, name: text }, ['id', 'name']),
      Disk: object({ id: whole, label: text }, ['id']),
      Task: object({ command: text }, ['command']),
    },
  );
  const server = supertest(await serveText(api, { state: 'empty' }));
  const made = await server.post('/machines').send({ name: 'a' }).expect(201);
  expect(made.body).toEqual({ machine: { id: 1, name: 'a' }, task: { command: expect.any(String) as string } });
  await server.get('/machines/1').expect(200, { machine: { id: 1, name: 'a' } });
  await server
    .post('/disks')
    .send({ label: 'x' })
    .expect(201, { disk: { id: 1, label: 'x' } });
  await server.get('/disks/1').expect(200, { disk: { id: 1, label: 'x' } });
});

test('a result is the item beside what tells of the request', async () => {
  const around = (result: object): object =>
    object({ result, status: text, time: { type: 'number' }, usage: object({ cpu: whole }) });
  const Pool = object({ size: whole, kind: text });
  const api = smallApi({
    'PUT /pools/{poolId}': { body: Pool, answers: { 201: around(Pool) } },
    'GET /pools/{poolId}': { answers: { 200: around(Pool), 404: null } },
  });
  const server = supertest(await serveText(api, { state: 'empty' }));
  await server.put('/pools/a').send({ size: 3, kind: 'k' }).expect(201);
  const read = await server.get('/pools/a').expect(200);
  expect((read.body as { result: unknown }).result).toEqual({ size: 3, kind: 'k' });
});

test('an item with a list of its own is an item, and no list', async () => {
  const Group = object({ id: whole, name: text, count: whole, nodes: list(object({ id: whole, ip: text })) }, ['id']);
  const api = smallApi({
    'GET /groups': { answers: { 200: object({ groups: list(Group) }) } },
    'POST /groups': { body: object({ name: text }), answers: { 201: object({ group: Group }) } },
    'GET /groups/{groupId}': { answers: { 200: object({ group: Group }), 404: null } },
  });
  const server = supertest(await serveText(api, { state: 'empty' }));
  await server.post('/groups').send({ name: 'a' }).expect(201);
  const read = await server.get('/groups/1').expect(200);
  expect(read.body).toMatchObject({ group: { id: 1, name: 'a' } });
});

test('where nothing else tells items apart, their name does', async () => {
  const Tag = object({ name: text, hidden: flag });
  const api = smallApi({
    'GET /tags': { answers: { 200: list(Tag) } },
    'POST /tags': { body: Tag, answers: { 201: Tag } },
    'GET /tags/{tagId}': { answers: { 200: Tag, 404: null } },
    'PUT /presets/{presetId}': { body: object({ value: text }), answers: { 200: object({ name: text, value: text }) } },
    'GET /presets/{presetId}': { answers: { 200: object({ name: text, value: text }), 404: null } },
  });
  const server = supertest(await serveText(api, { state: 'empty' }));
  await server.post('/tags').send({ name: 'red' }).expect(201);
  await server.get('/tags/red').expect(200, { name: 'red' });
  await server.put('/presets/p').send({ value: 'v' }).expect(200, { name: 'p', value: 'v' });
  await server.get('/presets/p').expect(200, { name: 'p', value: 'v' });
});
