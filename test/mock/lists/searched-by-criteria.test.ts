import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf } from '../behaviours/small-mock';

const Boat = object({ id: text, name: text, harbour: text });
const page = object({ boats: list(ref('Boat')), total: whole });

/** Boats that a POST finds by what stands in one property of its body. */
function boats(holder: string, names: Readonly<{ limit: string; offset: string }>) {
  const criteria = object({
    name: text,
    ids: list(text),
    queryString: text,
    [names.limit]: whole,
    [names.offset]: whole,
    orderBy: text,
  });
  return mockOfDocument(
    smallApi(
      {
        'GET /boats': { answers: { 200: object({ boats: list(ref('Boat')) }) } },
        'POST /boats': { body: object({ boat: ref('Boat') }), answers: { 200: object({ boat: ref('Boat') }) } },
        'GET /boats/{boatId}': { answers: { 200: object({ boat: ref('Boat') }), 404: null } },
        'POST /boats/search': {
          description: 'Searches boats with the specified criteria and pagination.',
          body: object({
            [holder]: object({ ...(criteria as { properties: object }).properties }),
            expand: list(text),
          }),
          answers: { 200: page },
        },
      },
      { Boat },
    ),
  );
}

test.each([
  ['search', { limit: 'numberOfResults', offset: 'startRow' }],
  ['criteria', { limit: 'limit', offset: 'offset' }],
  ['searchCriteria', { limit: 'pageSize', offset: 'skip' }],
  ['searchRequest', { limit: 'maxRows', offset: 'firstResult' }],
])('what stands in "%s" of the body chooses and pages', async (holder, names) => {
  const { send } = boats(holder, names);
  for (const name of ['Ada', 'Bea', 'Cyd', 'Ada'])
    await send('POST', '/boats', { boat: { name, harbour: name === 'Cyd' ? 'Kiel' : 'Lagos' } });
  const search = async (asked: object): Promise<unknown> => {
    const body = objectOf(await send('POST', '/boats/search', { [holder]: asked } as never));
    return [(body['boats'] as { id: string }[]).map(({ id }) => id), body['total']];
  };
  expect(await search({})).toEqual([['1', '2', '3', '4'], 4]);
  expect(await search({ name: 'Ada' })).toEqual([['1', '4'], 2]);
  expect(await search({ name: 'Nobody' })).toEqual([[], 0]);
  expect(await search({ ids: ['2', '3', '99'] })).toEqual([['2', '3'], 2]);
  expect(await search({ queryString: 'kiel' })).toEqual([['3'], 1]);
  expect(await search({ [names.limit]: 2, [names.offset]: 0 })).toEqual([['1', '2'], 4]);
  expect(await search({ [names.limit]: 2, [names.offset]: 3 })).toEqual([['4'], 4]);
  expect(await search({ name: 'Ada', [names.limit]: 1, [names.offset]: 1 })).toEqual([['4'], 2]);
});

test('a parameter that is called as the things are chooses by their name where its words say so', async () => {
  const Society = object({ id: text, name: text });
  const soc = { name: 'soc', in: 'query', description: 'Only the society with this name.', schema: text };
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /socs': { parameters: [soc], answers: { 200: list(ref('Society')) } },
        'POST /socs': { body: object({ name: text }), answers: { 201: ref('Society') } },
      },
      { Society },
    ),
  );
  for (const name of ['a', 'b']) await send('POST', '/socs', { name });
  expect((await send('GET', '/socs?soc=b')).body).toEqual([{ id: '2', name: 'b' }]);
});
