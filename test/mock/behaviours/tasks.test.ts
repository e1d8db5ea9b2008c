import request from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, NOW, objectOf } from './small-mock';

const time = { type: 'string', format: 'date-time', nullable: true };
const WORK = object(
  {
    id: whole,
    command: text,
    status: { ...text, enum: ['running', 'success', 'error'] },
    progress: { ...whole, minimum: 0, maximum: 100 },
    started: time,
    finished: time,
    resource_id: whole,
    error: { type: 'object', nullable: true, properties: { code: text } },
  },
  ['id', 'command', 'status', 'progress', 'started', 'finished', 'error'],
);

const machines = smallApi(
  {
    'GET /machines': { answers: { 200: list(ref('Machine')) } },
    'POST /machines': {
      body: object({ name: text }),
      answers: { 201: object({ machine: ref('Machine'), work: ref('Work') }, ['machine', 'work']) },
    },
    'GET /machines/{id}': { answers: { 200: ref('Machine'), 404: null } },
    'GET /machines/{id}/works': { answers: { 200: list(ref('Work')) } },
    'POST /machines/{id}/works/poweroff': { answers: { 201: object({ work: ref('Work') }, ['work']) } },
    'GET /works': { query: { status: text }, answers: { 200: list(ref('Work')) } },
    'GET /works/{id}': { answers: { 200: ref('Work'), 404: null } },
  },
  { Machine: object({ id: whole, name: text }, ['id']), Work: WORK },
  { id: whole },
);

test('a task that a write tells of is read under its key, and is done', async () => {
  const app = await serveText(machines, { state: 'empty' });
  const made = await request(app).post('/machines').send({ name: 'a' }).expect(201);
  const { machine, work } = made.body as { machine: { id: number }; work: { id: number } };
  expect(work).toMatchObject({ status: 'running', progress: 0, finished: null, error: null });

  const { body: off } = await request(app).post(`/machines/${machine.id}/works/poweroff`).expect(201);
  const begun = (off as { work: { id: number } }).work;
  expect(begun).toMatchObject({ command: 'poweroff', status: 'running', resource_id: machine.id });
  expect(begun.id).not.toBe(work.id);

  const { body: done } = (await request(app).get(`/works/${begun.id}`).expect(200)) as { body: { finished: string } };
  expect(done).toMatchObject({ command: 'poweroff', status: 'success', progress: 100, resource_id: machine.id });
  expect(Date.parse(done.finished)).not.toBeNaN();
  await request(app).get('/works?status=running').expect(200, []);
  const { body: listed } = await request(app).get('/works?status=success').expect(200);
  expect(listed).toHaveLength(2);
  await request(app).get('/works/999').expect(404);
});

const indexes = smallApi(
  {
    'GET /boxes': { answers: { 200: list(ref('Box')) } },
    'POST /boxes': { body: ref('Box'), answers: { 202: ref('Summary') } },
    'GET /boxes/{uid}': { answers: { 200: ref('Box'), 404: null } },
    'DELETE /boxes/{uid}': { answers: { 202: ref('Summary'), 404: null } },
    'GET /tasks': { answers: { 200: object({ results: list(ref('Task')) }, ['results']) } },
    'GET /tasks/{taskUid}': { answers: { 200: ref('Task'), 404: null } },
  },
  {
    Box: object({ uid: text }, ['uid']),
    Summary: object(
      {
        taskUid: whole,
        boxUid: text,
        status: ref('Status'),
        type: ref('Kind'),
        enqueuedAt: { ...text, format: 'date-time' },
      },
      ['taskUid', 'status', 'type', 'enqueuedAt'],
    ),
    Task: object(
      {
        uid: whole,
        boxUid: text,
        status: ref('Status'),
        type: ref('Kind'),
        enqueuedAt: { ...text, format: 'date-time' },
        finishedAt: time,
      },
      ['uid', 'status', 'type', 'enqueuedAt'],
    ),
    Status: { ...text, enum: ['enqueued', 'processing', 'succeeded', 'failed', 'canceled'] },
    Kind: { ...text, enum: ['boxUpdate', 'boxCreation', 'boxDeletion'] },
  },
  { taskUid: whole },
);

