import { ConfigError, type StandinError } from '../../../src/core/errors/standin-error';
import { readFixtures } from '../../../src/files/load-mock-files';
import type { JsonValue } from '../../../src/core/json/json-value';
import { exportState } from '../../../src/mock/sandbox/state-export';
import type { Rules } from '../../../src/mock/rules/rules';
import { NO_SEED, seedState } from '../../../src/mock/seed/fixture-seed';
import type { State } from '../../../src/mock/state/state';
import { readSource } from '../../../src/openapi/read/read-source';
import { thrownBy } from '../../openapi/load-text';
import { RESOURCES } from '../library';

const RULES: Rules = {
  standin: 'rules/1',
  references: [
    { collection: '/books', member: 'authorName', to: '/authors' },
    { collection: '/authors', member: 'mentorName', to: '/authors' },
  ],
  *invariants(store) {
    for (const { id = 0, isLent, lentAt } of store.items('/books')) {
      if (isLent === true && lentAt === undefined)
        yield { collection: '/books', key: id, message: 'is lent since never' };
    }
  },
};

/** Seeds a store from a fixture in YAML; items stand on lines of their own. */
function seed(collections: string, rules: Rules | 'off' = RULES): State {
  const document = readSource(`standin: fixture/1\ncollections:\n${collections}`, 'fixture.yaml');
  return seedState(RESOURCES, rules === 'off' ? undefined : rules, readFixtures([document], RESOURCES));
}

const refusal = (collections: string): StandinError => thrownBy(() => seed(collections));

test('a fixture becomes the state that it describes', () => {
  const state = seed(`  /authors:
    - { name: Jane }
    - { name: Anne, mentorName: Jane }
  /books:
    - { year: 1815, authorName: Jane, title: Emma, id: 9007199254740993 }
    - { id: 2, title: Nameless }
    - { title: Agnes Grey, id: 1, isLent: true, lentAt: '2030-12-05T14:00:00+02:00' }
`);
  expect(exportState(state)['collections']).toStrictEqual({
    '/books': [
      { id: 1, title: 'Agnes Grey', isLent: true, lentAt: '2030-12-05T14:00:00+02:00' },
      { id: 2, title: 'Nameless' },
      { id: 9007199254740993n, title: 'Emma', authorName: 'Jane', year: 1815 },
    ],
    '/authors': [{ name: 'Anne', mentorName: 'Jane' }, { name: 'Jane' }],
  });
});

test('an item that refers to one further down, or in a later collection, is fine', () => {
  const state = seed(`  /books: [{ id: 1, title: Emma, authorName: Jane }]
  /authors: [{ name: Jane, mentorName: Zoe }, { name: Zoe }]
`);
  expect(state.collections.get('/authors')?.size).toBe(2);
});

test('a member that may be null refers to nothing when it is', () => {
  const state = seed('  /books: [{ id: 1, title: Nameless, authorName: null }]\n');
  expect(state.collections.get('/books')?.get(1)).toStrictEqual({ id: 1, title: 'Nameless', authorName: null });
});

test('no fixture, no items', () => {
  const state = seedState(RESOURCES, RULES);
  expect([...state.collections].map(([path, { size }]) => [path, size])).toStrictEqual([
    ['/books', 0],
    ['/authors', 0],
  ]);
});

test('an id written 1.0 is the id 1', () => {
  const document = readSource(
    '{ "standin": "fixture/1", "collections": { "/books": [{ "id": 1.0, "title": "Emma" }] } }',
    'fixture.json',
  );
  const state = seedState(RESOURCES, RULES, readFixtures([document], RESOURCES));
  expect(state.collections.get('/books')?.get(1)).toStrictEqual({ id: 1, title: 'Emma' });
});

test('items are frozen, all the way down', () => {
  const item = seed('  /books: [{ id: 1, title: Emma }]\n').collections.get('/books')?.get(1);
  expect(Object.isFrozen(item)).toBe(true);
});

