import supertest from 'supertest';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole as integer } from '../../support/small-api';
import { objectOf, mockOfDocument } from './small-mock';

const Pool = object({ name: text, size: integer }, ['name']);
const Address = object({ ip: text, pool_name: text }, ['ip']);

/** Pools that clients name, with what lies below and beside them. */
const pools = (variable: string, method = 'PUT', refusals = {}): string =>
  smallApi(
    {
      'GET /pools': { answers: { 200: list(ref('Pool')) } },
      'POST /pools': { body: ref('Pool'), answers: { 201: ref('Pool'), 409: null } },
      [`GET /pools/{${variable}}`]: { answers: { 200: ref('Pool'), 404: null } },
      [`${method} /pools/{${variable}}`]: { body: ref('Pool'), answers: { 200: ref('Pool'), 404: null, ...refusals } },
      [`DELETE /pools/{${variable}}`]: { answers: { 204: null, 404: null } },
      [`GET /pools/{${variable}}/addresses`]: { answers: { 200: list(ref('Address')) } },
      [`POST /pools/{${variable}}/addresses`]: { body: ref('Address'), answers: { 201: ref('Address') } },
      [`GET /pools/{${variable}}/addresses/{ip}`]: { answers: { 200: ref('Address'), 404: null } },
      'GET /servers': { answers: { 200: list(ref('Server')) } },
      'POST /servers': { body: ref('Server'), answers: { 201: ref('Server') } },
      'GET /servers/{id}': { answers: { 200: ref('Server'), 404: null } },
    },
    { Pool, Address, Server: object({ id: integer, pool_id: text, pools: list(ref('Pool')) }) },
    { id: variable === 'id' ? { type: 'string' } : integer },
  );

