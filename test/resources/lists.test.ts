import { inferred, type Schemas } from './shapes';
import type { ListParameters } from '../../src/lists/list-model';

const MEMBERS: Schemas = {
  Book: {
    id: 'integer',
    title: 'string',
    price: 'number',
    size: { type: 'string', enum: ['small', 'large'] },
    createdAt: 'date-time',
    tags: '[string]',
    isLent: 'boolean',
    author: { id: 'integer', name: 'string' },
    labels: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
    },
  },
};

function parametersOf(query: Schemas, answers: Schemas[string] = '[Book]'): ListParameters {
  const model = inferred({ 'GET /books': { answers, query }, 'GET /books/{id}': 'Book' }, MEMBERS);
  return [...model.bindings.values()][0]!.parameters;
}

test.each([
  ['limit', 'integer', 'limit'],
  ['limit', 'string', 'limit'],
  ['per_page', 'integer', 'limit'],
  ['pageSize', 'integer', 'limit'],
  ['$top', 'integer', 'limit'],
  ['page[size]', 'integer', 'limit'],
  ['size', 'integer', 'filter'],
  ['offset', 'integer', 'offset'],
  ['skip', 'integer', 'offset'],
  ['page[offset]', 'integer', 'offset'],
  ['cursor', 'string', 'cursor'],
  ['page_token', 'string', 'cursor'],
  ['sort', 'string', 'sort'],
  ['orderBy', 'string', 'sort'],
  ['order', 'string', 'sort'],
  ['q', 'string', 'search'],
  ['search', 'string', 'search'],
  ['keyword', 'string', 'search'],
  ['fields', '[string]', 'fields'],
] as const)('%s of type %s is a %s', (name, type, role) => {
  const parameters = parametersOf({ ...(role === 'limit' ? { offset: 'integer' } : {}), [name]: type });
  if (role === 'filter') expect(parameters.limit).toBeUndefined();
  else expect(parameters[role]?.name).toBe(name);
});

test('a text that is told to be the token of a page is a cursor, and a time is no offset', () => {
  const told = (description: string) => ({ type: 'string', description });
  const page = { data: '[Book]', next: told('Continuation token for the next page') };
  expect(parametersOf({ from: told('A continuation token') }, page).cursor?.name).toBe('from');
  const since = { type: 'integer', description: 'Books that were made after this timestamp' };
  expect(parametersOf({ from: since }).offset).toBeUndefined();
});

test('words for a truth value choose by no text', () => {
  const { filters } = parametersOf({ titles: { type: 'string', enum: ['true', 'false'] } });
  expect(filters).toEqual([]);
});

test.each([
  [{ type: 'integer', minimum: 0 }, 0],
  [{ type: 'integer', minimum: 1 }, 1],
  [{ type: 'integer', default: 0 }, 0],
  [{ type: 'integer' }, 1],
])('pages declared as %j begin with %i', (schema, first) => {
  expect(parametersOf({ page: schema }).page?.first).toBe(first);
});

describe('a parameter by which a page begins or ends at an item', () => {
  const WITH_CURSOR = { data: '[Book]', nextCursor: 'string' };

  test.each([
    ['starting_after', 'string', 'after'],
    ['after', 'string', 'after'],
    ['after', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'after'],
    ['afterId', 'integer', 'after'],
    ['since_id', 'integer', 'after'],
    ['ending_before', 'string', 'before'],
    ['before', 'string', 'before'],
    ['before_id', 'integer', 'before'],
  ] as const)('%s of type %j holds its key where the answer tells no cursor', (name, type, role) => {
    expect(parametersOf({ [name]: type })).toMatchObject({ [role]: { name }, cursor: undefined, filters: [] });
  });

  test.each(['after', 'starting_after'])('%s is a cursor where the answer tells one', (name) => {
    expect(parametersOf({ [name]: 'string' }, WITH_CURSOR)).toMatchObject({ cursor: { name }, after: undefined });
  });

  test('before has no effect beside a cursor, for a reason', () => {
    const { ignored, filters, before } = parametersOf({ before: 'string' }, WITH_CURSOR);
    expect([filters, before]).toStrictEqual([[], undefined]);
    expect(ignored.map(({ reason }) => reason)).toStrictEqual([expect.stringMatching(/forwards/)]);
  });

  test.each([
    ['after_id', 'integer'],
    ['after', { type: 'string', description: 'The ID of the last book' }],
  ] as const)('%s of %j says that it is a key, whatever the answer tells', (name, type) => {
    expect(parametersOf({ [name]: type }, WITH_CURSOR)).toMatchObject({ after: { name }, cursor: undefined });
  });

  test.each([
    ['a time', 'after', 'date-time'],
    ['described as a time', 'before', { type: 'integer', description: 'Unix timestamp' }],
    ['of a type that no key has', 'after_id', 'boolean'],
  ] as const)('is none when it is %s', (_, name, type) => {
    expect(parametersOf({ [name]: type })).toMatchObject({ after: undefined, before: undefined });
  });
});

test('asc and desc are a direction, beside the member to sort by', () => {
  const { sort, direction } = parametersOf({ sort: 'string', order: { type: 'string', enum: ['asc', 'desc'] } });
  expect([sort?.name, direction?.name]).toStrictEqual(['sort', 'order']);
});

