import { parse } from 'yaml';
import { gradeContracts } from '../../src/library/grade';
import type { GradeOptions } from '../../src/library/grade-options';
import type { GradeResult } from '../../src/grade/grade-result';
import { temporaryFolder } from '../support/temporary-folder';
import { BOOKS, findDefect, THOROUGH } from './books';

const folder = temporaryFolder();
const description = folder.write('books.yaml', BOOKS);

async function gradeOf(contract: string, options: GradeOptions = {}): Promise<GradeResult> {
  return gradeContracts({ contracts: folder.write('books-contract.yaml', contract), description, ...options });
}

/** Defects that the thorough contract notices. */
const NOTICED = [
  'other-value getBook /note',
  'other-value changeBook /addedAt',
  'other-value listBooks /*/title',
  'without-header addBook 201 location',
  'ignored listBooks query genre',
  'forgotten removeBook',
  // By a read of the calls without a key.
  'forgotten changeBook',
  'unchecked /components/schemas/NewBook/required/0',
  'open getBook',
  'list-without-last listBooks',
];
/** Defects that it misses or does not reach. */
const OTHERS = ['other-code getBook', 'longer-page listBooks'];

let thorough: GradeResult;
beforeAll(async () => {
  thorough = await gradeOf(THOROUGH, { only: [...NOTICED, ...OTHERS] });
});

test('a contract that compares everything notices defects of many kinds', () => {
  expect(thorough.excluded).toEqual([]);
  const noticed = thorough.defects.filter(({ verdict }) => verdict === 'noticed').map(({ id }) => id);
  expect(noticed.toSorted()).toEqual(NOTICED.toSorted());
});

test('what is noticed says by which step and check', () => {
  expect(findDefect(thorough, 'other-value getBook /note').noticedBy).toMatchObject({
    contract: 'A book from its first day to its last',
    step: 'read it',
    check: 'body-expected',
  });
  expect(findDefect(thorough, 'open getBook').noticedBy).toMatchObject({
    contract: 'probes',
    check: 'status-expected',
  });
});

test('a defect has its operation, and its place in the description', () => {
  const { operations, pointer, place } = findDefect(thorough, 'ignored listBooks query genre');
  expect(operations).toEqual(['listBooks']);
  expect(pointer).toBe('/paths/~1books/get/parameters/0');
  expect(place).toBe(`${description}:9:11`);
});

test('what no request shows gets a contract of its own, which is green at the mock', async () => {
  const { verdict, assertion } = findDefect(thorough, 'longer-page listBooks');
  expect(verdict).toBe('unreached');
  expect(assertion?.place).toBeUndefined();
  const own = await gradeContracts({
    contracts: folder.write('own.yaml', assertion?.text ?? ''),
    description,
    only: ['longer-page listBooks'],
  });
  expect(own.excluded).toEqual([]);
  expect(findDefect(own, 'longer-page listBooks').verdict).toBe('noticed');
});

test('an error code', () => {
  const code = findDefect(thorough, 'other-code getBook');
  expect([code.verdict, parse(code.assertion?.text ?? '')]).toEqual([
    'missed',
    { expect: { code: 'resource_not_found' } },
  ]);
});

test('a write that nothing reads', async () => {
  const unread = await gradeOf(THOROUGH, { only: ['forgotten changeBook'], probesAuth: false });
  const { verdict, assertion } = findDefect(unread, 'forgotten changeBook');
  expect(verdict).toBe('unreached');
  expect(parse(assertion?.text ?? '').steps.at(-1).operation).toBe('getBook');
});
