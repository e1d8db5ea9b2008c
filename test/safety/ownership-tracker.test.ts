import { runContract } from '../../src/library/run-contract';
import { type RunContractOptions } from '../../src/library/run-options';
import { type RunResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder';
import { openOther, type OtherService } from './other-service';
import { describeTracker, Tracker } from './tracker';

let service: OtherService | undefined;
let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await service?.close();
  folder.remove();
});

async function run(tracker: Tracker, contract: object, options: Partial<RunContractOptions> = {}): Promise<RunResult> {
  service = await openOther(tracker.answer);
  const description = folder.write('openapi.json', describeTracker());
  const contracts = folder.write(
    'contract.json',
    JSON.stringify({ standin: 'contract/1', name: 'tracker', ...contract }),
  );
  return runContract({ baseUrl: service.url, description, contracts, mode: 'own', retries: 0, ...options });
}

const writes = (): string[] => service?.seen.filter((line) => !line.startsWith('GET ')) ?? [];
const verdicts = (result: RunResult): string[] =>
  allSteps(result).map(
    ({ name, verdict }) => `${name}: ${verdict.kind === 'fail' ? JSON.stringify(verdict) : verdict.kind}`,
  );
const reasons = (result: RunResult): string[] =>
  allSteps(result).flatMap(({ verdict }) => (verdict.kind === 'skipped' ? [verdict.reason] : []));

const ISSUE = {
  name: 'create',
  operation: 'createIssue',
  parameters: { project: 'house' },
  body: { title: 'Leak ${runId}' },
  expect: { status: 201 },
  capture: { id: '$response.body#/id' },
};
const at = (operation: string, status: number, more: object = {}): object => ({
  operation,
  parameters: { id: '${id}' },
  expect: { status },
  ...more,
});
const LIFE = [
  ISSUE,
  at('getIssue', 200),
  at('changeIssue', 200, { body: { title: 'Flood ${runId}' } }),
  at('closeIssue', 200),
  {
    ...at('addComment', 201, { body: { text: 'Soon' } }),
    capture: { comment: '$response.body#/id' },
  },
  { operation: 'getComment', parameters: { commentId: '${comment}' }, expect: { status: 200 } },
];

test.each([
  { how: 'the flag', options: { within: { project: 'house' } }, contract: {} },
  { how: 'the contract', options: {}, contract: { within: { project: 'house' } } },
])('below a parent that $how names an issue is made, changed, closed and removed at a path of its own', async (row) => {
  const tracker = new Tracker();
  const result = await run(tracker, { ...row.contract, steps: LIFE }, row.options);
  expect(verdicts(result).filter((line) => !line.endsWith(': pass'))).toEqual([]);
  expect([...tracker.rows.keys()]).toEqual(['/issues/old']);
  expect(result.leftBehind).toEqual([]);
  expect(result.outcome).toBe('conforms');
});

