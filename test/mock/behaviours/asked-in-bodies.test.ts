import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf } from './small-mock';

const THING = object({ id: text, name: text, colour: text });
const PAGE = object({ things: list(ref('Thing')), next_cursor: text, ok: { type: 'boolean' } });
const ASKED = object({ colour: text, ids: list(text), options: object({ limit: whole, cursor: text }) });

const searched = smallApi(
  {
    'GET /things': { answers: { 200: list(ref('Thing')) } },
    'POST /things': {
      body: object({ idempotency_key: text, thing: ref('Thing') }),
      answers: { 200: object({ thing: ref('Thing'), errors: list(object({ code: text })) }) },
    },
    'GET /things/{id}': { answers: { 200: object({ thing: ref('Thing') }), 404: null } },
    'DELETE /things/{id}': {
      answers: {
        200: object({ id: text, object: text, deleted: { type: 'boolean' }, deleted_object_ids: list(text) }),
      },
    },
    'POST /things/search': { body: ASKED, answers: { 200: PAGE } },
  },
  { Thing: THING },
);

const made = (colour: string): object => ({ thing: { colour } });

test('an item that is sent beside what says how it is to be taken is the item', async () => {
  const { send } = mockOfDocument(searched);
  const { body } = await send('POST', '/things', { idempotency_key: 'k1', thing: { name: 'a', colour: 'red' } });
  expect(body).toEqual({ thing: { id: '1', name: 'a', colour: 'red' } });
  expect((await send('GET', '/things/1')).body).toEqual(body);
});

test('a search that asks in its body is asked by its members, and read to its end', async () => {
  const { send } = mockOfDocument(searched);
  for (const colour of ['red', 'blue', 'red', 'red']) await send('POST', '/things', made(colour) as never);
  const search = async (asked: object): Promise<{ keys: unknown[]; next: unknown }> => {
    const found = objectOf(await send('POST', '/things/search', asked as never));
    return { keys: (found['things'] as { id: string }[]).map(({ id }) => id), next: found['next_cursor'] };
  };
  expect(await search({})).toEqual({ keys: ['1', '2', '3', '4'], next: undefined });
  expect(await search({ ids: ['2', '4'] })).toEqual({ keys: ['2', '4'], next: undefined });
  const first = await search({ colour: 'red', options: { limit: 2 } });
  expect(first).toEqual({ keys: ['1', '3'], next: expect.any(String) as unknown });
  const cursor = first.next as string;
  expect(await search({ colour: 'red', options: { limit: 2, cursor } })).toEqual({ keys: ['4'], next: undefined });
});

test('the answer to a removal tells that it was done, and of what', async () => {
  const { send } = mockOfDocument(searched);
  await send('POST', '/things', made('red') as never);
  expect((await send('DELETE', '/things/1')).body).toEqual({ id: '1', deleted: true, deleted_object_ids: ['1'] });
  expect((await send('GET', '/things/1')).status).toBe(404);
});

test('a procedure that lists is asked for pages in its body', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /thing/create': { body: object({ name: text }), answers: { 200: object({ thing: ref('Thing') }) } },
        'POST /thing/get': { body: object({ thing_id: text }), answers: { 200: object({ thing: ref('Thing') }) } },
        'POST /thing/list': { body: object({ count: whole, cursor: text }), answers: { 200: PAGE } },
      },
      { Thing: THING },
    ),
  );
  for (const name of ['a', 'b', 'c']) await send('POST', '/thing/create', { name });
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = objectOf(await send('POST', '/thing/list', { count: 2, ...(cursor === undefined ? {} : { cursor }) }));
    keys.push(...(page['things'] as { id: string }[]).map(({ id }) => id));
    cursor = page['next_cursor'] as string | undefined;
  } while (cursor !== undefined);
  expect(keys).toEqual(['1', '2', '3']);
});

test.each([
  { about: 'an enum of its own that nothing refers to', status: text, open: 'DRAFT', done: 'CANCELED' },
  {
    about: 'capitals in its description',
    status: { ...text, description: 'Whether it is PENDING, COMPLETED or CANCELED.' },
    open: 'PENDING',
    done: 'CANCELED',
  },
])('the words of a state may stand in $about', async ({ status, open, done }) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /things': { body: object({ name: text }), answers: { 200: ref('Thing') } },
        'GET /things/{id}': { answers: { 200: ref('Thing') } },
        'POST /things/{id}/cancel': { answers: { 200: ref('Thing') } },
      },
      {
        Thing: object({ id: text, name: text, status }),
        ThingStatus: { ...text, enum: ['CANCELED', 'DRAFT', 'PAID'] },
      },
    ),
  );
  expect((await send('POST', '/things', { name: 'a' })).body).toEqual({ id: '1', name: 'a', status: open });
  expect((await send('POST', '/things/1/cancel')).body).toEqual({ id: '1', name: 'a', status: done });
});

test.each(['schema', 'example alone'])('a removal answers the literals of its documented example: %s', async (kind) => {
  const removed = object({ id: text, object: text, deleted: { type: 'boolean' } }, ['object']);
  const document = JSON.parse(
    smallApi(
      {
        'GET /things': { answers: { 200: list(ref('Thing')) } },
        'POST /things': { body: ref('Thing'), answers: { 201: ref('Thing') } },
        'GET /things/{id}': { answers: { 200: ref('Thing'), 404: null } },
        'DELETE /things/{id}': { answers: { 200: removed, 404: null } },
      },
      { Thing: object({ id: { ...text, readOnly: true }, name: text }) },
    ),
  ) as { paths: Record<string, { delete: { responses: { 200: { content: { 'application/json': object } } } } }> };
  const { content } = document.paths['/things/{id}']!.delete.responses[200];
  const example = { object: 'thing', deleted: true };
  content['application/json'] = kind === 'schema' ? { ...content['application/json'], example } : { example };
  const { send } = mockOfDocument(JSON.stringify(document));
  const { id } = objectOf(await send('POST', '/things', { name: 'a' }));
  expect(objectOf(await send('DELETE', `/things/${id as string}`))).toMatchObject(example);
  expect((await send('GET', `/things/${id as string}`)).status).toBe(404);
});
