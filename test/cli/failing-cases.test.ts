import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createMockServer } from '../../src/express';
import { PAYMENTS } from '../events/payments';
import { temporaryFolder } from '../support/temporary-folder';
import { type Peer, startBroken, startPeer } from '../runner/peer';
import { type Ended, runMain } from './standin-process';

const folder = temporaryFolder();
let mock: Peer;
let broken: Peer;
/** How often the broken one was asked for a list of a category. */
let times = 0;
let isFlaky = false;

beforeAll(async () => {
  delete process.env['STANDIN_API_KEY'];
  mock = await startPeer(await createMockServer());
  broken = await startBroken({
    answer(response, { target, method }) {
      if (method !== 'GET' || !target.includes('categoryId=')) return response;
      times += 1;
      return isFlaky && times % 2 === 0 ? response : { ...response, body: '[]' };
    },
  });
});
afterAll(async () => {
  await mock.close();
  await broken.close();
});

const CONTRACT = `standin: contract/1
name: Lists
setup:
  - { operation: createCategory, body: { name: 'Unneeded \${runId}' }, expect: { status: 201 }, capture: { otherId: '$response.body#/id' } }
  - { operation: createCategory, body: { name: 'Needed \${runId}' }, expect: { status: 201 }, capture: { categoryId: '$response.body#/id' } }
steps:
  - { operation: listCategories, expect: { status: 200 } }
  - { operation: createPet, body: { name: Ada, categoryId: '\${categoryId}' }, expect: { status: 201 }, capture: { petId: '$response.body#/id' } }
  - { operation: getCategory, parameters: { categoryId: '\${otherId}' }, expect: { status: 200 } }
  - name: it is in the list
    operation: listPets
    parameters: { categoryId: '\${categoryId}' }
    expect: { status: 200, body: { $contains: { id: '\${petId}' } } }
  - { operation: listOrders, expect: { status: 200 } }
cleanup:
  - { operation: deleteCategory, parameters: { categoryId: '\${otherId}' }, expect: { status: 204 } }
  - { operation: deleteCategory, parameters: { categoryId: '\${categoryId}' }, expect: { status: 204 } }
  - { operation: deletePet, parameters: { petId: '\${petId}' }, expect: { status: 204 } }
`;

const verify = (peer: Peer, ...args: string[]): Promise<Ended> => runMain('verify', ...args, '--base-url', peer.url);

interface SavedCase {
  readonly yaml: string;
  readonly sh: string;
  readonly stderr: string;
}

let saving: Promise<SavedCase> | undefined;
/** The saved failure of the contract, from one run for all tests. */
function savedCase(): Promise<SavedCase> {
  return (saving ??= saveCase());
}

async function saveCase(): Promise<SavedCase> {
  const saved = join(folder.write('lists.yaml', CONTRACT), '..', 'failures');
  const { exitCode, stderr } = await verify(
    broken,
    join(saved, '..', 'lists.yaml'),
    '--no-auth-probes',
    '--save-failures',
    saved,
  );
  expect(exitCode).toBe(1);
  const [yaml = '', ...others] = readdirSync(saved).filter((file) => file.endsWith('.yaml'));
  expect(others).toEqual([]);
  return { yaml: join(saved, yaml), sh: join(saved, yaml.replace('.yaml', '.sh')), stderr };
}

test('a failure is saved as the shortest contract that still fails, and as curl', async () => {
  const { yaml, sh, stderr } = await savedCase();
  expect(stderr).toContain(`Failures, each as short as it still fails:\n  ${yaml}: 3 steps\n`);
  const text = readFileSync(yaml, 'utf8');
  expect(text).toMatch(/^# body-expected at \/response\/body: /);
  const { setup, steps, cleanup } = parse(text) as Record<string, { operation: string }[]>;
  expect([setup, steps, cleanup].map((list) => list?.map(({ operation }) => operation))).toEqual([
    ['createCategory'],
    ['createPet', 'listPets'],
    ['deleteCategory', 'deletePet'],
  ]);
  expect(existsSync(sh) && readFileSync(sh, 'utf8')).toContain(`${broken.url}/pets?categoryId=`);
});

test('a case that is replayed is fixed, still failing, or flaky', async () => {
  const { yaml } = await savedCase();
  const failing = await verify(broken, '--replay', yaml);
  expect(failing.exitCode).toBe(1);
  expect(failing.stderr).toContain('Replayed 3 times: still failing, each time.\n');
  const fixed = await verify(mock, '--replay', yaml);
  expect(fixed.exitCode).toBe(0);
  expect(fixed.stderr).toContain('Replayed 3 times: fixed, it passed each time.\n');
  isFlaky = true;
  times = 0;
  const flaky = await verify(broken, '--replay', yaml);
  isFlaky = false;
  expect(flaky.exitCode).toBe(1);
  expect(flaky.stderr).toMatch(/Replayed 3 times: flaky, it failed [12] times?\.\n/);
});

test('a failure of a probe is not saved, which is told', async () => {
  const open = await startBroken({
    answer: (response) => (response.status === 401 ? { ...response, status: 200 } : response),
  });
  const file = folder.write(
    'one.yaml',
    'standin: contract/1\nname: One\nsteps:\n  - { operation: listOrders, expect: { status: 200 } }\n',
  );
  const { exitCode, stderr } = await verify(open, file, '--save-failures', join(file, '..', 'none'));
  await open.close();
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^\d+ failures? (?:is|are) not saved: .*probes.*\. The report has them\.$/m);
});

test('contracts beside a case to replay, and a folder that cannot be written: exit code 2', async () => {
  const { yaml } = await savedCase();
  const both = await verify(mock, yaml, '--replay', yaml);
  expect(both.exitCode).toBe(2);
  expect(both.stderr).toContain('--replay names a case as well');
  const file = folder.write('in-the-way', '');
  const unwritable = await verify(broken, yaml, '--no-auth-probes', '--save-failures', file);
  expect(unwritable.exitCode).toBe(2);
  expect(unwritable.stderr).toContain(`The failures cannot be written into ${file}`);
});

test('what asks for events stays in a case of an event that did not come', async () => {
  const description = folder.write('payments.json', JSON.stringify(PAYMENTS));
  const service = await startPeer(await createMockServer({ description, auth: 'off', state: 'empty' }));
  try {
    const contract = folder.write(
      'told.yaml',
      `standin: contract/1
name: Told
setup:
  - { method: POST, path: /webhooks, body: { url: '\${receiverUrl}' }, expect: { status: 201 } }
steps:
  - { method: GET, path: /payments, expect: { status: 200 } }
  - method: POST
    path: /payments
    body: { amount: 5, status: pending }
    expect: { status: 201 }
    expectEvent: { event: payment.completed, withinMs: 100 }
`,
    );
    const saved = join(contract, '..', 'told-failures');
    const { exitCode } = await verify(service, contract, '--spec', description, '--listen', '--save-failures', saved);
    expect(exitCode).toBe(1);
    const [file = ''] = readdirSync(saved).filter((name) => name.endsWith('.yaml'));
    const written = parse(readFileSync(join(saved, file), 'utf8')) as { setup: unknown[]; steps: unknown[] };
    expect([written.setup.length, written.steps.length]).toEqual([1, 1]);
  } finally {
    await service.close();
  }
});
