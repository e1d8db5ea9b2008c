import { answers, takes } from '../behaviours/posts';
import { type SmallMock, smallMock } from '../behaviours/small-mock';
import { inPath, ref } from '../../support/flow';

/** A list of maps with some parameters and some properties beside them, five of which are stored. */
async function fiveMaps(parameters: readonly string[], beside: string): Promise<SmallMock> {
  const mock = smallMock(`
paths:
  /maps:
    get:
      parameters: [${parameters.join(', ')}]
      ${answers(`{ type: object, properties: { maps: { type: array, items: ${ref('Map')} }, ${beside} } }`)}
    post: { ${takes(ref('Map'))}, ${answers(ref('Map'), 201)} }
components:
  schemas:
    Map: { type: object, properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
    Cursor: { type: object, required: [cursor], properties: { cursor: { type: string, minLength: 1 } } }
    Next: { type: object, description: 'Send \`.paging.next\` as the \`cursor\` of the next request.', properties: { next: { type: string } } }
`);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await mock.send('POST', '/maps', { name });
  return mock;
}

const inQuery = (name: string, type: string, description: string, more = ''): string =>
  `{ name: ${name}, in: query, description: '${description}', schema: { type: ${type}${more} } }`;
const namesOf = (body: unknown): string => (body as { maps: { name: string }[] }).maps.map(({ name }) => name).join('');

test.each([
  ['Pages start at page \`1\`.', '12'],
  ['1-based number of the page', '12'],
  ['Counted from 0.', '01'],
  ['Zero-based', '01'],
  ['A page of two items', '01'],
])('words say which page is the first, before what is allowed: %s', async (words, [first = '', second = '']) => {
  const page = inQuery('page', 'integer', words, ', minimum: 0');
  const { send } = await fiveMaps([page, inQuery('limit', 'integer', '')], 'total: { type: integer }');
  expect(namesOf((await send('GET', `/maps?limit=2&page=${first}`)).body)).toBe('ab');
  expect(namesOf((await send('GET', `/maps?limit=2&page=${second}`)).body)).toBe('cd');
});

test.each(['string', 'integer'])('numbers of items are told in what is declared as %s', async (type) => {
  const beside = ['resultSetSize', 'totalSetSize', 'startPosition', 'endPosition']
    .map((name) => `${name}: { type: ${type} }`)
    .join(', ');
  const { send } = await fiveMaps(
    [
      inQuery('count', type, 'The maximum number of results to return.'),
      inQuery('start_position', type, 'The zero-based index of the first result.'),
    ],
    beside,
  );
  const told = (numbers: readonly number[]): unknown[] =>
    numbers.map((each) => (type === 'string' ? String(each) : each));
  const [size, total, start, end] = told([2, 5, 2, 3]);
  const page = (await send('GET', '/maps?count=2&start_position=2')).body;
  expect(namesOf(page)).toBe('cd');
  expect(page).toMatchObject({ resultSetSize: size, totalSetSize: total, startPosition: start, endPosition: end });
  expect((await send('GET', '/maps?count=2&start_position=9')).body).not.toHaveProperty('endPosition');
});

test('a text that is called a count and is said to be no number of items does not page', async () => {
  const { send } = await fiveMaps(
    [inQuery('count', 'string', 'Whether maps are counted.')],
    'total: { type: integer }',
  );
  expect(namesOf((await send('GET', '/maps?count=2')).body)).toBe('abcde');
});

test.each([
  ['paging', ref('Cursor'), 'cursor'],
  ['paging', ref('Next'), 'next'],
  ['pagination', '{ type: object, properties: { next_cursor: { type: string } } }', 'next_cursor'],
])('a cursor in %s: %s leads through all pages, and the last one has none', async (holder, schema, name) => {
  const { send } = await fiveMaps(
    [inQuery('limit', 'integer', ''), inQuery('cursor', 'string', 'Where the page begins')],
    `${holder}: ${schema}`,
  );
  let names = '';
  let cursor: string | undefined = '';
  for (let pages = 0; pages < 9 && cursor !== undefined; pages += 1) {
    const { body } = await send('GET', `/maps?limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    names += namesOf(body);
    cursor = (body as Record<string, Record<string, string> | undefined>)[holder]?.[name];
  }
  expect(names).toBe('abcde');
  expect(cursor).toBeUndefined();
});

test.each([
  ['Returned if the map does not exist or has been deleted', 200],
  ["It doesn't exist", 200],
  ['Deleted', 204],
])('a removal answers the success that is not said to be of nothing: 204 "%s"', async (words, status) => {
  const { send } = smallMock(`
paths:
  /maps:
    post: { ${takes(ref('Map'))}, ${answers(ref('Map'), 201)} }
  /maps/{id}:
    parameters: [${inPath('id')}]
    get: { ${answers(ref('Map'))} }
    delete: { responses: { '204': { description: "${words}" }, '200': { description: gone, content: { application/json: { schema: ${ref('Map')} } } } } }
components:
  schemas:
    Map: { type: object, properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`);
  await send('POST', '/maps', { name: 'a' });
  const gone = await send('DELETE', '/maps/1');
  expect(gone.status).toBe(status);
  if (status === 200) expect(gone.body).toEqual({ id: 1, name: 'a' });
  expect((await send('GET', '/maps/1')).status).toBe(404);
});