test('a part of a task is one, by the key that it has with its noun; it is done though the clock stands still', async () => {
  const { send } = mockOfDocument(indexes);
  const begun = objectOf(await send('POST', '/boxes', { uid: 'a' }));
  expect(begun).toMatchObject({ boxUid: 'a', status: 'enqueued', type: 'boxCreation', enqueuedAt: NOW });
  const done = objectOf(await send('GET', `/tasks/${begun['taskUid'] as number}`));
  expect(done).toMatchObject({ boxUid: 'a', status: 'succeeded', type: 'boxCreation', finishedAt: NOW });

  const gone = objectOf(await send('DELETE', '/boxes/a'));
  expect(gone).toMatchObject({ boxUid: 'a', status: 'enqueued', type: 'boxDeletion' });
  expect(objectOf(await send('GET', '/tasks'))['results']).toHaveLength(2);
});

test('what clients make and change themselves is no task', async () => {
  const Order = object({ id: whole, status: { ...text, enum: ['open', 'completed', 'failed'] } }, ['id', 'status']);
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /orders': { answers: { 200: list(ref('Order')) } },
        'POST /orders': { body: object({}), answers: { 201: ref('Order') } },
        'GET /orders/{id}': { answers: { 200: ref('Order'), 404: null } },
      },
      { Order },
      { id: whole },
    ),
  );
  const { id } = objectOf(await send('POST', '/orders', {}));
  expect(objectOf(await send('GET', `/orders/${id as number}`))).toMatchObject({ status: 'open' });
});

const ACTION = object(
  {
    id: whole,
    type: text,
    status: { ...text, enum: ['in-progress', 'completed', 'errored'] },
    completed_at: time,
    resource_id: whole,
  },
  ['id', 'type', 'status'],
);
const BOX = object(
  {
    id: { ...whole, readOnly: true },
    name: text,
    status: { ...text, enum: ['new', 'active', 'off'] },
    backups_enabled: { type: 'boolean' },
  },
  ['id', 'name', 'status'],
);
const boxes = (operations: Parameters<typeof smallApi>[0]): string =>
  smallApi(
    {
      'GET /boxes': { answers: { 200: list(ref('Box')) } },
      'POST /boxes': { body: object({ name: text }), answers: { 201: ref('Box') } },
      'GET /boxes/{id}': { answers: { 200: ref('Box') } },
      ...operations,
    },
    { Box: BOX, Action: ACTION },
    { id: whole, action_id: whole },
  );
const action = object({ action: ref('Action') });
const asked = { body: object({ type: text, name: text }, ['type']), answers: { 201: action } };

test.each([
  {
    where: 'below the item',
    document: boxes({
      'POST /boxes/{id}/actions': asked,
      'GET /boxes/{id}/actions/{action_id}': { answers: { 200: action } },
    }),
    at: (id: number) => `/boxes/1/actions/${id}`,
  },
  {
    where: 'in a collection of their own',
    document: boxes({ 'POST /boxes/{id}/actions': asked, 'GET /actions/{action_id}': { answers: { 200: action } } }),
    at: (id: number) => `/actions/${id}`,
  },
])('an action that is read $where is done, and does to the item what its word says', async ({ document, at }) => {
  const { send } = mockOfDocument(document);
  await send('POST', '/boxes', { name: 'a' });
  const ask = async (type: string, more = {}): Promise<number> => {
    const { action: begun } = objectOf(await send('POST', '/boxes/1/actions', { type, ...more }));
    expect(begun).toMatchObject({ type, status: 'in-progress', resource_id: 1 });
    return (begun as { id: number }).id;
  };
  const first = await ask('power_off');
  expect(objectOf(await send('GET', at(first)))['action']).toMatchObject({ type: 'power_off', status: 'completed' });
  expect(objectOf(await send('GET', '/boxes/1'))).toMatchObject({ name: 'a', status: 'off' });
  await ask('power_on');
  await ask('enable_backups');
  await ask('rename', { name: 'b' });
  await ask('snapshot', { name: 'c' });
  expect(objectOf(await send('GET', '/boxes/1'))).toMatchObject({ name: 'b', status: 'active', backups_enabled: true });
  await ask('disable_backups');
  expect(objectOf(await send('GET', '/boxes/1'))).toMatchObject({ backups_enabled: false });
});

