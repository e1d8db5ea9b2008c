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
