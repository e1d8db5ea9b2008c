import { createMockServer } from '../../../src/express';
import { runContract } from '../../../src/library/run-contract';
import { formatTextReport } from '../../../src/report/kinds/text-report';
import { formatResultJson } from '../../../src/report/kinds/json-report';
import { mergeResults, readResultJson } from '../../../src/report/result/merge-results';
import { type Changed, COURSE, differences, type Fault, inLockStep, onBody, onList } from './library';

test('a service with other ids, times, words and rows than the mock has differs in nothing', async () => {
  const result = await inLockStep(COURSE);
  expect(differences(result)).toEqual([]);
  expect(result.outcome).toBe('conforms');
  expect(result.lockStep).toEqual({ compared: 13, omitted: [] });
});

test('what a check of the response or of the run says of the same place is not said again', async () => {
  const shouts = onBody('GET /books/{id}', (body) => (body['title'] = String(body['title']).toUpperCase()));
  const result = await inLockStep(COURSE, { answer: shouts });
  const read = result.contracts[0]?.steps.find(({ name }) => name === 'read again')?.verdict;
  expect(read).toMatchObject({ kind: 'fail', findings: [{ check: 'echo', at: '/response/body/title' }] });
});

test('a difference says what the mock answers, and where the description says so', async () => {
  const result = await inLockStep(COURSE, { takesAll: true });
  const verdict = result.contracts[0]?.steps.find(({ name }) => name === 'refuse')?.verdict;
  expect(verdict).toMatchObject({
    kind: 'fail',
    findings: expect.arrayContaining([
      expect.objectContaining({
        check: 'lock-step',
        expected: '400',
        actual: '201',
        hint: expect.stringMatching(/^The mock: 400: invalid_field: The field \/title .*library\.yaml:\d+/) as string,
      }),
    ]) as object[],
  });
});

test('a time that was sent and comes back as another one is a warning, another text is an error', async () => {
  const steps = `
- { operation: addBook, body: { title: one, note: '2020-01-01T10:00:00.500Z' }, expect: { status: 201 } }
- { operation: addBook, body: { title: two, note: 'at ten' }, expect: { status: 201 } }
- { operation: listBooks, expect: { status: 200 } }`;
  const moved = onList((list) =>
    list.map((book) => ({ ...book, note: book['title'] === 'one' ? '2020-01-01T10:00:00Z' : 'late' })),
  );
  expect(differences(await inLockStep(steps, { answer: moved })).sort()).toEqual([
    'error /response/body/0/note: "note" is not what was sent',
    'warning /response/body/1/note: "note" is not what was sent',
  ]);
});

test('a property of an item that differs is told once, and what follows from it is not', async () => {
  const lost = onBody('POST /books', (body) => {
    if (body['note'] === null) body['state'] = 'lost';
  });
  const kept: Changed = (answer, call, books) => {
    lost(answer, call, books);
    for (const book of books.values()) if (book['note'] === null) book['state'] = 'lost';
  };
  const steps = `
- { operation: addBook, body: { title: one, note: null }, expect: { status: 201 }, capture: { id: $response.body#/id } }
- { operation: getBook, parameters: { bookId: '\${id}' }, expect: { status: 200 } }
- { operation: listBooks, expect: { status: 200 } }`;
  expect(differences(await inLockStep(steps, { answer: kept }))).toEqual([
    'error /response/body/state: "state" was not sent, and is not its default',
  ]);
});

test('where the contract lets what the service answers and not what the mock does, the contract is right', async () => {
  const steps = `
- { operation: addBook, body: { title: '' }, expect: { status: 201 } }
- { operation: addBook, body: { title: good }, expect: { status: 201 }, capture: { id: $response.body#/id } }
- { operation: getBook, parameters: { bookId: '\${id}' }, expect: { status: 200 } }`;
  const result = await inLockStep(steps, { takesAll: true });
  expect(differences(result)).toEqual([]);
  expect(result.lockStep).toEqual({
    compared: 2,
    omitted: [{ reason: 'the mock does not answer as the contract expects', steps: 1 }],
  });
});

