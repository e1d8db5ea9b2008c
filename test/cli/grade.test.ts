import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOOKS, THOROUGH } from '../grade/books';
import { temporaryFolder } from '../support/temporary-folder';
import { type Ended, runMain } from './standin-process';

const folder = temporaryFolder();
const description = folder.write('books.yaml', BOOKS);
const contract = folder.write('contracts/books.yaml', THOROUGH);
const at = (name: string): string => join(description, '..', name);

/** Of one operation, so that it is quick. */
const grade = (...args: string[]): Promise<Ended> =>
  runMain('grade', contract, '--spec', description, '--only', 'getBook', ...args);

test('the text has the grade, a table, and what to paste at each defect that was not noticed', async () => {
  const { exitCode, stdout, stderr } = await grade();
  expect(exitCode).toBe(0);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^Grade [\d.]+ %: 1 contract notices \d+ of \d+ defects/);
  expect(stdout).toMatch(/^ +noticed +missed +not reached +undecided$/m);
  expect(stdout).toMatch(/^ +\d+\. getBook: its errors have another code \(.*books\.yaml:\d+:\d+\)$/m);
  expect(stdout).toMatch(
    /to notice it, in the step "it is gone" \(.*contracts\/books\.yaml:\d+:5\):\n +expect: \{ code: resource_not_found \}/,
  );
});

test('less than --min is exit code 1, with the reason as the last words', async () => {
  const { exitCode, stderr } = await grade('--min', '99.9');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^The grade is [\d.]+ %, and has to be 99\.9 % at least \(--min\)\.\n$/);
  expect((await grade('--min', '10')).exitCode).toBe(0);
});

test('--json prints the whole result', async () => {
  const { stdout } = await grade('--json');
  const result = JSON.parse(stdout) as { format: string; grade: number; defects: { verdict: string }[] };
  expect(result.format).toBe('grade/1');
  expect(result.defects.length).toBeGreaterThan(15);
});

test('Markdown and a badge go to files', async () => {
  const { exitCode } = await grade('--markdown', at('out/grade.md'), '--badge', at('out/grade.svg'));
  expect(exitCode).toBe(0);
  const markdown = readFileSync(at('out/grade.md'), 'utf8');
  expect(markdown).toMatch(/^\*\*Grade [\d.]+ %: /);
  expect(markdown).toContain('| Kind of defect | noticed | missed | not reached | undecided |');
  expect(readFileSync(at('out/grade.svg'), 'utf8')).toMatch(/^<svg [^>]*aria-label="contract grade: [\d.]+ %">/);
});

test('--verbose lists what is undecided as well', async () => {
  const plain = await runMain('grade', contract, '--spec', description, '--only', 'state');
  const verbose = await runMain('grade', contract, '--spec', description, '--only', 'state', '--verbose');
  expect(plain.stdout).not.toContain('\nUndecided: ');
  expect(verbose.stdout).toMatch(
    /\nUndecided: no request that was tried shows it\naddBook: what it changes of other resources/,
  );
});

test.each([
  ['a contract that does not exist', ['grade', 'none.yaml'], /none\.yaml does not exist/],
  [
    'no contracts for a description',
    ['grade', '--spec', description],
    /No contracts were named: there is nothing to grade/,
  ],
  ['a minimum that is no percentage', ['grade', contract, '--spec', description, '--min', '101'], /--min/],
  [
    'no operation of that name',
    ['grade', contract, '--spec', description, '--only', 'getBok'],
    /"getBok".*\n.*getBook/,
  ],
])('%s: exit code 2', async (_, args, message) => {
  const { exitCode, stdout, stderr } = await runMain(...args);
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(message);
});

test('a file that cannot be written: exit code 2, before anything is graded', async () => {
  const { exitCode, stdout, stderr } = await grade('--badge', join(contract, 'grade.svg'));
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('cannot be written');
  expect(existsSync(at('grade.svg'))).toBe(false);
});
