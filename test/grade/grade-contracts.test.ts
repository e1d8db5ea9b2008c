import { parse } from 'yaml';
import { ConfigError, ContractError } from '../../src/core/errors/standin-error';
import { gradeContracts } from '../../src/library/grade';
import type { GradeOptions } from '../../src/library/grade-options';
import type { GradedDefect, GradeResult } from '../../src/grade/grade-result';
import { temporaryFolder } from '../support/temporary-folder';
import { BOOKS, THOROUGH } from './books';

const folder = temporaryFolder();
const description = folder.write('books.yaml', BOOKS);

async function gradeOf(contract: string, options: GradeOptions = {}): Promise<GradeResult> {
  return gradeContracts({ contracts: folder.write('books-contract.yaml', contract), description, ...options });
}

function defect({ defects }: GradeResult, id: string): GradedDefect {
  const found = defects.find((each) => each.id === id);
  if (found === undefined)
    throw new Error(`There is no defect ${id}; there are\n${defects.map((each) => each.id).join('\n')}`);
  return found;
}

let thorough: GradeResult;
beforeAll(async () => {
  thorough = await gradeOf(THOROUGH);
});

test('a contract that compares everything notices most of all kinds', () => {
  expect(thorough.excluded).toEqual([]);
  expect(thorough.grade).toBeGreaterThan(60);
  for (const id of [
    'other-status addBook 201',
    'other-value getBook /note',
    'without addBook /note',
    'without-header addBook 201 location',
    'ignored listBooks query genre',
    'forgotten removeBook',
    'unchecked /components/schemas/NewBook/required/0',
    'any-key',
    'open getBook',
    'list-without-last listBooks',
  ])
    expect([id, defect(thorough, id).verdict]).toEqual([id, 'noticed']);
});

test('what is noticed says by which step and check', () => {
  expect(defect(thorough, 'other-value getBook /note').noticedBy).toMatchObject({
    contract: 'A book from its first day to its last',
    step: 'read it',
    check: 'body-expected',
  });
  expect(defect(thorough, 'open getBook').noticedBy).toMatchObject({ contract: 'probes', check: 'status-expected' });
});

test('a defect has its operation, and its place in the description', () => {
  const { operations, pointer, place } = defect(thorough, 'ignored listBooks query genre');
  expect(operations).toEqual(['listBooks']);
  expect(pointer).toBe('/paths/~1books/get/parameters/0');
  expect(place).toBe(`${description}:9:11`);
});

/** What is left out of the thorough contract, the defect that then is missed, and what is to be pasted. */
const LEFT_OUT: readonly (readonly [words: string, from: string, to: string, id: string, pasted: object])[] = [
  [
    'a property of a response',
    "genre: novel, note: Second hand, addedAt: '${addedAt}' }",
    "genre: novel, addedAt: '${addedAt}' }",
    'other-value getBook /note',
    { expect: { body: { note: 'Second hand' } } },
  ],
  [
    'a value that another response gave',
    "expect: { status: 200, body: { title: 'Emma ${runId}', note: Worn, addedAt: '${addedAt}' } }",
    "expect: { status: 200, body: { title: 'Emma ${runId}', note: Worn } }",
    'other-value changeBook /addedAt',
    { expect: { body: { addedAt: '${addedAt}' } } },
  ],
  [
    'a header',
    '      headers: { Location: { $present: true } }\n',
    '',
    'without-header addBook 201 location',
    { expect: { headers: { location: { $present: true } } } },
  ],
  [
    'an entry of a list',
    "body: { $each: { genre: poetry }, $contains: { id: '${otherId}', title: 'Odes ${runId}' } }",
    "body: { $contains: { id: '${otherId}' } }",
    'other-value listBooks /*/title',
    { expect: { body: { $contains: { title: 'Odes ${runId}' } } } },
  ],
];

test.each(LEFT_OUT)(
  '%s that nothing compares is missed, and what to paste is said',
  async (_, from, to, id, pasted) => {
    expect(defect(thorough, id).verdict).toBe('noticed');
    const weaker = THOROUGH.replace(from, () => to);
    expect(weaker).not.toBe(THOROUGH);
    const found = defect(await gradeOf(weaker, { only: [id] }), id);
    expect(found.verdict).toBe('missed');
    expect(parse(found.assertion?.text ?? '')).toEqual(pasted);
    expect(found.assertion?.place).toMatch(/books-contract\.yaml:\d+:5$/);
  },
);

test('what an earlier response shows is to be captured there', async () => {
  const weaker = THOROUGH.replaceAll(/, addedAt: '\$\{addedAt\}'/g, '').replace(
    ', addedAt: $response.body#/addedAt',
    '',
  );
  const { verdict, assertion } = defect(
    await gradeOf(weaker, { only: ['other-value getBook /addedAt'] }),
    'other-value getBook /addedAt',
  );
  expect(verdict).toBe('missed');
  expect(assertion?.text).toContain('in the step "add a book"');
  expect(assertion?.text).toContain('addedAt: $response.body#/addedAt');
  expect(assertion?.text).toContain("addedAt: '${addedAt}'");
});

