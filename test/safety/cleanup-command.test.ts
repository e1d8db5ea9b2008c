import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cleanUp } from '../../src/library/clean-up';
import { digestOfPath } from '../../src/runner/ownership/known-rows';
import { sealedLines } from './seal-lines';
import { endedHere, killAll } from '../cli/standin-process';
import { describe as sketch, openOther, type OtherService, type Reply } from './other-service';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder';

const SKETCHES = [
  { id: 'listBooks', at: 'GET /books', statuses: [200] },
  { id: 'makeBook', at: 'POST /books', statuses: [201], takesBody: true },
  { id: 'getBook', at: 'GET /books/{id}', statuses: [200, 404] },
  { id: 'removeBook', at: 'DELETE /books/{id}', statuses: [204, 404] },
] as const;
const PENDING = { kind: 'pending', entry: 1, operation: 'makeBook', path: '/books', marked: true };
/** The list was read to its end before the first write, and was empty. */
const BEFORE = { kind: 'before', path: '/books', isComplete: true, rows: [] };
const CREATED = { kind: 'created', entry: 1, item: '/books/17' };

let folder: TemporaryFolder;
let service: OtherService | undefined;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  killAll();
  await service?.close();
  service = undefined;
  folder.remove();
});

/** @param id - schema of the id of a book */
function ledger(baseUrl: string, lines: readonly unknown[], id?: object): string {
  const description = folder.write('openapi.json', sketch(SKETCHES, id));
  const start = { kind: 'run', format: 'ledger/1', runId: '1a2b3c4d', baseUrl, description, startedAt: '2031-01-01' };
  return folder.write('run.ndjson', sealedLines([start, ...lines]));
}

/** Keeps books by their path. */
function shelf(books: Record<string, unknown>): (line: string) => Reply {
  return (line) => {
    const [method = '', path = ''] = line.split(' ');
    if (path === '/books') return { status: 200, body: Object.values(books) };
    if (!(path in books)) return { status: 404, body: {} };
    if (method === 'GET') return { status: 200, body: books[path] };
    Reflect.deleteProperty(books, path);
    return { status: 204 };
  };
}