test('the contract may remove it itself', async () => {
  const tracker = new Tracker();
  const steps = [...LIFE, at('removeIssue', 204), at('getIssue', 404, { name: 'gone' })];
  const result = await run(tracker, { within: { project: 'house' }, steps });
  expect(verdicts(result).filter((line) => !line.endsWith(': pass'))).toEqual([]);
  expect(result.leftBehind).toEqual([]);
  expect(writes().filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
});

test('what a removal only marks as removed is gone', async () => {
  const tracker = new Tracker({ isSoft: true });
  const result = await run(tracker, { within: { project: 'house' }, steps: [...LIFE, at('removeIssue', 204)] });
  expect(result.leftBehind).toEqual([]);
  expect(result.outcome).toBe('conforms');
});

test('without such a name nothing is sent, the reason says what would have it sent, and the run does not conform', async () => {
  const tracker = new Tracker();
  const steps = [{ operation: 'listLabels', expect: { status: 200 } }, ...LIFE];
  const result = await run(tracker, { steps });
  expect(writes()).toEqual([]);
  expect(reasons(result)[0]).toContain('--within project=house allows that');
  expect(result.outcome).toBe('inconclusive');
  await service?.close();
  const allowed = await run(tracker, { steps }, { allowSkipped: true });
  expect(allowed.outcome).toBe('conforms');
});

test('a parent that is named may be neither changed nor acted upon, and others may not be created below', async () => {
  const steps = [
    { operation: 'listLabels', expect: { status: 200 } },
    { ...ISSUE, name: 'another', parameters: { project: 'garden' } },
    { operation: 'removeIssue', parameters: { id: 'old' }, expect: { status: 204 } },
    { operation: 'closeIssue', parameters: { id: 'old' }, expect: { status: 200 } },
    { ...at('addComment', 201, { body: {} }), parameters: { id: 'old' } },
  ];
  const result = await run(new Tracker(), { steps }, { within: { project: 'house' } });
  expect(writes()).toEqual([]);
  expect(reasons(result)).toHaveLength(4);
});

test('a step that expects what a write was to do, which the mode held back, is held back as well', async () => {
  const steps = [
    { operation: 'listLabels', expect: { status: 200 } },
    { ...ISSUE, capture: {} },
    {
      operation: 'listIssues',
      parameters: { project: 'house' },
      expect: { status: 200, body: { length: { min: 1 } } },
    },
  ].map((step) => (step.operation === 'listIssues' ? { ...step, expect: { status: 201 } } : step));
  const result = await run(new Tracker(), { steps });
  expect(verdicts(result).map((line) => line.split(': ')[1])).not.toContain('fail');
  expect(reasons(result).at(-1)).toContain('"create", which the mode held back');
});

test('a POST without a 201 makes something as well, and what gets another name goes by that', async () => {
  const tracker = new Tracker();
  const label = (operation: string, name: string, status = 200): object => ({
    operation,
    parameters: { name },
    expect: { status },
  });
  const steps = [
    { operation: 'createLabel', body: { name: 'red-${runId}' }, expect: { status: 200 } },
    { ...label('renameLabel', 'red-${runId}'), body: { name: 'blue-${runId}' } },
    label('getLabel', 'blue-${runId}'),
  ];
  const result = await run(tracker, { steps });
  expect(verdicts(result).filter((line) => !line.endsWith(': pass'))).toEqual([]);
  expect([...tracker.rows.keys()]).toEqual(['/issues/old']);
  expect(result.leftBehind).toEqual([]);
});

test('what is made and removed by POST alone is sent where the contract says what each step does', async () => {
  const tracker = new Tracker();
  const steps = [
    { name: 'grant', operation: 'grant', body: { lease: '${runId}' }, expect: { status: 200 } },
    { operation: 'leases', touches: 'nothing', body: {}, expect: { status: 200 } },
  ];
  const cleanup = [{ operation: 'revoke', removes: 'grant', body: { lease: '${runId}' }, expect: { status: 200 } }];
  const result = await run(tracker, { steps, cleanup });
  expect(verdicts(result).filter((line) => !line.endsWith(': pass'))).toEqual([]);
  expect([...tracker.rows.keys()]).toEqual(['/issues/old']);
  expect(result.leftBehind).toEqual([]);
});

test.each([
  { what: 'a variable that no path has', contract: { within: { projet: 'house' } }, says: /variable "projet"/ },
  {
    what: 'an empty name',
    contract: { within: { project: '' } },
    says: /"project" must be the name of something that is there/,
  },
  { what: 'nothing at all', contract: { within: {} }, says: /within/ },
])('$what is refused before anything is sent', async ({ contract, says }) => {
  const found = [{ message: expect.stringMatching(says) as string, line: expect.any(Number) as number }];
  await expect(run(new Tracker(), { ...contract, steps: LIFE })).rejects.toMatchObject({ findings: found });
  expect(service?.seen).toEqual([]);
});

test.each([
  { what: 'a variable that no path has', within: { projet: 'house' }, says: /did you mean "project"/ },
  { what: 'an empty name', within: { project: '' }, says: /"project" names nothing/ },
])('--within with $what is refused before anything is sent', async ({ within, says }) => {
  await expect(run(new Tracker(), { steps: LIFE }, { within })).rejects.toThrow(says);
  expect(service?.seen).toEqual([]);
});

test.each([
  {
    what: 'removes a step that there is none of',
    step: { operation: 'revoke', removes: 'grnt', body: { lease: '${runId}' } },
    says: /grnt/,
  },
  {
    what: 'touches its own and names nothing',
    step: { operation: 'revoke', touches: 'own', body: { lease: 'all' } },
    says: /names nothing of this run/,
  },
  {
    what: 'is a DELETE that touches nothing',
    step: { operation: 'removeLabel', touches: 'nothing', parameters: { name: 'x' } },
    says: /DELETE does not touch nothing/,
  },
])('a step that $what is refused', async ({ step, says }) => {
  const steps = [
    { name: 'grant', operation: 'grant', body: {}, expect: { status: 200 } },
    { ...step, expect: { status: 200 } },
  ];
  const found = [{ message: expect.stringMatching(says) as string, line: expect.any(Number) as number }];
  await expect(run(new Tracker(), { steps })).rejects.toMatchObject({ findings: found });
});