test('what no request shows gets a contract of its own, which is green at the mock', async () => {
  const { verdict, assertion } = defect(thorough, 'longer-page listBooks');
  expect(verdict).toBe('unreached');
  expect(assertion?.place).toBeUndefined();
  const own = await gradeContracts({
    contracts: folder.write('own.yaml', assertion?.text ?? ''),
    description,
    only: ['longer-page listBooks'],
  });
  expect(own.excluded).toEqual([]);
  expect(defect(own, 'longer-page listBooks').verdict).toBe('noticed');
});

test('a defect that nothing can show is undecided, and does not count', () => {
  // Nothing else is changed by it that it could forget.
  expect(defect(thorough, 'no-effect addBook')).toMatchObject({
    verdict: 'undecided',
    reason: 'no request that was tried shows it',
  });
  const decided = thorough.defects.filter(({ verdict }) => verdict !== 'undecided');
  const noticed = decided.filter(({ verdict }) => verdict === 'noticed');
  expect(thorough.grade).toBe(Math.floor((noticed.length / decided.length) * 1000) / 10);
});

test('an error code, and a write that nothing reads', () => {
  const code = defect(thorough, 'other-code getBook');
  expect([code.verdict, parse(code.assertion?.text ?? '')]).toEqual([
    'missed',
    { expect: { code: 'resource_not_found' } },
  ]);
  const { verdict, assertion } = defect(thorough, 'forgotten changeBook');
  expect(verdict).toBe('unreached');
  expect(parse(assertion?.text ?? '').steps.at(-1).operation).toBe('getBook');
});

test('two gradings say the same', async () => {
  const again = await gradeOf(THOROUGH, { only: ['addBook', 'state'] });
  const told = ({ defects }: GradeResult): unknown =>
    defects.map(({ id, verdict, noticedBy, assertion }) => ({ id, verdict, noticedBy, assertion }));
  expect(again.defects.length).toBeGreaterThan(20);
  const ids = new Set(again.defects.map(({ id }) => id));
  expect(told(again)).toEqual(told({ ...thorough, defects: thorough.defects.filter(({ id }) => ids.has(id)) }));
});

test('without the probes, what they alone notice is not noticed', async () => {
  const { defects } = await gradeOf(THOROUGH, { probesAuth: false, only: ['access'] });
  expect(defects.find(({ id }) => id === 'open getBook')?.verdict).not.toBe('noticed');
});

test('fewer defects are some of each kind', async () => {
  const { available, defects } = await gradeOf(THOROUGH, { maxDefects: 24 });
  expect(defects).toHaveLength(24);
  expect(available).toBe(thorough.defects.length);
  expect(new Set(defects.map(({ kind }) => kind))).toEqual(new Set(thorough.defects.map(({ kind }) => kind)));
});

test('a contract that fails at a mock without a defect is told, and the others are graded', async () => {
  const wrong = folder.write('both/wrong.yaml', THOROUGH.replace('expect: { status: 404 }', 'expect: { status: 410 }'));
  const right = folder.write('both/right.yaml', THOROUGH);
  const { excluded, contracts, grade } = await gradeContracts({
    contracts: [wrong, right],
    description,
    maxDefects: 20,
  });
  expect(contracts).toHaveLength(2);
  expect(excluded).toEqual([
    { name: expect.any(String), file: wrong, reason: expect.stringMatching(/^it is gone: .*410.*404/) },
  ]);
  expect(grade).toBeGreaterThan(0);
});

test('where all contracts fail there nothing is graded', async () => {
  const wrong = THOROUGH.replace('expect: { status: 404 }', 'expect: { status: 410 }');
  await expect(gradeOf(wrong)).rejects.toThrow(ContractError);
  await expect(gradeOf(wrong)).rejects.toThrow(/Every contract fails at a mock without a defect.*it is gone/);
});

test('a description without contracts, and options that there are not', async () => {
  await expect(gradeContracts({ description })).rejects.toThrow('No contracts were named');
  await expect(gradeContracts({ description, min: 101 })).rejects.toThrow(ConfigError);
  await expect(gradeOf(THOROUGH, { only: ['getBok'] })).rejects.toThrow('Nothing is called "getBok"');
  await expect(gradeContracts({ description, minimum: 3 } as GradeOptions)).rejects.toThrow('has no option "minimum"');
});

test('callers with names have keys of their own, and no secret is asked for', async () => {
  const named = THOROUGH.replace('operation: getBook\n', 'operation: getBook\n    auth: { identity: reader }\n');
  expect((await gradeOf(named, { maxDefects: 12 })).excluded).toEqual([]);
});

test('an end that was asked for ends it', async () => {
  const { defects } = await gradeOf(THOROUGH, { signal: AbortSignal.abort() });
  expect(defects).toEqual([]);
});
