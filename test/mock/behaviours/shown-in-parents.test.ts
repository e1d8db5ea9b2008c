import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf } from './small-mock';

const Board = object({ id: text, name: text, cards: list(ref('Card')), tags: list(ref('Tag')) }, ['id']);
const Card = object({ id: text, title: text, row: whole }, ['id']);
const Tag = object({ id: text, name: text }, ['id']);
const gone = { answers: { 204: null, 404: null } };

/** Boards that show their cards and tags, which are kept below them, and at the root. */
const boards = smallApi(
  {
    'GET /boards': { answers: { 200: list(ref('Board')) } },
    'POST /boards': { body: object({ name: text }), answers: { 201: ref('Board') } },
    'GET /boards/{boardId}': { answers: { 200: ref('Board'), 404: null } },
    'PUT /boards/{boardId}': { body: object({ name: text }), answers: { 200: ref('Board'), 404: null } },
    'DELETE /boards/{boardId}': gone,
    'GET /boards/{boardId}/cards': { answers: { 200: list(ref('Card')) } },
    'POST /boards/{boardId}/cards': { body: object({ title: text, row: whole }), answers: { 201: ref('Card') } },
    'PATCH /boards/{boardId}/cards/{cardId}': {
      body: object({ title: text, row: whole }),
      answers: { 200: ref('Card'), 404: null },
    },
    'DELETE /boards/{boardId}/cards/{cardId}': gone,
    'GET /tags': { answers: { 200: list(ref('Tag')) } },
    'POST /tags': { body: object({ name: text }), answers: { 201: ref('Tag') } },
    'GET /tags/{tagId}': { answers: { 200: ref('Tag'), 404: null } },
    'PATCH /tags/{tagId}': { body: object({ name: text }), answers: { 200: ref('Tag'), 404: null } },
    'DELETE /tags/{tagId}': gone,
    'GET /boards/{boardId}/tags': { answers: { 200: list(ref('Tag')) } },
    'POST /boards/{boardId}/tags': { body: object({ tagId: text }), answers: { 201: ref('Tag') } },
    'DELETE /boards/{boardId}/tags/{tagId}': gone,
  },
  { Board, Card, Tag },
);

test('what is made, changed and removed below an item is so in its list', async () => {
  const { send } = mockOfDocument(boards);
  for (const name of ['a', 'b']) await send('POST', '/boards', { name });
  const shown = async (board: string): Promise<unknown> =>
    objectOf(await send('GET', `/boards/${board}`))['cards'] ?? [];
  const { body: first } = await send('POST', '/boards/1/cards', { title: 'one', row: 1 });
  await send('POST', '/boards/1/cards', { title: 'two', row: 2 });
  expect(await shown('1')).toEqual([first, { id: '2', title: 'two', row: 2 }]);
  expect(await shown('2')).toEqual([]);
  await send('PATCH', '/boards/1/cards/2', { row: 5 });
  expect(await shown('1')).toEqual([first, { id: '2', title: 'two', row: 5 }]);
  expect(objectOf(await send('PUT', '/boards/1', { name: 'c' }))).toMatchObject({
    name: 'c',
    cards: [first, { id: '2' }],
  });
  await send('DELETE', '/boards/1/cards/1');
  expect(await shown('1')).toEqual([{ id: '2', title: 'two', row: 5 }]);
  expect((await send('DELETE', '/boards/1')).status).toBe(204);
  expect((await send('GET', '/boards/1')).status).toBe(404);
});

test('what is stored at the root and put to an item is in its list, as it is by now', async () => {
  const { send } = mockOfDocument(boards);
  for (const name of ['a', 'b']) await send('POST', '/boards', { name });
  for (const name of ['red', 'blue']) await send('POST', '/tags', { name });
  const shown = async (board: string): Promise<unknown> =>
    objectOf(await send('GET', `/boards/${board}`))['tags'] ?? [];
  await send('POST', '/boards/1/tags', { tagId: '1' });
  await send('POST', '/boards/2/tags', { tagId: '1' });
  await send('POST', '/boards/2/tags', { tagId: '2' });
  expect([await shown('1'), await shown('2')]).toEqual([
    [{ id: '1', name: 'red' }],
    [
      { id: '1', name: 'red' },
      { id: '2', name: 'blue' },
    ],
  ]);
  await send('PATCH', '/tags/1', { name: 'rose' });
  expect(await shown('1')).toEqual([{ id: '1', name: 'rose' }]);
  await send('DELETE', '/boards/1/tags/1');
  await send('DELETE', '/tags/2');
  expect([await shown('1'), await shown('2')]).toEqual([[], [{ id: '1', name: 'rose' }]]);
});

test('what is read nowhere but in the item above is kept', async () => {
  const Crew = object({ id: text, name: text, ranks: list(ref('Rank')) });
  const both = object({ crew: ref('Crew'), rank: ref('Rank') });
  const changes = { body: both, answers: { 200: both, 404: null } };
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /crew': { answers: { 200: object({ crews: list(ref('Crew')) }) } },
        'POST /crew': { body: both, answers: { 200: both } },
        'GET /crew/{crewId}': { answers: { 200: object({ crew: ref('Crew') }), 404: null } },
        'POST /crew/{crewId}/rank': { summary: 'Creates a rank', ...changes },
        'POST /crew/{crewId}/rank/{rankId}': { summary: 'Creates a rank', ...changes },
        'PATCH /crew/{crewId}/rank/{rankId}': { summary: 'Updates a rank', ...changes },
        'DELETE /crew/{crewId}/rank/{rankId}': gone,
      },
      { Crew, Rank: object({ id: text, title: text, duty: text }) },
    ),
  );
  const shown = async (): Promise<unknown> =>
    (objectOf(await send('GET', '/crew/1'))['crew'] as { ranks?: unknown }).ranks ?? [];
  await send('POST', '/crew', { crew: { name: 'a' } });
  const made = await send('POST', '/crew/1/rank/mate', { rank: { title: 'Mate', duty: 'helm' } });
  expect(made.body).toEqual({ rank: { id: 'mate', title: 'Mate', duty: 'helm' } });
  expect(await shown()).toEqual([{ id: 'mate', title: 'Mate', duty: 'helm' }]);
  const changed = await send('PATCH', '/crew/1/rank/mate', { rank: { duty: 'deck' } });
  expect(changed.body).toEqual({ rank: { id: 'mate', title: 'Mate', duty: 'deck' } });
  expect((await send('DELETE', '/crew/1/rank/mate')).status).toBe(204);
  expect(await shown()).toEqual([]);
  expect((await send('PATCH', '/crew/1/rank/mate', { rank: { duty: 'x' } })).status).toBe(404);
});
