import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf, type SmallMock } from './small-mock';

const anyOf = (...choices: readonly object[]): object => ({ anyOf: choices });
const words = (...values: readonly string[]): object => ({ type: 'string', enum: values });
const free = { type: 'object', additionalProperties: true };

const BOAT = object({
  id: text,
  name: text,
  length: whole,
  built: { type: 'string', format: 'date-time' },
  crew: list(text),
  extra: free,
  home: object({ port: text }),
});
const schemas = {
  Boat: BOAT,
  One: object({
    field: text,
    operator: words('=', '!=', '>', '<', '>=', '~', '!~', '^', '$', 'IN', 'NIN'),
    value: anyOf(text, whole, list(text)),
  }),
  Several: object({ operator: words('AND', 'OR'), value: anyOf(list(ref('Several')), list(ref('One'))) }),
  Filter: object({
    must: anyOf(ref('Condition'), list(ref('Condition'))),
    should: list(ref('Condition')),
    must_not: list(ref('Condition')),
  }),
  Condition: anyOf(ref('Field'), ref('Filter')),
  Field: object(
    {
      key: text,
      match: anyOf(object({ value: text }), object({ any: list(text) })),
      range: object({ gt: whole, lte: whole }),
    },
    ['key'],
  ),
};
const paths = {
  'POST /boats': { body: ref('Boat'), answers: { 201: ref('Boat') } },
  'GET /boats': { answers: { 200: list(ref('Boat')) } },
  'GET /boats/{id}': { answers: { 200: ref('Boat') } },
  'POST /boats/search': {
    body: object(
      { query: { oneOf: [ref('One'), ref('Several')] }, pagination: object({ per_page: whole, starting_after: text }) },
      ['query'],
    ),
    answers: {
      200: object({
        data: list(ref('Boat')),
        total_count: whole,
        pages: object({ next: object({ per_page: whole, starting_after: text }) }),
      }),
    },
  },
  'POST /boats/query': {
    body: object({ filter: ref('Filter'), limit: whole }),
    answers: { 200: object({ boats: list(ref('Boat')) }) },
  },
  'POST /boats/find': {
    body: object({
      filters: list(
        object({
          propertyName: text,
          operator: words('EQ', 'GREATER_THAN', 'HAS_PROPERTY', 'NOT_IN'),
          value: text,
          values: list(text),
        }),
      ),
    }),
    answers: { 200: object({ boats: list(ref('Boat')) }) },
  },
};

/** A mock with three boats: a search changes none of them, so that all searches share it. */
let ask: SmallMock['send'];

beforeAll(async () => {
  ({ send: ask } = mockOfDocument(smallApi(paths, schemas)));
  const rows = [
    {
      name: 'Alba',
      length: 5,
      built: '2001-01-01T00:00:00Z',
      crew: ['ann'],
      extra: { flag: 'IE' },
      home: { port: 'Cork' },
    },
    { name: 'Brisa', length: 10, built: '2010-01-01T00:00:00Z', crew: ['ann', 'bob'], extra: { flag: 'ES' } },
    { name: 'Calma', length: 20, built: '2020-01-01T00:00:00Z', crew: [], extra: { flag: 'ES' } },
  ];
  for (const row of rows) await ask('POST', '/boats', row);
});

const names = (rows: unknown): string => (rows as { name: string }[]).map(({ name }) => name.charAt(0)).join('');

