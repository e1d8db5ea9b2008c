import { inferred, summary, type Paths, type Schemas } from './shapes';

interface Case {
  readonly what: string;
  readonly paths: Paths;
  readonly schemas?: Schemas;
  readonly want: readonly string[];
}

const BOTH = (list: string, item: string, schema = 'Book'): Paths => ({
  [`GET ${list}`]: `[${schema}]`,
  [`GET ${item}`]: schema,
});

const CASES: readonly Case[] = [
  {
    what: 'a list and its item',
    paths: BOTH('/books', '/books/{bookId}'),
    want: ['/books by id', '  GET /books list', '  GET /books/{bookId} read'],
  },
  {
    what: 'a slash at the end',
    paths: BOTH('/books/', '/books/{id}/'),
    want: ['/books/ by id at /books/{id}/', '  GET /books/ list', '  GET /books/{id}/ read'],
  },
  {
    what: '.json behind names',
    paths: BOTH('/books.json', '/books/{id}.json'),
    want: ['/books.json by id at /books/{id}.json', '  GET /books.json list', '  GET /books/{id}.json read'],
  },
  {
    what: 'variables with other names by method',
    paths: { 'GET /books': '[Book]', 'GET /books/{id}': 'Book', 'DELETE /books/{bookId}': '-' },
    want: ['/books by id', '  GET /books list', '  GET /books/{id} read', '  DELETE /books/{bookId} remove'],
  },
  {
    what: 'an item without a collection',
    paths: { 'GET /books/{id}': 'Book', 'PUT /books/{id}': { answers: 'Book', takes: 'Book' } },
    want: ['/books by id', '  GET /books/{id} read', '  PUT /books/{id} upsert'],
  },
  {
    what: 'a collection without an item',
    paths: { 'GET /books': '[Book]', 'POST /books': { answers: 'Book', takes: 'Book' } },
    want: ['/books by id', '  GET /books list', '  POST /books create'],
  },
  {
    what: 'a list that is emptied',
    paths: { 'GET /books': '[Book]', 'DELETE /books': '-' },
    want: ['/books by id', '  GET /books list', '  DELETE /books clear'],
  },
  {
    what: 'PUT with a documented 201',
    paths: { 'GET /books/{id}': 'Book', 'PUT /books/{id}': { answers: 'Book', takes: 'Book', status: '201' } },
    want: ['/books by id', '  GET /books/{id} read', '  PUT /books/{id} upsert'],
  },
  {
    what: 'PUT with the key in its body',
    paths: { 'GET /books/{id}': 'Book', 'PUT /books': { answers: 'Book', takes: 'Book' } },
    want: ['/books by id', '  PUT /books replace', '  GET /books/{id} read'].sort((a) => (a.includes('PUT') ? 1 : 0)),
  },
  {
    what: 'POST of a list',
    paths: { 'GET /books': '[Book]', 'POST /books': { answers: '[Book]', takes: '[Book]' } },
    want: ['/books by id', '  GET /books list', '  POST /books create-many'],
  },
  {
    what: 'POST of a list below the collection',
    paths: { ...BOTH('/books', '/books/{id}'), 'POST /books/batch': { answers: '[Book]', takes: '[Book]' } },
    want: ['/books by id', '  GET /books list', '  GET /books/{id} read', '  POST /books/batch create-many'],
  },
  {
    what: 'a composite key',
    paths: { 'GET /repos/{owner}/{repo}': 'Repo', 'PATCH /repos/{owner}/{repo}': { answers: 'Repo', takes: 'Repo' } },
    schemas: {
      Repo: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, stars: { type: 'integer' } },
      },
    },
    want: ['/repos/{owner} by name in ?', '  GET /repos/{owner}/{repo} read', '  PATCH /repos/{owner}/{repo} update'],
  },
  // Envelopes
  {
    what: 'data around the list',
    paths: {
      'GET /books': { answers: { data: '[Book]', total: 'integer' } },
      'GET /books/{id}': { answers: { data: 'Book' } },
    },
    want: ['/books by id', '  GET /books list out:data', '  GET /books/{id} read out:data'],
  },
  {
    what: 'the name of the things around the list',
    paths: { 'GET /books': { answers: { books: '[Book]' } }, 'GET /books/{id}': { answers: { book: 'Book' } } },
    want: ['/books by id', '  GET /books list out:books', '  GET /books/{id} read out:book'],
  },
  {
    what: 'a body around what is sent',
    paths: { 'GET /books': '[Book]', 'POST /books': { answers: { book: 'Book' }, takes: { book: 'Book' } } },
    want: ['/books by id', '  GET /books list', '  POST /books create out:book in:book'],
  },
  {
    what: 'the only list in a page',
    paths: {
      'GET /books': { answers: { found: '[Book]', page: 'integer', totalPages: 'integer' } },
      'GET /books/{id}': 'Book',
    },
    want: ['/books by id', '  GET /books list out:found', '  GET /books/{id} read'],
  },
  {
    what: 'HAL',
    paths: {
      'GET /books': { answers: { _embedded: { books: '[Book]' }, _links: { next: { href: 'string' } } } },
      'GET /books/{id}': 'Book',
    },
    want: ['/books by id', '  GET /books list out:_embedded.books', '  GET /books/{id} read'],
  },
  {
    what: 'a list in a result in an envelope',
    paths: { 'GET /books': { answers: { data: { items: '[Book]', total: 'integer' } } }, 'GET /books/{id}': 'Book' },
    want: ['/books by id', '  GET /books list out:data.items', '  GET /books/{id} read'],
  },
  {
    what: 'a map by key',
    paths: { 'GET /books': 'map Book', 'GET /books/{id}': 'Book' },
    want: ['/books by id', '  GET /books list out:map', '  GET /books/{id} read'],
  },
  {
    what: 'JSON:API',
    paths: { 'GET /books': { answers: { data: '[Resource]' } }, 'GET /books/{id}': { answers: { data: 'Resource' } } },
    schemas: {
      Resource: {
        properties: {
          type: { type: 'string' },
          id: { type: 'string' },
          attributes: { type: 'object', properties: { title: { type: 'string' } } },
        },
      },
    },
    want: ['/books by id', '  GET /books list out:data', '  GET /books/{id} read out:data'],
  },
  // Nested
  {
    what: 'a nested collection of its own',
    paths: {
      ...BOTH('/shelves', '/shelves/{shelfId}', 'Shelf'),
      ...BOTH('/shelves/{shelfId}/books', '/shelves/{shelfId}/books/{bookId}'),
    },
    schemas: { Shelf: { id: 'integer', label: 'string' } },
    want: [
      '/shelves by id',
      '  GET /shelves list',
      '  GET /shelves/{shelfId} read',
      '/shelves/{shelfId}/books by id in /shelves',
      '  GET /shelves/{shelfId}/books list',
      '  GET /shelves/{shelfId}/books/{bookId} read',
    ],
  },
  {
    what: 'a nested collection whose items show the parent',
    paths: {
      ...BOTH('/shelves', '/shelves/{id}', 'Shelf'),
      ...BOTH('/shelves/{id}/books', '/shelves/{id}/books/{bookId}', 'Shelved'),
    },
    schemas: { Shelf: { id: 'integer', label: 'string' }, Shelved: { id: 'integer', shelf_id: 'integer' } },
    want: [
      '/shelves by id',
      '  GET /shelves list',
      '  GET /shelves/{id} read',
      '/shelves/{id}/books by id in /shelves=shelf_id',
      '  GET /shelves/{id}/books list',
      '  GET /shelves/{id}/books/{bookId} read',
    ],
  },
  {
    what: 'a nested list of what has a place of its own',
    paths: {
      ...BOTH('/shelves', '/shelves/{shelfId}', 'Shelf'),
      'GET /shelves/{shelfId}/books': '[Shelved]',
      'GET /books/{id}': 'Shelved',
    },
    schemas: { Shelf: { id: 'integer', label: 'string' }, Shelved: { id: 'integer', shelfId: 'integer' } },
    want: [
      '/shelves by id',
      '  GET /shelves list',
      '  GET /shelves/{shelfId} read',
      '/books by id',
      '  GET /books/{id} read',
      '  GET /shelves/{shelfId}/books list shelfId<-/shelves',
    ],
  },
  {
    what: 'a nested list whose parent no member shows',
    paths: {
      ...BOTH('/shelves', '/shelves/{id}', 'Shelf'),
      'GET /shelves/{id}/books': '[Book]',
      'GET /books/{id}': 'Book',
    },
    schemas: { Shelf: { id: 'integer', label: 'string' } },
    want: [
      '/shelves by id',
      '  GET /shelves list',
      '  GET /shelves/{id} read',
      '/books by id',
      '  GET /books/{id} read',
      '  GET /shelves/{id}/books list $shelfId<-/shelves',
    ],
  },
  {
    what: 'collections of the same name below different roots',
    paths: { ...BOTH('/books', '/books/{id}'), ...BOTH('/admin/books', '/admin/books/{id}') },
    want: [
      '/books by id',
      '  GET /books list',
      '  GET /books/{id} read',
      '/admin/books by id',
      '  GET /admin/books list',
      '  GET /admin/books/{id} read',
    ],
  },
  // Single records
  {
    what: 'a single record',
    paths: { 'GET /me': 'Book', 'PATCH /me': { answers: 'Book', takes: 'Book' } },
    want: ['/me single', '  GET /me read', '  PATCH /me update'],
  },
  {
    what: 'a single record of each item',
    paths: {
      ...BOTH('/books', '/books/{id}'),
      'GET /books/{id}/cover': { answers: { colour: 'string' } },
      'PUT /books/{id}/cover': { answers: { colour: 'string' }, takes: { colour: 'string' } },
    },
    want: [
      '/books by id',
      '  GET /books list',
      '  GET /books/{id} read',
      '/books/{id}/cover single in /books',
      '  GET /books/{id}/cover read',
      '  PUT /books/{id}/cover replace',
    ],
  },
  // Actions, views, counts
  {
    what: 'an action with a state that it leads to',
    paths: { ...BOTH('/loans', '/loans/{id}', 'Loan'), 'POST /loans/{id}/cancel': 'Loan' },
    schemas: { Loan: { id: 'integer', status: { type: 'string', enum: ['open', 'cancelled'] } } },
    want: [
      '/loans by id',
      '  GET /loans list',
      '  GET /loans/{id} read',
      '  POST /loans/{id}/cancel act status="cancelled"',
    ],
  },
  {
    what: 'an action that switches',
    paths: { ...BOTH('/loans', '/loans/{id}', 'Loan'), 'POST /loans/{id}/unlock': '-' },
    schemas: { Loan: { id: 'integer', isLocked: 'boolean' } },
    want: [
      '/loans by id',
      '  GET /loans list',
      '  GET /loans/{id} read',
      '  POST /loans/{id}/unlock act isLocked=false',
    ],
  },
  {
    what: 'an action behind a colon',
    paths: { ...BOTH('/loans', '/loans/{id}', 'Loan'), 'POST /loans/{id}:publish': 'Loan' },
    schemas: { Loan: { id: 'integer', published: 'boolean' } },
    want: [
      '/loans by id',
      '  GET /loans list',
      '  GET /loans/{id} read',
      '  POST /loans/{id}:publish act published=true',
    ],
  },
  {
    what: 'a view',
    paths: {
      'POST /books': { answers: 'Book', takes: 'Book' },
      'GET /books/{id}': 'Book',
      'GET /books/findByTitle': { answers: '[Book]', query: { title: 'string' } },
    },
    want: ['/books by id', '  POST /books create', '  GET /books/{id} read', '  GET /books/findByTitle list'],
  },
  {
    what: 'a view with a member in its path',
    paths: { ...BOTH('/books', '/books/{id}'), 'GET /books/titled/{title}': '[Book]' },
    want: ['/books by id', '  GET /books list', '  GET /books/{id} read', '  GET /books/titled/{title} list title<-?'],
  },
  {
    what: 'counts by a member',
    paths: {
      ...BOTH('/toys', '/toys/{id}', 'Toy'),
      'GET /shop/stock': { answers: 'map integer', more: { summary: 'Toy counts by status' } },
    },
    schemas: { Toy: { id: 'integer', status: { type: 'string', enum: ['new', 'old'] } } },
    want: ['/toys by id', '  GET /toys list', '  GET /toys/{id} read', '  GET /shop/stock count out:map by status'],
  },
  {
    what: 'numbers that have the names of the values of a member',
    paths: {
      ...BOTH('/toys', '/toys/{id}', 'Toy'),
      'GET /stats': 'Stats',
      'GET /other-stats': 'OtherStats',
    },
    schemas: {
      Toy: { id: 'integer', status: { type: 'string', enum: ['new', 'old'] } },
      Stats: { new: 'integer', old: 'integer', total: 'integer' },
      OtherStats: { new: 'integer', broken: 'integer' },
    },
    want: ['/toys by id', '  GET /toys list', '  GET /toys/{id} read', '  GET /stats count by status'],
  },
  // Schemas
  {
    what: 'what is read before what is written',
    paths: {
      'GET /books': '[Summary]',
      'POST /books': { answers: 'Book', takes: 'NewBook' },
      'GET /books/{id}': 'Book',
    },
    schemas: { Summary: { id: 'integer', title: 'string' }, NewBook: { title: 'string' } },
    want: ['/books by id', '  GET /books list', '  POST /books create', '  GET /books/{id} read'],
  },
  {
    what: 'allOf',
    paths: BOTH('/books', '/books/{id}', 'Long'),
    schemas: {
      Long: {
        allOf: [{ $ref: '#/components/schemas/Book' }, { type: 'object', properties: { pages: { type: 'integer' } } }],
      },
    },
    want: ['/books by id', '  GET /books list', '  GET /books/{id} read'],
  },
  {
    what: 'oneOf',
    paths: BOTH('/animals', '/animals/{animalId}', 'Animal'),
    schemas: {
      Cat: { id: 'integer', lives: 'integer' },
      Dog: { id: 'integer', tricks: '[string]' },
      Animal: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] },
    },
    want: ['/animals by id', '  GET /animals list', '  GET /animals/{animalId} read'],
  },
];

