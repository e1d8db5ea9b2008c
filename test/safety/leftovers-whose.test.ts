import { sealedLines } from './seal-lines';
import { existsSync, readFileSync } from 'node:fs';
import { cleanUp, type CleanUpResult } from '../../src/library/clean-up';
import { runContract } from '../../src/library/run-contract';
import { type RunContractOptions } from '../../src/library/run-options';
import type { LedgerEntry } from '../../src/runner/ownership/ledger';
import type { RunResult } from '../../src/runner/result/run-result';
import { describe as sketch, openOther, type OtherService, type Reply, type Sketch } from './other-service';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder';

type Book = Record<string, unknown>;
type Answer = (line: string, body: Book, books: Map<number, Book>) => Reply | undefined;

const BOOKS: readonly Sketch[] = [
  { id: 'ping', at: 'GET /ping', statuses: [200] },
  { id: 'listBooks', at: 'GET /books', statuses: [200] },
  { id: 'createBook', at: 'POST /books', statuses: [201, 202, 500], takesBody: true },
  { id: 'getBook', at: 'GET /books/{id}', statuses: [200, 404] },
  { id: 'replaceBook', at: 'PUT /books/{id}', statuses: [200, 404], takesBody: true },
  { id: 'deleteBook', at: 'DELETE /books/{id}', statuses: [200, 202, 204, 404], query: ['dryRun'] },
];
const PLAIN = BOOKS.filter(({ id }) => id === 'createBook' || id === 'deleteBook');

let service: OtherService;
let folder: TemporaryFolder;
let books: Map<number, Book>;
beforeEach(() => {
  folder = temporaryFolder();
  books = new Map();
});
afterEach(async () => {
  await service.close();
  folder.remove();
});

/** A shelf of books; the answer that is given goes before its own. */
async function open(special: Answer = () => undefined): Promise<void> {
  service = await openOther((line, body) => {
    const given = special(line, body, books);
    if (given !== undefined) return given;
    const [method, path = ''] = line.split(' ');
    if (path === '/ping') return { status: 200, body: {} };
    if (path === '/books') return method === 'POST' ? add(body) : { status: 200, body: [...books.values()] };
    const id = Number(path.split('/')[2]);
    if (!books.has(id)) return { status: 404 };
    if (method === 'DELETE') books.delete(id);
    if (method === 'PUT') books.set(id, { id, ...body });
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: books.get(id) };
  });
}

function add(body: Book): Reply {
  const id = books.size + 1;
  books.set(id, { id, ...body });
  return { status: 201, body: books.get(id) };
}

const create = (body = "{ title: 'Book ${runId}' }"): string =>
  `  - { name: create, operation: createBook, body: ${body}, expect: { status: [201, 202, 500] }, capture: { id: $response.body#/id } }\n`;
const PING = '  - { name: ping, operation: ping, expect: { status: 200 } }\n';

function run(
  steps: string,
  options: Partial<RunContractOptions> = {},
  sketches: readonly Sketch[] = BOOKS,
  id?: object,
): Promise<RunResult> {
  const description = folder.write('openapi.json', sketch(sketches, id));
  const contracts = folder.write('contract.yaml', `standin: contract/1\nname: other\nsteps:\n${steps}`);
  return runContract({ baseUrl: service.url, description, contracts, mode: 'own', retries: 0, ...options });
}

const removals = (): string[] => service.seen.filter((line) => line.startsWith('DELETE'));

