import { rootCauses } from '../../src/report/causes/root-causes';
import type { RunResult, StepResult } from '../../src/runner/result/run-result';
import {
  contractOf,
  failed,
  findingOf,
  KEYED,
  PASSED,
  resultOf,
  resultOfSteps,
  skipped,
  statusFinding,
} from './results';

const OPERATIONS = ['listBooks', 'getBook', 'addBook', 'getShelf', 'addShelf'];
const request = PASSED.request!;

function undocumented(operation: string, status: number): StepResult {
  const finding = findingOf('status-documented', '/response/status', {
    message: `${operation} does not document the status ${status}`,
    expected: `200, of ${operation}`,
  });
  return failed([finding], { operation, status, phase: 'auth', name: `${operation} without a key` });
}

describe('what is wrong with credentials is one matter', () => {
  test.each([401, 403])('a %d that no operation documents', (status) => {
    const [cause, ...others] = rootCauses(resultOfSteps(...OPERATIONS.map((id) => undocumented(id, status))));
    expect(others).toEqual([]);
    expect(cause).toMatchObject({ count: 5, operations: OPERATIONS, suspect: 'description', others: [] });
  });

  test('a 500 that no operation documents is one of each', () => {
    expect(rootCauses(resultOfSteps(...OPERATIONS.map((id) => undocumented(id, 500))))).toHaveLength(5);
  });

  test.each([
    ['in a header', { ...request, headers: KEYED }],
    ['in the query', { ...request, url: `${request.url}?key=$STANDIN_API_KEY` }],
  ])('a key %s that some operations do not take', (_, keyed) => {
    const refused = OPERATIONS.map((operation) =>
      failed([statusFinding(401, operation.startsWith('add') ? 201 : 200)], { operation, status: 401, request: keyed }),
    );
    const open = Array.from({ length: 9 }, () => ({ ...PASSED, request: keyed }));
    const [cause, ...others] = rootCauses(resultOfSteps(...refused, ...open));
    expect(others).toEqual([]);
    expect(cause).toMatchObject({ check: 'status-expected', count: 5, suspect: 'runner settings', others: [] });
  });

  test('a key that the first step met, which all others needed', () => {
    const first = failed([statusFinding(401, 201)], {
      operation: 'addBook',
      status: 401,
      request: { ...request, headers: KEYED },
    });
    const needs = skipped('read it', 'missing-value', 'it needs ${bookId}');
    expect(rootCauses(resultOfSteps(first, needs)).map(({ check }) => check)).toEqual(['wrong-key']);
  });
});

describe('a wrong base path', () => {
  const coverage = ['/books', '/books/{id}'].map((path) => {
    return { operation: path === '/books' ? 'addBook' : 'getBook', method: 'POST', path, steps: 1, statuses: [404] };
  });
  const lost = failed([statusFinding(404, 201)], { operation: 'addBook', status: 404, phase: 'setup' });
  const stopped = skipped('read it', 'setup-failed', 'the setup step "add" did not do what it is for');
  const run = (more: Partial<RunResult>, ...steps: StepResult[]): RunResult =>
    resultOf({ coverage, basePaths: ['/v1', '/v2'], contracts: [contractOf('Books', ...steps)], ...more });

  test('is told of a single setup step, with the path of the description', () => {
    const [cause, ...others] = rootCauses(run({ baseUrl: 'http://localhost:8080' }, lost, stopped));
    expect(others).toEqual([]);
    expect(cause).toMatchObject({ check: 'wrong-base-path', suspect: 'runner settings', consequences: 1 });
    expect(cause?.hint).toContain('try --base-url http://localhost:8080/v1.');
  });

  test('that has a part too many is told so', () => {
    const [cause] = rootCauses(run({ baseUrl: 'http://localhost/api', basePaths: [''] }, lost, stopped));
    expect(cause?.hint).toContain('have no path: try --base-url http://localhost.');
  });

  test.each([
    { what: 'the path is one of the description', more: { baseUrl: 'http://localhost/v2/' }, steps: [lost, stopped] },
    { what: 'something was found', more: {}, steps: [lost, PASSED] },
    { what: 'an item was not there', more: {}, steps: [{ ...lost, operation: 'getBook' }, stopped] },
    { what: 'the description says nothing', more: { basePaths: undefined }, steps: [lost, stopped] },
  ])('is none where $what', ({ more, steps }) => {
    expect(rootCauses(run(more, ...steps)).map(({ check }) => check)).toEqual(['status-expected']);
  });
});
