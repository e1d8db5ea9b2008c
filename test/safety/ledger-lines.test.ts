import { buildModel } from '../../src/openapi/model/api-model';
import { readSource } from '../../src/openapi/read/read-source';
import { checkLedger, readLedger } from '../../src/runner/ownership/ledger-lines';
import { describe as describeApi } from './other-service';

const START = {
  kind: 'run',
  format: 'ledger/1',
  runId: '1a2b3c4d',
  baseUrl: 'http://127.0.0.1:1',
  description: 'openapi.yaml',
  startedAt: '2031-01-01T00:00:00Z',
};
const PENDING = { kind: 'pending', entry: 1, operation: 'makeBook', path: '/books', marked: true, auth: 'valid' };
const CREATED = { kind: 'created', entry: 1, item: '/books/17' };

const api = buildModel(
  readSource(
    describeApi([
      { id: 'makeBook', at: 'POST /books', statuses: [201] },
      { id: 'removeBook', at: 'DELETE /books/{bookId}', statuses: [204] },
      { id: 'wipeBooks', at: 'DELETE /books/all', statuses: [204] },
      { id: 'putShelf', at: 'PUT /shelves/{shelfId}', statuses: [201] },
      { id: 'putBoard', at: 'PUT /shelves/{shelfId}/boards/{boardId}', statuses: [201] },
      { id: 'removeUser', at: 'DELETE /users/{userId}', statuses: [204] },
      { id: 'makeNote', at: 'POST /notes', statuses: [201] },
    ]),
    'openapi.json',
  ),
);

function check(...lines: readonly unknown[]): void {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  checkLedger(readLedger(`${text}\n`, 'run.ndjson'), api);
}

test.each([
  { what: 'a creation and what became of it', lines: [PENDING, CREATED, { kind: 'removed', entry: 1 }] },
  { what: 'a creation that was refused', lines: [PENDING, { kind: 'refused', entry: 1 }] },
  { what: 'a thing of which nobody knows where it is', lines: [PENDING, { kind: 'created', entry: 1 }] },
  {
    what: 'members that this version does not know',
    lines: [
      { ...PENDING, later: [1] },
      { ...CREATED, later: {} },
    ],
  },
  {
    what: 'what was sent',
    lines: [
      { ...PENDING, sent: [{ at: '/name', digest: '1a2b3c4d', marked: true }] },
      { ...CREATED, sent: [] },
    ],
  },
  {
    what: 'what a PUT made',
    lines: [
      { kind: 'pending', entry: 1, operation: 'putShelf', path: '/shelves/9' },
      { kind: 'created', entry: 1, item: '/shelves/9' },
    ],
  },
  { what: 'nothing but its beginning', lines: [] },
])('a ledger with $what is taken', ({ lines }) => {
  expect(() => {
    check(START, ...lines);
  }).not.toThrow();
});

test.each([
  { what: 'no id of a run', start: { ...START, runId: undefined }, says: 'The property "runId" is missing' },
  {
    what: 'an empty id of a run',
    start: { ...START, runId: '' },
    says: '"runId" must be the id of a run, 8 hexadecimal digits, got the string ""',
  },
  {
    what: 'an id that stands in anything',
    start: { ...START, runId: 'a' },
    says: '"runId" must be the id of a run, 8 hexadecimal digits, got the string "a"',
  },
  {
    what: 'a number for a URL',
    start: { ...START, baseUrl: 7 },
    says: '"baseUrl" must be an http or https URL, got 7',
  },
  {
    what: 'another scheme',
    start: { ...START, baseUrl: 'ftp://a' },
    says: '"baseUrl" must be an http or https URL, got the string "ftp://a"',
  },
  {
    what: 'a URL that nothing can be sent to',
    start: { ...START, baseUrl: 'http://[' },
    says: '"baseUrl" must be an http or https URL, got the string "http://["',
  },
  {
    what: 'no description',
    start: { ...START, description: undefined },
    says: 'The property "description" is missing',
  },
])('a ledger that begins with $what is refused', ({ start, says }) => {
  expect(() => {
    check(start);
  }).toThrow(`run.ndjson:1 cannot be used: ${says}`);
});