describe('whose it is', () => {
  test.each([500, 503, 403])('is not known where a GET of it answers %d, and nothing is removed', async (status) => {
    await open((line) => (line === 'GET /books/1' ? { status } : undefined));
    const { leftBehind, outcome } = await run(`${create()}${PING}`);
    expect(removals()).toEqual([]);
    expect(leftBehind).toMatchObject([{ reason: `GET returned ${status}, which does not show whose it is` }]);
    expect(outcome).toBe('left-behind');
  });

  test('is not known without its key, which is said', async () => {
    await open((line) => (line === 'GET /books/1' ? { status: 401 } : undefined));
    const { leftBehind } = await run(`${create()}${PING}`);
    expect(removals()).toEqual([]);
    expect(leftBehind).toMatchObject([{ reason: expect.stringMatching(/401.*the key of the run is needed/) }]);
  });

  test('what shows the id of the run elsewhere is somebody else’s', async () => {
    await open((line, body) => {
      if (line !== 'POST /books') return undefined;
      books.set(1, { id: 1, title: 'A shelf of others', lastUsedBy: 'run', children: [] });
      const made = { id: 2, ...body };
      books.set(2, made);
      Object.assign(books.get(1) ?? {}, { lastUsedBy: `a client (${String(body['title'])})`, children: [made] });
      return { status: 201, body: made };
    });
    const { leftBehind } = await run(create());
    expect(leftBehind).toEqual([]);
    expect(removals()).toEqual(['DELETE /books/2']);
  });

  test.each([
    { what: 'with the id of the run', body: undefined },
    { what: 'without it', body: "{ title: 'A book', pages: 3 }" },
  ])('what was sent $what and is something else by now is told and left alone', async ({ body }) => {
    await open((line) => {
      if (line === 'GET /ping') books.set(1, { id: 1, title: 'Of a colleague', pages: 4 });
      return undefined;
    });
    const { leftBehind, outcome } = await run(create(body) + PING);
    expect(leftBehind).toMatchObject([{ isAccepted: false, url: `${service.url}/books/1` }]);
    expect(leftBehind[0]?.reason).toContain('what stands there is not what was sent');
    expect({ outcome, removed: removals() }).toEqual({ outcome: 'left-behind', removed: [] });
  });

  test.each(["{ title: 'A book' }", '{ title: A book, pages: 3 }'])(
    'what the run itself changed to %s is still its own',
    async (body) => {
      await open();
      const change = `  - { name: change, operation: replaceBook, parameters: { id: '\${id}' }, body: ${body}, expect: { status: 200 } }\n`;
      const { leftBehind } = await run(create() + change);
      expect(leftBehind).toEqual([]);
      expect(books.size).toBe(0);
    },
  );

  test('an envelope around an item is seen through', async () => {
    await open((line) =>
      line.startsWith('GET /books/1') && books.has(1) ? { status: 200, body: { data: books.get(1) } } : undefined,
    );
    const { leftBehind } = await run(create());
    expect(leftBehind).toEqual([]);
  });

  test('runs with the same seed know their own things from each other’s', async () => {
    await open();
    const shard = (index: number): Promise<RunResult> => run(create(), { seed: 1, shard: { index, count: 2 } });
    const results = [
      await shard(1),
      await shard(2),
      await run(create(), { seed: 1 }),
      await run(create(), { seed: 1 }),
    ];
    expect(new Set(results.map(({ runId }) => runId)).size).toBe(4);
  });
});

test('what a hole let in is removed, and not what only shows it', async () => {
  const tree = new Map<string, Book>([['/books/1', { id: 1, title: 'A shelf of others', children: [] }]]);
  service = await openOther((line, body) => {
    const [method, path = ''] = line.split(' ');
    const made = { id: tree.size + 1, ...body };
    if (method === 'POST') {
      tree.set(`/books/${made.id}`, made);
      tree.set('/books/1', { ...tree.get('/books/1'), children: [made] });
      return { status: 201, body: made };
    }
    if (path === '/books') return { status: 200, body: [...tree.values()] };
    const item = tree.get(path);
    if (item === undefined) return { status: 404 };
    if (method === 'DELETE') tree.delete(path);
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: item };
  });
  const document = JSON.parse(sketch(BOOKS)) as Record<string, unknown>;
  const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } };
  const description = folder.write(
    'secured.json',
    JSON.stringify({ ...document, components, security: [{ key: [] }] }),
  );
  await run(create(), { description });
  expect(service.seen.filter((line) => line === 'POST /books').length).toBeGreaterThan(1);
  expect(removals()).not.toContain('DELETE /books/1');
  expect([...tree.keys()]).toEqual(['/books/1']);
});

test('what was refused and is there all the same, under a name of the run, is removed', async () => {
  const files = new Map<string, unknown>();
  service = await openOther((line, body) => {
    const [method, path = ''] = line.split(' ');
    if (method === 'PUT') files.set(path, body);
    if (!files.has(path) || method === 'PUT') return { status: method === 'PUT' ? 400 : 404 };
    if (method === 'DELETE') files.delete(path);
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: {} };
  });
  const sketches: Sketch[] = [
    { id: 'getFile', at: 'GET /files/{name}', statuses: [200, 404] },
    { id: 'putFile', at: 'PUT /files/{name}', statuses: [201, 400], takesBody: true },
    { id: 'deleteFile', at: 'DELETE /files/{name}', statuses: [204, 404] },
  ];
  const put =
    "  - { name: put, operation: putFile, parameters: { name: 'f-${runId}' }, body: {}, expect: { status: 400 } }\n";
  const { leftBehind } = await run(put, { mode: 'full' }, sketches, { type: 'string' });
  expect({ leftBehind, files: files.size }).toEqual({ leftBehind: [], files: 0 });
});

