import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';

const serve = async (...api: Parameters<typeof smallApi>) => supertest(await serveText(smallApi(...api)));

test('a list across places shows what was made in each of them', async () => {
  const server = await serve(
    {
      'GET /pods': { answers: { 200: list(ref('Pod')) } },
      'GET /areas/{area}/pods': { answers: { 200: list(ref('Pod')) } },
      'POST /areas/{area}/pods': { body: ref('Pod'), answers: { 201: ref('Pod') } },
      'GET /areas/{area}/pods/{name}': { answers: { 200: ref('Pod') } },
      'DELETE /areas/{area}/pods/{name}': { answers: { 204: null } },
    },
    { Pod: object({ name: text, area: text, image: text }, ['name']) },
  );
  for (const area of ['north', 'south']) {
    for (const name of ['a', area]) await server.post(`/areas/${area}/pods`).send({ name, image: 'x' }).expect(201);
  }
  const { body } = (await server.get('/pods').expect(200)) as { body: { area: string; name: string }[] };
  expect(body.map(({ area, name }) => `${area} ${name}`).sort()).toEqual([
    'north a',
    'north north',
    'south a',
    'south south',
  ]);
  await server.delete('/areas/south/pods/a').expect(204);
  expect((await server.get('/pods').expect(200)).body).toHaveLength(3);
});

test('pages and filters of a list across places tell items of one key apart', async () => {
  const server = await serve(
    {
      'GET /pods': {
        query: { limit: whole, cursor: text, name: text },
        answers: { 200: object({ items: list(ref('Pod')), next: text }) },
      },
      'GET /areas/{area}/pods': { answers: { 200: object({ items: list(ref('Pod')) }) } },
      'POST /areas/{area}/pods': { body: ref('Pod'), answers: { 201: ref('Pod') } },
      'GET /areas/{area}/pods/{name}': { answers: { 200: ref('Pod') } },
    },
    { Pod: object({ name: text, size: whole }, ['name']) },
  );
  for (const [size, area] of ['a', 'b', 'c'].entries())
    for (const name of ['x', 'y']) await server.post(`/areas/${area}/pods`).send({ name, size }).expect(201);
  const shown: string[] = [];
  for (let url: string | undefined = '/pods?limit=1'; url !== undefined && shown.length < 10;) {
    const { body } = await server.get(url).expect(200);
    const { items, next } = body as { items: { name: string; size: number }[]; next?: string };
    shown.push(...items.map(({ name, size }) => `${name}${size}`));
    url = next === undefined ? undefined : next.replace(/^http:\/\/[^/]+/, '');
  }
  expect(shown).toEqual(['x0', 'x1', 'x2', 'y0', 'y1', 'y2']);
  expect((await server.get('/pods?name=y').expect(200)).body).toMatchObject({
    items: [{ size: 0 }, { size: 1 }, { size: 2 }],
  });
});

test('what is made for oneself, for an organisation or for a user is found under the name of its owner', async () => {
  const repo = ref('Repo');
  const server = await serve(
    {
      'GET /user': { answers: { 200: ref('Owner') } },
      'PATCH /user': { body: object({ bio: text }), answers: { 200: ref('Owner') } },
      'GET /user/repos': { answers: { 200: list(repo) } },
      'POST /user/repos': { body: object({ name: text }, ['name']), answers: { 201: repo } },
      'GET /orgs/{org}': { answers: { 200: ref('Org') } },
      'PATCH /orgs/{org}': { body: ref('Org'), answers: { 200: ref('Org') } },
      'GET /orgs/{org}/repos': { answers: { 200: list(repo) } },
      'POST /orgs/{org}/repos': { body: object({ name: text }, ['name']), answers: { 201: repo } },
      'GET /repos/{owner}/{repo}': { answers: { 200: repo } },
      'DELETE /repos/{owner}/{repo}': { answers: { 204: null } },
    },
    {
      Owner: object({ login: text, bio: text }, ['login']),
      Org: object({ login: text, plan: text }, ['login']),
      Repo: object({ name: text, full_name: text, owner: ref('Owner') }, ['name', 'owner', 'full_name']),
    },
  );
  const { body: me } = (await server.patch('/user').send({ bio: 'x' }).expect(200)) as { body: { login: string } };
  const made = await server.post('/user/repos').send({ name: 'demo' }).expect(201);
  expect(made.body).toMatchObject({ name: 'demo', full_name: `${me.login}/demo`, owner: { login: me.login } });
  await server.get(`/repos/${me.login}/demo`).expect(200, made.body as object);
  expect((await server.get('/user/repos').expect(200)).body).toHaveLength(1);
  const ours = await server.post('/orgs/acme/repos').send({ name: 'site' }).expect(201);
  expect(ours.body).toMatchObject({ name: 'site', owner: { login: 'acme' } });
  await server.get('/repos/acme/site').expect(200, ours.body as object);
  await server.delete('/repos/acme/site').expect(204);
  expect((await server.get('/orgs/acme/repos').expect(200)).body).toHaveLength(0);
});