test('of a row that the run did not make nothing is said, unless the request is wrong in itself', async () => {
  const steps = `
- { operation: listBooks, expect: { status: 200 }, capture: { first: $response.body#/0/id } }
- { operation: getBook, parameters: { bookId: somebody }, expect: { status: [200, 404] } }
- { operation: replaceBook, parameters: { bookId: '\${first}' }, body: { title: '' }, expect: { status: [200, 400, 404] } }`;
  const found = (answer: Parameters<Changed>[0], call: string): void => {
    if (call === 'GET /books/{id}') Object.assign(answer, { status: 200, body: { id: 'somebody', title: 'x' } });
  };
  const result = await inLockStep(steps, { answer: found, takesAll: true });
  expect(differences(result)).toEqual(['error /response/status: replaceBook is accepted, where the mock rejects it']);
  expect(result.lockStep?.omitted).toEqual([{ reason: 'it names something that the run did not make', steps: 1 }]);
});

test('after a step that went otherwise nothing more is said of the same item', async () => {
  const refuses: Changed = (answer, call) => {
    if (call === 'PUT /books/{id}') Object.assign(answer, { status: 404, body: { code: 'no', message: 'no' } });
  };
  const result = await inLockStep(COURSE, { answer: refuses });
  expect(differences(result)).toHaveLength(1);
  expect(result.lockStep?.omitted).toContainEqual({
    reason: 'an earlier step of the same item went otherwise',
    steps: 3,
  });
});

test('what was inferred is a warning, and what rules say is an error', async () => {
  const steps = `
- { operation: addBook, body: { title: one, genre: novel }, expect: { status: [201, 409] }, capture: { id: $response.body#/id } }
- { operation: replaceBook, parameters: { bookId: '\${id}' }, body: { title: two }, expect: { status: 200 } }
- { operation: getBook, parameters: { bookId: '\${id}' }, expect: { status: 200 } }`;
  const merges: Fault = {
    body: (sent, call) => {
      if (call === 'PUT /books/{id}') sent['genre'] = 'novel';
    },
  };
  expect(differences(await inLockStep(steps, merges))).toEqual([]);
  const rules = { standin: 'rules/1', operations: { replaceBook: () => undefined } } as const;
  expect(differences(await inLockStep(steps, merges, { rules }))).toEqual([
    'error /response/body/genre: "genre" stays, although a replacement left it out',
  ]);
  const forbids = {
    standin: 'rules/1',
    operations: {
      addBook: (event: { refuse: (status: number, code: string, text: string) => never }) =>
        event.refuse(409, 'closed', 'The library is closed'),
    },
  } as const;
  expect(differences(await inLockStep(steps, {}, { rules: forbids }))).toEqual([
    'error /response/status: addBook is accepted, where the mock rejects it',
  ]);
});

test('reports tell how much was compared, and results of shards add it up', async () => {
  const steps = `
- { operation: listBooks, expect: { status: 200 } }
- { method: GET, path: /nothing, expect: { status: [200, 404] } }`;
  const result = await inLockStep(steps);
  const line = 'Lock-step: 1 step compared with the mock, 1 not: the description has no such operation (1)';
  expect(formatTextReport(result, false)).toContain(line);
  const read = readResultJson(formatResultJson(result));
  expect(read.lockStep).toEqual(result.lockStep);
  const parts = [1, 2].map((index) => ({
    file: `${String(index)}.json`,
    result: { ...read, shard: { index, count: 2 } },
  }));
  const [first, second] = parts;
  expect(mergeResults([first!, second!]).lockStep).toEqual({
    compared: 2,
    omitted: [{ reason: 'the description has no such operation', steps: 2 }],
  });
});

test('a run without a mock beside it has no such figures, and no options of one', async () => {
  const app = await createMockServer();
  const contracts = 'contracts/core/inventory.yaml';
  const result = await runContract({ app, contracts });
  expect(result.lockStep).toBeUndefined();
  await expect(runContract({ app, contracts, rules: 'off' })).rejects.toThrow(
    'The option rules is for the mock that a run compares the service with, and there is none',
  );
});