test.each(CASES)('$what', ({ paths, schemas, want }) => {
  expect(summary(inferred(paths, schemas))).toStrictEqual(want);
});

const NO_RESOURCES: readonly { what: string; paths: Paths; schemas?: Schemas; why: RegExp }[] = [
  {
    what: 'a login',
    paths: { 'POST /login': { answers: { token: 'string' }, takes: { user: 'string', password: 'string' } } },
    why: /no GET returns/,
  },
  { what: 'one GET', paths: { 'GET /version': { answers: { version: 'string' } } }, why: /no resource was found/ },
  { what: 'a list alone', paths: { 'GET /news': '[Book]' }, why: /only read, by one operation/ },
  {
    what: 'errors',
    paths: BOTH('/errors', '/errors/{id}', 'Error'),
    schemas: { Error: { id: 'integer', message: 'string' } },
    why: /describes a request/,
  },
  {
    what: 'ApiResponse',
    paths: BOTH('/things', '/things/{id}', 'ApiResponse'),
    schemas: { ApiResponse: { code: 'integer', message: 'string' } },
    why: /describes a request/,
  },
  {
    what: 'a list of texts',
    paths: { 'GET /tags': '[string]', 'POST /tags': { takes: '[string]' } },
    why: /no resource was found/,
  },
  { what: 'a search by POST', paths: { 'POST /search': { answers: '[Book]', takes: { text: 'string' } } }, why: /./ },
  {
    what: 'an upload',
    paths: { 'POST /files': { takes: { file: 'string' }, answers: { code: 'integer', ok: 'boolean' } } },
    why: /no GET returns/,
  },
  {
    what: 'several variables in one segment',
    paths: { 'GET /compare/{base}...{head}': 'Book' },
    why: /several variables/,
  },
  {
    what: 'a replaced list',
    paths: { 'GET /books/{id}/tags': '[string]', 'PUT /books/{id}/tags': { takes: '[string]' } },
    why: /no resource was found/,
  },
];