test.each([
  ['=', { field: 'name', operator: '=', value: 'Alba' }, 'A'],
  ['= of a number that is sent as a text', { field: 'length', operator: '=', value: '10' }, 'B'],
  ['!=', { field: 'name', operator: '!=', value: 'Alba' }, 'BC'],
  ['> of numbers', { field: 'length', operator: '>', value: 9 }, 'BC'],
  ['< of numbers that are sent as texts', { field: 'length', operator: '<', value: '10' }, 'A'],
  ['>= of times', { field: 'built', operator: '>=', value: '2010-01-01T01:00:00+01:00' }, 'BC'],
  ['~, in whatever case', { field: 'name', operator: '~', value: 'AL' }, 'AC'],
  ['!~', { field: 'name', operator: '!~', value: 'al' }, 'B'],
  ['^', { field: 'name', operator: '^', value: 'Br' }, 'B'],
  ['$', { field: 'name', operator: '$', value: 'a' }, 'ABC'],
  ['IN', { field: 'name', operator: 'IN', value: ['Alba', 'Calma', 'Dora'] }, 'AC'],
  ['NIN', { field: 'name', operator: 'NIN', value: ['Alba'] }, 'BC'],
  ['a member that is a list', { field: 'crew', operator: '=', value: 'bob' }, 'B'],
  ['a property of a member', { field: 'home.port', operator: '=', value: 'Cork' }, 'A'],
  ['a property of a map', { field: 'extra.flag', operator: '=', value: 'ES' }, 'BC'],
  ['a property of a map by its name alone', { field: 'flag', operator: '=', value: 'IE' }, 'A'],
  ['a field that no item has', { field: 'colour', operator: '=', value: 'red' }, ''],
  [
    'AND',
    {
      operator: 'AND',
      value: [
        { field: 'flag', operator: '=', value: 'ES' },
        { field: 'length', operator: '<', value: 15 },
      ],
    },
    'B',
  ],
  [
    'OR of ANDs',
    {
      operator: 'OR',
      value: [
        { operator: 'AND', value: [{ field: 'name', operator: '=', value: 'Alba' }] },
        { operator: 'AND', value: [{ field: 'length', operator: '=', value: 20 }] },
      ],
    },
    'AC',
  ],
])('a search by conditions finds items: %s', async (_about, query, found) => {
  const answer = objectOf(await ask('POST', '/boats/search', { query }));
  expect(names(answer['data'])).toBe(found);
  expect(answer['total_count']).toBe(found.length);
});

test('a search by conditions is read page by page', async () => {
  const query = { field: 'length', operator: '>', value: 0 };
  const first = objectOf(await ask('POST', '/boats/search', { query, pagination: { per_page: 2 } }));
  expect(names(first['data'])).toBe('AB');
  const { starting_after } = (first['pages'] as { next: { starting_after: string } }).next;
  const second = objectOf(await ask('POST', '/boats/search', { query, pagination: { per_page: 2, starting_after } }));
  expect(names(second['data'])).toBe('C');
});

test.each([
  ['one condition', { must: { key: 'name', match: { value: 'Alba' } } }, 'A'],
  [
    'all of a list',
    {
      must: [
        { key: 'flag', match: { value: 'ES' } },
        { key: 'length', range: { gt: 10 } },
      ],
    },
    'C',
  ],
  [
    'any of a list',
    {
      should: [
        { key: 'name', match: { any: ['Alba', 'Brisa'] } },
        { key: 'length', range: { gt: 19, lte: 20 } },
      ],
    },
    'ABC',
  ],
  ['none of a list', { must_not: [{ key: 'flag', match: { value: 'ES' } }] }, 'A'],
  ['one in another', { must: [{ should: [{ key: 'name', match: { value: 'Calma' } }] }], must_not: [] }, 'C'],
  ['no condition', {}, 'ABC'],
])('conditions whose comparisons are names of members: %s', async (_about, filter, found) => {
  expect(names(objectOf(await ask('POST', '/boats/query', { filter }))['boats'])).toBe(found);
});

test('a list of conditions must hold as a whole, and a word may tell the comparison', async () => {
  const find = async (...filters: object[]): Promise<string> =>
    names(objectOf(await ask('POST', '/boats/find', { filters } as never))['boats']);
  expect(
    await find(
      { propertyName: 'flag', operator: 'EQ', value: 'ES' },
      { propertyName: 'length', operator: 'GREATER_THAN', value: '10' },
    ),
  ).toBe('C');
  expect(await find({ propertyName: 'home', operator: 'HAS_PROPERTY' })).toBe('A');
  expect(await find({ propertyName: 'home.port', operator: 'HAS_PROPERTY' })).toBe('A');
  expect(await find({ propertyName: 'name', operator: 'NOT_IN', values: ['Alba'] })).toBe('BC');
  expect(await find()).toBe('ABC');
});

