import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const sync = (inner: Record<string, object>): object =>
  object({
    type: { ...text, example: 'sync' },
    status: { ...text, example: 'Success' },
    status_code: { ...whole, example: 200 },
    ...inner,
  });
const frame = { type: 'sync', status: 'Success', status_code: 200 };

test('an envelope that tells of the call holds the item, and the list holds paths of items', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /1.0/boxes': {
          answers: { 200: sync({ metadata: { ...list(text), example: ['/1.0/boxes/a', '/1.0/boxes/b'] } }) },
        },
        'POST /1.0/boxes': { body: ref('BoxNew'), answers: { 200: sync({}) } },
        'GET /1.0/boxes/{name}': { answers: { 200: sync({ metadata: ref('Box') }), 404: null } },
        'PUT /1.0/boxes/{name}': { body: ref('BoxNew'), answers: { 200: sync({ metadata: ref('Box') }) } },
        'DELETE /1.0/boxes/{name}': { answers: { 200: sync({}) } },
      },
      {
        BoxNew: object({ name: text, description: text }, ['name']),
        Box: object({ name: text, description: text, managed: { type: 'boolean' } }),
      },
    ),
  );
  expect((await send('POST', '/1.0/boxes', { name: 'tin', description: 'd' })).body).toEqual(frame);
  expect((await send('GET', '/1.0/boxes/tin')).body).toMatchObject({
    ...frame,
    metadata: { name: 'tin', description: 'd' },
  });
  expect((await send('GET', '/1.0/boxes')).body).toEqual({ ...frame, metadata: ['/1.0/boxes/tin'] });
  expect((await send('DELETE', '/1.0/boxes/tin')).body).toEqual(frame);
  expect((await send('GET', '/1.0/boxes')).body).toEqual({ ...frame, metadata: [] });
});

test.each([
  ['the body', list(text), ['1', '2']],
  ['a property', object({ jobIds: list(text), nextToken: text }), { jobIds: ['1', '2'] }],
  ['a property that lists have', object({ items: list(whole), total: whole }), { items: [1, 2], total: 2 }],
])('a list shows the keys of items in %s', async (_, schema, shown) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /jobs': { answers: { 200: schema } },
        'POST /jobs': { body: object({ size: whole }), answers: { 201: ref('Job') } },
        'GET /jobs/{id}': { answers: { 200: ref('Job') } },
        'DELETE /jobs/{id}': { answers: { 204: null } },
      },
      { Job: object({ id: whole, size: whole }) },
      { id: whole },
    ),
  );
  for (const size of [3, 4, 5]) await send('POST', '/jobs', { size });
  await send('DELETE', '/jobs/3');
  expect((await send('GET', '/jobs')).body).toEqual(shown);
});

test('plain values of a single record are no keys', async () => {
  const { send } = mockOfDocument(
    smallApi({
      'GET /settings': { answers: { 200: object({ values: list(text), theme: text }) } },
      'PATCH /settings': {
        body: object({ values: list(text), theme: text }),
        answers: { 200: object({ values: list(text), theme: text }) },
      },
    }),
  );
  await send('PATCH', '/settings', { values: ['a'] });
  expect((await send('GET', '/settings')).body).toEqual({ values: ['a'] });
});

test.each(['rules', 'data', 'items'])('a list is a map by key in "%s"', async (name) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /rules': {
          answers: { 200: object({ [name]: { type: 'object', additionalProperties: ref('Rule') }, total: whole }) },
        },
        'POST /rules': { body: object({ size: whole }), answers: { 201: ref('Rule') } },
        'GET /rules/{id}': { answers: { 200: ref('Rule') } },
      },
      { Rule: object({ id: text, size: whole }) },
    ),
  );
  await send('POST', '/rules', { size: 3 });
  expect((await send('GET', '/rules')).body).toEqual({ [name]: { 1: { id: '1', size: 3 } }, total: 1 });
});
