import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument, objectOf, type SmallMock } from './small-mock';

const described = smallApi(
  {
    'POST /people': { body: object({ name: text }), answers: { 201: ref('Person') } },
    'GET /people/{person}': { answers: { 200: ref('Person'), 404: null } },
    'GET /tags': { answers: { 200: object({ data: list(ref('Tag')) }) } },
    'POST /tags': { body: object({ name: text }, ['name']), answers: { 200: ref('Tag') } },
    'GET /tags/{tag}': { answers: { 200: ref('Tag'), 404: null } },
    'DELETE /tags/{tag}': { answers: { 204: null, 404: null } },
    'GET /people/{person}/tags': { answers: { 200: object({ data: list(ref('Tag')) }) } },
    'POST /people/{person}/tags': {
      body: object({ id: text, by: text }, ['id']),
      answers: { 200: ref('Tag'), 404: null },
    },
    'DELETE /people/{person}/tags/{tag}': { answers: { 200: ref('Tag'), 404: null } },
  },
  { Person: object({ id: text, name: text }, ['id']), Tag: object({ id: text, name: text }, ['id', 'name']) },
);

async function tagged(): Promise<{
  readonly send: SmallMock['send'];
  readonly tag: string;
  readonly names: (person: string) => Promise<string[]>;
}> {
  const { send } = mockOfDocument(described);
  await send('POST', '/people', { name: 'Ada' });
  await send('POST', '/people', { name: 'Bob' });
  const tag = objectOf(await send('POST', '/tags', { name: 'vip' }))['id'] as string;
  return {
    send,
    tag,
    async names(person) {
      const { data } = objectOf(await send('GET', `/people/${person}/tags`));
      return (data as { name: string }[]).map(({ name }) => name);
    },
  };
}

test('what is kept already is put below several others by its key, and taken away again', async () => {
  const { send, tag, names } = await tagged();
  expect(await names('1')).toEqual([]);
  expect(await send('POST', '/people/1/tags', { id: tag, by: 'me' })).toMatchObject({
    status: 200,
    body: { id: tag, name: 'vip' },
  });
  await send('POST', '/people/1/tags', { id: tag });
  await send('POST', '/people/2/tags', { id: tag });
  expect([await names('1'), await names('2')]).toEqual([['vip'], ['vip']]);
  expect(await send('DELETE', `/people/1/tags/${tag}`)).toMatchObject({ status: 200, body: { id: tag } });
  expect([await names('1'), await names('2')]).toEqual([[], ['vip']]);
  expect((await send('DELETE', `/people/1/tags/${tag}`)).status).toBe(404);
  expect((await send('GET', `/tags/${tag}`)).body).toEqual({ id: tag, name: 'vip' });
});

test('what is not kept cannot be put there, and what is removed where it is kept is there no more', async () => {
  const { send, tag, names } = await tagged();
  expect((await send('POST', '/people/1/tags', { id: 'none' })).status).toBe(404);
  await send('POST', '/people/1/tags', { id: tag });
  await send('DELETE', `/tags/${tag}`);
  expect(await names('1')).toEqual([]);
});

test('what is put there by a name that items show beside their key is found by that name', async () => {
  const Club = object({ login: text, id: { type: 'integer' } }, ['login', 'id']);
  const api = smallApi(
    {
      'GET /clubs': { answers: { 200: list(ref('Club')) } },
      'POST /clubs': { body: object({ login: text }, ['login']), answers: { 201: ref('Club') } },
      'GET /clubs/{club}': { answers: { 200: ref('Club'), 404: null } },
      'GET /permits/{permit}/clubs': { answers: { 200: object({ clubs: list(ref('Club')) }) } },
      'PUT /permits/{permit}/clubs/{club_id}': { answers: { 204: null } },
      'DELETE /permits/{permit}/clubs/{club_id}': { answers: { 204: null, 404: null } },
    },
    { Club },
  );
  const server = supertest(await serveText(api, { state: 'seeded' }));
  const clubs = async () => ((await server.get('/permits/p/clubs')).body as { clubs: { id: number }[] }).clubs;
  const [club] = (await server.get('/clubs')).body as { id: number }[];
  await server.put(`/permits/p/clubs/${club!.id}`).expect(204);
  expect(await clubs()).toContainEqual(club);
  await server.delete(`/permits/p/clubs/${club!.id}`).expect(204);
  expect(await clubs()).not.toContainEqual(club);
});

test('what names nothing makes something new there', async () => {
  const { send, names } = await tagged();
  expect((await send('POST', '/people/1/tags', { by: 'me' })).status).toBe(400);
  expect(await names('1')).toEqual([]);
  const api = smallApi(
    {
      'GET /tags': { answers: { 200: list(ref('Tag')) } },
      'POST /tags': { body: object({ name: text }, ['name']), answers: { 200: ref('Tag') } },
      'GET /tags/{tag}': { answers: { 200: ref('Tag'), 404: null } },
      'GET /people/{person}': { answers: { 200: object({ id: text }) } },
      'GET /people/{person}/tags': { answers: { 200: list(ref('Tag')) } },
      'POST /people/{person}/tags': { body: object({ tagId: text }), answers: { 201: ref('Tag') } },
      'DELETE /people/{person}/tags/{tag}': { answers: { 204: null, 404: null } },
    },
    { Tag: object({ id: text, name: text }, ['id']) },
  );
  const server = supertest(await serveText(api, { state: 'empty' }));
  const { body: made } = await server.post('/people/1/tags').send({}).expect(201);
  expect((await server.get('/people/1/tags').expect(200)).body).toEqual([made]);
  await server.get(`/tags/${(made as { id: string }).id}`).expect(200, made as object);
});

test.each([
  { beside: 'nothing else', others: {}, status: 200 },
  {
    beside: 'a POST that makes one',
    others: { 'POST /marks/{mark}/shows': { body: ref('Show'), answers: { 201: ref('Show') } } },
    status: 404,
  },
  {
    beside: 'a GET of it',
    others: { 'GET /marks/{mark}/shows/{show_id}': { answers: { 200: ref('Show'), 404: null } } },
    status: 404,
  },
])('a PUT that takes nothing puts there what its path names, beside $beside: $status', async ({ others, status }) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /marks': { answers: { 200: list(ref('Mark')) } },
        'POST /marks': { body: object({ name: text }, ['name']), answers: { 201: ref('Mark') } },
        'GET /marks/{mark}': { answers: { 200: ref('Mark'), 404: null } },
        'GET /marks/{mark}/shows': { answers: { 200: list(ref('Show')) } },
        'PUT /marks/{mark}/shows/{show_id}': { summary: 'Mark a show', answers: { 200: ref('Show'), 404: null } },
        'DELETE /marks/{mark}/shows/{show_id}': { answers: { 200: null, 404: null } },
        ...others,
      },
      { Mark: object({ id: text, name: text }, ['id']), Show: object({ show_id: text, name: text }, ['show_id']) },
    ),
  );
  const mark = objectOf(await send('POST', '/marks', { name: 'best' }))['id'] as string;
  expect((await send('PUT', `/marks/${mark}/shows/7`)).status).toBe(status);
  const listed = (await send('GET', `/marks/${mark}/shows`)).body;
  expect(listed).toMatchObject(status === 200 ? [{ show_id: '7' }] : []);
  if (status !== 200) return;
  await send('DELETE', `/marks/${mark}/shows/7`);
  expect((await send('GET', `/marks/${mark}/shows`)).body).toEqual([]);
});