const CREW = object({ op: text, field: text, value: text, items: list(ref('Crew')) });
const crewed = smallApi(
  {
    'POST /ships': { body: ref('Ship'), answers: { 201: ref('Ship') } },
    'GET /ships/{id}': { answers: { 200: ref('Ship') } },
    'POST /ships/query': { body: object({ filter: list(ref('Crew')) }), answers: { 200: list(ref('Ship')) } },
  },
  {
    Crew: CREW,
    Ship: object({
      id: text,
      shipName: text,
      mate: object({ id: text }),
      tags: object({ data: list(object({ id: text })) }),
    }),
  },
);

test('several conditions may stand in the place of one, and fields be named otherwise', async () => {
  const { send } = mockOfDocument(crewed);
  await send('POST', '/ships', { shipName: 'Alba', mate: { id: 'm1' }, tags: { data: [{ id: 't1' }, { id: 't2' }] } });
  await send('POST', '/ships', { shipName: 'Brisa', mate: { id: 'm2' }, tags: { data: [{ id: 't2' }] } });
  const find = async (...filter: object[]): Promise<string> =>
    ((await send('POST', '/ships/query', { filter } as never)).body as { shipName: string }[])
      .map(({ shipName }) => shipName.charAt(0))
      .join('');
  const [alba, brisa] = ['Alba', 'Brisa'].map((value) => ({ op: 'eq', field: 'ShipName', value }));
  expect(await find({ op: 'or', items: [alba, brisa] })).toBe('AB');
  expect(await find({ op: 'and', items: [alba, brisa] })).toBe('');
  expect(await find({ op: 'eq', field: 'tag_id', value: 't1' })).toBe('A');
  expect(await find({ op: 'eq', field: 'mateId', value: 'm2' })).toBe('B');
});

test('a condition that nothing can be asked of holds nobody back, and that is told', async () => {
  const { send } = mockOfDocument(crewed);
  await send('POST', '/ships', { shipName: 'Alba' });
  for (const unknown of [
    { op: 'eq', field: 'colour', value: 'red' },
    { op: 'sounds_like', field: 'shipName', value: 'x' },
  ]) {
    const answer = await send('POST', '/ships/query', { filter: [unknown] });
    expect(answer.body).toHaveLength(1);
    expect(answer.headers['x-standin-problem']).toContain('not_filtered');
  }
});

test('one that holds nobody back lets everybody through where one of several is enough', async () => {
  const { send } = mockOfDocument(crewed);
  await send('POST', '/ships', { shipName: 'Alba' });
  const unknown = { op: 'eq', field: 'colour', value: 'red' };
  const other = { op: 'eq', field: 'shipName', value: 'Brisa' };
  const find = (op: string): ReturnType<SmallMock['send']> =>
    send('POST', '/ships/query', { filter: [{ op, items: [unknown, other] }] });
  expect((await find('or')).body).toHaveLength(1);
  expect((await find('and')).body).toHaveLength(0);
});

test('what lies too deep is told as well', async () => {
  const { send } = mockOfDocument(crewed);
  await send('POST', '/ships', { shipName: 'Alba' });
  let filter: object = { op: 'eq', field: 'shipName', value: 'Brisa' };
  for (let depth = 0; depth < 30; depth++) filter = { op: 'and', items: [filter] };
  const answer = await send('POST', '/ships/query', { filter: [filter] } as never);
  expect(answer.body).toHaveLength(1);
  expect(answer.headers['x-standin-problem']).toContain('not_filtered');
});

test('a field may be asked not to be there by false', async () => {
  const { send } = mockOfDocument(crewed);
  await send('POST', '/ships', { shipName: 'Alba', mate: { id: 'm1' } });
  await send('POST', '/ships', { shipName: 'Brisa' });
  const find = async (value: string): Promise<unknown> =>
    (await send('POST', '/ships/query', { filter: [{ op: 'exists', field: 'mate', value }] })).body;
  expect(await find('false')).toMatchObject([{ shipName: 'Brisa' }]);
  expect(await find('true')).toMatchObject([{ shipName: 'Alba' }]);
});
