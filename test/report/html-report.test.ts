import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareResults, comparisonText } from '../../src/report/causes/comparison';
import { checkMatrix } from '../../src/report/causes/check-matrix';
import { rootCauses } from '../../src/report/causes/root-causes';
import { formatReport } from '../../src/report/registry';
import type { RunResult } from '../../src/runner/result/run-result';
import { runMain } from '../cli/standin-process';
import { temporaryFolder } from '../support/temporary-folder';
import { contractOf, failed, PASSED, resultOf, statusFinding } from './results';

const covered = (operation: string, statuses: readonly number[]): RunResult['coverage'][number] => ({
  operation,
  method: 'GET',
  path: `/${operation}`,
  steps: statuses.length,
  statuses,
});

const SCHEMA = { ...statusFinding(200, 200), check: 'body-schema', at: '/response/body/id', message: 'The id is bad' };
const BOOKS = failed([statusFinding(500, 200)], { name: 'list', operation: 'books', areas: ['status', 'http'] });
const READERS = failed([SCHEMA], { name: 'read', operation: 'readers', areas: ['status', 'schema'] });

const resultWith = (...steps: readonly ReturnType<typeof failed>[]): RunResult =>
  resultOf({
    outcome: 'violations',
    contracts: [contractOf('a', PASSED, ...steps)],
    coverage: [covered('books', [500]), covered('readers', [200]), covered('shelves', [])],
  });
const BOTH = resultWith(BOOKS, READERS);

describe('operations × what was looked at', () => {
  const rows = new Map(checkMatrix(BOTH).map((row) => [row.operation, row.cells]));

  test('has what failed, with its finding', () => {
    const [cause] = rootCauses(BOTH);
    expect(rows.get('books')?.status).toEqual({ state: 'fail', steps: 1, cause: cause?.fingerprint });
    expect(rows.get('readers')?.schema).toMatchObject({ state: 'fail', steps: 1 });
  });

  test('has what was right, and what nobody looked at', () => {
    expect(rows.get('books')?.http.state).toBe('pass');
    expect(rows.get('readers')?.status.state).toBe('pass');
    expect(rows.get('readers')?.auth.state).toBe('open');
    expect(Object.values(rows.get('shelves') ?? {}).map(({ state }) => state)).toEqual(Array(6).fill('open'));
  });

  test('leads from each failure to its finding in the page', () => {
    const page = formatReport('html', BOTH);
    for (const { fingerprint } of rootCauses(BOTH)) {
      expect(page).toContain(`href="#finding-${fingerprint}"`);
      expect(page).toContain(`id="finding-${fingerprint}"`);
    }
    expect(page).toContain('failed in 1 step');
    expect(page).toContain('not looked at');
  });

  test('is left out of a result that does not say what was looked at', () => {
    const page = formatReport(
      'html',
      resultOf({ contracts: [contractOf('a', PASSED)], coverage: [covered('a', [200])] }),
    );
    expect(page).toContain('Statuses that each operation returned');
    expect(page).not.toContain('not looked at');
  });
});

describe('a run beside an earlier one', () => {
  test('tells what is new, fixed and as before', () => {
    const earlier = resultWith(BOOKS);
    const later = resultWith(READERS);
    expect(comparisonText(compareResults(earlier, later))).toBe('1 new, 1 fixed, 0 as before');
    expect(comparisonText(compareResults(earlier, BOTH))).toBe('1 new, 0 fixed, 1 as before');
    expect(comparisonText(compareResults(BOTH, BOTH))).toBe('0 new, 0 fixed, 2 as before');
  });

  test('calls nothing fixed that was not tried again', () => {
    const later = { ...resultWith(READERS), coverage: [covered('books', []), covered('readers', [200])] };
    expect(comparisonText(compareResults(resultWith(BOOKS), later))).toBe(
      '1 new, 0 fixed, 0 as before, 1 not tried again',
    );
  });

  test('stands in the page and in the text', () => {
    const page = formatReport('html', resultWith(READERS), undefined, resultWith(BOOKS));
    expect(page).toContain('<span class="mark new">new</span>');
    expect(page).toContain('1 new, 1 fixed, 0 as before');
    expect(page).toContain('<td>fixed</td>');
    const text = formatReport('text', resultWith(READERS), undefined, resultWith(BOOKS));
    expect(text).toContain(': 1 new, 1 fixed, 0 as before');
  });
});

describe('what the page shows of the course of a run', () => {
  const step = { ...PASSED, name: '<script>step</script>', startMs: 10, durationMs: 20 };
  const run = resultOf({
    contracts: [contractOf('a', step)],
    created: [
      { url: 'http://x/books/1', operation: 'addBook', isRemoved: true },
      { url: 'http://x/books/2', operation: 'addBook', isRemoved: false },
    ],
    leftBehind: [{ url: 'http://x/books/2', operation: 'addBook', reason: 'it says 409', isAccepted: false }],
  });

  test('has a bar for each step, and nothing of it is markup', () => {
    const page = formatReport('html', run);
    expect(page).toContain('<svg class="timeline"');
    expect(page).toContain('&lt;script&gt;step&lt;/script&gt;: passed, 20 ms');
  });

  test('has what was made, what is still there first', () => {
    const page = formatReport('html', run);
    expect(page).toContain('Made and removed (2, 1 still there)');
    expect(page.indexOf('http://x/books/2')).toBeLessThan(page.indexOf('http://x/books/1'));
    expect(page).toContain('it says 409');
  });
});

describe('standin report', () => {
  const folder = temporaryFolder();
  const file = folder.write('result.json', formatReport('json', BOTH));
  const before = folder.write('before.json', formatReport('json', resultWith(BOOKS)));

  test('writes the page of a result, and ends as its run did', async () => {
    const html = join(folder.path, 'page.html');
    const { exitCode: code, stdout } = await runMain('report', file, '--html', html, '--compare', before);
    expect(code).toBe(1);
    expect(stdout).toContain('1 new, 0 fixed, 1 as before');
    expect(readFileSync(html, 'utf8')).toContain('1 new, 0 fixed, 1 as before');
  });

  test.each([
    ['a file that is not there', ['report', join(folder.path, 'none.json')]],
    ['a file that is no result', ['report', folder.write('junit.xml', '<testsuites/>')]],
    ['an earlier run that is no result', ['report', file, '--compare', folder.write('list.json', '[]')]],
    ['two pages in one file', ['report', file, '--html', 'a.html', '--report', 'html=a.html']],
  ])('rejects %s', async (_, args) => {
    const { exitCode: code, stderr } = await runMain(...args);
    expect(code).toBe(2);
    expect(stderr.trim()).not.toBe('');
    expect(stderr).not.toContain('    at ');
  });
});
