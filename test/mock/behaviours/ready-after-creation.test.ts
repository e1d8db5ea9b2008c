import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import type { JsonValue } from '../../../src/core/json/json-value';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, NOW, objectOf } from './small-mock';

const flag = { type: 'boolean' };
const words = (...all: string[]): object => ({ ...text, enum: all });

/** Rigs that clients create by their name, with what the service adds. */
function rigs(properties: Readonly<Record<string, object>>, more: Parameters<typeof smallApi>[0] = {}): string {
  return smallApi(
    {
      'GET /rigs': { answers: { 200: list(ref('Rig')) } },
      'POST /rigs': {
        body: object({ name: text, startsAt: { ...text, format: 'date-time' } }, ['name']),
        answers: { 201: ref('Rig') },
      },
      'GET /rigs/{id}': { answers: { 200: ref('Rig'), 404: null } },
      ...more,
    },
    {
      Rig: object(
        { id: { ...whole, readOnly: true }, name: text, startsAt: { ...text, format: 'date-time' }, ...properties },
        ['id', ...Object.keys(properties)],
      ),
    },
    { id: whole },
  );
}

async function madeAndRead(document: string, body: JsonValue = { name: 'a' }): Promise<[unknown, unknown]> {
  const { send } = mockOfDocument(document);
  const made = objectOf(await send('POST', '/rigs', body));
  return [made, objectOf(await send('GET', '/rigs/1'))];
}

test.each<{ what: string; properties: Readonly<Record<string, object>>; made: object; read: object }>([
  {
    what: 'a state in a part of its own',
    properties: {
      status: object({ ready: flag, state: words('Initializing', 'InitializationFailed', 'Ready') }, [
        'ready',
        'state',
      ]),
    },
    made: { status: { ready: false, state: 'Initializing' } },
    read: { status: { ready: true, state: 'Ready' } },
  },
  {
    what: 'words in prose, and a flag',
    properties: { state: { ...text, description: '`creating`, `available` or `error`' }, isReady: flag },
    made: { state: 'creating', isReady: false },
    read: { state: 'available', isReady: true },
  },
  {
    what: 'work that may fail',
    properties: { status: words('queued', 'running', 'passed', 'failed'), finishedAt: { ...text, nullable: true } },
    made: { status: 'queued', finishedAt: null },
    read: { status: 'passed', finishedAt: NOW },
  },
  {
    what: 'pending where it may fail',
    properties: { state: words('pending', 'succeeded', 'failed') },
    made: { state: 'pending' },
    read: { state: 'succeeded' },
  },
  {
    what: 'pending where a good end is all that is left',
    properties: { status: words('pending', 'complete') },
    made: { status: 'pending' },
    read: { status: 'complete' },
  },
  { what: 'a flag alone', properties: { ready: flag }, made: { ready: false }, read: { ready: true } },
  {
    what: 'a machine',
    properties: { phase: words('PROVISIONING', 'RUNNING', 'STOPPED') },
    made: { phase: 'PROVISIONING' },
    read: { phase: 'RUNNING' },
  },
])('what clients wait for has passed when it is read: $what', async ({ properties, made, read }) => {
  const [first, second] = await madeAndRead(rigs(properties));
  expect(first).toMatchObject(made);
  expect(second).toMatchObject({ name: 'a', ...read });
});

test.each<{ what: string; properties: Readonly<Record<string, object>>; more?: Parameters<typeof smallApi>[0] }>([
  { what: 'somebody decides', properties: { status: words('pending', 'accepted', 'declined') } },
  { what: 'it is not known what comes next', properties: { status: words('processing', 'shipped', 'lost') } },
  {
    what: 'clients set it',
    properties: { status: words('pending', 'completed', 'failed') },
    more: {
      'PATCH /rigs/{id}': { body: object({ status: words('completed', 'failed') }), answers: { 200: ref('Rig') } },
    },
  },
  {
    what: 'an operation changes it',
    properties: { status: words('pending', 'active', 'failed') },
    more: { 'POST /rigs/{id}/activate': { answers: { 200: ref('Rig') } } },
  },
  { what: 'it is open', properties: { state: words('open', 'closed') } },
])('a state stays as it begins where $what', async ({ properties, more }) => {
  const [first, second] = await madeAndRead(rigs(properties, more));
  expect(second).toEqual(first);
});

test('a state that only responses have passes, where requests and responses have the same schema', async () => {
  const status = { ...words('creating', 'available'), readOnly: true };
  const put = { 'PUT /rigs/{id}': { body: ref('Rig'), answers: { 200: ref('Rig') } } };
  const [made, read] = await madeAndRead(rigs({ status }, put));
  expect([made, read]).toMatchObject([{ status: 'creating' }, { status: 'available' }]);
});

test.each([
  ['2026-02-01T00:00:00Z', 'active'],
  ['2026-04-01T00:00:00Z', 'pending'],
])('what starts at %s is %s', async (startsAt, state) => {
  const [, read] = await madeAndRead(
    rigs({ status: object({ state: words('expired', 'active', 'pending') }, ['state']) }),
    {
      name: 'a',
      startsAt,
    },
  );
  expect(read).toMatchObject({ status: { state } });
});

test('an operation that answers what it worked out has ended', async () => {
  const document = rigs({
    status: words('queued', 'in_progress', 'completed', 'failed'),
    output: list(object({ text }, ['text'])),
  });
  const described = JSON.parse(document) as { paths: Record<string, { post: { summary?: string } }> };
  described.paths['/rigs']!.post.summary = 'Generates a model response';
  const [made] = await madeAndRead(JSON.stringify(described));
  expect(made).toMatchObject({ status: 'completed', output: [{ text: expect.any(String) as string }] });
});

test('the tag that a creation answers is that of the item as it is read, and a change on its condition goes through', async () => {
  const properties = { status: { ...words('queued', 'ready', 'failed'), readOnly: true } };
  const api = JSON.parse(
    rigs(properties, { 'PATCH /rigs/{id}': { body: object({ name: text }), answers: { 200: ref('Rig'), 412: null } } }),
  ) as { paths: Record<string, Record<string, { responses: Record<string, { headers?: object }> }>> };
  const ETag = { schema: text };
  api.paths['/rigs']!['post']!.responses['201']!.headers = { ETag };
  api.paths['/rigs/{id}']!['get']!.responses['200']!.headers = { ETag };
  const server = supertest(await serveText(JSON.stringify(api), { state: 'empty' }));
  const made = await server.post('/rigs').send({ name: 'a' }).expect(201);
  const read = await server.get('/rigs/1').expect(200);
  expect([made.body, read.body]).toMatchObject([{ status: 'queued' }, { status: 'ready' }]);
  expect(made.headers['etag']).toBe(read.headers['etag']);
  await server
    .patch('/rigs/1')
    .set('If-Match', made.headers['etag'] as string)
    .send({ name: 'b' })
    .expect(200);
});
