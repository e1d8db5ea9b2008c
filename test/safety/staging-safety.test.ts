import { existsSync, readFileSync } from 'node:fs';
import { runContract } from '../../src/library/run-contract';
import { type RunContractOptions } from '../../src/library/run-options';
import type { RunResult } from '../../src/runner/result/run-result';
import { endedHere, killAll, standin } from '../cli/standin-process';
import { openStaging, type Staging } from './staging';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder';

const MAKES = `standin: contract/1
name: makes things
setup:
  - name: add a category
    operation: createCategory
    body: { name: 'Safety \${runId}' }
    expect: { status: 201 }
    capture: { categoryId: $response.body#/id }
steps:
  - name: add a pet
    operation: createPet
    body: { name: 'Safety \${runId}', categoryId: '\${categoryId}' }
    expect: { status: 201 }
    capture: { petId: $response.body#/id }
  - name: order it
    operation: placeOrder
    body: { petId: '\${petId}', quantity: 1 }
    expect: { status: 201 }
    capture: { orderId: $response.body#/id }
`;

/** A contract that ends in a step which expects what no service answers. */
const FAILS = `${MAKES}  - name: expects the impossible
    operation: getPet
    parameters: { petId: '\${petId}' }
    expect: { status: 418 }
`;

/** Nothing in it removes anything: all of that is the runner's. */
const MANY = MAKES.replace(
  'steps:',
  `  - name: add another category
    operation: createCategory
    body: { name: 'Safety \${runId}, too' }
    expect: { status: 201 }
steps:`,
);

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

function run(contract: string, more: Partial<RunContractOptions> = {}): Promise<RunResult> {
  const contracts = folder.write('contract.yaml', contract);
  return runContract({ baseUrl: staging.url, contracts, mode: 'own', retries: 0, timeoutMs: 20_000, ...more });
}

test('after a success everything is as it was', async () => {
  const before = await staging.rows();
  const { outcome, leftBehind } = await run(MANY);
  expect({ outcome, leftBehind }).toEqual({ outcome: 'conforms', leftBehind: [] });
  expect(await staging.rows()).toBe(before);
});

test('after a failure everything is as it was', async () => {
  const before = await staging.rows();
  const { outcome, leftBehind } = await run(FAILS, { probesAuth: false });
  expect({ outcome, leftBehind }).toEqual({ outcome: 'violations', leftBehind: [] });
  expect(await staging.rows()).toBe(before);
});

