import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { mockOfDocument, objectOf } from './small-mock';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';

const named = object({ name: text }, ['name']);

test('what whoever asks makes below something else is found among their own', async () => {
  const server = supertest(
    await serveText(
      smallApi(
        {
          'GET /user/desks': { answers: { 200: list(ref('Desk')) } },
          'POST /user/desks': { body: named, answers: { 201: ref('Desk') } },
          'GET /user/desks/{desk_id}': { answers: { 200: ref('Desk'), 404: null } },
          'DELETE /user/desks/{desk_id}': { answers: { 204: null, 404: null } },
          'GET /halls': { answers: { 200: list(ref('Hall')) } },
          'POST /halls': { body: named, answers: { 201: ref('Hall') } },
          'GET /halls/{hall_id}': { answers: { 200: ref('Hall'), 404: null } },
          'GET /halls/{hall_id}/desks': { answers: { 200: list(ref('Desk')) } },
          'POST /halls/{hall_id}/desks': { body: named, answers: { 201: ref('Desk') } },
          'GET /people/{person}/desks': { answers: { 200: list(ref('Desk')) } },
        },
        { Desk: object({ id: whole, name: text }, ['id', 'name']), Hall: object({ id: whole, name: text }, ['id']) },
      ),
    ),
  );
  const hall = (await server.post('/halls').send({ name: 'north' }).expect(201)).body as { id: number };
  const desk = (await server.post(`/halls/${hall.id}/desks`).send({ name: 'window' }).expect(201)).body as {
    id: number;
  };
  await server.get(`/user/desks/${desk.id}`).expect(200, desk);
  await server.get(`/halls/${hall.id}/desks`).expect(200, [desk]);
  const other = (await server.post('/user/desks').send({ name: 'door' }).expect(201)).body as { id: number };
  await server.get('/user/desks').expect(200, [desk, other]);
  await server.get(`/halls/${hall.id}/desks`).expect(200, [desk]);
  await server.delete(`/user/desks/${desk.id}`).expect(204);
  await server.get(`/halls/${hall.id}/desks`).expect(200, []);
});

test('what is put under one name in two places is two things', async () => {
  const membership = { body: object({ role: text }), answers: { 200: ref('Membership') } };
  const server = supertest(
    await serveText(
      smallApi(
        {
          'GET /clubs/{club}/memberships/{username}': { answers: { 200: ref('Membership'), 404: null } },
          'PUT /clubs/{club}/memberships/{username}': membership,
          'GET /clubs/{club}/teams/{team}/memberships/{username}': {
            answers: { 200: ref('TeamMembership'), 404: null },
          },
          'PUT /clubs/{club}/teams/{team}/memberships/{username}': {
            ...membership,
            answers: { 200: ref('TeamMembership') },
          },
        },
        {
          Membership: object({ role: text, state: text, url: text, since: text }),
          TeamMembership: object({ role: text, state: text, url: text }),
        },
      ),
    ),
  );
  await server.put('/clubs/a/memberships/ada').send({ role: 'guest' }).expect(200);
  await server.get('/clubs/a/teams/red/memberships/ada').expect(404);
  await server.put('/clubs/a/teams/red/memberships/ada').send({ role: 'lead' }).expect(200);
  expect((await server.get('/clubs/a/memberships/ada').expect(200)).body).toMatchObject({ role: 'guest' });
  expect((await server.get('/clubs/a/teams/red/memberships/ada').expect(200)).body).toMatchObject({ role: 'lead' });
});

test('two variables in a row behind a list name what is listed, and the first of them no item of it', async () => {
  const owned = object({ id: whole, name: text, owner: ref('Owner') }, ['id', 'name', 'owner']);
  const server = supertest(
    await serveText(
      smallApi(
        {
          'GET /things/{owner}/{thing}': { answers: { 200: ref('Thing'), 404: null } },
          'GET /user/things': { answers: { 200: list(ref('Thing')) } },
          'POST /user/things': { body: named, answers: { 201: ref('Thing') } },
          'GET /orgs': { answers: { 200: list(ref('Owner')) } },
          'GET /orgs/{org}/things': { answers: { 200: list(ref('Thing')) } },
          'GET /orgs/{org}/shelves/{shelf}/things': { answers: { 200: list(ref('Thing')) } },
          'GET /orgs/{org}/shelves/{shelf}/things/{owner}/{thing}': { answers: { 200: ref('Held'), 404: null } },
          'PUT /orgs/{org}/shelves/{shelf}/things/{owner}/{thing}': {
            body: object({ role: text }),
            answers: { 204: null },
          },
        },
        {
          Thing: owned,
          Held: object({ name: text, role: text, since: text }),
          Owner: object({ login: text }, ['login']),
        },
      ),
    ),
  );
  const thing = (await server.post('/user/things').send({ name: 'lamp' }).expect(201)).body as {
    owner: { login: string };
  };
  const path = `/orgs/acme/shelves/1/things/${thing.owner.login}/lamp`;
  await server.put(path).send({ role: 'lent' }).expect(204);
  expect((await server.get(path).expect(200)).body).toMatchObject({ role: 'lent' });
});

test.each([
  ['share-ids', 'share_id', 'id'],
  ['shareKeys', 'SHARE_KEY', 'key'],
  ['shares', 'share_id', 'id'],
])('what is made below an item and kept at %s is found there, and shown in the item', async (shares, variable, key) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /films': { answers: { 200: list(ref('Film')) } },
        'POST /films': { body: named, answers: { 201: ref('Film') } },
        'GET /films/{film_id}': { answers: { 200: ref('Film'), 404: null } },
        [`POST /films/{film_id}/${shares}`]: { body: object({ policy: text }), answers: { 201: ref('Share') } },
        [`GET /films/{film_id}/${shares}/{${variable}}`]: { answers: { 200: ref('Share'), 404: null } },
        [`DELETE /films/{film_id}/${shares}/{${variable}}`]: { answers: { 204: null, 404: null } },
        [`GET /${shares}/{${variable}}`]: { answers: { 200: ref('Whole'), 404: null } },
      },
      {
        Film: object({ id: whole, name: text, [shares.replace('-', '_')]: list(ref('Share')) }, ['id']),
        Share: object({ [key]: text, policy: text }),
        Whole: object({ [key]: text, policy: text, of: object({ id: text }) }),
      },
    ),
  );
  await send('POST', '/films', { name: 'Jaws' });
  const share = objectOf(await send('POST', `/films/1/${shares}`, { policy: 'open' }));
  expect(share['policy']).toBe('open');
  const path = `${shares}/${share[key] as string}`;
  expect(await send('GET', `/films/1/${path}`)).toMatchObject({ status: 200, body: share });
  expect(await send('GET', `/${path}`)).toMatchObject({ status: 200, body: share });
  expect((await send('GET', '/films/1')).body).toMatchObject({ [shares.replace('-', '_')]: [share] });
  expect((await send('DELETE', `/films/1/${path}`)).status).toBe(204);
  expect((await send('GET', `/${path}`)).status).toBe(404);
  expect((await send('GET', '/films/1')).body).toMatchObject({ [shares.replace('-', '_')]: [] });
});
