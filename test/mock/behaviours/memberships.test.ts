import request from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, NOW } from './small-mock';
import { answers, takes, textsInPath } from '../../support/flow';

const flag = { type: 'boolean' };

const REPO =
  '{ type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string }, text: { type: string }, owner: { type: object, required: [login], properties: { login: { type: string } } } } }';
const USER = '{ type: object, required: [login], properties: { login: { type: string }, name: { type: string } } }';
const MEMBERSHIP = `
    get: { responses: { '204': { description: there }, '404': { description: not there } } }
    put: { responses: { '204': { description: put there } } }
    delete: { responses: { '204': { description: taken away } } }`;

const DOCUMENT = `openapi: 3.0.3
info: { title: Stars, version: 1.0.0 }
paths:
  /users:
    post: { ${takes(USER)}, ${answers(USER, 201)} }
  /users/{username}:
    ${textsInPath('username')}
    get: { ${answers(USER)} }
  /orgs/{org}/blocks:
    ${textsInPath('org')}
    get: { ${answers(`{ type: array, items: ${USER} }`)} }
  /orgs/{org}/blocks/{username}:
    ${textsInPath('org', 'username')}${MEMBERSHIP}
  /repos/{owner}/{repo}:
    ${textsInPath('owner', 'repo')}
    get: { ${answers(REPO)} }
    put: { ${takes('{ type: object, properties: { text: { type: string } } }')}, ${answers(REPO, 201)} }
    patch: { ${takes('{ type: object, properties: { text: { type: string } } }')}, ${answers(REPO)} }
    delete: { responses: { '204': { description: gone } } }
  /repos/{owner}/{repo}/pin:
    ${textsInPath('owner', 'repo')}${MEMBERSHIP}
  /repos/{owner}/{repo}/merge:
    ${textsInPath('owner', 'repo')}
    get: { responses: { '204': { description: merged }, '404': { description: not merged } } }
    put: { ${answers('{ type: object, required: [merged], properties: { merged: { type: boolean } } }').replace('schema', 'example: { merged: true }, schema')} }
  /starred:
    get: { ${answers(`{ type: array, items: ${REPO} }`)} }
  /starred/{owner}/{repo}:
    ${textsInPath('owner', 'repo')}${MEMBERSHIP}
`;

describe('what is only there or not', () => {
  test('is put there by PUT and taken away by DELETE, under a key of several steps, in its sandbox', async () => {
    const app = await serveText(DOCUMENT);
    await request(app).get('/starred/ann/demo').expect(404);
    await request(app).put('/starred/ann/demo').expect(204);
    await request(app).put('/starred/ann/demo').expect(204);
    await request(app).get('/starred/ann/demo').expect(204);
    await request(app).get('/starred/bob/demo').expect(404);
    await request(app).get('/starred/ann/demo').set('X-Standin-Sandbox', 'other').expect(404);
    await request(app).delete('/starred/ann/demo').expect(204);
    await request(app).get('/starred/ann/demo').expect(404);
  });

  test('is in the list before its names, as it is kept by now', async () => {
    const app = await serveText(DOCUMENT);
    await request(app).put('/repos/ann/demo').send({ text: 'old' }).expect(201);
    await request(app).put('/repos/bob/demo').send({ text: 'other' }).expect(201);
    await request(app).put('/starred/ann/demo').expect(204);
    const seen = await request(app).get('/starred').expect(200);
    expect(seen.body).toMatchObject([{ name: 'demo', text: 'old' }]);
    await request(app).patch('/repos/ann/demo').send({ text: 'new' }).expect(200);
    expect((await request(app).get('/starred').expect(200)).body).toMatchObject([{ text: 'new' }]);
    await request(app).delete('/starred/ann/demo').expect(204);
    await request(app).get('/starred').expect(200, []);
  });

  test('is of its item where no name stands behind it, and goes with it', async () => {
    const app = await serveText(DOCUMENT);
    await request(app).put('/repos/ann/demo').send({}).expect(201);
    await request(app).get('/repos/ann/demo/pin').expect(404);
    await request(app).put('/repos/ann/demo/pin').expect(204);
    await request(app).get('/repos/ann/demo/pin').expect(204);
    await request(app).delete('/repos/ann/demo').expect(204);
    await request(app).put('/repos/ann/demo').send({}).expect(201);
    await request(app).get('/repos/ann/demo/pin').expect(404);
  });

  test('may be told of by the PUT itself', async () => {
    const app = await serveText(DOCUMENT);
    await request(app).put('/repos/ann/demo').send({}).expect(201);
    await request(app).get('/repos/ann/demo/merge').expect(404);
    await request(app).put('/repos/ann/demo/merge').expect(200, { merged: true });
    await request(app).get('/repos/ann/demo/merge').expect(204);
  });

  test('is in the list of its collection, with what is known of it elsewhere', async () => {
    const app = await serveText(DOCUMENT);
    await request(app).post('/users').send({ login: 'eve', name: 'Eve' }).expect(201);
    await request(app).get('/orgs/acme/blocks/eve').expect(404);
    await request(app).put('/orgs/acme/blocks/eve').expect(204);
    await request(app).get('/orgs/acme/blocks/eve').expect(204);
    await request(app)
      .get('/orgs/acme/blocks')
      .expect(200, [{ login: 'eve', name: 'Eve' }]);
    await request(app).get('/orgs/other/blocks').expect(200, []);
  });
});

