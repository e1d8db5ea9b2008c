import { ConfigError, ContractError } from '../../src/core/errors/standin-error';
import { gradeContracts } from '../../src/library/grade';
import type { GradeOptions } from '../../src/library/grade-options';
import type { GradeResult } from '../../src/grade/grade-result';
import { temporaryFolder } from '../support/temporary-folder';
import { findDefect, NOTES, NOTES_CONTRACT } from './books';

const folder = temporaryFolder();
const notes = folder.write('notes.yaml', NOTES);

const gradeNotes = (contract = NOTES_CONTRACT, options: GradeOptions = {}): Promise<GradeResult> =>
  gradeContracts({ contracts: folder.write('notes-contract.yaml', contract), description: notes, ...options });

describe('two gradings of the same contract', () => {
  const only = ['other-value getNote /text', 'other-value getNote /addedAt', 'no-effect addNote'];
  let results: readonly GradeResult[];
  beforeAll(async () => {
    results = [await gradeNotes(undefined, { only }), await gradeNotes(undefined, { only })];
  });

  test('have the same result', () => {
    const [one, other] = results.map(({ defects }) =>
      defects.map(({ id, verdict, noticedBy, assertion }) => ({ id, verdict, noticedBy, assertion })),
    );
    expect(one?.map(({ verdict }) => verdict)).toEqual(['noticed', 'missed', 'undecided']);
    expect(other).toEqual(one);
  });

  test('propose to capture a value of an earlier response', () => {
    const [result] = results as [GradeResult];
    const { assertion } = findDefect(result, 'other-value getNote /addedAt');
    expect(assertion?.text).toContain('in the step "add a note"');
    expect(assertion?.text).toContain('addedAt: $response.body#/addedAt');
    expect(assertion?.text).toContain("addedAt: '${addedAt}'");
  });

  test('do not count a defect that nothing can show', () => {
    const [result] = results as [GradeResult];
    // The description has no other resource that the operation could change.
    expect(findDefect(result, 'no-effect addNote').reason).toBe('no request that was tried shows it');
    expect(result.grade).toBe(50);
  });
});

test('a defect that only the probes notice is not noticed without them', async () => {
  const only = ['open getNote'];
  expect(findDefect(await gradeNotes(undefined, { only }), 'open getNote').noticedBy?.contract).toBe('probes');
  expect(findDefect(await gradeNotes(undefined, { only, probesAuth: false }), 'open getNote').verdict).not.toBe(
    'noticed',
  );
});

test('with `maxDefects`, some defects of each kind are tried', async () => {
  const { available, defects } = await gradeNotes(undefined, { maxDefects: 10 });
  expect(available).toBeGreaterThan(25);
  expect(defects).toHaveLength(10);
  const noticed = defects.filter(({ verdict }) => verdict === 'noticed').map(({ id }) => id);
  expect(noticed).toEqual(expect.arrayContaining(['other-status addNote 201', 'without addNote /id', 'any-key']));
  expect(new Set(defects.map(({ kind }) => kind))).toEqual(
    new Set(['status', 'missing', 'value', 'header', 'input', 'unchecked', 'access', 'state']),
  );
});

const WRONG = NOTES_CONTRACT.replace('status: 200', 'status: 202');

test('a contract that fails at a mock without a defect is excluded, and the others are graded', async () => {
  const wrong = folder.write('both/wrong.yaml', WRONG);
  const right = folder.write('both/right.yaml', NOTES_CONTRACT);
  const { excluded, contracts, grade } = await gradeContracts({
    contracts: [wrong, right],
    description: notes,
    maxDefects: 2,
  });
  expect(contracts).toHaveLength(2);
  expect(excluded).toEqual([
    { name: expect.any(String), file: wrong, reason: expect.stringMatching(/^read it: .*202.*200/) },
  ]);
  expect(grade).toBeGreaterThan(0);
});

test('nothing is graded if all contracts fail', async () => {
  await expect(gradeNotes(WRONG)).rejects.toThrow(ContractError);
  await expect(gradeNotes(WRONG)).rejects.toThrow(/Every contract fails at a mock without a defect.*read it/);
});

test('missing contracts and unknown options are rejected', async () => {
  await expect(gradeContracts({ description: notes })).rejects.toThrow('No contracts were named');
  await expect(gradeContracts({ description: notes, min: 101 })).rejects.toThrow(ConfigError);
  await expect(gradeNotes(undefined, { only: ['getNot'] })).rejects.toThrow('Nothing is called "getNot"');
  await expect(gradeContracts({ description: notes, minimum: 3 } as GradeOptions)).rejects.toThrow(
    'has no option "minimum"',
  );
});

test('identities of contracts get keys of their own, without options for them', async () => {
  const named = NOTES_CONTRACT.replace('operation: getNote\n', 'operation: getNote\n    auth: { identity: reader }\n');
  expect((await gradeNotes(named, { maxDefects: 2 })).excluded).toEqual([]);
});

test('an aborted signal ends the grading', async () => {
  const { defects } = await gradeNotes(undefined, { signal: AbortSignal.abort() });
  expect(defects).toEqual([]);
});