test('what somebody else made is not touched, and that is told', async () => {
  const before = await staging.rows();
  const result = await run(`standin: contract/1
name: touches others
steps:
  - name: look
    operation: listPets
    parameters: { limit: 1 }
    expect: { status: 200 }
    capture: { petId: $response.body#/0/id }
  - name: remove what is not ours
    operation: deletePet
    parameters: { petId: '\${petId}' }
    expect: { status: [204, 409] }
  - name: change what is not ours
    operation: updateInventory
    parameters: { petId: '\${petId}' }
    body: { quantity: 99 }
    expect: { status: 200 }
`);
  const steps = result.contracts.flatMap((contract) => contract.steps);
  const skipped = steps.filter(({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'mode');
  expect(skipped.map(({ name }) => name)).toEqual(['remove what is not ours', 'change what is not ours']);
  expect(await staging.rows()).toBe(before);
  const probed = staging.seen.filter(
    ({ method, path }) => !['GET', 'HEAD'].includes(method) && !path.split('?')[0]?.endsWith('/9223372036854775807'),
  );
  expect(probed).toEqual([]);
});

test('in mode observe nothing but safe methods is sent', async () => {
  await run(MANY, { mode: 'observe' });
  expect(new Set(staging.seen.map(({ method }) => method)).size).toBeLessThan(2);
  expect(staging.seen.every(({ method }) => method === 'GET')).toBe(true);
});

test('what was made although no response came is found by its name and removed', async () => {
  const before = await staging.rows();
  let isFirst = true;
  staging.intercept = ({ method, path }, _, response) => {
    if (method !== 'POST' || path !== '/pets' || !isFirst) return false;
    isFirst = false;
    // The answer is lost after the work was done.
    response.end = () => {
      response.destroy();
      return response;
    };
    return false;
  };
  const { outcome, leftBehind } = await run(MANY, { probesAuth: false });
  expect(isFirst).toBe(false);
  expect({ outcome, leftBehind }).toEqual({ outcome: 'inconclusive', leftBehind: [] });
  expect(await staging.rows()).toBe(before);
});

test('what the service does not let go is listed, and the run is not green', async () => {
  staging.intercept = ({ method }, _, response) => {
    if (method !== 'DELETE') return false;
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end('{"code":"forbidden","message":"Nobody may remove anything.","status":403}');
    return true;
  };
  const { outcome, leftBehind } = await run(MAKES, { probesAuth: false });
  expect(outcome).toBe('left-behind');
  expect(leftBehind.map(({ operation, reason }) => `${operation}: ${reason}`)).toEqual([
    'placeOrder: DELETE returned 403',
    'createPet: DELETE returned 403',
    'createCategory: DELETE returned 403',
  ]);
});

test('a run that is stopped removes what it made', async () => {
  const before = await staging.rows();
  const controller = new AbortController();
  staging.intercept = ({ method, path }) => {
    if (method === 'POST' && path === '/store/orders') controller.abort();
    return false;
  };
  const { leftBehind } = await run(MANY, { signal: controller.signal });
  expect(leftBehind).toEqual([]);
  expect(await staging.rows()).toBe(before);
});

describe('the command', () => {
  const flags = (...more: string[]): string[] => ['--base-url', staging.url, '--mode', 'own', ...more];

  test('killed in the middle leaves a ledger, and cleanup removes what is in it', async () => {
    const before = await staging.rows();
    const contract = folder.write('contract.yaml', MANY);
    const ledger = folder.file('run.ndjson');
    const reached = new Promise<void>((resolve) => {
      staging.intercept = ({ method, path }, request) => {
        if (method !== 'POST' || path !== '/store/orders' || request.headers.authorization === undefined) return false;
        resolve();
        // Never answered: the run waits here until it is killed.
        return true;
      };
    });
    const ended = standin(['verify', contract, ...flags('--ledger', ledger)]);
    await reached;
    killAll();
    await ended;
    staging.intercept = () => false;
    expect(await staging.rows()).not.toBe(before);

    const cleaned = await endedHere(['cleanup', ledger]);
    expect(cleaned.stdout).toContain('removed');
    expect(await staging.rows()).toBe(before);
    // The order was sent and never answered; it has no text to be found by, and nobody can tell.
    expect(cleaned.exitCode).toBe(4);
    expect(cleaned.stdout).toMatch(
      /still there {2}.*\/store\/orders \(placeOrder\): no response showed whether it was made/,
    );
  });

  test('tells the plan before it sends anything, and removes a ledger that is not needed', async () => {
    const contract = folder.write('contract.yaml', MAKES);
    const ledger = folder.file('run.ndjson');
    const { exitCode, stderr } = await endedHere(['verify', contract, ...flags('--ledger', ledger)]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('own: changes only what this run creates');
    expect(stderr).toContain('createPet 1 time, removed by DELETE /pets/{petId}');
    expect(existsSync(ledger)).toBe(false);
  });

  test('asks nobody in CI: without --yes nothing is sent to another machine', async () => {
    const contract = folder.write('contract.yaml', MAKES);
    const args = ['verify', contract, '--base-url', 'http://staging.invalid', '--api-key', 'abc'];
    const { exitCode, stderr } = await endedHere(args, { env: { CI: 'true' } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--yes agrees');
  });

  test('writes no key into a ledger', async () => {
    const contract = folder.write('contract.yaml', MAKES);
    const ledger = folder.file('run.ndjson');
    staging.intercept = ({ method }, _, response) => {
      if (method !== 'DELETE') return false;
      response.writeHead(500).end();
      return true;
    };
    await endedHere(['verify', contract, ...flags('--ledger', ledger, '--no-auth-probes')]);
    expect(readFileSync(ledger, 'utf8')).toContain('"pending"');
    expect(readFileSync(ledger, 'utf8')).not.toContain('test-key');
  });
});
