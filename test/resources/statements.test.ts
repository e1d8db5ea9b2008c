import { inferred, summary, apiOf, type Paths } from './shapes';
import { inferResourceModel } from '../../src/resources/infer-resource-model';

const BOOKS: Paths = { 'GET /books': '[Book]', 'GET /books/{id}': 'Book', 'DELETE /books/{id}': '-' };

test('x-standin: false on a path leaves it without state', () => {
  const model = inferred({ ...BOOKS, 'x-standin /books': false });
  expect(model.resources).toStrictEqual([]);
  expect([...model.unboundReasons.values()][0]).toBe('it is said to be without state: x-standin says so');
});

test('x-standin: false on an operation leaves that one alone', () => {
  const model = inferred({ ...BOOKS, 'DELETE /books/{id}': { more: { 'x-standin': false } } });
  expect(summary(model)).toStrictEqual(['/books by id', '  GET /books list', '  GET /books/{id} read']);
});

test('x-standin names the key', () => {
  const model = inferred({ ...BOOKS, 'x-standin /books': { key: 'title' } });
  expect(model.resources[0]!.key.name).toBe('title');
  expect(model.resources[0]!.evidence.at(-1)).toStrictEqual({
    text: 'key: x-standin says so',
    pointer: '/paths/~1books',
  });
});

test('x-standin on a schema names the key of whatever keeps it', () => {
  const Shelf = {
    type: 'object',
    properties: { id: { type: 'integer' }, label: { type: 'string' } },
    'x-standin': { key: 'label' },
  };
  const model = inferred({ 'GET /shelves': '[Shelf]', 'GET /shelves/{id}': 'Shelf' }, { Shelf });
  expect(model.resources[0]!.key.name).toBe('label');
});

test('what cannot say which items of another collection it means says so', () => {
  const hint = { sameAs: '/shelves/{shelf}/novels' };
  const paths: Paths = {
    ...BOOKS,
    'GET /shelves/{shelf}/novels': '[Book]',
    'GET /shelves/{shelf}/novels/{id}': 'Book',
  };
  const model = inferred({ ...paths, 'x-standin /books': hint });
  expect(summary(model)).toContain('  GET /books list');
  expect([...model.unboundReasons].map(([{ method }, why]) => `${method}: ${why}`)).toStrictEqual([
    'GET: its path does not say which item of /shelves/{shelf}/novels is meant',
    'DELETE: its path does not say which item of /shelves/{shelf}/novels is meant',
  ]);
});

test('x-standin makes an operation act as it says', () => {
  const more = { 'x-standin': { resource: '/books', behaviour: 'act', sets: { title: 'Gone' } } };
  const model = inferred({ ...BOOKS, 'POST /bin/{bookId}': { more } });
  expect(summary(model).at(-1)).toBe('  POST /bin/{bookId} act title="Gone"');
});

test('every member that an action is said to set is set', () => {
  const more = { 'x-standin': { resource: '/books', behaviour: 'act', sets: { title: 'Gone', id: 7 } } };
  const model = inferred({ ...BOOKS, 'POST /bin/{bookId}': { more } });
  expect(summary(model).at(-1)).toBe('  POST /bin/{bookId} act title="Gone" id=7');
});

test.each([
  { behaviour: 'act', want: 'act' },
  { behaviour: 'update', want: 'update' },
])(
  'what is said of an operation below an item holds without naming the resource: $behaviour',
  ({ behaviour, want }) => {
    const more = { 'x-standin': { behaviour } };
    const model = inferred({ ...BOOKS, 'POST /books/{id}/lend': { answers: 'Book', more } });
    expect(summary(model).at(-1)).toBe(`  POST /books/{id}/lend ${want}`);
    const evidence = [...model.bindings.values()].at(-1)!.evidence.map(({ text }) => text);
    expect(evidence.join()).toContain('x-standin says so');
  },
);

test.each([{ behaviour: 'list' }, { behaviour: 'list', resource: '/books' }])(
  'what is said of the only operation on a path makes it a resource: %j',
  (said) => {
    const model = inferred({ 'GET /books': { answers: '[Book]', more: { 'x-standin': said } } });
    expect(summary(model)).toStrictEqual(['/books by id', '  GET /books list']);
  },
);

test.each([
  { operationId: 'readBook' },
  { operationRef: '#/paths/~1books~1{id}/get' },
  { operationRef: '#/paths/~1books~1%7Bid%7D/get' },
])('a link says what the key is: %j', (target) => {
  const links = { read: { ...target, parameters: { id: '$response.body#/title' } } };
  const more = 'operationId' in target ? target : {};
  const api = apiOf({
    'GET /books/{id}': { answers: 'Book', more },
    'POST /books': {
      takes: 'Book',
      more: {
        responses: {
          201: {
            description: 'ok',
            links,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } },
          },
        },
      },
    },
  });
  expect(inferResourceModel(api).resources[0]!.key.name).toBe('title');
});

test.each([
  { member: 'authorId', type: 'integer', want: 'key /authors' },
  { member: 'author_id', type: 'integer', want: 'key /authors' },
  { member: 'authorIds', type: '[integer]', want: 'keys /authors' },
  { member: 'firstAuthorId', type: 'integer', want: 'key /authors' },
  { member: 'author', type: 'Author', want: 'embedded /authors' },
  { member: 'writers', type: '[Author]', want: 'embedded-list /authors' },
  { member: 'authority', type: 'string', want: undefined },
  { member: 'paid', type: 'boolean', want: undefined },
])('$property of type $type refers to $want, found after it', ({ member, type, want }) => {
  const model = inferred(
    {
      'GET /novels': '[Novel]',
      'GET /novels/{id}': 'Novel',
      'GET /authors': '[Author]',
      'GET /authors/{id}': 'Author',
    },
    { Novel: { id: 'integer', [member]: type }, Author: { id: 'integer', name: 'string' } },
  );
  const [reference] = model.resources[0]!.references;
  expect(reference && `${reference.form} ${reference.to}`).toBe(want);
});

test('each operation is bound, or has a reason', () => {
  const model = inferred({ ...BOOKS, 'GET /health': { answers: { ok: 'boolean' } }, 'GET /text': '-' });
  expect(model.bindings.size + model.unboundReasons.size).toBe(5);
});

test('the same description gives the same model', () => {
  expect(JSON.stringify(summary(inferred(BOOKS)))).toBe(JSON.stringify(summary(inferred(BOOKS))));
});
