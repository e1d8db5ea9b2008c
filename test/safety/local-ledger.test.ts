import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { endedHere, killAll, standin } from '../cli/standin-process';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder';
import { describe as sketch, openOther, type OtherService, type Reply } from './other-service';

const SKETCHES = [
  { id: 'listBooks', at: 'GET /books', statuses: [200] },
  { id: 'makeBook', at: 'POST /books', statuses: [201], takesBody: true },
  { id: 'getBook', at: 'GET /books/{id}', statuses: [200, 404] },
  { id: 'removeBook', at: 'DELETE /books/{id}', statuses: [204, 404] },
] as const;
const CONTRACT = `standin: contract/1
name: books
steps:
  - operation: makeBook
    body: { name: 'Book \${runId}' }
    expect: { status: 201 }
`;

let folder: TemporaryFolder;
let service: OtherService;
let books: Map<string, object>;
/** Called with a removal; what it gives is answered. */
let onRemoval: (() => Reply) | undefined;
beforeEach(async () => {
  folder = temporaryFolder();
  folder.write('openapi.json', sketch(SKETCHES));
  folder.write('books.yaml', CONTRACT);
  books = new Map();
  onRemoval = undefined;
  service = await openOther((line, body) => {
    const [method, path = ''] = line.split(' ');
    if (path === '/books' && method === 'GET') return { status: 200, body: [...books.values()] };
    if (path === '/books') {
      books.set('/books/1', { ...body, id: 1 });
      return { status: 201, body: { ...body, id: 1 }, headers: { location: '/books/1' } };
    }
    if (method === 'GET') return books.has(path) ? { status: 200, body: books.get(path) } : { status: 404, body: {} };
    if (onRemoval !== undefined) return onRemoval();
    return { status: books.delete(path) ? 204 : 404 };
  });
});
afterEach(async () => {
  killAll();
  await service.close();
  folder.remove();
});

const env = (): Record<string, string> => ({ XDG_STATE_HOME: folder.path, CI: 'true' });
const flags = (...more: string[]): string[] => {
  const spec = ['--spec', folder.file('openapi.json')];
  return ['verify', folder.file('books.yaml'), ...spec, '--base-url', service.url, '--no-auth-probes', ...more];
};
const ledgers = (): string[] => {
  const path = folder.file('standin/ledgers');
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
};

test('a run at this machine that is killed leaves a ledger that cleanup can use', async () => {
  onRemoval = () => {
    killAll();
    return { status: 500 };
  };
  await standin(flags(), { env: env() });
  expect(books.size).toBe(1);
  const [ledger = ''] = ledgers();
  expect(statSync(ledger).mode & 0o777).toBe(0o600);
  expect(statSync(folder.file('standin/ledger.key')).mode & 0o777).toBe(0o600);
  onRemoval = undefined;
  expect(await endedHere(['cleanup', ledger], { env: env() })).toMatchObject({ exitCode: 0 });
  expect(books.size).toBe(0);
  expect(ledgers()).toEqual([]);
});

test('one that leaves nothing leaves no ledger', async () => {
  const { exitCode, stderr } = await endedHere(flags(), { env: env() });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stderr).toContain('standin/ledgers/standin-ledger-');
  expect(ledgers()).toEqual([]);
});

test('without a place for it the run goes on, and tells', async () => {
  folder.write('standin', 'no folder');
  const { exitCode, stderr } = await endedHere(flags(), { env: env() });
  expect(stderr).toContain('No ledger is written');
  expect(exitCode).toBe(0);
});

test('with --remote an address of this machine is one of a shared server: mode own, a plan, a question', async () => {
  const asked = await endedHere(flags('--remote', '--api-key', 'abc'), { env: env(), cwd: folder.path });
  expect(asked.exitCode).toBe(2);
  expect(asked.stderr).toContain('mode        own');
  expect(asked.stderr).toContain('was not agreed to');
  expect(service.seen).toEqual([]);
  onRemoval = () => ({ status: 500 });
  const left = await endedHere(flags('--remote', '--yes'), { env: env(), cwd: folder.path });
  expect(left.exitCode).toBe(4);
  const [name = ''] = readdirSync(folder.path).filter((each) => each.startsWith('standin-ledger-'));
  // What was said of the address holds for the cleanup, too.
  const cleaned = await endedHere(['cleanup', name], { env: env(), cwd: folder.path });
  expect(cleaned.stderr).toContain('was not agreed to');
});
