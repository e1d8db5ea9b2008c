import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOOKS, NOTES, NOTES_CONTRACT, THOROUGH } from '../grade/books';
import { temporaryFolder } from '../support/temporary-folder';
import { type Ended, runMain } from './standin-process';

const folder = temporaryFolder();
const description = folder.write('books.yaml', BOOKS);
const contract = folder.write('contracts/books.yaml', THOROUGH);
const at = (name: string): string => join(description, '..', name);

const notes = [folder.write('contracts/notes.yaml', NOTES_CONTRACT), '--spec', folder.write('notes.yaml', NOTES)];

/** Grades two defects, one of which the contract notices. */
const grade = (...args: string[]): Promise<Ended> =>
  runMain('grade', ...notes, '--only', 'other-value getNote /text', '--only', 'other-value getNote /addedAt', ...args);

test('the text has the grade, a table, and what to paste at each defect that was not noticed', async () => {
  const { exitCode, stdout, stderr } = await grade();
  expect(exitCode).toBe(0);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^Grade 50 %: 1 contract notices 1 of 2 defects/);
  expect(stdout).toMatch(/^ +noticed +missed +not reached +undecided$/m);
  expect(stdout).toMatch(/^ +\d+\. getNote: .*addedAt.* \(.*notes\.yaml:\d+:\d+\)$/m);
  expect(stdout).toMatch(
    /to notice it, in the step "read it" \(.*contracts\/notes\.yaml:\d+:5\):\n +# in the step "add a note".*\n +capture: \{ addedAt: \$response\.body#\/addedAt \}\n +# here\n +expect: \{ body: \{ addedAt: '\$\{addedAt\}' \} \}/,
  );
});

test('a grade below --min ends with exit code 1 and the reason', async () => {
  const { exitCode, stderr } = await grade('--min', '99.9');
  expect(exitCode).toBe(1);
  expect(stderr).toBe('The grade is 50 %, and has to be 99.9 % at least (--min).\n');
  expect((await grade('--min', '10')).exitCode).toBe(0);
});

test('--json prints the whole result', async () => {
  const { stdout } = await grade('--json');
  const result = JSON.parse(stdout) as { format: string; grade: number; defects: { verdict: string }[] };
  expect(result).toMatchObject({ format: 'grade/1', grade: 50 });
  expect(result.defects.map(({ verdict }) => verdict)).toEqual(['noticed', 'missed']);
});

test('--markdown and --badge write files', async () => {
  const { exitCode } = await grade('--markdown', at('out/grade.md'), '--badge', at('out/grade.svg'));
  expect(exitCode).toBe(0);
  const markdown = readFileSync(at('out/grade.md'), 'utf8');
  expect(markdown).toMatch(/^\*\*Grade [\d.]+ %: /);
  expect(markdown).toContain('| Kind of defect | noticed | missed | not reached | undecided |');
  expect(readFileSync(at('out/grade.svg'), 'utf8')).toMatch(/^<svg [^>]*aria-label="contract grade: [\d.]+ %">/);
});

test('--verbose also lists undecided defects', async () => {
  const undecided = ['grade', ...notes, '--only', 'no-effect addNote'];
  const plain = await runMain(...undecided);
  const verbose = await runMain(...undecided, '--verbose');
  expect(plain.stdout).not.toContain('\nUndecided: ');
  expect(verbose.stdout).toMatch(
    /\nUndecided: no request that was tried shows it\naddNote: what it changes of other resources/,
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
