import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import { createMockServer } from '../../src/library/create-mock-server';
import type { RunProgress, RunResult } from '../../src/runner/result/run-result';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  folder.remove();
});

interface Watched {
  readonly result: RunResult;
  readonly told: readonly RunProgress[];
  /** What was told last of a phase. */
  readonly last: (phase: RunProgress['phase']) => RunProgress | undefined;
}

const ADD = `  - { name: add, operation: createCategory, body: { name: 'A \${runId}' }, expect: { status: 201 }, capture: { id: $response.body#/id } }`;
const READ = `  - { name: read, operation: getCategory, parameters: { categoryId: '\${id}' }, expect: { status: 200 } }`;
const WRONG = `  - { name: wrong, operation: listCategories, expect: { status: 404 } }`;

async function watch(steps: readonly string[], options: Partial<RunContractOptions> = {}): Promise<Watched> {
  const contracts = folder.write('contract.yaml', `standin: contract/1\nname: watched\nsteps:\n${steps.join('\n')}\n`);
  const told: RunProgress[] = [];
  const app = await createMockServer();
  const onProgress = (progress: RunProgress): unknown => told.push(progress);
  const result = await runContract({ app, contracts, onProgress, ...options });
  return { result, told, last: (phase) => told.findLast((progress) => progress.phase === phase) };
}

test('a run tells of its steps, probes, checks and removal, in this order', async () => {
  const { told, last, result } = await watch([ADD, READ, WRONG]);
  const order = told.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1]);
  expect(order).toEqual(['steps', 'probes', 'checks', 'removal']);
  expect(last('steps')).toMatchObject({ done: 3, total: 3, failed: 1, name: 'wrong' });
  expect(last('probes')).toMatchObject({ done: 3, total: 3 });
  expect(last('removal')).toMatchObject({ done: 1, total: 1, left: 0 });
  expect(last('removal')?.name).toMatch(/^\/categories\/\d+$/);
  expect(result.leftBehind).toEqual([]);
});

test('what is done never shrinks within a phase, and what is sent never at all', async () => {
  const { told } = await watch([ADD, READ, READ, READ, WRONG]);
  for (const [index, { phase, done, total, sent, left }] of told.entries()) {
    expect(done).toBeLessThanOrEqual(total);
    expect(left).toBeGreaterThanOrEqual(0);
    const before = told[index - 1];
    if (before === undefined) continue;
    expect(sent).toBeGreaterThanOrEqual(before.sent);
    if (before.phase === phase) expect(done).toBeGreaterThanOrEqual(before.done);
  }
});

test('requests are left as long as something is still to be removed', async () => {
  const { told } = await watch([ADD, READ], { probesAuth: false });
  const lastStep = told.findLast(({ phase, done }) => phase === 'steps' && done === 2);
  expect(lastStep?.left).toBeGreaterThan(0);
});

test('steps that are not to be sent are no part of it', async () => {
  const held = await watch([ADD, READ, WRONG], { mode: 'observe', probesAuth: false });
  expect(held.last('steps')).toMatchObject({ done: 1, total: 1 });
  const chosen = await watch([ADD, READ, WRONG], { only: ['listCategories'], probesAuth: false });
  expect(chosen.last('steps')?.total).toBeLessThan(3);
});

test('steps that a stop cuts off are not done', async () => {
  const controller = new AbortController();
  const told: RunProgress[] = [];
  const { result } = await watch([ADD, READ, READ, READ], {
    signal: controller.signal,
    probesAuth: false,
    onProgress(progress) {
      told.push(progress);
      if (progress.name === 'add') controller.abort();
    },
  });
  expect(told.findLast(({ phase }) => phase === 'steps')?.done).toBeLessThan(4);
  expect(told.at(-1)).toMatchObject({ phase: 'removal', done: 1, total: 1 });
  expect(result.leftBehind).toEqual([]);
});
