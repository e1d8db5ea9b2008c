import { object, ref, smallApi, text, type SmallOperation } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const THING = object({ id: text, name: text, note: text }, ['id']);

const things = (put: SmallOperation, more: Readonly<Record<string, SmallOperation>> = {}): string =>
  smallApi(
    {
      'GET /things': { answers: { 200: { type: 'array', items: ref('Thing') } } },
      'POST /things': { body: object({ name: text, note: text }), answers: { 201: ref('Thing') } },
      'GET /things/{id}': { answers: { 200: ref('Thing'), 404: null } },
      'PUT /things/{id}': { answers: { 200: ref('Thing'), 404: null }, ...put },
      ...more,
    },
    { Thing: THING },
  );

const PATCH = { 'PATCH /things/{id}': { body: object({ name: text }), answers: { 200: ref('Thing') } } };

test.each([
  {
    about: 'is said to update and needs nothing',
    document: things({ summary: 'Update a thing', body: object({ name: text, note: text }) }),
    note: 'n',
  },
  {
    about: 'leaves the rest unchanged by its own words',
    document: things({
      summary: 'Only the fields provided are set',
      body: object({ name: text, note: text }, ['name']),
    }),
    note: 'n',
  },
  {
    about: 'says that it replaces',
    document: things({ summary: 'Update: replaces a thing', body: object({ name: text, note: text }) }),
    note: undefined,
  },
  {
    about: 'needs the whole',
    document: things({ summary: 'Update a thing', body: object({ name: text, note: text }, ['name']) }),
    note: undefined,
  },
  {
    about: 'stands beside a PATCH',
    document: things({ summary: 'Update a thing', body: object({ name: text, note: text }) }, PATCH),
    note: undefined,
  },
])('a PUT that $about keeps of the rest: $note', async ({ document, note }) => {
  const { send } = mockOfDocument(document);
  await send('POST', '/things', { name: 'a', note: 'n' });
  const { body } = await send('PUT', '/things/1', { name: 'b' });
  expect(body).toEqual({ id: '1', name: 'b', ...(note === undefined ? {} : { note }) });
  expect((await send('GET', '/things/1')).body).toEqual(body);
});

test('a PUT that leaves out what every item must have stores no item without it, and says so', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /things': { body: ref('Thing'), answers: { 201: ref('Thing') } },
        'GET /things/{id}': { answers: { 200: ref('Thing'), 404: null } },
        'PUT /things/{id}': {
          summary: 'Replace a thing',
          body: object({ name: text, note: text, more: text }),
          answers: { 200: ref('Thing'), 404: null },
        },
      },
      { Thing: object({ id: text, name: text, note: text, more: text }, ['id', 'name', 'note']) },
    ),
  );
  await send('POST', '/things', { id: '1', name: 'a', note: 'n', more: 'm' });
  const { body, headers } = await send('PUT', '/things/1', { name: 'b' });
  expect(body).toEqual({ id: '1', name: 'b', note: 'n' });
  expect(headers['x-standin-problem']).toMatch(/^kept_member: .*\/note/);
});

const NOTICE = { type: 'string', enum: ['notice'] };

test.each([
  {
    about: 'requires only what says of which type it is',
    body: object({ type: NOTICE, name: text, note: text }, ['type']),
  },
  { about: 'requires only what names the item', body: object({ id: text, name: text, note: text }, ['id']) },
  {
    about: 'requires less than every item has',
    body: object({ name: text, note: text, type: NOTICE }, ['type', 'note']),
  },
])('a PUT whose body $about changes what it names and nothing else', async ({ body }) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /things': { body: object({ name: text, note: text, type: NOTICE }), answers: { 201: ref('Thing') } },
        'GET /things/{id}': { answers: { 200: ref('Thing'), 404: null } },
        'PUT /things/{id}': { body, answers: { 200: ref('Thing'), 404: null } },
      },
      { Thing: object({ id: text, name: text, note: text, type: NOTICE }, ['id', 'name', 'type']) },
    ),
  );
  await send('POST', '/things', { name: 'a', note: 'n', type: 'notice' });
  await send('PUT', '/things/1', { id: '1', type: 'notice', note: 'm' });
  expect((await send('GET', '/things/1')).body).toEqual({ id: '1', name: 'a', note: 'm', type: 'notice' });
});