test.each(NO_RESOURCES)('$what is no resource', ({ paths, schemas, why }) => {
  const model = inferred(paths, schemas);
  expect(summary(model)).toStrictEqual([]);
  for (const reason of model.unboundReasons.values()) expect(reason).toMatch(why);
});

test.each([
  'people/{personId}',
  'categories/{categoryId}',
  'statuses/{status_id}',
  'addresses/{address-id}',
  'boxes/{boxId}',
  'data/{dataId}',
  'children/{childId}',
  'indices/{indexId}',
  'analyses/{analysisId}',
  'movies/{movieId}',
  'releases/{releaseId}',
  'shelves/{shelfId}',
  'heroes/{heroId}',
  'companies/{companyUuid}',
  'series/{seriesId}',
  'order-items/{orderItemId}',
  'order_items/{order_item_id}',
  'OrderItems/{OrderItemID}',
])('/%s finds the id', (path) => {
  const [list = ''] = path.split('/');
  const member = path.includes('Uuid') ? 'uuid' : 'id';
  const model = inferred(BOTH(`/${list}`, `/${path}`, 'Thing'), { Thing: { price: 'integer', [member]: 'string' } });
  expect(model.resources[0]!.key.name).toBe(member);
});

test.each([
  { variable: 'isbn', members: { price: 'integer', isbn: 'string' }, key: 'isbn' },
  { variable: 'username', members: { id: 'integer', username: 'string' }, key: 'username' },
  { variable: 'username', members: { id: 'integer', login: 'string' }, key: 'login' },
  { variable: 'bookId', members: { book_id: 'integer', title: 'string' }, key: 'book_id' },
  { variable: 'book_id', members: { bookId: 'integer', title: 'string' }, key: 'bookId' },
  { variable: 'id', members: { _id: 'string', title: 'string' }, key: '_id' },
  { variable: 'id', members: { bookId: 'string', title: 'string' }, key: 'bookId' },
  { variable: 'bookId', members: { timing: 'integer', title: 'string' }, key: '$key' },
  { variable: 'bookId', members: { uuid: 'string', title: 'string' }, key: 'uuid' },
  { variable: 'slug', members: { id: 'integer', slug: 'string' }, key: 'slug' },
])('{$variable} and $members: the key is $key', ({ variable, members, key }) => {
  const model = inferred(BOTH('/books', `/books/{${variable}}`, 'Thing'), { Thing: members as Schemas });
  expect(model.resources[0]!.key.name).toBe(key);
});

