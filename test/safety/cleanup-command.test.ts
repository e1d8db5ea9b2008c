import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from '../../src/adapters/clean-up';
import { endedRun, killAll } from '../cli/standin-process';
import { describe as sketch, openOther, type OtherService, type Reply } from './other-service';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder';

const SKETCHES = [
  { id: 'listBooks', at: 'GET /books', statuses: [200] },
  { id: 'makeBook', at: 'POST /books', statuses: [201], takesBody: true },
  { id: 'getBook', at: 'GET /books/{id}', statuses: [200, 404] },
  { id: 'removeBook', at: 'DELETE /books/{id}', statuses: [204, 404] },
] as const;
const PENDING = { kind: 'pending', entry: 1, operation: 'makeBook', path: '/books', marked: true };
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
  return folder.write('run.ndjson', [start, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
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

test('a ledger that was edited sends nothing', async () => {
  service = await openOther(shelf({ '/users/1': { id: 1 } }));
  const file = ledger(service.url, [PENDING, { ...CREATED, item: '/users/1' }]);
  const { exitCode, stderr } = await endedRun(['cleanup', file]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${file}:3 cannot be used: item is "/users/1"`);
  expect(stderr).not.toContain('defect in itself');
  expect(service.seen).toEqual([]);
});

describe('on another machine', () => {
  test('nothing is sent until somebody agreed', async () => {
    const file = ledger('http://staging.invalid/v1', [PENDING, CREATED, { ...PENDING, entry: 2 }]);
    const before = readFileSync(file, 'utf8');
    const { exitCode, stderr } = await endedRun(['cleanup', file, '--api-key', 'abc'], { env: { CI: 'true' } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Cleanup at http://staging.invalid/v1, of run 1a2b3c4d');
    expect(stderr).toContain('removes    1 thing\n    /books/17\n');
    expect(stderr).toContain('looks for  1 creation whose outcome is not known\n    /books\n');
    expect(stderr).toContain('--yes agrees');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('--yes agrees', async () => {
    const file = ledger('http://staging.invalid', [PENDING, CREATED]);
    const { exitCode, stderr } = await endedRun(['cleanup', file, '--api-key', 'abc', '--yes']);
    expect(stderr).toContain('removes    1 thing');
    // It is tried, and there is no such host.
    expect(exitCode).toBe(3);
    expect(stderr).not.toContain('was not agreed to');
  });
});

test('a service that does not answer is told once, and the ledger stays', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const file = ledger(`http://127.0.0.1:${port}`, [PENDING, CREATED, { ...PENDING, entry: 2 }]);
  const { exitCode, stdout, stderr } = await endedRun(['cleanup', file]);
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
  const { removed, leftBehind } = await cleanUp({ ledger: ledger(service.url, [{ ...PENDING, sent }, CREATED]) });
  expect(leftBehind).toEqual([]);
  expect(removed.toSorted()).toEqual(['/books/17', '/books/18']);
});

test('no key is shown that stands in an address', async () => {
  const key = 's3cret-KEY-0001';
  service = await openOther((line) => (line.startsWith('DELETE') ? { status: 500 } : { status: 200, body: [] }));
  const file = ledger(service.url, [PENDING, { ...CREATED, item: `/books/tok-${key}` }], { type: 'string' });
  const { exitCode, stdout, stderr } = await endedRun(['cleanup', file, '--api-key', key]);
  expect(exitCode).toBe(4);
  expect(stdout).toContain('/books/tok-$STANDIN_API_KEY (makeBook)');
  expect(stdout + stderr).not.toContain(key);
});