describe('whether it is gone', () => {
  const BROKEN: readonly { readonly what: string; readonly answer: Answer }[] = [
    { what: 'a gateway that knows no service', answer: () => ({ status: 404, body: { default: 'backend' } }) },
    { what: 'a service that is down', answer: (line) => ({ status: line.startsWith('DELETE') ? 404 : 503 }) },
    { what: 'a page of maintenance', answer: (line) => ({ status: line.startsWith('DELETE') ? 200 : 503, body: {} }) },
  ];

  test.each(BROKEN)('is not told by $what', async ({ answer }) => {
    await open(answer);
    const { leftBehind } = await cleanUpAfter([PENDING, CREATED]);
    expect(leftBehind).toMatchObject([{ isAccepted: false, url: `${service.url}/books/17` }]);
    expect(existsSync(folder.file('run.ndjson'))).toBe(true);
  });

  test('is told by a 404 and a list without it', async () => {
    await open();
    expect(await cleanUpAfter([PENDING, CREATED])).toMatchObject({ leftBehind: [], removed: ['/books/17'] });
  });

  test.each([
    { status: 202, left: 1 },
    { status: 204, left: 0 },
  ])('where nothing can be read a $status is the only word', async ({ status, left }) => {
    await open((line) => (line.startsWith('DELETE') ? { status } : undefined));
    const remove = `  - { name: remove, operation: deleteBook, parameters: { id: '\${id}' }, expect: { status: ${status} } }\n`;
    const { leftBehind } = await run(create() + remove, {}, PLAIN);
    expect(leftBehind).toHaveLength(left);
  });

  test('a removal with a query may have been a trial', async () => {
    await open();
    const remove = `  - { name: try, operation: deleteBook, parameters: { id: '\${id}', dryRun: 1 }, expect: { status: 204 } }\n`;
    await run(create() + remove, {}, PLAIN);
    expect(removals()).toHaveLength(2);
  });
});

describe('a creation of which nobody knows', () => {
  test('that was answered 202 may still be made', async () => {
    await open((line) => (line === 'POST /books' ? { status: 202 } : undefined));
    const { leftBehind } = await run(create());
    expect(leftBehind).toMatchObject([{ isAccepted: false }]);
    expect(leftBehind[0]?.reason).toContain('may still be made');
  });

  test.each([
    { what: 'more beside them', list: { items: [], next: '/books?page=2', total: 0 }, left: 1 },
    { what: 'another count', list: { items: [], total: 21 }, left: 1 },
    { what: 'no count', list: { items: [], kind: 'books' }, left: 1 },
  ])('is not refuted by a list that has $what', async ({ list, left }) => {
    await open((line) => {
      if (line === 'POST /books') return { status: 500 };
      return line === 'GET /books' ? { status: 200, body: list } : undefined;
    });
    expect((await run(create())).leftBehind).toHaveLength(left);
  });
});

const PENDING: LedgerEntry = { kind: 'pending', entry: 1, operation: 'createBook', path: '/books', marked: true };
const CREATED: LedgerEntry = { kind: 'created', entry: 1, item: '/books/17' };

function cleanUpAfter(entries: readonly LedgerEntry[]): Promise<CleanUpResult> {
  const description = folder.write('openapi.json', sketch(BOOKS));
  const start = {
    kind: 'run',
    format: 'ledger/1',
    runId: '1a2b3c4d',
    baseUrl: service.url,
    description,
    startedAt: '',
  };
  return cleanUp({ ledger: folder.write('run.ndjson', sealedLines([start, ...entries])) });
}

describe('a ledger of long ago', () => {
  test('is no reason to remove what somebody else made since', async () => {
    await open();
    books.set(17, { id: 17, title: 'Of a colleague' });
    const { leftBehind } = await cleanUpAfter([PENDING, CREATED]);
    expect(leftBehind).toMatchObject([{ isAccepted: false }]);
    expect(books.size).toBe(1);
  });

  test('has what was sent as digests, by which what the run made is told from that', async () => {
    await open((line) => (line.startsWith('DELETE') ? { status: 500 } : undefined));
    const ledger = folder.file('first.ndjson');
    await run(create("{ title: 'A book', pages: 3 }"), { ledger });
    const text = readFileSync(ledger, 'utf8');
    expect(text).toContain('"at":"/pages"');
    expect(text).not.toContain('A book');

    await service.close();
    await open();
    const moved = text.replace(/"baseUrl":"[^"]*"/, `"baseUrl":"${service.url}"`);
    const again = sealedLines(moved.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown])));
    books.set(1, { id: 1, title: 'Of a colleague', pages: 3 });
    expect((await cleanUp({ ledger: folder.write('second.ndjson', again) })).leftBehind).toHaveLength(1);
    books.set(1, { id: 1, title: 'A book', pages: 3 });
    expect((await cleanUp({ ledger: folder.write('third.ndjson', again) })).removed).toEqual(['/books/1']);
  });
});