describe('a change of the name by which an item is found', () => {
  test.each([
    ['pool_name', 'PUT'],
    ['pool_name', 'PATCH'],
    ['name', 'PUT'],
    ['poolName', 'PATCH'],
  ])('renames it, with what lies below it and what refers to it: {%s} by %s', async (variable, method) => {
    const { send } = mockOfDocument(pools(variable, method));
    await send('POST', '/pools', { name: 'old', size: 2 });
    await send('POST', '/pools', { name: 'other', size: 3 });
    await send('POST', '/pools/old/addresses', { ip: '10.0.0.1' });
    await send('POST', '/servers', { pool_id: 'old', pools: [{ name: 'old', size: 2 }] });
    await send('POST', '/servers', { pool_id: 'other' });
    const below = JSON.stringify((await send('GET', '/pools/old/addresses')).body);
    expect(await send(method, '/pools/old', { name: 'new', size: 2 })).toMatchObject({
      status: 200,
      body: { name: 'new', size: 2 },
    });
    const { body } = await send('GET', '/pools');
    expect(body).toEqual(
      expect.arrayContaining([
        { name: 'new', size: 2 },
        { name: 'other', size: 3 },
      ]),
    );
    expect(body).toHaveLength(2);
    expect(await send('GET', '/pools/new')).toMatchObject({ status: 200, body: { name: 'new', size: 2 } });
    expect(JSON.stringify((await send('GET', '/pools/new/addresses')).body)).toBe(below.replace('old', 'new'));
    expect(await send('GET', '/pools/new/addresses/10.0.0.1')).toMatchObject({ status: 200 });
    const servers = (await send('GET', '/servers')).body;
    expect(servers).toMatchObject([{ pool_id: 'new', pools: [{ name: 'new' }] }, { pool_id: 'other' }]);
  });

  test('leaves it where its old address is, until something else has that name', async () => {
    const { send } = mockOfDocument(pools('pool_name'));
    await send('POST', '/pools', { name: 'old', size: 2 });
    await send('PUT', '/pools/old', { name: 'new', size: 2 });
    expect(await send('GET', '/pools/old')).toMatchObject({ status: 200, body: { name: 'new', size: 2 } });
    expect(await send('POST', '/pools/old/addresses', { ip: '10.0.0.2' })).toMatchObject({ status: 201 });
    expect(await send('GET', '/pools/new/addresses/10.0.0.2')).toMatchObject({ status: 200 });
    expect(await send('POST', '/pools', { name: 'old', size: 5 })).toMatchObject({ status: 201 });
    expect(objectOf(await send('GET', '/pools/old'))).toEqual({ name: 'old', size: 5 });
    expect(objectOf(await send('GET', '/pools/new'))).toEqual({ name: 'new', size: 2 });
    await send('DELETE', '/pools/old');
    await send('DELETE', '/pools/new');
    expect(await send('GET', '/pools/old')).toMatchObject({ status: 404 });
  });

  test('to the name of another item, or to none, changes nothing', async () => {
    const { send, stateText } = mockOfDocument(pools('pool_name'));
    await send('POST', '/pools', { name: 'old', size: 2 });
    await send('POST', '/pools', { name: 'taken', size: 3 });
    const before = stateText();
    expect(await send('PUT', '/pools/old', { name: 'taken' })).toMatchObject({
      status: 409,
      body: { code: 'key_taken', pointer: '/name' },
    });
    expect(await send('PUT', '/pools/old', { name: '' })).toMatchObject({ body: { code: 'key_mismatch' } });
    expect(stateText()).toBe(before);
  });

  test('that was read from a list of the start is done as well', async () => {
    const server = supertest(await serveText(pools('pool_name'), { state: 'seeded' }));
    const [first, second] = (await server.get('/pools').expect(200)).body;
    const below = (await server.get(`/pools/${first.name}/addresses`).expect(200)).body;
    await server
      .put(`/pools/${first.name}`)
      .send({ ...first, name: 'new' })
      .expect(200, { ...first, name: 'new' });
    const after = (await server.get('/pools').expect(200)).body;
    expect(after.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['new', second.name]));
    const moved = (await server.get('/pools/new/addresses').expect(200)).body;
    expect(moved.map(({ ip }: { ip: string }) => ip)).toEqual(below.map(({ ip }: { ip: string }) => ip));
    await server
      .put('/pools/new')
      .send({ ...first, name: second.name })
      .expect(409);
  });

  test.each([
    ['new_name', 'PATCH', '/labels/{name}'],
    ['new_name', 'POST', '/labels/{name}/rename'],
    ['name', 'POST', '/labels/{name}/rename'],
  ])('is taken as "%s" by %s %s', async (written, method, path) => {
    const { send } = mockOfDocument(
      smallApi(
        {
          'GET /labels': { answers: { 200: list(ref('Label')) } },
          'POST /labels': { body: ref('Label'), answers: { 201: ref('Label') } },
          'GET /labels/{name}': { answers: { 200: ref('Label') } },
          [`${method} ${path}`]: { body: object({ [written]: text, colour: text }), answers: { 200: ref('Label') } },
        },
        { Label: object({ id: integer, name: text, colour: text }, ['name']) },
      ),
    );
    await send('POST', '/labels', { name: 'bug', colour: 'red' });
    const changed = await send(method, path.replace('{name}', 'bug'), { [written]: 'defect' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'defect', colour: 'red' } });
    expect(changed.headers['x-standin-problem']).toBeUndefined();
    expect((await send('GET', '/labels')).body).toMatchObject([{ name: 'defect' }]);
  });

  test('may be one step of a JSON Patch', async () => {
    const { send } = mockOfDocument(
      smallApi(
        {
          'GET /tags': { answers: { 200: list(ref('Tag')) } },
          'POST /tags': { body: ref('Tag'), answers: { 201: ref('Tag') } },
          'GET /tags/{slug}': { answers: { 200: ref('Tag') } },
          'PATCH /tags/{slug}': { answers: { 200: ref('Tag') } },
        },
        { Tag: object({ slug: text, title: text }, ['slug']) },
      ).replace('"patch":{', '"patch":{"requestBody":{"content":{"application/json-patch+json":{}}},'),
    );
    await send('POST', '/tags', { slug: 'a', title: 'A' });
    const type = { 'content-type': 'application/json-patch+json' };
    const patch = [{ op: 'replace', path: '/slug', value: 'b' }];
    expect(await send('PATCH', '/tags/a', patch, type)).toMatchObject({ status: 200, body: { slug: 'b', title: 'A' } });
    expect(await send('GET', '/tags/b')).toMatchObject({ status: 200 });
  });
});

