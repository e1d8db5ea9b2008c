import { loadFixtures } from '../../src/files/load-mock-files';
import { ConfigError } from '../../src/core/errors/standin-error';
import { thrownBy } from '../openapi/load-text';
import { collectionsAt } from '../formats/fixture-resources';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const COLLECTIONS = collectionsAt('/books');
const withBook = (id: number): string => `{ "standin": "fixture/1", "collections": { "/books": [{ "id": ${id} }] } }`;

const ids = (path: string): unknown[] => loadFixtures(path, COLLECTIONS).items.map(({ value }) => value['id']);

test('a file', () => {
  expect(ids(folder.write('one.json', withBook(1)))).toStrictEqual([1]);
});

test('a folder: every JSON and YAML file of it, by name', () => {
  folder.write('many/2.yml', withBook(2));
  folder.write('many/1.yaml', withBook(1));
  folder.write('many/3.JSON', withBook(3));
  folder.write('many/readme.md', '# no fixture');
  folder.write('many/.json.swp', 'no fixture');
  expect(ids(`${folder.path}/many`)).toStrictEqual([1, 2, 3]);
});

test('findings name the file they are about', () => {
  folder.write('bad/1.json', withBook(1));
  const bad = folder.write('bad/2.json', '{ "standin": "fixture/1", "collections": { "/boks": [] } }');
  const { items, findings } = loadFixtures(`${folder.path}/bad`, COLLECTIONS);
  expect(items).toHaveLength(1);
  expect(findings).toMatchObject([{ file: bad, line: 1, rule: 'fixture-format', hint: 'Did you mean "/books"?' }]);
});

test.each([
  ['a path below a file', `${folder.write('one.json', withBook(1))}/nothing`, 'does not exist'],
  ['a path that does not exist', `${folder.path}/nothing`, 'does not exist'],
  ['a folder without any', folder.write('empty/readme.md', 'x').replace('/readme.md', ''), 'holds no .json'],
  ['a file that is no UTF-8', folder.write('latin1.json', Buffer.from('"ü"', 'latin1')), 'is not UTF-8'],
])('%s is refused', (_, path, reason) => {
  const error = thrownBy(() => loadFixtures(path, COLLECTIONS));
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.code).toBe('FIXTURE_UNREADABLE');
  expect(error.message).toContain(reason);
  expect(error.hint).toBeDefined();
});

test.each([
  ['broken.json', '{ "standin": "fixture/1", '],
  ['broken.yaml', 'standin: [fixture/1'],
  ['twice.yaml', 'standin: fixture/1\nstandin: fixture/1\n'],
])('%s is no JSON or YAML, and the place where it goes wrong is named', (name, text) => {
  const file = folder.write(name, text);
  const error = thrownBy(() => loadFixtures(file, COLLECTIONS));
  expect(error.findings).toMatchObject([{ file, line: expect.any(Number), column: expect.any(Number) }]);
});