test('what is put below an item shows there, with its time and the end that it is', async () => {
  const there = { 204: null, 404: null };
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /pulls': { answers: { 200: list(ref('Pull')) } },
        'POST /pulls': { body: object({ title: text }), answers: { 201: ref('Pull') } },
        'GET /pulls/{number}': { answers: { 200: ref('Pull'), 404: null } },
        'GET /pulls/{number}/merge': { answers: there },
        'PUT /pulls/{number}/merge': { body: object({ text }), answers: { 200: object({ merged: flag }, ['merged']) } },
        'GET /pulls/{number}/star': { answers: there },
        'PUT /pulls/{number}/star': { answers: { 204: null } },
        'DELETE /pulls/{number}/star': { answers: { 204: null } },
        'GET /pulls/{number}/lock': { answers: there },
        'PUT /pulls/{number}/lock': { answers: { 204: null } },
        'DELETE /pulls/{number}/lock': { answers: { 204: null } },
      },
      {
        Pull: object(
          {
            number: { ...whole, readOnly: true },
            state: { ...text, enum: ['open', 'closed'] },
            merged: flag,
            merged_at: { ...text, format: 'date-time', nullable: true },
            starred: flag,
            starred_at: { ...text, format: 'date-time', nullable: true },
            locked: flag,
            locked_at: { ...text, format: 'date-time' },
          },
          ['number', 'state', 'merged', 'merged_at', 'starred', 'starred_at', 'locked'],
        ),
      },
      { number: whole },
    ),
  );
  await send('POST', '/pulls', { title: 'a' });
  const pull = async (): Promise<unknown> => (await send('GET', '/pulls/1')).body;
  await send('PUT', '/pulls/1/star');
  await send('PUT', '/pulls/1/lock');
  expect(await pull()).toMatchObject({ state: 'open', merged: false, merged_at: null, starred: true, locked: true });
  expect(await pull()).toMatchObject({ starred_at: NOW, locked_at: NOW });
  await send('DELETE', '/pulls/1/star');
  await send('DELETE', '/pulls/1/lock');
  expect(await pull()).toMatchObject({ starred: false, starred_at: null, locked: false });
  expect(await pull()).not.toHaveProperty('locked_at');
  await send('PUT', '/pulls/1/merge', { text: 'x' });
  expect((await send('GET', '/pulls/1/merge')).status).toBe(204);
  expect(await pull()).toMatchObject({ state: 'closed', merged: true, merged_at: NOW, starred: false });
});
