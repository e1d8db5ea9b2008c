import { runContract } from '../../src/library/run-contract';
import { type RunContractOptions } from '../../src/library/run-options';
import type { RunResult } from '../../src/runner/result/run-result';
import { describe as sketch, openOther, type OtherService, type Reply, type Sketch } from './other-service';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder';

let service: OtherService;
let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await service.close();
  folder.remove();
});

const LIST: Sketch = { id: 'listBooks', at: 'GET /books', statuses: [200] };
const BOOKS: readonly Sketch[] = [
  LIST,
  { id: 'createBook', at: 'POST /books', statuses: [201, 400, 500], takesBody: true },
  { id: 'getBook', at: 'GET /books/{id}', statuses: [200, 404] },
  { id: 'deleteBook', at: 'DELETE /books/{id}', statuses: [204, 404, 409, 500] },
];
const PAGED = BOOKS.map((operation) => (operation === LIST ? { ...LIST, query: ['limit', 'offset'] } : operation));

const create = (more = '', title = 'Book ${runId}'): string => `  - name: create
    operation: createBook
    body: { title: '${title}' }
    expect: { status: [201, 303, 400, 500] }
${more}`;
const REMOVE = `    capture: { id: $response.body#/id }
  - { name: remove, operation: deleteBook, parameters: { id: '\${id}' }, expect: { status: 204 } }
`;

type Answer = (line: string, body: Record<string, unknown>, books: Map<number, unknown>) => Reply | undefined;

/** A shelf of books; the answer that is given goes before its own, after the work was done. */
async function run(
  steps: string,
  answer: Answer = () => undefined,
  sketches: readonly Sketch[] = BOOKS,
  options: Partial<RunContractOptions> = {},
): Promise<RunResult> {
  const books = new Map<number, unknown>();
  service = await openOther((line, body) => {
    const [method, path = ''] = line.split(' ');
    const id = Number(path.split('/')[2] ?? '0');
    if (method === 'POST') books.set(books.size + 1, { id: books.size + 1, ...body });
    const book = books.get(id);
    const special = answer(line, body, books);
    if (special !== undefined) return special;
    if (method === 'POST') return { status: 201, body: books.get(books.size) };
    if (path === '/books') return { status: 200, body: [...books.values()] };
    if (method === 'DELETE') books.delete(id);
    if (book === undefined) return { status: 404 };
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: book };
  });
  const description = folder.write('openapi.json', sketch(sketches));
  const contracts = folder.write('contract.yaml', `standin: contract/1\nname: other\nsteps:\n${steps}`);
  return runContract({ baseUrl: service.url, description, contracts, mode: 'own', retries: 0, ...options });
}

const LEAVES = "    leaves: 'a shelf that nobody may empty'\n";

test.each([
  { status: 409, isAccepted: true, reason: 'a shelf that nobody may empty' },
  { status: 200, isAccepted: true, reason: 'a shelf that nobody may empty' },
  { status: 500, isAccepted: false, reason: 'DELETE returned 500 (a shelf that nobody may empty)' },
  { status: 403, isAccepted: false, reason: 'DELETE returned 403 (a shelf that nobody may empty)' },
])('what a step leaves and a DELETE returned $status', async ({ status, isAccepted, reason }) => {
  const { leftBehind } = await run(create(LEAVES), (line) => (line.startsWith('DELETE') ? { status } : undefined));
  expect(leftBehind).toMatchObject([{ isAccepted, reason }]);
});

test('what was confirmed to be removed and is still there is removed again', async () => {
  let isFirst = true;
  const { leftBehind } = await run(create(REMOVE), (line) => {
    if (!line.startsWith('DELETE') || !isFirst) return undefined;
    isFirst = false;
    return { status: 204 };
  });
  expect(leftBehind).toEqual([]);
  expect(service.seen.filter((line) => line === 'DELETE /books/1')).toHaveLength(2);
});