test('a full name that clients write is not the path of the item', async () => {
  const member = ref('Member');
  const server = await serve(
    {
      'GET /clubs/{club}/members': { answers: { 200: list(member) } },
      'PUT /clubs/{club}/members/{handle}': {
        body: object({ fullName: text }, ['fullName']),
        answers: { 201: member, 200: member },
      },
      'GET /clubs/{club}/members/{handle}': { answers: { 200: member, 404: null } },
    },
    { Member: object({ handle: text, fullName: text }, ['handle', 'fullName']) },
  );
  const path = '/clubs/chess/members/ada';
  await server.put(path).send({ fullName: 'Ada Lovelace' }).expect(201, { handle: 'ada', fullName: 'Ada Lovelace' });
  await server.put(path).send({ fullName: 'Ada King' }).expect(200, { handle: 'ada', fullName: 'Ada King' });
  await server.get(path).expect(200, { handle: 'ada', fullName: 'Ada King' });
});

test('what is made for oneself is one of all', async () => {
  const server = await serve(
    {
      'GET /me/lists': { answers: { 200: list(ref('List')) } },
      'POST /me/lists': { body: ref('List'), answers: { 201: ref('List') } },
      'GET /lists/{id}': { answers: { 200: ref('List') } },
      'DELETE /lists/{id}': { answers: { 204: null } },
    },
    { List: object({ id: text, title: text }) },
  );
  const { body } = (await server.post('/me/lists').send({ title: 'x' }).expect(201)) as { body: { id: string } };
  await server.get(`/lists/${body.id}`).expect(200, body);
  expect((await server.get('/me/lists').expect(200)).body).toEqual([body]);
});

test('an answer that only names the key of what was made shows the one under which it is found', async () => {
  const server = await serve(
    {
      'GET /silences': { answers: { 200: list(ref('Silence')) } },
      'POST /silences': { body: object({ comment: text }), answers: { 200: object({ silenceID: text }) } },
      'GET /silence/{silenceID}': { answers: { 200: ref('Silence') } },
      'DELETE /silence/{silenceID}': { answers: { 200: null } },
    },
    { Silence: object({ id: text, comment: text }, ['id']) },
  );
  const { body } = (await server.post('/silences').send({ comment: 'c' }).expect(200)) as {
    body: { silenceID: string };
  };
  const kept = { id: body.silenceID, comment: 'c' };
  await server.get(`/silence/${body.silenceID}`).expect(200, kept);
  await server.get('/silences').expect(200, [kept]);
  await server.delete(`/silence/${body.silenceID}`).expect(200);
  await server.get('/silences').expect(200, []);
});