test('a ledger with what no run could have written sends nothing', async () => {
  service = await openOther(shelf({ '/users/1': { id: 1 } }));
  const file = ledger(service.url, [PENDING, { ...CREATED, item: '/users/1' }]);
  const { exitCode, stderr } = await endedHere(['cleanup', file]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${file}:3 cannot be used: item is "/users/1"`);
  expect(stderr).not.toContain('defect in itself');
  expect(service.seen).toEqual([]);
});

describe('on another machine', () => {
  test('nothing is sent until somebody agreed', async () => {
    const file = ledger('http://staging.invalid/v1', [PENDING, CREATED, { ...PENDING, entry: 2 }]);
    const before = readFileSync(file, 'utf8');
    const { exitCode, stderr } = await endedHere(['cleanup', file, '--api-key', 'abc'], { env: { CI: 'true' } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Cleanup at http://staging.invalid/v1, of run 1a2b3c4d');
    expect(stderr).toContain('removes    1 item\n    /books/17\n');
    expect(stderr).toContain('looks for  1 creation whose outcome is not known\n    /books\n');
    expect(stderr).toContain('--yes agrees');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('--yes agrees', async () => {
    const file = ledger('http://staging.invalid', [PENDING, CREATED]);
    const { exitCode, stderr } = await endedHere(['cleanup', file, '--api-key', 'abc', '--yes']);
    expect(stderr).toContain('removes    1 item');
    // It is tried, and there is no such host.
    expect(exitCode).toBe(3);
    expect(stderr).not.toContain('was not agreed to');
  });
});

test('a service that does not answer is told once, and the ledger stays', async () => {
  // A port that was free a moment ago may be another process's by now; below 1024 none is given out.
  const file = ledger('http://127.0.0.1:1', [PENDING, CREATED, { ...PENDING, entry: 2 }]);
  const { exitCode, stdout, stderr } = await endedHere(['cleanup', file]);
  expect(exitCode).toBe(3);
  expect(stderr.match(/ECONNREFUSED/g)).toHaveLength(1);
  expect(stderr).toContain(`the ledger ${file} stays`);
  expect(stdout).toBe('');
  expect(existsSync(file)).toBe(true);
});

test('what is found on the way is told as well as what the ledger had', async () => {
  const name = 'Book 1a2b3c4d';
  service = await openOther(shelf({ '/books/17': { id: 17, name }, '/books/18': { id: 18, name } }));
  const sent = [{ at: '/name', digest: '0a1b2c3d', marked: true }];
  const { removed, leftBehind } = await cleanUp({
    ledger: ledger(service.url, [BEFORE, { ...PENDING, sent }, CREATED]),
  });
  expect(leftBehind).toEqual([]);
  expect(removed.toSorted()).toEqual(['/books/17', '/books/18']);
});

test.each([
  { when: 'was there before the run', before: [{ ...BEFORE, rows: [digestOfPath('/books/18')] }] },
  { when: 'may have been there before the run', before: [{ ...BEFORE, isComplete: false }] },
  { when: 'is of a run that did not look before', before: [] },
])('what holds the id of the run and $when is left alone', async ({ before }) => {
  const name = 'Book 1a2b3c4d';
  const books = { '/books/17': { id: 17, name }, '/books/18': { id: 18, name } };
  service = await openOther(shelf(books));
  const sent = [{ at: '/name', digest: '0a1b2c3d', marked: true }];
  const lines = [...before, { ...PENDING, sent }, CREATED, { ...PENDING, entry: 2, sent }];
  const { removed } = await cleanUp({ ledger: ledger(service.url, lines) });
  expect(removed).toEqual(['/books/17']);
  expect(Object.keys(books)).toEqual(['/books/18']);
});

test('no key is shown that stands in an address', async () => {
  const key = 's3cret-KEY-0001';
  service = await openOther((line) => (line.startsWith('DELETE') ? { status: 500 } : { status: 200, body: [] }));
  const file = ledger(service.url, [PENDING, { ...CREATED, item: `/books/tok-${key}` }], { type: 'string' });
  const { exitCode, stdout, stderr } = await endedHere(['cleanup', file, '--api-key', key]);
  expect(exitCode).toBe(4);
  expect(stdout).toContain('/books/tok-$STANDIN_API_KEY (makeBook)');
  expect(stdout + stderr).not.toContain(key);
});

describe('a ledger of somebody else', () => {
  const sent = [{ at: '/name', digest: '0a1b2c3d', marked: true }];

  /** The ledger as another user would have written it. */
  function foreign(baseUrl: string, lines: readonly unknown[]): { readonly file: string; readonly spec: string } {
    const file = ledger(baseUrl, lines);
    const text = readFileSync(file, 'utf8').replace(/"mac":"[^"]*"/g, `"mac":"${'0'.repeat(32)}"`);
    writeFileSync(file, text);
    return { file, spec: folder.file('openapi.json') };
  }

  test.each([
    { what: 'with the seals of another key', change: (text: string) => text.replace(/"mac":"./g, '"mac":"x') },
    { what: 'without seals', change: (text: string) => text.replace(/,"mac":"[^"]*"/g, '') },
    { what: 'that names another thing', change: (text: string) => text.replace('/books/17', '/books/18') },
    { what: 'that names another service', change: (text: string) => text.replace(/127\.0\.0\.1/, 'localhost') },
    { what: 'without one of its lines', change: (text: string) => text.replace(/.*"refused".*\n/, '') },
    {
      what: 'with one line more',
      change: (text: string) => `${text}{"kind":"created","entry":2,"item":"/books/18"}\n`,
    },
  ])('$what: nothing is sent, not even the key, and the way out is told', async ({ change }) => {
    service = await openOther(shelf({ '/books/17': { id: 17, name: 'Book 1a2b3c4d' } }));
    const lines = [{ ...PENDING, sent }, { ...PENDING, entry: 2 }, { kind: 'refused', entry: 2 }, CREATED];
    const file = ledger(service.url, lines);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, change(text));
    expect(change(text)).not.toBe(text);
    for (const more of [[], ['--yes'], ['--base-url', service.url], ['--foreign-ledger', '--yes']]) {
      const { exitCode, stderr } = await endedHere(['cleanup', file, '--api-key', 'abc', ...more]);
      expect(stderr).toContain('was not written by this user on this machine, or was changed since');
      expect(exitCode).toBe(2);
    }
    expect(service.seen).toEqual([]);
  });

  test('a description at an address that only it names is not fetched', async () => {
    service = await openOther(() => ({ status: 200, body: {} }));
    const start = { kind: 'run', format: 'ledger/1', runId: '1a2b3c4d', startedAt: '', baseUrl: service.url };
    const line = JSON.stringify({ ...start, description: `${service.url}/openapi.json` });
    const file = folder.write('run.ndjson', `${line}\n`);
    const { stderr } = await endedHere(['cleanup', file, '--foreign-ledger', '--base-url', service.url, '--yes']);
    expect(stderr).toContain('--spec FILE');
    expect(service.seen).toEqual([]);
  });

  test('may be used once service and description are named, and is agreed to on this machine as well', async () => {
    const books = { '/books/17': { id: 17, name: 'Book 1a2b3c4d' }, '/books/18': { id: 18, name: 'Book 1a2b3c4d' } };
    service = await openOther(shelf(books));
    const { file, spec } = foreign(service.url, [BEFORE, { ...PENDING, sent }, CREATED]);
    const flags = ['cleanup', file, '--foreign-ledger', '--base-url', service.url, '--spec', spec];
    const asked = await endedHere(flags, { env: { CI: 'true' } });
    expect(asked).toMatchObject({ exitCode: 2 });
    expect(asked.stderr).toContain('removes    1 item\n    /books/17\n');
    expect(service.seen).toEqual([]);
    expect(await endedHere([...flags, '--yes'])).toMatchObject({ exitCode: 0 });
    expect(books).toEqual({});
  });

  test.each([
    { what: 'no evidence', line: PENDING },
    { what: 'no mark and nothing sent', line: { ...PENDING, marked: false } },
    { what: 'evidence of another thing', line: { ...PENDING, sent: [{ at: '/name', digest: '0a1b2c3d' }] } },
  ])('removes nothing with $what', async ({ line }) => {
    const books = { '/books/17': { id: 17, name: 'Of a colleague 1a2b3c4d' } };
    service = await openOther(shelf(books));
    const { file, spec } = foreign(service.url, [line, CREATED]);
    const flags = ['cleanup', file, '--foreign-ledger', '--base-url', service.url, '--spec', spec, '--yes'];
    const { exitCode, stdout } = await endedHere(flags);
    expect(stdout).toContain('still there');
    expect(exitCode).toBe(4);
    expect(Object.keys(books)).toEqual(['/books/17']);
  });
});

test('a service other than the one that was named is not asked', async () => {
  service = await openOther(shelf({ '/books/17': { id: 17 } }));
  const file = ledger(service.url, [PENDING, CREATED]);
  const { exitCode, stderr } = await endedHere(['cleanup', file, '--base-url', 'http://127.0.0.1:1']);
  expect(stderr).toContain(`is of a run at ${service.url}, not at http://127.0.0.1:1`);
  expect(exitCode).toBe(2);
  expect(service.seen).toEqual([]);
});