describe('a fixture that the service could not have come to is refused', () => {
  test.each([
    [
      'a property of the wrong type',
      '  /books:\n    - { id: 1, title: 7 }\n',
      'fixture-schema',
      '/collections/~1books/0/title',
      4,
      16,
      'must be a string',
    ],
    [
      'a member that is missing',
      '  /books:\n    - { id: 1 }\n',
      'fixture-schema',
      '/collections/~1books/0',
      4,
      7,
      'must have the property "title"',
    ],
    [
      'a key that is missing',
      '  /books:\n    - { title: Emma }\n',
      'fixture-schema',
      '/collections/~1books/0',
      4,
      7,
      'must have the property "id"',
    ],
    [
      'a value below its bound',
      '  /books:\n    - { id: 0, title: Emma }\n',
      'fixture-schema',
      '/collections/~1books/0/id',
      4,
      9,
      'must be at least 1',
    ],
    [
      'a format that is not kept',
      '  /books:\n    - { id: 1, title: Emma, lentAt: 2030-12-05 }\n',
      'fixture-schema',
      '/collections/~1books/0/lentAt',
      4,
      29,
      'must be a valid date-time',
    ],
    [
      'a key that is taken',
      '  /books:\n    - { id: 1, title: Emma }\n    - { id: 1, title: Persuasion }\n',
      'fixture-key',
      '/collections/~1books/1/id',
      5,
      9,
      'taken by an earlier item',
    ],
    [
      'a reference to nothing',
      '  /books:\n    - { id: 1, title: Emma, authorName: Jane }\n',
      'fixture-reference',
      '/collections/~1books/0/authorName',
      4,
      29,
      'names "Jane", which does not exist in /authors',
    ],
    [
      'an invariant that does not hold',
      '  /books:\n    - { id: 1, title: Emma, isLent: true }\n',
      'fixture-invariant',
      '/collections/~1books/0',
      4,
      7,
      '/books 1 is lent since never',
    ],
  ])('%s', (_, collections, rule, pointer, line, column, message) => {
    const error = refusal(collections);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.code).toBe('FIXTURE_INVALID');
    expect(error.findings).toMatchObject([
      {
        rule,
        severity: 'error',
        file: 'fixture.yaml',
        pointer,
        line,
        column,
        message: expect.stringContaining(message),
      },
    ]);
    expect(error.findings[0]?.expected).toBeDefined();
  });

  test('and everything that is wrong with it is said at once', () => {
    const error = refusal(`  /books:
    - { id: 1 }
    - { id: 2, title: 7, year: soon }
    - { id: 3, title: Good }
    - { id: 3, title: Double }
  /shelves: [{ id: 1 }]
`);
    expect(error.message).toContain('5 errors');
    expect(error.findings.map(({ rule, line }) => `${rule} ${String(line)}`).toSorted()).toStrictEqual([
      'fixture-format 8',
      'fixture-key 7',
      'fixture-schema 4',
      'fixture-schema 5',
      'fixture-schema 5',
    ]);
  });

  test('a reference to an item that was itself refused is not held against it', () => {
    const error = refusal('  /authors: [{ name: 7 }]\n  /books: [{ id: 1, title: Emma, authorName: Jane }]\n');
    expect(error.findings.map(({ rule }) => rule)).toStrictEqual(['fixture-schema']);
  });

  test('an item that is refused for something else is still where references lead, and has its own looked at', () => {
    const error = refusal(`  /authors:
    - { name: Jane, mentorName: 7 }
    - { name: Anne, mentorName: Zoe }
  /books:
    - { id: 1, title: 7, authorName: Joan, isLent: true }
    - { id: 2, title: Emma, authorName: Jane }
    - { id: 3, title: Persuasion, authorName: Jone }
    - { id: 4, title: Lent, isLent: true }
`);
    expect(error.findings.map(({ rule, pointer }) => `${rule} ${pointer}`).toSorted()).toStrictEqual([
      'fixture-invariant /collections/~1books/3',
      'fixture-reference /collections/~1authors/1/mentorName',
      'fixture-reference /collections/~1books/0/authorName',
      'fixture-reference /collections/~1books/2/authorName',
      'fixture-schema /collections/~1authors/0/mentorName',
      'fixture-schema /collections/~1books/0/title',
    ]);
  });

  test.each([
    ['an author without a name', '  /authors: [{ mentorName: Jane }]\n'],
    ['an author that is no object', '  /authors: [Jane]\n'],
    ['authors that are no list', '  /authors: Jane\n'],
    ['a key that is given twice', '  /authors: [{ name: Anne }, { name: Anne }]\n'],
  ])('whether a reference leads somewhere cannot be told beside %s', (_, authors) => {
    const error = refusal(`${authors}  /books: [{ id: 1, title: Emma, authorName: Jane }, { title: 7 }]\n`);
    expect(error.findings.map(({ rule }) => rule)).not.toContain('fixture-reference');
    expect(error.findings.map(({ pointer }) => pointer)).toContain('/collections/~1books/1/title');
  });

  test('an invariant is judged where all that it looks at is there', () => {
    const rules: Rules = {
      standin: 'rules/1',
      *invariants(store) {
        for (const { id = 0, authorName } of store.items('/books')) {
          const author = store.get('/authors', authorName);
          if (author === undefined) yield { collection: '/books', key: id, message: 'has no author' };
        }
        for (const { name = '' } of store.items('/authors')) {
          const isRead = store.find('/books', 'authorName', name).length > 0;
          if (!isRead) yield { collection: '/authors', key: name, message: 'has no book' };
        }
        const [author] = store.items('/authors');
        if (author!['name'] === '') throw new Error('never');
      },
    };
    const refused = (collections: string): string[] =>
      thrownBy(() => seed(collections, rules)).findings.map(({ message }) => message);
    expect(refused('  /books: [{ id: 1, title: Emma }, { id: 2 }]\n  /authors: [{ name: Jane }]\n')).toStrictEqual([
      'The item must have the property "title"',
      '/books 1 has no author',
    ]);
    expect(refused('  /books: [{ id: 1, title: Emma, authorName: 7 }]\n  /authors: [{ name: Jane }]\n')).toHaveLength(
      1,
    );
    expect(refused('  /books: [{ id: 1, title: Emma, authorName: Jane }]\n  /authors: [{ name: 7 }]\n')).toHaveLength(
      1,
    );
  });

  test('every reference and every invariant is looked at', () => {
    const error = refusal(`  /books:
    - { id: 1, title: A, authorName: Jane }
    - { id: 2, title: B, isLent: true }
    - { id: 3, title: C, authorName: Joan }
  /authors: [{ name: Anne, mentorName: Zoe }]
`);
    expect(error.findings.map(({ rule, pointer }) => `${rule} ${pointer}`).toSorted()).toStrictEqual([
      'fixture-invariant /collections/~1books/1',
      'fixture-reference /collections/~1authors/0/mentorName',
      'fixture-reference /collections/~1books/0/authorName',
      'fixture-reference /collections/~1books/2/authorName',
    ]);
  });
});

test('without rules only the schema is asked', () => {
  const state = seed('  /books: [{ id: 1, title: Emma, authorName: Nobody, isLent: true }]\n', 'off');
  expect(state.collections.get('/books')?.size).toBe(1);
});

test('members that the schema does not have are left out', () => {
  const state = seed('  /books: [{ id: 1, title: Emma, colour: green }]\n');
  const item: JsonValue | undefined = state.collections.get('/books')?.get(1);
  expect(item).toStrictEqual({ id: 1, title: 'Emma' });
});

test('keys that go on where a saved state stopped', () => {
  const state = seedState(RESOURCES, RULES, { ...NO_SEED, nextKeys: new Map([['/books', 9007199254740993n]]) });
  expect(state.nextKeys.get('/books')).toBe(9007199254740993n);
});
