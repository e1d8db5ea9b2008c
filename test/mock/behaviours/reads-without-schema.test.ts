import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, type SmallOperation } from '../../support/small-api';
import { mockOfDocument, type SmallMock } from './small-mock';
import { createPayloadSource } from '../../../src/payload/payload-source';

const created: Readonly<Record<string, SmallOperation>> = {
  'POST /jobs': { body: object({ name: text }, ['name']), answers: { 201: ref('Job') } },
  'DELETE /jobs/{id}': { answers: { 204: null } },
};

/** @param example - of the response to the GET of an item, which has no schema */
function jobs(example: object | undefined): SmallMock {
  const get = { 'GET /jobs/{id}': { answers: { 200: null } } };
  const document = JSON.parse(smallApi({ ...created, ...get }, { Job: object({ id: text, name: text }) })) as {
    paths: Record<string, { get: { responses: Record<string, object> } }>;
  };
  const responses = document.paths['/jobs/{id}']?.get.responses ?? {};
  if (example !== undefined) responses['200'] = { description: 'OK', content: { 'application/json': { example } } };
  return mockOfDocument(JSON.stringify(document));
}

test('an item whose GET documents only an example is shown until it is deleted', async () => {
  const { send } = jobs({ id: '7', name: 'seven' });
  await send('POST', '/jobs', { name: 'a' });
  expect((await send('GET', '/jobs/1')).body).toEqual({ id: '1', name: 'a' });
  expect((await send('DELETE', '/jobs/1')).status).toBe(204);
  expect((await send('GET', '/jobs/1')).status).toBe(404);
});

test('an item whose GET documents no content is there until it is deleted', async () => {
  const { send } = jobs(undefined);
  await send('POST', '/jobs', { name: 'a' });
  expect((await send('GET', '/jobs/1')).status).toBe(200);
  await send('DELETE', '/jobs/1');
  expect((await send('GET', '/jobs/1')).status).toBe(404);
});

test('an item that is put under its own key and documents no content is there until it is deleted', async () => {
  const { send } = mockOfDocument(
    smallApi({
      'PUT /keys/{name}': { body: object({ value: text }), answers: { 204: null } },
      'GET /keys/{name}': { answers: { 200: null, 404: null } },
      'DELETE /keys/{name}': { answers: { 204: null } },
    }),
  );
  expect((await send('GET', '/keys/a')).status).toBe(404);
  await send('PUT', '/keys/a', { value: 'x' });
  expect((await send('GET', '/keys/a')).status).toBe(200);
  await send('DELETE', '/keys/a');
  expect((await send('GET', '/keys/a')).status).toBe(404);
});

test('an item of which only a file is read is gone with its file', async () => {
  const get = { 'GET /jobs/{id}': { answers: { 200: text } }, 'GET /jobs': { answers: { 200: list(ref('Job')) } } };
  const document = JSON.parse(smallApi({ ...created, ...get }, { Job: object({ id: text, name: text }) })) as {
    paths: Record<string, { get: { responses: Record<string, object> } }>;
  };
  (document.paths['/jobs/{id}']?.get.responses ?? {})['200'] = {
    description: 'OK',
    content: { 'text/csv': { example: '12' } },
  };
  const { send } = mockOfDocument(JSON.stringify(document), {
    payloads: (api) =>
      createPayloadSource({
        api,
        generator: () => ({ generate: () => Promise.reject(new Error('not asked')) }),
      }),
  });
  await send('POST', '/jobs', { name: 'a' });
  expect((await send('GET', '/jobs/1')).status).toBe(200);
  await send('DELETE', '/jobs/1');
  expect((await send('GET', '/jobs/1')).status).toBe(404);
});

test('an item that a list shows, and whose GET documents no content, is there until it is deleted', async () => {
  const api = smallApi(
    {
      'GET /jobs': { answers: { 200: list(ref('Job')) } },
      'GET /jobs/{id}': { answers: { 200: null, 404: null } },
      'DELETE /jobs/{id}': { answers: { 204: null } },
    },
    { Job: object({ id: text, name: text }, ['id']) },
  );
  const server = supertest(await serveText(api, { state: 'seeded' }));
  const [job] = (await server.get('/jobs').expect(200)).body as { id: string }[];
  await server.get(`/jobs/${job!.id}`).expect(200);
  await server.delete(`/jobs/${job!.id}`).expect(204);
  await server.get(`/jobs/${job!.id}`).expect(404);
});
