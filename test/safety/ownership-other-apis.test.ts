import { runContract } from '../../src/library/run-contract';
import { type RunContractOptions } from '../../src/library/run-options';
import { type RunResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
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

const BOOKS: readonly Sketch[] = [
  { id: 'createBook', at: 'POST /books', statuses: [200, 201], takesBody: true },
  { id: 'getBook', at: 'GET /books/{id}', statuses: [200, 404] },
  { id: 'replaceBook', at: 'PUT /books/{id}', statuses: [200, 201, 204], takesBody: true },
  { id: 'deleteBook', at: 'DELETE /books/{id}', statuses: [204, 404] },
];
const LOANS: readonly Sketch[] = [{ id: 'deleteLoan', at: 'DELETE /loans/{id}', statuses: [204, 404] }];

const CREATE = `  - name: create
    operation: createBook
    body: { title: 'Book \${runId}' }
    expect: { status: [200, 201] }
    capture: { id: $response.body#/id }
`;
const change = (operation: string, id = '${id}'): string => `  - name: ${operation} ${id.replaceAll(/\W/g, '')}
    operation: ${operation}
    parameters: { id: '${id}' }
    expect: { status: [200, 201, 204, 404] }
`;

interface Setup {
  readonly sketches: readonly Sketch[];
  readonly steps: string;
  readonly answer: (line: string, body: Record<string, unknown>) => Reply;
  readonly id?: object;
  readonly options?: Partial<RunContractOptions>;
}

async function run({ sketches, steps, answer, id, options = {} }: Setup): Promise<RunResult> {
  service = await openOther(answer);
  const description = folder.write('openapi.json', sketch(sketches, id));
  const contracts = folder.write('contract.yaml', `standin: contract/1\nname: other\nsteps:\n${steps}`);
  return runContract({ baseUrl: service.url, description, contracts, mode: 'own', retries: 0, ...options });
}

function skipped(result: RunResult): string[] {
  return allSteps(result).flatMap(({ name, verdict }) =>
    verdict.kind === 'skipped' && verdict.cause === 'mode' ? [name] : [],
  );
}

/** Keeps one book and hands out one id. */
function shelf(id: number, created = 201): Setup['answer'] {
  let book: unknown;
  return (line, body) => {
    if (line === 'POST /books') return { status: created, body: (book = { id, ...body }) };
    if (line === `DELETE /books/${id}` && book !== undefined) {
      book = undefined;
      return { status: 204 };
    }
    return book === undefined ? { status: 404 } : { status: 200, body: book };
  };
}

test('the same id of another kind of thing is somebody else’s', async () => {
  const steps = `${CREATE}${change('deleteLoan')}`;
  const result = await run({ sketches: [...BOOKS, ...LOANS], steps, answer: shelf(17) });
  expect(skipped(result)).toEqual(['deleteLoan id']);
  expect(service.seen).not.toContain('DELETE /loans/17');
  expect(service.seen).toContain('DELETE /books/17');
  expect(result.leftBehind).toEqual([]);
});

test('the largest of a few ids is not absent', async () => {
  const steps = `${change('replaceBook', '5')}${change('deleteBook', '5')}`;
  const id = { type: 'integer', minimum: 1, maximum: 5 };
  const result = await run({ sketches: BOOKS, steps, id, answer: () => ({ status: 204 }) });
  expect(skipped(result)).toEqual(['replaceBook 5', 'deleteBook 5']);
  expect(service.seen.filter((line) => !line.startsWith('GET '))).toEqual([]);
});

test('what a PUT replaced is not removed in the end, also in mode full', async () => {
  const steps = `  - name: replace
    operation: replaceBook
    parameters: { id: 3 }
    body: { title: 'Book \${runId}' }
    expect: { status: 200 }
`;
  const options = { mode: 'full' } as const;
  const result = await run({ sketches: BOOKS, steps, options, answer: (_, body) => ({ status: 200, body }) });
  expect(service.seen).toContain('PUT /books/3');
  expect(service.seen).not.toContain('DELETE /books/3');
  expect(result.leftBehind).toEqual([]);
});

test('what a POST answered 200 with is left alone, and told, unless it holds the id of the run', async () => {
  const steps = `${CREATE}${change('deleteBook')}`;
  const answer = (): Reply => ({ status: 200, body: { id: 3, title: 'Somebody else’s' } });
  const result = await run({ sketches: BOOKS, steps, answer });
  expect(service.seen.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  expect(result.leftBehind.map(({ url, isAccepted }) => [url, isAccepted])).toEqual([
    [`${service.url}/books/3`, false],
  ]);
});

test('a POST answered 200 with what holds the id of the run made that, where no 201 is documented', async () => {
  const sketches = BOOKS.map((book) => (book.id === 'createBook' ? { ...book, statuses: [200] } : book));
  const result = await run({ sketches, steps: CREATE, answer: shelf(3, 200) });
  expect(service.seen).toContain('DELETE /books/3');
  expect(result.leftBehind).toEqual([]);
});

test.each([
  { what: 'another host', location: 'http://elsewhere.example/books/9' },
  { what: 'another collection', location: '/loans/9' },
])('a Location that leads to $what gives nothing to the run', async ({ location }) => {
  const steps = CREATE.replace(/ {4}capture.*\n/, '');
  const answer = (line: string): Reply =>
    line === 'POST /books' ? { status: 201, headers: { location } } : { status: 204 };
  const result = await run({ sketches: [...BOOKS, ...LOANS], steps, answer });
  expect(service.seen.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  expect(result.leftBehind).toMatchObject([{ reason: 'the response did not say where it is', isAccepted: false }]);
});

test('nothing above what was made is the run’s own', async () => {
  const sketches: Sketch[] = [
    { id: 'createPage', at: 'POST /authors/{author}/pages', statuses: [201], takesBody: true },
    { id: 'deletePage', at: 'DELETE /authors/{author}/pages/{page}', statuses: [204] },
    { id: 'deleteAuthor', at: 'DELETE /authors/{author}', statuses: [204] },
    { id: 'createAuthor', at: 'POST /authors', statuses: [201], takesBody: true },
  ];
  const steps = `  - { name: author, operation: createAuthor, body: {}, expect: { status: 201 } }
  - { name: page, operation: createPage, parameters: { author: 1 }, body: {}, expect: { status: 201 } }
  - { name: other page, operation: createPage, parameters: { author: 2 }, body: {}, expect: { status: 201 } }
  - { name: author again, operation: deleteAuthor, parameters: { author: 2 }, expect: { status: 204 } }
`;
  const answer = (line: string): Reply =>
    line === 'POST /authors'
      ? { status: 201, body: { id: 1 } }
      : { status: line.startsWith('POST') ? 201 : 204, body: line.startsWith('POST') ? { id: 5 } : undefined };
  const result = await run({ sketches, steps, answer });
  expect(skipped(result)).toEqual(['other page', 'author again']);
  expect(service.seen).toContain('DELETE /authors/1/pages/5');
});

describe('after a removal', () => {
  test('an id that somebody else got is left alone', async () => {
    let isReused = false;
    const shelved = shelf(7);
    const answer = (line: string, body: Record<string, unknown>): Reply => {
      if (isReused && line === 'GET /books/7') return { status: 200, body: { id: 7, title: 'Somebody else’s' } };
      const reply = shelved(line, body);
      if (line === 'DELETE /books/7') isReused = true;
      return reply;
    };
    const steps = `${CREATE}${change('deleteBook')}${change('deleteBook').replace('deleteBook id', 'again')}`;
    const result = await run({ sketches: BOOKS, steps, answer });
    expect(skipped(result)).toEqual(['again']);
    expect(service.seen.filter((line) => line === 'DELETE /books/7')).toHaveLength(1);
    expect(result.leftBehind).toMatchObject([{ reason: expect.stringContaining('somebody else') as string }]);
  });

  test('a second one is sent where nobody got the id', async () => {
    const steps = `${CREATE}${change('deleteBook')}${change('deleteBook').replace('deleteBook id', 'again')}`;
    const result = await run({ sketches: BOOKS, steps, answer: shelf(7) });
    expect(skipped(result)).toEqual([]);
    expect(service.seen.filter((line) => line === 'DELETE /books/7')).toHaveLength(2);
    expect(result.leftBehind).toEqual([]);
  });
});
