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
