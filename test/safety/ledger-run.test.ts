import { sealedLines } from './seal-lines';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { loadApi } from '../../src/files/load-api';
import { runContract, type RunHooks } from '../../src/library/run-contract';
import { type RunContractOptions } from '../../src/library/run-options';
import { ConfigError } from '../../src/core/errors/standin-error';
import { type LedgerEntry, tolerantLedger } from '../../src/runner/ownership/ledger';
import type { RunResult } from '../../src/runner/result/run-result';
import { endedHere, killAll } from '../cli/standin-process';
import { openStaging, type Staging } from './staging';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder';

const makes = (name: string): string => `standin: contract/1
name: makes ${name}
steps:
  - name: add a category
    operation: createCategory
    body: { name: '${name} \${runId}' }
    expect: { status: 201 }
  - name: read them
    operation: listCategories
    expect: { status: 200 }
`;

let staging: Staging;
let folder: TemporaryFolder;
beforeEach(async () => {
  staging = await openStaging();
  folder = temporaryFolder();
});
afterEach(async () => {
  killAll();
  await staging.close();
  folder.remove();
});

function run(more: Partial<RunContractOptions> = {}, hooks: RunHooks = {}): Promise<RunResult> {
  const contracts = ['one', 'two', 'three'].map((name) => folder.write(`${name}.yaml`, makes(name)));
  const options = { baseUrl: staging.url, contracts, mode: 'own', retries: 0, probesAuth: false, ...more } as const;
  return runContract(options, hooks);
}

test('what an error of the runner ends is removed all the same, whatever other contracts were doing', async () => {
  const before = await staging.rows();
  let steps = 0;
  const hooks: RunHooks = {
    onStep() {
      steps += 1;
      if (steps === 2) throw new TypeError('a defect');
    },
  };
  await expect(run({ concurrency: 2 }, hooks)).rejects.toThrow('a defect');
  expect(await staging.rows()).toBe(before);
});

test('the ledger of an earlier run is neither written to nor removed, and nothing is sent', async () => {
  const ledger = folder.write('run.ndjson', 'what an earlier run left\n');
  await expect(run({ ledger })).rejects.toMatchObject({
    message: `The ledger ${ledger} is there already: it lists what an earlier run left`,
    hint: `Run npx standin cleanup ${ledger} first, or name another file with --ledger.`,
  });
  expect(readFileSync(ledger, 'utf8')).toBe('what an earlier run left\n');
  expect(staging.seen).toEqual([]);
});

describe('a ledger that cannot be written', () => {
  const FULL = new ConfigError('CONFIG_INVALID', 'The disk is full');

  test('stops what it would announce', () => {
    const ledger = tolerantLedger({
      append() {
        throw FULL;
      },
    });
    expect(() => {
      ledger.append({ kind: 'pending', entry: 1, operation: 'a', path: '/a' });
    }).toThrow(FULL);
  });

  test('stops nothing else; what is left tells it', () => {
    const written: LedgerEntry[] = [];
    const ledger = tolerantLedger({
      append(entry) {
        if (entry.kind === 'removed') throw FULL;
        written.push(entry);
      },
    });
    const left = { url: 'http://a/b', operation: 'b', reason: 'DELETE returned 500', isAccepted: false };
    expect(ledger.withLedgerRemark([left])).toEqual([left]);
    ledger.append({ kind: 'removed', entry: 1 });
    ledger.append({ kind: 'refused', entry: 2 });
    expect(written).toHaveLength(1);
    expect(ledger.withLedgerRemark([left])).toEqual([
      { ...left, reason: 'DELETE returned 500; the ledger is not up to date: The disk is full' },
    ]);
  });
});

describe('what there is no way to remove', () => {
  /** The description without its way to remove what the contracts make. */
  function description(): string {
    const document = parseDocument(readFileSync(loadApi().api.document.file, 'utf8'));
    const there = [
      ['/categories/{categoryId}', 'delete'],
      ['/categories', 'post', 'responses', '201', 'links', 'deleteCategory'],
    ].map((path) => document.deleteIn(['paths', ...path]));
    expect(there).toEqual([true, true]);
    return folder.write('openapi.yaml', String(document));
  }

  test('needs no ledger, and cleanup ends with 0', async () => {
    const ledger = folder.file('run.ndjson');
    const spec = description();
    const result = await run({ ledger, description: spec });
    expect(result.leftBehind.map(({ isAccepted }) => isAccepted)).toEqual([true, true, true]);
    expect(result.outcome).toBe('conforms');
    expect(existsSync(ledger)).toBe(false);

    const start = {
      kind: 'run',
      format: 'ledger/1',
      runId: '1a2b3c4d',
      baseUrl: staging.url,
      description: spec,
      startedAt: '',
    };
    const made = [
      { kind: 'pending', entry: 1, operation: 'createCategory', path: '/categories' },
      { kind: 'created', entry: 1, item: '/categories/1' },
    ];
    writeFileSync(ledger, sealedLines([start, ...made]));
    const { exitCode, stdout } = await endedHere(['cleanup', ledger]);
    expect(stdout).toContain('  stays        ');
    expect(stdout).toContain('Nothing is left but what was to stay.');
    expect(exitCode).toBe(0);
    expect(existsSync(ledger)).toBe(false);
  });
});

test('cleanup takes the keys of further callers', async () => {
  const start = { kind: 'run', format: 'ledger/1', runId: '1a2b3c4d', baseUrl: staging.url, startedAt: '' };
  const ledger = folder.write('run.ndjson', sealedLines([{ ...start, description: loadApi().api.document.file }]));
  const flags = ['cleanup', ledger, '--identity', 'buyer=BUYER_KEY'];
  expect((await endedHere(flags)).stderr).toContain(
    'The variable BUYER_KEY that --identity names for buyer is not set',
  );
  expect(await endedHere(flags, { env: { BUYER_KEY: 'abc' } })).toMatchObject({ exitCode: 0, stderr: '' });
});