test('what a task gives to the item that it was asked for is kept', async () => {
  const document = boxes({
    'POST /boxes/{id}/actions': asked,
    'GET /boxes/{id}/actions/{action_id}': { answers: { 200: action } },
  });
  const app = await serveText(document, { state: 'empty' });
  await request(app).post('/boxes').send({ name: 'a' }).expect(201);
  const told = async (body: object): Promise<unknown> =>
    (await request(app).post('/boxes/1/actions').send(body).expect(201)).headers['x-standin-problem'];
  expect(await told({ type: 'rename', name: 'b' })).toBeUndefined();
  expect(await told({ type: 'snapshot', name: 'b' })).toContain('do not keep /name');
});

test('the word may stand at the end of the path', async () => {
  const app = await serveText(
    boxes({
      'POST /boxes/{id}/poweroff': { answers: { 201: action } },
      'POST /boxes/{id}/enable_backups': { answers: { 201: ref('Action') } },
      'GET /actions/{action_id}': { answers: { 200: ref('Action') } },
    }),
    { state: 'empty' },
  );
  await request(app).post('/boxes').send({ name: 'a' }).expect(201);
  const { body: begun } = await request(app).post('/boxes/1/poweroff').expect(201);
  expect(begun).toMatchObject({ action: { type: 'poweroff', status: 'in-progress' } });
  const { body: done } = await request(app).get('/actions/1').expect(200);
  expect(done).toMatchObject({ type: 'poweroff', status: 'completed' });
  await request(app).post('/boxes/1/enable_backups').expect(201);
  const { body: box } = await request(app).get('/boxes/1').expect(200);
  expect(box).toMatchObject({ status: 'off', backups_enabled: true });
});

test('an operation that tells nothing but whether it is done is done when it is read', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /clusters': { answers: { 200: list(ref('Cluster')) } },
        'POST /clusters': { body: ref('Cluster'), answers: { 200: ref('Operation') } },
        'GET /clusters/{id}': { answers: { 200: ref('Cluster') } },
        'GET /operations/{operation}': { answers: { 200: ref('Operation') } },
      },
      {
        Cluster: object({ id: { ...whole, readOnly: true }, title: text }),
        Operation: object({ name: text, done: { type: 'boolean' }, error: { type: 'object', nullable: true } }, [
          'name',
          'done',
        ]),
      },
      { id: whole },
    ),
  );
  const begun = objectOf(await send('POST', '/clusters', { title: 'a' }));
  expect(begun['done']).toBe(false);
  expect(objectOf(await send('GET', `/operations/${begun['name'] as string}`))).toMatchObject({ done: true });
});

test('what is destroyed stays, in that state', async () => {
  const state = { ...text, enum: ['ENABLED', 'DISABLED', 'DESTROYED'] };
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /keys': { answers: { 200: list(ref('Key')) } },
        'POST /keys': { body: object({}), answers: { 200: ref('Key') } },
        'GET /keys/{id}': { answers: { 200: ref('Key') } },
        'POST /keys/{id}:destroy': { body: object({ etag: text }), answers: { 200: ref('Key') } },
        'POST /keys/{id}:disable': { body: object({ etag: text }), answers: { 200: ref('Key') } },
      },
      { Key: object({ id: { ...whole, readOnly: true }, state }, ['id', 'state']) },
      { id: whole },
    ),
  );
  await send('POST', '/keys', {});
  await send('POST', '/keys/1:disable', {});
  expect(objectOf(await send('GET', '/keys/1'))['state']).toBe('DISABLED');
  await send('POST', '/keys/1:destroy', {});
  expect(objectOf(await send('GET', '/keys/1'))['state']).toBe('DESTROYED');
});

