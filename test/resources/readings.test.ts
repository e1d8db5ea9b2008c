import { inferred, summary, type Paths } from './shapes';

const THING = { id: 'string', name: 'string' };
const model = (paths: Paths): string[] => summary(inferred(paths, { Thing: THING, Things: { things: ['Thing'] } }));

test('verbs at the end of paths are the methods that they name', () => {
  expect(
    model({
      'GET /boxes/json': '[Thing]',
      'POST /boxes/create': { takes: { name: 'string' }, answers: { id: 'string' }, status: '201' },
      'GET /boxes/{id}/json': 'Thing',
      'POST /boxes/{id}/update': { takes: 'Thing', answers: 'Thing' },
      'DELETE /boxes/{id}': '-',
      'POST /boxes/{id}/start': '-',
    }),
  ).toEqual([
    '/boxes by id',
    '  GET /boxes/json list',
    '  POST /boxes/create create',
    '  GET /boxes/{id}/json read',
    '  POST /boxes/{id}/update update',
    '  DELETE /boxes/{id} remove',
  ]);
});

test('an answer that is no JSON reads no item, and leaves the place to one that does', () => {
  expect(
    model({
      'GET /boxes/json': '[Thing]',
      'GET /boxes/{id}/get': '-',
      'GET /boxes/{id}/json': 'Thing',
      'DELETE /boxes/{id}': '-',
    }),
  ).toEqual(['/boxes by id', '  GET /boxes/json list', '  GET /boxes/{id}/json read', '  DELETE /boxes/{id} remove']);
});

test('items in the singular are those of the list in the plural, with what lies below them', () => {
  expect(
    model({
      'GET /things': '[Thing]',
      'POST /things': { takes: 'Thing', answers: { thingId: 'string' } },
      'GET /thing/{thingId}': 'Thing',
      'DELETE /thing/{thingId}': '-',
      'GET /thing/{thingId}/parts': '[Book]',
      'POST /thing/{thingId}/parts': { takes: 'Book', answers: 'Book', status: '201' },
    }),
  ).toEqual([
    '/things by id',
    '  GET /things list',
    '  POST /things create',
    '  GET /thing/{thingId} read',
    '  DELETE /thing/{thingId} remove',
    '/things/{thingId}/parts by id in /things',
    '  GET /thing/{thingId}/parts list',
    '  POST /thing/{thingId}/parts create',
  ]);
});

test.each([['shows another thing', 'Book', ['/things by id', '  GET /things list', '  GET /things/{id} read']]])(
  'items in the singular stay apart where the plural %s',
  (_about, Other, plural) => {
    expect(
      model({
        'GET /things': `[${Other}]`,
        'GET /things/{id}': Other,
        'POST /thing': { takes: 'Thing', answers: 'Thing' },
        'GET /thing/{id}': 'Thing',
        'DELETE /thing/{id}': '-',
      }),
    ).toEqual([
      ...plural,
      '/thing by id',
      '  POST /thing create',
      '  GET /thing/{id} read',
      '  DELETE /thing/{id} remove',
    ]);
  },
);

test('remote procedures name the item in the body or in the query', () => {
  const byId = { thing_id: 'string' };
  expect(
    model({
      'POST /thing/create': { takes: 'Thing', answers: { thing: 'Thing' } },
      'POST /thing/get': { takes: byId, answers: { thing: 'Thing' } },
      'POST /thing/list': { takes: { limit: 'integer' }, answers: { things: ['Thing'] } },
      'POST /thing/update': { takes: { ...byId, name: 'string' }, answers: { thing: 'Thing' } },
      'POST /thing/remove': { takes: byId, answers: { removed: 'boolean' } },
      'GET /books.list': '[Book]',
      'GET /books.info': { query: { book: 'string' }, answers: { ok: 'boolean', book: 'Book' } },
      'POST /books.create': { takes: { title: 'string' }, answers: { ok: 'boolean', book: 'Book' } },
    }),
  ).toEqual([
    '/thing by id',
    '  POST /thing/create create out:thing',
    '  POST /thing/list list out:things',
    '  POST /thing/get read out:thing',
    '  POST /thing/update update out:thing',
    '  POST /thing/remove remove',
    '/books by id',
    '  GET /books.list list',
    '  POST /books.create create out:book',
    '  GET /books.info read out:book',
  ]);
});

test('what the plain path does already is not read into it again', () => {
  expect(
    model({
      'GET /things': '[Thing]',
      'POST /things': { takes: 'Thing', answers: 'Thing', status: '201' },
      'POST /things/new': { takes: { draft: 'boolean' }, answers: { ok: 'boolean' } },
      'GET /things/{id}': 'Thing',
    }),
  ).toEqual(['/things by id', '  GET /things list', '  POST /things create', '  GET /things/{id} read']);
});

test('a word in the singular that stands for a record of its own is none of the list in the plural', () => {
  expect(
    model({
      'GET /users': '[Thing]',
      'GET /users/{name}': 'Thing',
      'GET /user': 'Book',
      'PATCH /user': { takes: 'Book', answers: 'Book' },
      'GET /user/{account}': 'Thing',
      'GET /user/keys': '[Book]',
      'POST /user/keys': { takes: 'Book', answers: 'Book' },
    }),
  ).toEqual([
    '/users by name',
    '  GET /users list',
    '  GET /users/{name} read',
    '/user single',
    '  GET /user read',
    '  PATCH /user update',
    '/user/keys by id',
    '  GET /user/keys list',
    '  POST /user/keys create',
  ]);
});

const KEYED: Paths = {
  'GET /depots/{code}': 'Depot',
  'PUT /depots/{code}': { takes: { city: 'string' }, answers: 'Depot' },
  'GET /cars/{vin}': 'Car',
  'PUT /cars/{vin}': { takes: { model: 'string', depot: 'string' }, answers: 'Car' },
  'GET /trips/{id}': 'Trip',
  'POST /trips': { takes: 'Trip', answers: 'Trip', status: '201' },
};

test.each([
  ['the noun of another thing', { depot: 'string' }, ['depot→/depots?']],
  ['the name that the key of another thing alone has', { vin: 'string' }, ['vin→/cars?']],
  ['words of its description', { home: { type: 'string', description: 'The code of the depot.' } }, ['home→/depots']],
  ['no words of another key', { home: { type: 'string', description: 'The name of the depot.' } }, []],
  ['its noun and such words', { depot: { type: 'string', description: 'The code of the depot.' } }, ['depot→/depots']],
  ['another type', { depot: 'integer', vin: 'number' }, []],
  ['words of its own', { depot: { type: 'string', enum: ['north', 'south'] } }, []],
  ['a form of its own', { depot: 'date', vin: { type: 'string', pattern: '^x' } }, ['vin→/cars?']],
  ['a key of which there are many', { code: 'string', name: 'string' }, []],
])('a property refers to another thing by %s', (_, more, expected) => {
  const { resources } = inferred(KEYED, {
    Depot: { code: 'string', city: 'string' },
    Car: { vin: 'string', model: 'string', depot: 'string' },
    Trip: { id: 'string', note: 'string', ...more },
  });
  const trips = resources.find(({ path }) => path === '/trips');
  const found = trips?.references.map(({ property, to, isGuess }) => `${property}→${to}${isGuess === true ? '?' : ''}`);
  expect(found).toEqual(expected);
});
