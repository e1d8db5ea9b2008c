import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { SHOP } from '../traffic/exports/shop';
import { endedHere } from './standin-process';

const folder = temporaryFolder();

interface Entry {
  readonly comment: string;
  readonly request: { readonly method: string; readonly url: string };
  readonly response: { readonly status: number };
}

function contract(text = SHOP): { readonly file: string; readonly at: (name: string) => string } {
  const own = `shop-${Math.random().toString(36).slice(2)}`;
  mkdirSync(join(folder.path, own));
  return { file: folder.write(`${own}/pets.yaml`, text), at: (name) => join(folder.path, own, name) };
}

test('several formats at once, each in a file beside the contract', async () => {
  const { file, at } = contract();
  const { exitCode, stdout, stderr } = await endedHere(['export', file, '--arazzo', '--postman', '--curl', '--hurl']);
  expect([exitCode, stdout]).toStrictEqual([0, '']);
  for (const name of ['pets.arazzo.yaml', 'pets.postman_collection.json', 'pets.sh', 'pets.hurl']) {
    expect(stderr).toContain(`wrote ${at(name)}`);
    expect(existsSync(at(name))).toBe(true);
  }
  expect(statSync(at('pets.sh')).mode & 0o111).toBe(0o111);
  expect(readFileSync(at('pets.sh'), 'utf8')).toContain(': "${BASE_URL:=http://127.0.0.1:4010}"');
});

test('what stands beside contracts afterwards is none: the folder is exported again', async () => {
  const { file, at } = contract();
  await endedHere(['export', file, '--arazzo', '--postman']);
  expect(await endedHere(['export', at('.'), '--arazzo', '--postman'])).toMatchObject({ exitCode: 0 });
});

test('to stdout, and nothing else there', async () => {
  const { file } = contract();
  const { exitCode, stdout } = await endedHere([
    'export',
    file,
    '--hurl',
    '--out',
    '-',
    '--base-url',
    'http://a.test/v1/',
  ]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^# A pet and its category\n/);
  expect(stdout).toContain('BASE_URL=http://a.test/v1 ');
});

test('what is lost is told on stderr, by step', async () => {
  const { file } = contract(SHOP.replace('photo: { $absent: true }', 'categoryId: { $format: int64 }'));
  const { stderr } = await endedHere(['export', file, '--curl', '--out', '-']);
  expect(stderr).toBe('lost in curl: "it is there": expect.body /categoryId: $format\n');
});

test('Arazzo refers to the description from where it stands', async () => {
  const { file, at } = contract();
  const spec = folder.write('openapi.yaml', readFileSync(join(__dirname, '../../spec/petstore.yaml'), 'utf8'));
  await endedHere(['export', file, '--arazzo', '--spec', spec]);
  expect(readFileSync(at('pets.arazzo.yaml'), 'utf8')).toContain('url: ../openapi.yaml');
});

test('HAR: what the mock of the description responds, without the key', async () => {
  const { file, at } = contract(SHOP.replace('expect: { status: 401 }', 'expect: { status: 200 }'));
  const { exitCode, stderr } = await endedHere(['export', file, '--har', '--base-url', 'https://shop.test/v2']);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    'lost in har: "nobody sees it without a key": does not pass at the mock: Expected status 200, got 401',
  );
  const text = readFileSync(at('pets.har'), 'utf8');
  expect(text).not.toContain('test-key');
  const { log } = JSON.parse(text);
  expect(log.version).toBe('1.2');
  const course = log.entries.map(
    ({ request, response }: Entry) => `${request.method} ${request.url} ${response.status}`,
  );
  const [, petId = ''] = /pets\/(\d+) 200/.exec(course.join('\n')) ?? [];
  const [, categoryId = ''] = /categories\/(\d+) /.exec(course.join('\n')) ?? [];
  expect(course).toStrictEqual([
    'POST https://shop.test/v2/categories 201',
    'POST https://shop.test/v2/pets 201',
    `GET https://shop.test/v2/pets/${petId} 200`,
    `GET https://shop.test/v2/pets/${petId} 401`,
    `DELETE https://shop.test/v2/pets/${petId} 204`,
    `DELETE https://shop.test/v2/categories/${categoryId} 204`,
  ]);
  expect(log.entries.map(({ comment }: Entry) => comment)).toContain('it is there');
  const [category] = log.entries;
  expect(category.request.headers).toContainEqual({
    name: 'Authorization',
    value: expect.stringMatching(/^Bearer ~secret\.\w+~$/),
  });
  expect(JSON.parse(category.request.postData.text).name).toMatch(/^Dogs [0-9a-f]{8}$/);
  expect(JSON.parse(category.response.content.text)).toMatchObject({ name: expect.stringMatching(/^Dogs /) });
  expect(category.response.redirectURL).toMatch(/^(?:https:\/\/shop\.test\/v2)?\/categories\/\d+$/);
});

test.each([
  [
    'no format',
    [],
    'Nothing says which format to export',
    'Add one or more of --arazzo, --har, --postman, --curl, --hurl.',
  ],
  [
    'one file for two formats',
    ['--curl', '--hurl', '--out', 'a'],
    '--out names one file, and 2 files would be written',
    '',
  ],
  ['no base URL', ['--curl', '--base-url', 'nowhere'], 'The base URL "nowhere" is not an http or https URL', ''],
  ['a description that is not there', ['--curl', '--spec', 'none.yaml'], 'SPEC_UNREADABLE', ''],
  [
    'a folder in the place of the file',
    ['--curl', '--out', folder.path],
    'could not be written',
    'Is the path a folder',
  ],
  ['an unknown format', ['--bruno'], "unknown option '--bruno'", ''],
])('%s is told, and nothing is written', async (_, flags, message, hint) => {
  const { file, at } = contract();
  const { exitCode, stderr } = await endedHere(['export', file, ...flags]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
  expect(existsSync(at('pets.sh'))).toBe(false);
});

test('a contract that cannot be read is told as standin verify does', async () => {
  const { file } = contract(SHOP.replace('getPet', 'getPett'));
  expect(await endedHere(['export', file, '--curl'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('getPett') as string,
  });
});