test('what was put elsewhere by its name is there by the new one', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /users': { answers: { 200: list(ref('User')) } },
        'POST /users': { body: ref('User'), answers: { 201: ref('User') } },
        'GET /users/{username}': { answers: { 200: ref('User') } },
        'PATCH /users/{username}': { body: ref('User'), answers: { 200: ref('User') } },
        'POST /users/{username}/keys': { body: ref('Key'), answers: { 201: ref('Key') } },
        'GET /users/{username}/keys': { answers: { 200: list(ref('Key')) } },
        'GET /keys/{id}': { answers: { 200: ref('Key') } },
        'POST /groups': { body: ref('Group'), answers: { 201: ref('Group') } },
        'GET /groups/{id}': { answers: { 200: ref('Group') } },
        'GET /groups/{id}/users': { answers: { 200: list(ref('User')) } },
        'PUT /groups/{id}/users/{username}': { answers: { 204: null } },
        'DELETE /groups/{id}/users/{username}': { answers: { 204: null, 404: null } },
      },
      {
        User: object({ username: text, city: text }, ['username']),
        Group: object({ id: integer, title: text }),
        Key: object({ id: integer, title: text }),
      },
      { id: integer },
    ),
  );
  await send('POST', '/users', { username: 'ada', city: 'Paris' });
  await send('POST', '/users', { username: 'bob', city: 'Rome' });
  await send('POST', '/groups', { title: 'A' });
  for (const name of ['ada', 'bob']) await send('PUT', `/groups/1/users/${name}`);
  await send('POST', '/users/ada/keys', { title: 'K' });
  expect(await send('PATCH', '/users/ada', { username: 'eve' })).toMatchObject({ status: 200 });
  expect((await send('GET', '/groups/1/users')).body).toEqual([
    { username: 'bob', city: 'Rome' },
    { username: 'eve', city: 'Paris' },
  ]);
  expect((await send('GET', '/users/eve/keys')).body).toMatchObject([{ title: 'K' }]);
  expect(await send('DELETE', '/groups/1/users/eve')).toMatchObject({ status: 204 });
  expect((await send('GET', '/groups/1/users')).body).toMatchObject([{ username: 'bob' }]);
});

describe('an id of the service that differs from the address', () => {
  const tickets = (refusals = {}): string =>
    smallApi(
      {
        'GET /tickets': { answers: { 200: list(ref('Ticket')) } },
        'POST /tickets': { body: ref('Ticket'), answers: { 201: ref('Ticket') } },
        'GET /tickets/{ticketId}': { answers: { 200: ref('Ticket') } },
        'PUT /tickets/{ticketId}': { body: ref('Ticket'), answers: { 200: ref('Ticket'), ...refusals } },
        'PATCH /tickets/{ticketId}': { body: ref('Ticket'), answers: { 200: ref('Ticket'), ...refusals } },
      },
      { Ticket: object({ id: text, title: text }) },
    );

  test.each(['PUT', 'PATCH'])('is ignored where no refusal is documented: %s', async (method) => {
    const { send } = mockOfDocument(tickets());
    const id = stringifyJson(objectOf(await send('POST', '/tickets', { title: 'A' }))['id']!).slice(1, -1);
    const changed = await send(method, `/tickets/${id}`, { id: 'elsewhere', title: 'B' });
    expect(changed).toMatchObject({ status: 200, body: { id, title: 'B' } });
    expect(changed.headers['x-standin-problem']).toMatch(/not_kept: .*\/id/);
    expect((await send('GET', '/tickets')).body).toEqual([{ id, title: 'B' }]);
  });

  test.each([
    ['PUT', 400],
    ['PATCH', 422],
  ])('is refused where one is: %s %i', async (method, status) => {
    const { send } = mockOfDocument(tickets({ [status]: null }));
    const id = stringifyJson(objectOf(await send('POST', '/tickets', { title: 'A' }))['id']!).slice(1, -1);
    expect(await send(method, `/tickets/${id}`, { id: 'elsewhere', title: 'B' })).toMatchObject({ status });
    expect((await send('GET', '/tickets')).body).toEqual([{ id, title: 'A' }]);
  });
});