test('remote procedures act on one store', async () => {
  const byId = object({ item_id: text }, ['item_id']);
  const one = { answers: { 200: object({ item: ref('Item'), request_id: text }) } };
  const server = await serve(
    {
      'POST /item/create': { body: object({ name: text }), ...one },
      'POST /item/get': { body: byId, ...one },
      'POST /item/update': { body: object({ item_id: text, name: text }, ['item_id']), ...one },
      'POST /item/list': { body: object({}), answers: { 200: object({ items: list(ref('Item')) }) } },
      'POST /item/remove': { body: byId, answers: { 200: object({ removed: { type: 'boolean' } }) } },
    },
    { Item: object({ item_id: text, name: text }, ['item_id']) },
  );
  const made = (await server.post('/item/create').send({ name: 'a' }).expect(200)) as {
    body: { item: { item_id: string } };
  };
  const { item_id } = made.body.item;
  const renamed = await server.post('/item/update').send({ item_id, name: 'b' }).expect(200);
  expect(renamed.body).toMatchObject({ item: { item_id, name: 'b' } });
  expect((await server.post('/item/get').send({ item_id }).expect(200)).body).toMatchObject({ item: { name: 'b' } });
  expect((await server.post('/item/list').send({}).expect(200)).body).toEqual({ items: [{ item_id, name: 'b' }] });
  await server.post('/item/remove').send({ item_id }).expect(200);
  expect((await server.post('/item/list').send({}).expect(200)).body).toEqual({ items: [] });
});

test('a key in the body is another value than a variable of the same name in the path', async () => {
  const key = object({ id: whole });
  const server = await serve(
    {
      'POST /orgs': { body: ref('Org'), answers: { 201: ref('Org') } },
      'GET /orgs/{id}': { answers: { 200: ref('Org'), 404: null } },
      'POST /orgs/{id}/posts/list': { answers: { 200: list(ref('Post')) } },
      'POST /orgs/{id}/posts/create': { body: object({ title: text }), answers: { 201: ref('Post') } },
      'POST /orgs/{id}/posts/get': { body: key, answers: { 200: ref('Post'), 404: null } },
      'POST /orgs/{id}/posts/delete': { body: key, answers: { 204: null } },
    },
    { Org: object({ id: whole, name: text }), Post: object({ id: whole, title: text }) },
    { id: whole },
  );
  await server.post('/orgs').send({ name: 'o' }).expect(201);
  for (const title of ['x', 'y']) await server.post('/orgs/1/posts/create').send({ title }).expect(201);
  await server.post('/orgs/1/posts/get').send({ id: 2 }).expect(200, { id: 2, title: 'y' });
  await server.post('/orgs/1/posts/delete').send({ id: 1 }).expect(204);
  await server.post('/orgs/1/posts/list').expect(200, [{ id: 2, title: 'y' }]);
});

test('a creation that takes a part of the item, by its name in the query, and answers the key alone', async () => {
  const config = { Image: text, Labels: { type: 'object' }, Cmd: list(text) };
  const server = await serve(
    {
      'GET /boxes/json': { answers: { 200: list(object({ Id: text, Names: list(text), Image: text })) } },
      'POST /boxes/create': {
        body: object(config, ['Image']),
        query: { name: text },
        answers: { 201: object({ Id: text, Warnings: list(text) }, ['Id', 'Warnings']) },
      },
      'GET /boxes/{id}/json': {
        answers: { 200: object({ Id: text, Name: text, Created: text, Config: object(config) }) },
      },
      'DELETE /boxes/{id}': { answers: { 204: null } },
    },
    {},
  );
  const made = await server
    .post('/boxes/create?name=tin')
    .send({ Image: 'busy', Labels: { a: 'b' } })
    .expect(201);
  const { Id } = made.body as { Id: string };
  expect(made.body).toEqual({ Id, Warnings: [] });
  expect(made.headers['x-standin-problem']).toBeUndefined();
  expect((await server.get(`/boxes/${Id}/json`).expect(200)).body).toMatchObject({
    Id,
    Name: 'tin',
    Config: { Image: 'busy', Labels: { a: 'b' } },
  });
  expect((await server.get('/boxes/json').expect(200)).body).toMatchObject([{ Id, Names: ['tin'] }]);
});

