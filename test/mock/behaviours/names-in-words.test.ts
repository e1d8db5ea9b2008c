import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const Box = object({ id: text, uid: text, slug: text, email: text, profile: object({ login: text, email: text }) });

/** Boxes whose path variable is described in some words. */
function boxes(description: string, query: Readonly<Record<string, object>> = {}, box: object = Box): string {
  return smallApi(
    {
      'GET /boxes': { answers: { 200: list(ref('Box')) } },
      'POST /boxes': { body: ref('Box'), answers: { 201: ref('Box') } },
      'GET /boxes/{box_id}': { query, answers: { 200: ref('Box'), 404: null } },
      'PATCH /boxes/{box_id}': { query, body: ref('Box'), answers: { 200: ref('Box'), 404: null } },
      'DELETE /boxes/{box_id}': { query, answers: { 204: null, 404: null } },
    },
    { Box: box },
    { box_id: { type: 'string', description } },
  );
}

test.each([
  ["The box's ID or UID.", 'uid'],
  ['`id` or `slug` of the box', 'slug'],
  ['ID, e-mail address or slug', 'email'],
  ['The identifier. Can be substituted by the UID', 'uid'],
])('"%s" finds an item by its %s', async (words, name) => {
  const { send } = mockOfDocument(boxes(words));
  const made = await send('POST', '/boxes', { [name]: 'first@a.example' });
  const { id } = made.body as { id: string };
  const address = '/boxes/first%40a.example';
  expect((await send('GET', address)).body).toMatchObject({ id });
  expect((await send('PATCH', address, { slug: 'changed' })).status).toBe(200);
  expect((await send('DELETE', `/boxes/${id}`)).status).toBe(204);
  expect((await send('GET', address)).status).toBe(404);
});

test('a short name is the sid of an item, and what is made below it refers to its key', async () => {
  const Plan = object({ id: { type: 'integer' }, name: text, sid: text }, ['id', 'name', 'sid']);
  const Step = object({ id: { type: 'integer' }, plan_id: { type: 'integer' }, label: text }, ['id']);
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /plans': { answers: { 200: list(ref('Plan')) } },
        'POST /plans': { body: object({ name: text, sid: text }), answers: { 201: ref('Plan') } },
        'GET /plans/{plan}': { answers: { 200: ref('Plan'), 404: null } },
        'GET /plans/{plan}/steps': { answers: { 200: list(ref('Step')) } },
        'POST /plans/{plan}/steps': { body: object({ label: text }), answers: { 201: ref('Step') } },
      },
      { Plan, Step },
      { plan: { type: 'string', description: 'The plan id or short name' } },
    ),
  );
  const { body } = await send('POST', '/plans', { name: 'Alpha', sid: 'first-plan' });
  const { id } = body as { id: number };
  for (const named of [id, 'first-plan', 'Alpha']) {
    expect((await send('GET', `/plans/${named}`)).body).toEqual(body);
    expect((await send('POST', `/plans/${named}/steps`, { label: 'x' })).body).toMatchObject({ plan_id: id });
  }
  expect((await send('GET', `/plans/${id}/steps`)).body).toHaveLength(3);
});

test('a name that the words do not offer finds nothing', async () => {
  const { send } = mockOfDocument(boxes("The box's ID or UID."));
  await send('POST', '/boxes', { slug: 'first' });
  expect((await send('GET', '/boxes/first')).status).toBe(404);
});

test('a name that only a part of the item has is looked for there', async () => {
  const parted = object({ id: text, profile: ref('Profile') });
  const described = JSON.parse(boxes('An ID, login, or login short name', {}, parted)) as {
    components: { schemas: Record<string, object> };
  };
  described.components.schemas['Profile'] = object({ login: text });
  const { send } = mockOfDocument(JSON.stringify(described));
  const { body } = await send('POST', '/boxes', { profile: { login: 'ada' } });
  expect((await send('GET', '/boxes/ada')).body).toEqual(body);
});

test.each(['idProperty', 'key_attribute'])('the query parameter %s names the property of the key', async (name) => {
  const { send } = mockOfDocument(boxes('The key', { [name]: text }));
  const { body } = await send('POST', '/boxes', { uid: 'u1', profile: { email: 'ada@a.example' } });
  expect((await send('GET', `/boxes/ada@a.example?${name}=login`)).status).toBe(404);
  expect((await send('GET', `/boxes/u1?${name}=uid`)).body).toEqual(body);
  expect((await send('GET', `/boxes/ada@a.example?${name}=constructor`)).status).toBe(404);
  const changed = await send('PATCH', `/boxes/ada@a.example?${name}=email`, { slug: 's' });
  expect(changed.body).toMatchObject({ uid: 'u1', slug: 's', profile: { email: 'ada@a.example' } });
});

test('an item that embeds a list is no list', async () => {
  const single = {
    allOf: [ref('Box'), object({ _embedded: object({ blocks: list(object({ type: text, from: text })) }) })],
  };
  const api = smallApi(
    {
      'GET /boxes': { answers: { 200: list(ref('Box')) } },
      'POST /boxes': { body: ref('Box'), answers: { 201: ref('Box') } },
      'GET /boxes/{id}': { answers: { 200: ref('Single'), 404: null } },
    },
    { Box, Single: single },
  );
  const { send } = mockOfDocument(api);
  const { body } = await send('POST', '/boxes', { slug: 's' });
  expect((await send('GET', `/boxes/${(body as { id: string }).id}`)).body).toMatchObject({ slug: 's' });
});
