import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { inferResourceModel } from '../../../src/resources/infer-resource-model';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const FILE = object({ id: text, name: text, folder_id: text, home: ref('Folder') }, ['id', 'name']);
const FOLDER = object({ id: text, label: text }, ['id']);
const page = object({ entries: list(ref('File')), total: whole });

const files = (operations: Parameters<typeof smallApi>[0]): ReturnType<typeof mockOfDocument> =>
  mockOfDocument(
    smallApi(
      {
        'POST /files': {
          body: object({ name: text, folder_id: text, home: ref('Folder') }),
          answers: { 201: ref('File') },
        },
        'GET /files/{id}': { answers: { 200: ref('File'), 404: null } },
        'POST /folders': { body: object({ label: text }), answers: { 201: ref('Folder') } },
        'GET /folders/{folderId}': { answers: { 200: ref('Folder') } },
        ...operations,
      },
      { File: FILE, Folder: FOLDER },
    ),
  );

test.each(['/search', '/search/files', '/my/documents'])(
  'the list %s shows what is created elsewhere',
  async (path) => {
    const { send } = files({ [`GET ${path}`]: { query: { q: text }, answers: { 200: page } } });
    const { body } = await send('POST', '/files', { name: 'Plan' });
    await send('POST', '/files', { name: 'Bill' });
    expect((await send('GET', `${path}?q=plan`)).body).toEqual({ entries: [body], total: 1 });
    expect((await send('GET', path)).body).toMatchObject({ total: 2 });
  },
);

test('a list below another item shows what refers to that item', async () => {
  const { send } = files({ 'GET /folders/{folderId}/contents': { answers: { 200: page } } });
  for (const label of ['a', 'b']) await send('POST', '/folders', { label });
  await send('POST', '/files', { name: 'Plan', folder_id: '1' });
  await send('POST', '/files', { name: 'Bill', folder_id: '2' });
  expect((await send('GET', '/folders/2/contents')).body).toMatchObject({ entries: [{ name: 'Bill' }], total: 1 });
});

test('a list below an item that is embedded shows what embeds it', async () => {
  const Folder = object({ id: text, label: text }, ['id']);
  const mock = mockOfDocument(
    smallApi(
      {
        'POST /files': { body: object({ name: text, parent: ref('Folder') }), answers: { 201: ref('File') } },
        'GET /files/{id}': { answers: { 200: ref('File') } },
        'POST /folders': { body: object({ label: text }), answers: { 201: ref('Folder') } },
        'GET /folders/{folderId}': { answers: { 200: ref('Folder') } },
        'GET /folders/{folderId}/entries': { answers: { 200: list(ref('File')) } },
      },
      { File: object({ id: text, name: text, parent: ref('Folder') }, ['id']), Folder },
    ),
  );
  for (const label of ['a', 'b']) await mock.send('POST', '/folders', { label });
  for (const id of ['1', '2']) await mock.send('POST', '/files', { name: `in ${id}`, parent: { id } });
  expect((await mock.send('GET', '/folders/2/entries')).body).toMatchObject([{ name: 'in 2' }]);
});

test('a list of what was deleted does not show the items that are there', () => {
  const { api } = files({ 'GET /trash/files': { answers: { 200: page } } });
  const bound = [...inferResourceModel(api).bindings.keys()].map(({ path }) => path);
  expect(bound).toContain('/files');
  expect(bound).not.toContain('/trash/files');
});

test('a search by POST beside a collection shows what it stores', async () => {
  const { send } = files({ 'POST /search/files': { body: object({ name: text }), answers: { 200: page } } });
  for (const name of ['Plan', 'Bill']) await send('POST', '/files', { name });
  expect((await send('POST', '/search/files', {})).body).toMatchObject({ total: 2 });
});

test('a list above the collections of several owners shows the items of all of them', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /repos': { answers: { 200: list(ref('Repo')) } },
        'GET /repos/{owner}/{repo}': { answers: { 200: ref('Repo') } },
        'PUT /repos/{owner}/{repo}': { body: ref('Repo'), answers: { 201: ref('Repo') } },
      },
      { Repo: object({ name: text, size: whole }) },
    ),
  );
  await send('PUT', '/repos/ada/one', { size: 1 });
  await send('PUT', '/repos/bob/two', { size: 2 });
  expect((await send('GET', '/repos')).body).toMatchObject([{ name: 'one' }, { name: 'two' }]);
});

test('a page of `tasks` is that of `/order_task`, whatever stands beside it', async () => {
  const Task = object({ taskId: text, feed: text });
  const page = object({
    href: text,
    next: text,
    offset: { type: 'integer' },
    total: { type: 'integer' },
    tasks: list(ref('Task')),
  });
  const calls = {
    'GET /order_task': { query: { limit: { type: 'integer' }, offset: { type: 'integer' } }, answers: { 200: page } },
    'POST /order_task': { body: object({ feed: text }), answers: { 201: ref('Task') } },
    'GET /order_task/{task_id}': { answers: { 200: ref('Task'), 404: null } },
  };
  const server = supertest(await serveText(smallApi(calls, { Task }), { state: 'empty' }));
  const { body: made } = await server.post('/order_task').send({ feed: 'f' }).expect(201);
  const { body } = await server.get('/order_task').expect(200);
  expect(body).toMatchObject({ tasks: [made], total: 1 });
});
