import { execFileSync } from 'node:child_process';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { BUILT_COMMAND } from '../../support/built-command';
import { temporaryFolder } from '../../support/temporary-folder';

const MEGABYTE = 1_000_000;
const SIZE = 100 * MEGABYTE;
/** An import that kept the file, or a list of what was in it, would end for want of memory. */
const MAX_HEAP_MEGABYTES = 192;

const headers = Array.from({ length: 15 }, (_, index) => ({ name: `x-header-${index}`, value: 'a value '.repeat(6) }));

/** Writes entries until the file is as large; `content` is the body of each. */
function writeHar(
  file: string,
  content: (index: number) => { mimeType: string; text: string },
  query: (index: number) => string,
): void {
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, '{"log":{"version":"1.2","creator":{"name":"test","version":"1"},"entries":[');
  for (let [index, size] = [0, 0]; size < SIZE; index++) {
    const { mimeType, text } = content(index);
    const entry = {
      startedDateTime: new Date(1_772_000_000_000 + index * 100).toISOString(),
      time: 20,
      request: { method: 'GET', url: `https://api.example/things?${query(index)}`, headers },
      response: {
        status: 200,
        headers: [
          ...headers,
          { name: 'x-request-id', value: `request-${index}` },
          { name: 'content-type', value: mimeType },
        ],
        content: { size: text.length, mimeType, text },
      },
    };
    size += writeSync(descriptor, `${index === 0 ? '' : ','}${JSON.stringify(entry)}`);
  }
  writeSync(descriptor, ']}}');
  closeSync(descriptor);
}

const script = 'function f(x) { return "text" + x; }\n'.repeat(4000);
const items = (index: number, word: string, length = 80): string =>
  JSON.stringify(
    Array.from({ length }, (_, item) => ({ id: index * length + item, name: `${word} "${item}"`, price: item / 4 })),
  );

const json = (index: number): { mimeType: string; text: string } => ({
  mimeType: 'application/json',
  text: items(index, 'thing'),
});

test.each([
  [
    'of a browser, most of it scripts',
    (index: number) => (index % 5 === 0 ? json(index) : { mimeType: 'text/javascript', text: script }),
  ],
  ['of nothing but data, each another one', json],
  ['of data beyond Latin-1', (index: number) => ({ ...json(index), text: items(index, '物') })],
])(
  'a HAR of 100 MB %s is imported with a heap of 192 MB',
  (_, content) => {
    expect(importedWithin(content, [])).toMatch(/large\.har: \d{3,} exchanges \(HAR\)/);
  },
  300_000,
);

const OPENAPI = `
openapi: 3.0.3
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      parameters: [{ name: page, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: a page
          content:
            application/json:
              schema: { type: array, items: { type: object, properties: { id: { type: integer } } } }
`;
test('a contract of a HAR of 100 MB of a browser, most of it scripts, is made with a heap of 192 MB, with and without a description', () => {
  const content: Parameters<typeof writeHar>[1] = (index) =>
    index % 5 === 0 ? json(index) : { mimeType: 'text/javascript', text: script };
  for (const spec of [[], ['--spec', 'openapi.yaml']])
    expect(importedWithin(content, ['--out', 'large.yaml', ...spec])).toMatch(/large\.yaml: \d+ steps/);
}, 300_000);

test('a contract of a HAR of 100 MB of long lists, asked for over and over, is made with a heap of 192 MB', () => {
  const lists = Array.from({ length: 40 }, (_, index) => items(index, 'thing', 6000));
  const output = importedWithin(
    (index) => ({ mimeType: 'application/json', text: lists[index % 40] ?? '' }),
    ['--out', 'large.yaml'],
    (index) => `page=${index % 40}`,
  );
  expect(output).toMatch(/large\.yaml: 40 steps/);
}, 300_000);

/** The output of an import that has no more memory than it may need. */
function importedWithin(
  content: Parameters<typeof writeHar>[1],
  flags: readonly string[],
  query = (index: number): string => `page=${index}`,
): string {
  const folder = temporaryFolder();
  try {
    const file = folder.file('large.har');
    writeHar(file, content, query);
    expect(statSync(file).size).toBeGreaterThanOrEqual(SIZE);
    folder.write('openapi.yaml', OPENAPI);
    return execFileSync(
      process.execPath,
      [`--max-old-space-size=${MAX_HEAP_MEGABYTES}`, BUILT_COMMAND, 'import', 'large.har', ...flags],
      { cwd: folder.path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
  } finally {
    folder.remove();
  }
}