describe('a creation that was not confirmed', () => {
  const fails =
    (status: number): Answer =>
    (line) =>
      line.startsWith('POST') ? { status } : undefined;

  test.each([400, 303, 500])('is found by the id of the run after a %d', async (status) => {
    const { leftBehind } = await run(create(), fails(status));
    expect(leftBehind).toEqual([]);
    expect(service.seen).toContain('DELETE /books/1');
  });

  test('is told and left alone without the id of the run: a new row like it may be somebody else’s', async () => {
    const { leftBehind } = await run(create('', 'A book'), fails(500));
    expect(leftBehind).toMatchObject([{ isAccepted: false, url: `${service.url}/books` }]);
    expect(service.seen).not.toContain('DELETE /books/1');
  });

  test('is told although it was refused, where a new row has all that was sent', async () => {
    const { leftBehind } = await run(create('', 'A book'), fails(400));
    expect(leftBehind).toMatchObject([{ isAccepted: false, url: `${service.url}/books/1` }]);
    expect(leftBehind[0]?.reason).toContain('has what a creation had that was refused');
  });

  test('is told where only the last look at a list shows it, with the id of the run', async () => {
    let looks = 0;
    const { leftBehind } = await run(create(), (line) => {
      if (line.startsWith('POST')) return { status: 400 };
      const isBeforeLast = line === 'GET /books' && (looks += 1) < 3;
      return isBeforeLast ? { status: 200, body: [] } : undefined;
    });
    expect(service.seen.filter((line) => line === 'GET /books')).toHaveLength(3);
    expect(leftBehind).toMatchObject([{ isAccepted: false, url: `${service.url}/books/1` }]);
  });

  test('is not said to be absent where its body had nothing to be told by, and no list shows it', async () => {
    const { leftBehind } = await run(create('', 'A book'), (line) =>
      line.startsWith('POST') || line === 'GET /books' ? { status: 500 } : undefined,
    );
    expect(leftBehind).toMatchObject([{ isAccepted: false, url: `${service.url}/books` }]);
  });

  test.each([
    { what: 'a list that may have more pages', sketches: PAGED, headers: {}, rows: [{ id: 9 }], left: 1 },
    { what: 'a list that never showed anything of the run', sketches: BOOKS, headers: {}, left: 1 },
  ])('is told by $what', async ({ sketches, headers, left, rows = [] }) => {
    const hidden: Answer = (line) => {
      if (line.startsWith('POST')) return { status: 500 };
      return /^GET \/books(?:\?|$)/.test(line) ? { status: 200, body: rows, headers } : undefined;
    };
    const { leftBehind } = await run(create(), hidden, sketches);
    expect(leftBehind).toHaveLength(left);
  });

  test('is known not to have happened where the list shows what else the run made', async () => {
    let posts = 0;
    const second = create().replace('name: create', 'name: again');
    const { leftBehind } = await run(`${create()}${second}`, (line, _, books) => {
      if (!line.startsWith('POST') || ++posts === 1) return undefined;
      books.delete(2);
      return { status: 500 };
    });
    expect(leftBehind).toEqual([]);
  });
});

test('what has no address of its own stays, as planned', async () => {
  const sketches: Sketch[] = [{ id: 'createBook', at: 'POST /books', statuses: [201], takesBody: true }];
  const { leftBehind, outcome } = await run(create(), undefined, sketches, { mode: 'full' });
  expect(leftBehind).toMatchObject([{ isAccepted: true, reason: 'the description has no way to remove it' }]);
  expect(outcome).toBe('conforms');
});

test('what a path made that no operation has is removed, too', async () => {
  const raw = `  - name: with a slash
    method: POST
    path: /books/
    body: { title: 'Book \${runId}' }
    expect: { status: 201 }
`;
  const { leftBehind } = await run(raw, undefined, BOOKS, { mode: 'full' });
  expect(leftBehind).toEqual([]);
  expect(service.seen).toContain('DELETE /books/1');
});