test('what was done is in the words of the example, and a task names what it was asked for below', async () => {
  const types = { ...text, enum: ['boxCreation', 'notesAddition', 'noteDeletion'] };
  const Summary = object({ taskUid: whole, boxUid: text, status: ref('Status'), type: types }, [
    'taskUid',
    'status',
    'type',
  ]);
  const Task = object({ uid: whole, boxUid: text, status: ref('Status'), type: types }, ['uid', 'status', 'type']);
  const shown = { ...Summary, example: { taskUid: 1, status: 'enqueued', type: 'notesAddition' } };
  const api = smallApi(
    {
      'GET /boxes': { answers: { 200: list(object({ uid: text }, ['uid'])) } },
      'POST /boxes': { body: object({ uid: text }, ['uid']), answers: { 202: Summary } },
      'GET /boxes/{uid}': { answers: { 200: object({ uid: text }, ['uid']), 404: null } },
      'GET /boxes/{boxUid}/notes': { answers: { 200: list(ref('Note')) } },
      'POST /boxes/{boxUid}/notes': { body: ref('Note'), answers: { 202: shown } },
      'GET /boxes/{boxUid}/notes/{id}': { answers: { 200: ref('Note'), 404: null } },
      'DELETE /boxes/{boxUid}/notes/{id}': { answers: { 202: shown, 404: null } },
      'GET /tasks': { answers: { 200: object({ results: list(Task) }, ['results']) } },
      'GET /tasks/{taskUid}': { answers: { 200: Task, 404: null } },
    },
    {
      Note: object({ id: text, title: text }, ['id']),
      Status: { ...text, enum: ['enqueued', 'processing', 'succeeded', 'failed'] },
    },
    { taskUid: whole },
  );
  const app = await serveText(api, { state: 'empty' });
  const made = await request(app).post('/boxes').send({ uid: 'b' }).expect(202);
  expect(made.body).toMatchObject({ type: 'boxCreation', boxUid: 'b' });
  const added = await request(app).post('/boxes/b/notes').send({ id: 'n', title: 'N' }).expect(202);
  expect(added.body).toMatchObject({ type: 'notesAddition', boxUid: 'b' });
  const gone = await request(app).delete('/boxes/b/notes/n').expect(202);
  expect(gone.body).toMatchObject({ type: 'noteDeletion', boxUid: 'b' });
  const { taskUid } = gone.body as { taskUid: number };
  const done = await request(app).get(`/tasks/${taskUid}`).expect(200);
  expect(done.body).toMatchObject({ boxUid: 'b', status: 'succeeded', type: 'noteDeletion' });
});

test('a response with nothing but the key of a task names one that is read under it, not that of the example', async () => {
  const state = { ...text, enum: ['PENDING', 'RUNNING', 'DONE', 'ERROR'] };
  const app = await serveText(
    smallApi(
      {
        'POST /imports': {
          body: object({ url: text }),
          answers: { 202: { ...object({ job_id: text }, ['job_id']), example: { job_id: 'job-7' } } },
        },
        'GET /jobs/{jobId}': { answers: { 200: ref('Job'), 404: null } },
        'GET /jobs': { answers: { 200: list(ref('Job')) } },
      },
      { Job: object({ jobId: text, state }, ['jobId', 'state']) },
    ),
  );
  const begin = async (): Promise<string> => {
    const { body } = await request(app).post('/imports').send({ url: 'a' }).expect(202);
    return (body as { job_id: string }).job_id;
  };
  const ids = [await begin(), await begin()];
  expect(new Set([...ids, 'job-7']).size).toBe(3);
  for (const id of ids) await request(app).get(`/jobs/${id}`).expect(200, { jobId: id, state: 'DONE' });
});