test('what could be either of two parts of an item, or only some of one, is told instead of guessed', async () => {
  const config = object({ Image: text, Size: whole });
  const box = object({ Id: text, Config: config, Default: config });
  const one = object({ Id: text, Config: config });
  const server = await serve({
    'POST /boxes': { body: config, answers: { 201: box } },
    'GET /boxes/{id}': { answers: { 200: box } },
    'POST /cans': { body: config, answers: { 201: one } },
    'GET /cans/{id}': { answers: { 200: one } },
    'PATCH /cans/{id}': { body: config, answers: { 200: one } },
  });
  const made = await server.post('/boxes').send({ Image: 'busy' }).expect(201);
  expect(made.headers['x-standin-problem']).toMatch(/^not_kept: .*\/Image/);
  const { body } = (await server.post('/cans').send({ Image: 'busy', Size: 2 }).expect(201)) as {
    body: { Id: string };
  };
  const changed = await server.patch(`/cans/${body.Id}`).send({ Image: 'other' }).expect(200);
  expect(changed.body).toMatchObject({ Config: { Image: 'busy', Size: 2 } });
  expect(changed.headers['x-standin-problem']).toMatch(/^not_kept: .*\/Image/);
});

test('what is never sent is not sent in the form of a list either', async () => {
  const server = await serve(
    {
      'GET /users': { answers: { 200: list(object({ id: text, name: text, tokens: list(text) })) } },
      'POST /users': { body: ref('User'), answers: { 201: ref('User') } },
      'GET /users/{id}': { answers: { 200: ref('User') } },
    },
    { User: object({ id: text, name: text, token: { type: 'string', writeOnly: true } }) },
  );
  await server.post('/users').send({ name: 'Ada', token: 'only-written' }).expect(201);
  expect((await server.get('/users').expect(200)).text).not.toContain('only-written');
});

test('a part of an item whose answer is the whole item is another way to it', async () => {
  const server = await serve(
    {
      'GET /jobs/{name}': { answers: { 200: ref('Job') } },
      'PUT /jobs/{name}': { body: ref('Job'), answers: { 201: ref('Job') } },
      'GET /jobs/{name}/status': { answers: { 200: ref('Job') } },
      'PUT /jobs/{name}/status': { body: ref('Job'), answers: { 200: ref('Job') } },
    },
    { Job: object({ name: text, size: text, status: text }) },
  );
  await server.put('/jobs/a').send({ name: 'a', size: 'x' }).expect(201);
  const whole = { name: 'a', size: 'x', status: 'done' };
  await server.put('/jobs/a/status').send({ name: 'a', status: 'done' }).expect(200, whole);
  await server.get('/jobs/a').expect(200, whole);
  await server.get('/jobs/a/status').expect(200, whole);
});

test('operations that count their versions each for itself are about one store, and it is found by either name', async () => {
  const server = await serve(
    {
      'GET /v9/apps': { answers: { 200: list(ref('App')) } },
      'POST /v10/apps': { body: object({ slug: text }), answers: { 201: ref('App') } },
      'GET /v9/apps/{idOrSlug}': { answers: { 200: ref('App'), 404: null } },
      'DELETE /v8/apps/{idOrSlug}': { answers: { 204: null } },
      'POST /v11/apps/{idOrSlug}/domains': { body: object({ name: text }), answers: { 201: ref('Domain') } },
      'GET /v9/apps/{idOrSlug}/domains': { answers: { 200: list(ref('Domain')) } },
      // Two interfaces, each whole: what is made in one is not in the other.
      'GET /v1/keys': { answers: { 200: list(ref('App')) } },
      'GET /v2/keys': { answers: { 200: list(ref('App')) } },
      'POST /v2/keys': { body: object({ slug: text }), answers: { 201: ref('App') } },
    },
    { App: object({ id: text, slug: text }, ['id', 'slug']), Domain: object({ name: text }, ['name']) },
  );
  const made = (await server.post('/v10/apps').send({ slug: 'shop' }).expect(201)) as { body: { id: string } };
  await server.get('/v9/apps').expect(200, [made.body]);
  await server.get(`/v9/apps/${made.body.id}`).expect(200, made.body);
  await server.get('/v9/apps/shop').expect(200, made.body);
  await server.post('/v11/apps/shop/domains').send({ name: 'a.example' }).expect(201);
  await server.get(`/v9/apps/${made.body.id}/domains`).expect(200, [{ name: 'a.example' }]);
  await server.delete('/v8/apps/shop').expect(204);
  await server.get(`/v9/apps/${made.body.id}`).expect(404);
  await server.post('/v2/keys').send({ slug: 'x' }).expect(201);
  expect(JSON.stringify((await server.get('/v1/keys').expect(200)).body)).not.toContain('"x"');
});