test.each([
  {
    what: 'an unknown kind',
    line: { kind: 'zzz', entry: 1 },
    says: '"kind" must be one of run, pending, created, refused, removed, before, got the string "zzz"',
  },
  { what: 'a second beginning', line: START, says: 'kind is "run"' },
  { what: 'no entry', line: { kind: 'created' }, says: 'The property "entry" is missing' },
  { what: 'an entry that was never announced', line: { kind: 'created', entry: 2 }, says: 'entry is 2' },
  { what: 'an entry that was announced before', line: PENDING, says: 'entry is 1' },
  {
    what: 'half an entry',
    line: { ...PENDING, entry: 1.5 },
    says: '"entry" must be the number of an entry, 1 or more, got 1.5',
  },
  { what: 'no path', line: { ...PENDING, entry: 2, path: undefined }, says: 'The property "path" is missing' },
  { what: 'a number for a path', line: { ...PENDING, entry: 2, path: 7 }, says: '"path" must be a string, got 7' },
  { what: 'a path of another operation', line: { ...PENDING, entry: 2, path: '/users' }, says: 'path is "/users"' },
  { what: 'an unknown operation', line: { ...PENDING, entry: 2, operation: 'sell' }, says: 'operation is "sell"' },
  {
    what: 'a text for a flag',
    line: { ...PENDING, entry: 2, marked: 'yes' },
    says: '"marked" must be true or false, got the string "yes"',
  },
  {
    what: 'a text for a doubt',
    line: { ...CREATED, mayBeOthers: 'no' },
    says: '"mayBeOthers" must be true or false, got the string "no"',
  },
  {
    what: 'a number for a reason',
    line: { ...PENDING, entry: 2, leaves: 1 },
    says: '"leaves" must be a string, got 1',
  },
  {
    what: 'a text for what was sent',
    line: { ...CREATED, sent: 'a' },
    says: '"sent" must be an array, got the string "a"',
  },
  {
    what: 'half of what was sent',
    line: { ...CREATED, sent: [{ at: '/a' }] },
    says: 'The property "digest" is missing',
  },
  { what: 'a number for an item', line: { ...CREATED, item: 5 }, says: '"item" must be a string, got 5' },
  { what: 'an item of something else', line: { ...CREATED, item: '/users/1' }, says: 'item is "/users/1"' },
  { what: 'an operation for an item', line: { ...CREATED, item: '/books/all' }, says: 'item is "/books/all"' },
  { what: 'the collection for an item', line: { ...CREATED, item: '/books/' }, says: 'item is "/books/"' },
  { what: 'a way up for an item', line: { ...CREATED, item: '/books/..' }, says: 'item is "/books/.."' },
  { what: 'a hidden way up', line: { ...CREATED, item: '/books/%2e%2E' }, says: 'item is "/books/%2e%2E"' },
  { what: 'a way aside', line: { ...CREATED, item: '/books/1?all=1' }, says: 'item is "/books/1?all=1"' },
  { what: 'a broken escape', line: { ...CREATED, item: '/books/%zz' }, says: 'item is "/books/%zz"' },
  { what: 'another host', line: { ...CREATED, item: 'http://evil/' }, says: 'item is "http://evil/"' },
  { what: 'a second request', line: { ...CREATED, item: '/books/1 HTTP/1.1\r\nX: y' }, says: 'item is "/books/1 HTTP' },
])('a line with $what is refused by its place, what is wrong, and a way out', ({ line, says }) => {
  const act = (): void => {
    check(START, PENDING, line, { kind: 'refused', entry: 1 });
  };
  expect(act).toThrow(`run.ndjson:3 cannot be used: ${says}`);
  expect(act).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', hint: expect.stringMatching(/\w/) as string }));
});

test('what there is no path for has no item', () => {
  const note = { kind: 'pending', entry: 1, operation: 'makeNote', path: '/notes' };
  expect(() => {
    check(START, note, { kind: 'created', entry: 1, item: '/notes/1' });
  }).toThrow('run.ndjson:3 cannot be used: item is "/notes/1"');
});

test('what a PUT made stands beside the path where it was put', () => {
  const put = { kind: 'pending', entry: 1, operation: 'putBoard', path: '/shelves/9/boards/1' };
  const made = (item: string) => () => {
    check(START, put, { kind: 'created', entry: 1, item });
  };
  // A service may go by the key in the body.
  expect(made('/shelves/9/boards/2')).not.toThrow();
  expect(made('/shelves/8/boards/1')).toThrow('run.ndjson:3 cannot be used: item is "/shelves/8/boards/1"');
  expect(made('/shelves/9')).toThrow('run.ndjson:3 cannot be used: item is "/shelves/9"');
});