test('an identifier that items have as a text is what a path asks for as a number', () => {
  const thing = {
    answers: 'Thing',
    more: { parameters: [{ name: 'book_id', in: 'path', required: true, schema: { type: 'integer' } }] },
  };
  const paths = { 'GET /books': '[Thing]', 'GET /books/{book_id}': thing };
  expect(inferred(paths, { Thing: { id: 'string', title: 'string' } }).resources[0]!.key.name).toBe('id');
  expect(inferred(paths, { Thing: { slug: 'string', title: 'string' } }).resources[0]!.key.name).toBe('$key');
});

test.each([
  ['one other', ['org']],
  ['several others', ['org', 'user']],
])('what is made below %s and removed at the root is one collection', (_about, parents) => {
  const below = (each: string): Paths => ({
    [`POST /${each}s/{id}/keys`]: { takes: 'Book', answers: 'Book', status: '201' },
    [`GET /${each}s/{id}/keys`]: '[Book]',
  });
  const paths: Paths = Object.assign({ 'DELETE /keys/{keyId}': '-' }, ...parents.map(below)) as Paths;
  expect(summary(inferred(paths))).toEqual([
    '/keys by id',
    '  DELETE /keys/{keyId} remove',
    ...parents.flatMap((each) => [
      `  GET /${each}s/{id}/keys list $${each}Id<-?`,
      `  POST /${each}s/{id}/keys create $${each}Id<-?`,
    ]),
  ]);
  // Found by another key there: the user that a membership is of.
  const apart = summary(inferred({ ...paths, 'DELETE /orgs/{id}/keys/{userId}': '-' }));
  expect(apart).not.toContain('/keys by id');
});
