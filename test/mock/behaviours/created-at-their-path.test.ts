import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const Repo = object({ uuid: text, slug: text, name: text, about: text });
const repos = {
  'GET /repos/{team}': { answers: { 200: object({ values: list(ref('Repo')), size: { type: 'integer' } }) } },
  'GET /repos/{team}/{slug}': { answers: { 200: ref('Repo'), 404: null } },
  'PUT /repos/{team}/{slug}': { body: ref('Repo'), answers: { 200: ref('Repo'), 404: null } },
};

test.each(['Create a repository', 'Creates a new repository.', 'Add a repository'])('POST "%s"', async (summary) => {
  const api = smallApi(
    { ...repos, 'POST /repos/{team}/{slug}': { summary, body: ref('Repo'), answers: { 200: ref('Repo') } } },
    { Repo },
  );
  const { send } = mockOfDocument(api);
  const made = await send('POST', '/repos/a/first', { name: 'First', about: 'x' });
  expect(made).toMatchObject({ status: 200, body: { slug: 'first', name: 'First' } });
  expect((await send('GET', '/repos/a/first')).body).toEqual(made.body);
  expect((await send('GET', '/repos/a')).body).toMatchObject({ values: expect.arrayContaining([made.body]) as object });
});

test('a POST to an item that does not say that it makes one finds none', async () => {
  const api = smallApi(
    {
      ...repos,
      'POST /repos/{team}/{slug}': { summary: 'Change', body: ref('Repo'), answers: { 200: ref('Repo'), 404: null } },
    },
    { Repo },
  );
  const { send } = mockOfDocument(api);
  expect((await send('POST', '/repos/a/none', { name: 'First' })).status).toBe(404);
});

test('a POST beside a PUT that documents 201 makes the item, of which it answers the key alone', async () => {
  const Page = object({ file_path: text, content: text, encoding: text }, ['file_path']);
  const sent = object({ branch: text, content: text, encoding: text }, ['content']);
  const answered = object({ file_path: text, branch: text });
  const api = smallApi(
    {
      'GET /projects/{id}/pages/{file_path}': { answers: { 200: ref('Page'), 404: null } },
      'POST /projects/{id}/pages/{file_path}': { body: sent, answers: { 201: answered } },
      'PUT /projects/{id}/pages/{file_path}': { body: sent, answers: { 200: answered, 404: null } },
      'DELETE /projects/{id}/pages/{file_path}': { answers: { 204: null } },
    },
    { Page },
  );
  const { send } = mockOfDocument(api);
  const body = { branch: 'main', content: 'aGVsbG8=', encoding: 'base64' };
  expect(await send('POST', '/projects/1/pages/a.txt', body)).toMatchObject({
    status: 201,
    body: { file_path: 'a.txt' },
  });
  expect((await send('GET', '/projects/1/pages/a.txt')).body).toEqual({
    file_path: 'a.txt',
    content: 'aGVsbG8=',
    encoding: 'base64',
  });
});

test('a name that is sent where no body is declared is the key', async () => {
  const Branch = object({ name: text, target: text });
  const api = smallApi(
    {
      'GET /branches': { answers: { 200: list(ref('Branch')) } },
      'POST /branches': { answers: { 201: ref('Branch') } },
      'GET /branches/{name}': { answers: { 200: ref('Branch'), 404: null } },
    },
    { Branch },
  );
  const { send } = mockOfDocument(api);
  expect((await send('POST', '/branches', { name: 'dev', target: 'a1' })).body).toMatchObject({ name: 'dev' });
  expect((await send('GET', '/branches/dev')).body).toMatchObject({ target: 'a1' });
});
