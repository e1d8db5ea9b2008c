import type { SourceDocument } from '../../src/openapi/read/source-document';
import type { SourceFinding } from '../../src/core/errors/standin-error';
import { type FixtureContent, readFixture, readNextKeys } from '../../src/formats/fixture';
import { parseJson } from '../../src/core/json/parse-json';
import { readSource } from '../../src/openapi/read/read-source';
import { collectionsAt } from './fixture-resources';

const COLLECTIONS = collectionsAt('/books', '/authors', '/store/orders');

function read(text: string, file = 'fixture.yaml'): FixtureContent & { findings: SourceFinding[] } {
  const findings: SourceFinding[] = [];
  const { items, counts, names } = readFixture(readSource(text, file), COLLECTIONS, findings);
  return { items, counts, names, findings };
}

test('each item comes with its collection, its place and every digit', () => {
  const { items, findings } = read(`standin: fixture/1
collections:
  /books:
    - { id: 9007199254740993, title: Emma }
    - id: 2
  /authors: []
  /store/orders: [{ id: 1 }]
`);
  expect(findings).toStrictEqual([]);
  expect(items.map(({ collection, value, pointer }) => ({ collection, value, pointer }))).toStrictEqual([
    { collection: '/books', value: { id: 9007199254740993n, title: 'Emma' }, pointer: '/collections/~1books/0' },
    { collection: '/books', value: { id: 2 }, pointer: '/collections/~1books/1' },
    { collection: '/store/orders', value: { id: 1 }, pointer: '/collections/~1store~1orders/0' },
  ]);
  expect(items.map(({ document, pointer }) => document.locationOf(pointer)?.line)).toStrictEqual([4, 5, 7]);
});

test('JSON reads the same as YAML', () => {
  const json = read('{ "standin": "fixture/1", "collections": { "/books": [{ "id": 1.50 }] } }', 'fixture.json');
  expect(json.findings).toStrictEqual([]);
  expect(json.items.map(({ value }) => value)).toStrictEqual([{ id: parseJson('1.50') }]);
});

test('other members, such as the next keys of a saved state, are let be', () => {
  const { items, findings } = read(
    '{ standin: fixture/1, collections: { /books: [] }, nextKeys: { /books: 7 }, x: 1 }',
  );
  expect({ items, findings }).toStrictEqual({ items: [], findings: [] });
});

describe('what does not fit the format is said with its place', () => {
  test.each([
    ['an empty file', '', { pointer: '', message: 'This is not a fixture' }],
    ['a list', '- a\n', { pointer: '', line: 1, column: 1, message: 'This is not a fixture' }],
    ['another document', 'openapi: 3.0.3\n', { pointer: '', line: 1, message: 'This is not a fixture' }],
    [
      'another version',
      'standin: fixture/2\ncollections: {}\n',
      { pointer: '', expected: expect.stringContaining('fixture/1') },
    ],
    [
      'no collections',
      'standin: fixture/1\n',
      { pointer: '/collections', line: 1, column: 1, message: expect.stringContaining('"collections" is missing') },
    ],
    [
      'collections that are a list',
      'standin: fixture/1\ncollections: []\n',
      { pointer: '/collections', line: 2, column: 1 },
    ],
    [
      'a collection that there is not',
      'standin: fixture/1\ncollections:\n  /shelves: []\n',
      { pointer: '/collections/~1shelves', line: 3, column: 3, expected: 'one of /books, /authors, /store/orders' },
    ],
    [
      'a collection that is misspelt',
      'standin: fixture/1\ncollections:\n  /boks: []\n',
      { pointer: '/collections/~1boks', hint: 'Did you mean "/books"?' },
    ],
    [
      'a collection misspelt without its slash',
      'standin: fixture/1\ncollections:\n  boks: []\n',
      { pointer: '/collections/boks', hint: 'Did you mean "/books"?' },
    ],
    [
      'a collection that is no list',
      'standin: fixture/1\ncollections:\n  /books: { id: 1 }\n',
      { pointer: '/collections/~1books', message: '"/books" must be an array, got an object' },
    ],
    [
      'a collection without anything',
      'standin: fixture/1\ncollections:\n  /books:\n',
      { pointer: '/collections/~1books', message: '"/books" must be an array, got null' },
    ],
    [
      'an item that is no object',
      'standin: fixture/1\ncollections:\n  /books:\n    - Emma\n',
      {
        pointer: '/collections/~1books/0',
        line: 4,
        column: 7,
        message: 'An item must be an object, got the string "Emma"',
      },
    ],
    [
      'an item that is a number',
      'standin: fixture/1\ncollections:\n  /books:\n    - 7\n',
      { pointer: '/collections/~1books/0' },
    ],
  ])('%s', (_, text, finding) => {
    const { items, findings } = read(text);
    expect(items).toStrictEqual([]);
    expect(findings).toMatchObject([{ rule: 'fixture-format', severity: 'error', file: 'fixture.yaml', ...finding }]);
    expect(findings[0]?.expected).toBeDefined();
  });

  test('everything at once, and the good items are read all the same', () => {
    const { items, findings } = read(`standin: fixture/1
collections:
  /shelves: []
  /books: [7, { id: 1 }, null]
  /authors: none
`);
    expect(findings.map(({ pointer }) => pointer)).toStrictEqual([
      '/collections/~1shelves',
      '/collections/~1books/0',
      '/collections/~1books/2',
      '/collections/~1authors',
    ]);
    expect(items.map(({ value }) => value)).toStrictEqual([{ id: 1 }]);
  });

  test('a number that keeps its digits is no item', () => {
    const { items, findings } = read('{ "standin": "fixture/1", "collections": { "/books": [2.50] } }', 'fixture.json');
    expect(items).toStrictEqual([]);
    expect(findings).toHaveLength(1);
  });
});

describe('the next keys of a saved state', () => {
  test.each([
    [
      '{ "nextKeys": { "/books": 7, "/authors": 9007199254740993 } }',
      [
        ['/books', 7],
        ['/authors', 9007199254740993n],
      ],
    ],
    ['{}', []],
    ['[]', []],
    ['null', []],
  ])('of %s', (text, keys) => {
    const findings: SourceFinding[] = [];
    expect([...readNextKeys(saved(text), COLLECTIONS, findings)]).toStrictEqual(keys);
    expect(findings).toStrictEqual([]);
  });

  test('what is none is told, each with its place', () => {
    const findings: SourceFinding[] = [];
    const text = '{ "nextKeys": { "/books": 1.5, "/authors": "7", "/orders": 3 } }';
    expect([...readNextKeys(saved(text), COLLECTIONS, findings)]).toStrictEqual([]);
    expect(findings.map(({ pointer }) => pointer)).toStrictEqual([
      '/nextKeys/~1books',
      '/nextKeys/~1authors',
      '/nextKeys/~1orders',
    ]);
    readNextKeys(saved('{ "nextKeys": [7] }'), COLLECTIONS, findings);
    expect(findings.at(-1)).toMatchObject({ pointer: '/nextKeys', rule: 'fixture-format' });
  });

  function saved(text: string): SourceDocument {
    return { file: 'saved.json', root: parseJson(text), locationOf: () => undefined };
  }
});