test('what a PUT cannot express stays, even where the PUT replaces', async () => {
  const { send } = mockOfDocument(things({ summary: 'Replace a thing', body: object({ name: text }, ['name']) }));
  await send('POST', '/things', { name: 'a', note: 'n' });
  expect((await send('PUT', '/things/1', { name: 'b' })).body).toEqual({ id: '1', name: 'b', note: 'n' });
});

describe('a body that the description forgot to declare', () => {
  const forgotten = smallApi(
    {
      'GET /things': { answers: { 200: { type: 'array', items: ref('Thing') } } },
      'POST /things': { answers: { 201: ref('Thing') } },
      'GET /things/{id}': { answers: { 200: ref('Thing'), 404: null } },
      'PUT /things/{id}': { answers: { 200: ref('Thing'), 404: null } },
      'PATCH /things/{id}': { answers: { 200: ref('Thing'), 404: null } },
    },
    { Thing: THING },
  );

  test('is read, with a warning', async () => {
    const { send } = mockOfDocument(forgotten);
    const made = await send('POST', '/things', { name: 'a', note: 'n' });
    expect(made.body).toMatchObject({ name: 'a', note: 'n' });
    expect(made.headers['x-standin-problem']).toMatch(/^undeclared_body: .*POST \/things/);
    expect((await send('PATCH', '/things/1', { name: 'b' })).body).toEqual({ id: '1', name: 'b', note: 'n' });
    expect((await send('PUT', '/things/1', { note: 'm' })).body).toMatchObject({ id: '1', note: 'm' });
  });

  test.each(['PUT', 'PATCH'])('that is missing, or cannot be read, leaves the item as it was (%s)', async (method) => {
    const { send } = mockOfDocument(forgotten);
    const { body } = await send('POST', '/things', { name: 'a', note: 'n' });
    await send(method, '/things/1');
    await send(method, '/things/1', 'x', { 'content-type': 'text/csv' });
    await send(method, '/things/1', [1, 2]);
    expect((await send('GET', '/things/1')).body).toEqual(body);
  });

  test('has no effect where strict handling is asked for', async () => {
    const { send } = mockOfDocument(forgotten);
    await send('POST', '/things', { name: 'a' });
    await send('PATCH', '/things/1', { name: 'b' }, { prefer: 'handling=strict' });
    expect((await send('GET', '/things/1')).body).toMatchObject({ name: 'a' });
  });
});

test('what the body of a replacement cannot express survives, in the parts of an item as well', async () => {
  const part = object({ a: text, b: text, deep: object({ x: text, y: text }) });
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /plans': { body: object({ name: text, owner: text, part }), answers: { 201: ref('Plan') } },
        'GET /plans/{id}': { answers: { 200: ref('Plan'), 404: null } },
        'PUT /plans/{id}': {
          summary: 'Replace a plan',
          body: object({ name: text, part: object({ a: text, b: text, deep: object({ x: text }) }) }, ['name']),
          answers: { 200: ref('Plan') },
        },
      },
      { Plan: object({ id: text, name: text, owner: text, part }, ['id']) },
    ),
  );
  const deep = { x: '1', y: '2' };
  await send('POST', '/plans', { name: 'n', owner: 'o', part: { a: '1', b: '2', deep } });
  const { body } = await send('PUT', '/plans/1', { name: 'm', part: { a: '3', deep: { x: '4' } } });
  expect(body).toEqual({ id: '1', name: 'm', owner: 'o', part: { a: '3', deep: { x: '4', y: '2' } } });
  expect((await send('GET', '/plans/1')).body).toEqual(body);
});