test.each([
  ['title', 'string', 'title equal'],
  ['titles', '[string]', 'title equal'],
  ['is_lent', 'boolean', 'isLent equal'],
  ['tag', 'string', 'tags contains'],
  ['tags', '[string]', 'tags contains'],
  ['size', 'string', 'size equal'],
  ['minPrice', 'number', 'price at-least'],
  ['price_max', 'number', 'price at-most'],
  ['price[gte]', 'number', 'price at-least'],
  ['price_lt', 'number', 'price less-than'],
  ['createdAfter', 'date-time', 'createdAt more-than'],
  ['created_before', 'date-time', 'createdAt less-than'],
  ['since', 'date-time', 'createdAt at-least'],
  ['filter[title]', 'string', 'title equal'],
  ['authorId', 'integer', 'author.id equal'],
  ['author', 'string', 'author.name equal'],
  ['label', 'string', 'labels.name contains'],
  ['titlePrefix', 'string', 'title prefix'],
])('%s of type %s filters by %s', (name, type, want) => {
  const { filters } = parametersOf({ [name]: type });
  expect(
    filters.map(({ property, innerPath, operator }) => `${[property, ...innerPath].join('.')} ${operator}`),
  ).toStrictEqual([want]);
});

test.each([
  [
    {
      anyOf: [
        { type: 'object', properties: { gte: { type: 'integer' }, lt: { type: 'integer' } } },
        { type: 'integer' },
      ],
    },
    false,
  ],
  [{ type: 'object', properties: { gte: { type: 'number' }, lt: { type: 'number' }, unit: { type: 'string' } } }, true],
])('a value that is an object of bounds is a range: %j', (schema, isOnly) => {
  const { filters } = parametersOf({ price: schema });
  expect(filters).toMatchObject([{ property: 'price', operator: 'equal', bounds: { isOnly } }]);
  expect([...filters[0]!.bounds!.operators]).toStrictEqual([
    ['gte', 'at-least'],
    ['lt', 'less-than'],
  ]);
});

test.each([
  ['title', { type: 'object', properties: { gte: { type: 'string' } } }, /no order/],
  ['price', { type: 'object', properties: { unit: { type: 'string' } } }, /compared with nothing/],
] as const)('an object for %s, %j, has no effect, for a reason', (name, schema, why) => {
  const { filters, ignored } = parametersOf({ [name]: schema });
  expect(filters).toStrictEqual([]);
  expect(ignored.map(({ reason }) => reason)).toStrictEqual([expect.stringMatching(why)]);
});

test.each([
  ['colour', 'string', /Book has no property of this name/],
  ['id', 'boolean', /another type than the property "id"/],
  ['expand', 'string', /a key or the item/],
  ['filter', 'string', /filter language/],
  ['locale', 'string', /how the response is given/],
])('%s of type %s has no effect, for a reason', (name, type, why) => {
  const { ignored, filters } = parametersOf({ [name]: type });
  expect(filters).toStrictEqual([]);
  expect(ignored).toHaveLength(1);
  expect(ignored[0]!.reason).toMatch(why);
});

test('a second parameter with the same role has no effect', () => {
  const { limit, ignored } = parametersOf({ limit: 'integer', per_page: 'integer', page: 'integer' });
  expect(limit?.name).toBe('limit');
  expect(ignored.map(({ reason }) => reason)).toStrictEqual(['"limit" does the same already']);
});

test.each([
  ['total', 'integer', 'total'],
  ['totalCount', 'integer', 'total'],
  ['count', 'integer', 'total'],
  ['page', 'integer', 'page'],
  ['per_page', 'integer', 'page-size'],
  ['totalPages', 'integer', 'page-count'],
  ['hasMore', 'boolean', 'has-more'],
  ['nextCursor', 'string', 'next-cursor'],
  ['next', 'string', 'next-link'],
  ['previous', 'string', 'previous-link'],
])('%s beside a list is its %s', (name, type, role) => {
  const model = inferred({ 'GET /books': { answers: { data: '[Book]', [name]: type } }, 'GET /books/{id}': 'Book' });
  expect([...model.bindings.values()][0]!.response?.pageProperties).toStrictEqual([{ path: [name], role }]);
});

test('members of meta and links beside a list are found', () => {
  const answers = {
    items: '[Book]',
    meta: { total: 'integer', count: 'integer' },
    _links: { next: { href: 'string' } },
  };
  const model = inferred({ 'GET /books': { answers }, 'GET /books/{id}': 'Book' });
  const siblings = [...model.bindings.values()][0]!.response?.pageProperties.map(
    ({ path, role }) => `${path.join('.')} ${role}`,
  );
  expect(siblings).toStrictEqual(['meta.total total', '_links.next.href next-link', 'meta.count count']);
});

test('a bound is one of a property in the plural, and of the one time that its words have', () => {
  const found = (query: Schemas): string[] => {
    const reading: Schemas = {
      Reading: { id: 'string', seats: 'integer', recordedAt: 'date-time', createdAt: 'date-time' },
    };
    const { bindings } = inferred(
      { 'GET /readings': { answers: '[Reading]', query }, 'GET /readings/{id}': 'Reading' },
      reading,
    );
    const [{ parameters } = { parameters: undefined }] = bindings.values();
    return parameters?.filters.map(({ property, operator }) => `${property} ${operator}`) ?? [];
  };
  const time = (description: string) => ({ type: 'string', format: 'date-time', description });
  expect(found({ min_seats: 'integer', maxSeats: 'integer' })).toEqual(['seats at-least', 'seats at-most']);
  expect(found({ from: time('Only readings that were recorded at this time or later.') })).toEqual([
    'recordedAt at-least',
  ]);
  expect(found({ from: time('Readings recorded after this time.') })).toEqual(['recordedAt more-than']);
  expect(found({ from: time('The beginning of the time.') })).toEqual(['createdAt at-least']);
});
