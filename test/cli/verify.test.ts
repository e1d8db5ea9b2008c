import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createMockServer } from '../../src/express';
import { temporaryFolder } from '../support/temporary-folder';
import { startBroken, startPeer, withHeader, type Peer } from '../runner/peer';
import { type Ended, runMain } from './standin-process';

/** In this process. */
function verify(args: readonly string[]): Promise<Ended> {
  return runMain('verify', ...args);
}

const folder = temporaryFolder();
const read = (operation: string, parameters = '{}'): string =>
  `  - { operation: ${operation}, parameters: ${parameters}, expect: { status: 200 } }\n`;
const pets = folder.write(
  'shop/pets.yaml',
  `standin: contract/1
name: Shop, pets
steps:
  - { operation: createCategory, body: { name: 'Birds \${runId}' }, expect: { status: 201 } }
${read('listPets')}${read('getPet', '{ petId: 1 }')}${read('listCategories')}${read('getCategory', '{ categoryId: 1 }')}`,
);
folder.write(
  'shop/orders.yaml',
  `standin: contract/1
name: Shop, orders
steps:
${read('listOrders')}${read('getOrder', '{ orderId: 1 }')}${read('listInventory')}${read('getInventoryItem', '{ petId: 1 }')}`,
);
/** Half of the operations of the description, without probes of authentication, which would be most of the requests. */
const SHOP = [dirname(pets), '--no-auth-probes'];

let mock: Peer;
beforeAll(async () => {
  // What the developer's own shell sets must not get in the way.
  delete process.env['STANDIN_API_KEY'];
  mock = await startPeer(await createMockServer());
});
afterAll(() => mock.close());

test('a violation: exit code 1, with the place in the contract and in the description, and a command', async () => {
  const broken = await startBroken({
    answer: (response, { target }) =>
      target === '/pets?limit=2' ? withHeader(response, 'Content-Type', 'text/plain') : response,
  });
  const file = folder.write(
    'one.yaml',
    'standin: contract/1\nname: One\nsteps:\n  - operation: listPets\n    parameters: { limit: 2 }\n    expect: { status: 200 }\n',
  );
  const { exitCode, stdout } = await verify([file, '--base-url', broken.url]);
  await broken.close();
  expect(exitCode).toBe(1);
  expect(stdout).toContain(`FAIL listPets  ${file}:4:5\n  GET ${broken.url}/pets?limit=2 → 200\n  content-type `);
  expect(stdout).toMatch(/see {7}spec\/petstore\.yaml:\d+:\d+\n/);
  expect(stdout).toContain(
    `curl -i '${broken.url}/pets?limit=2' -H "Accept: application/json" -H "Authorization: Bearer test-key"\n`,
  );
});

test('a contract that cannot be read: exit code 2, every fault with its place, nothing sent', async () => {
  const file = folder.write(
    'bad.yaml',
    'standin: contract/1\nname: Bad\nsteps:\n  - operation: listPet\n    expects: 1\n',
  );
  const { exitCode, stdout, stderr } = await verify([file, '--base-url', 'http://127.0.0.1:1']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(`CONTRACT_INVALID: ${file}: 3 errors`);
  expect(stderr).toContain(`${file}:4:5 error contract-format: The description has no operation "listPet"`);
  expect(stderr).toContain('hint: Did you mean "listPets"? Is it the right description? --spec chooses it.\n');
  expect(stderr).toContain(`${file}:5:5 error contract-format: Unknown key "expects"`);
});

test('a placeholder without quotes: exit code 2, with the hint to quote it', async () => {
  const file = folder.write(
    'unquoted.yaml',
    'standin: contract/1\nname: Bad\nsteps:\n  - operation: getPet\n    parameters: { petId: ${petId} }\n    expect: { status: 200 }\n',
  );
  const { exitCode, stderr } = await verify([file, '--base-url', 'http://127.0.0.1:1']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`CONTRACT_INVALID: ${file}: 1 error\n  ${file}:5:27 error yaml-syntax: `);
  expect(stderr).toContain("hint: Quote the whole value: '${petId}'\n");
});

test.each([
  { what: 'no base URL', args: [], says: 'The option --base-url is missing' },
  { what: 'a URL without its option', args: ['http://a'], says: 'The URL goes behind it: standin verify --base-url ' },
  { what: 'a base URL that is none', args: ['--base-url', 'localhost'], says: 'not an http or https URL' },
  { what: 'a mistyped option', args: ['--base-url', 'http://a', '--time', '1'], says: 'Did you mean --timeout?' },
  {
    what: 'the description by another name',
    args: ['--openapi', 'a.yaml'],
    says: 'The description is chosen with --spec',
  },
  { what: 'a timeout that is none', args: ['--base-url', 'http://a', '--timeout', 'soon'], says: 'Expected seconds' },
  {
    what: 'two keys',
    args: ['--base-url', 'http://a', '--api-key', 'b', '--api-key-env', 'C'],
    says: 'cannot be used',
  },
  {
    what: 'a variable without a key',
    args: ['--base-url', 'http://a', '--api-key-env', 'NO_SUCH'],
    says: 'that --api-key-env names is not set',
  },
  { what: 'no key for another machine', args: [pets, '--base-url', 'http://192.0.2.1'], says: 'no API key was given' },
  {
    what: 'a description that is not there',
    args: ['--base-url', 'http://a', '--spec', 'a.yaml'],
    says: 'a.yaml does not exist',
  },
])('$what: exit code 2, on stderr', async ({ args, says }) => {
  const { exitCode, stdout, stderr } = await verify(args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(says);
});

test('the help says of a switch no values that it does not take', async () => {
  const { stdout } = await verify(['--help']);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toContain(
    '--no-auth send no key of the run, and probe nothing without one; keys that contracts have themselves are sent --',
  );
  expect(text).toContain('--mode <mode> ');
  expect(text).toContain('(observe | own | full; default: ');
});

test('a target that is not there: exit code 3, one cause with a hint', async () => {
  const { exitCode, stdout } = await verify([pets, '--base-url', 'http://127.0.0.1:1']);
  expect(exitCode).toBe(3);
  expect(stdout).toContain(
    '  TRANSPORT_UNREACHABLE: http://127.0.0.1:1 cannot be reached: ECONNREFUSED\n' +
      '    hint: Nothing listens there. Start the service, or correct the base URL.\n',
  );
  expect(stdout.match(/cannot be reached/g)).toHaveLength(1);
  expect(stdout).not.toContain('LEFT BEHIND');
});

test('a target that never answers: exit code 3, and nobody waits a second time', async () => {
  const requests: (string | undefined)[] = [];
  const silent = await startPeer(({ url }) => requests.push(url));
  const args = ['--base-url', silent.url, '--timeout', '0.2', '--concurrency', '1', 'contracts/full/lists-pets.yaml'];
  const { exitCode, stdout } = await verify(args);
  await silent.close();
  expect(exitCode).toBe(3);
  expect(stdout).toContain('TRANSPORT_TIMEOUT');
  // The first request, and a look for what it may have made all the same.
  expect(requests.length).toBeLessThan(4);
});

test('reports are written beside the one for people, and agree with the exit code', async () => {
  const json = join(folder.path, 'reports', 'result.json');
  const junit = join(folder.path, 'reports', 'junit.xml');
  const args = [...SHOP, '--base-url', mock.url, '--report', `json=${json}`, '--report', `junit=${junit}`];
  const { exitCode } = await verify(args);
  expect(exitCode).toBe(0);
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
    format: 'result/1',
    outcome: 'conforms',
    exitCode: 0,
  });
  expect(readFileSync(junit, 'utf8')).toMatch(/<testsuites [^>]*failures="0" errors="0"/);
});

test.each([
  { args: ['--report', 'json=/proc/x/y'], says: 'The report json=/proc/x/y cannot be written' },
  { args: ['--write-baseline', '/proc/x/y'], says: 'The baseline /proc/x/y cannot be written' },
])('$args, where nothing can be written: exit code 2, and nothing is sent', async ({ args, says }) => {
  const requests: unknown[] = [];
  const peer = await startPeer(({ url }, response) => {
    requests.push(url);
    response.end();
  });
  const { exitCode, stdout, stderr } = await verify([...SHOP, '--base-url', peer.url, ...args]);
  await peer.close();
  expect({ exitCode, stdout, requests }).toEqual({ exitCode: 2, stdout: '', requests: [] });
  expect(stderr).toContain(says);
});

test('a baseline that cannot be made does not lose the report', async () => {
  const baseline = join(folder.path, 'of-everything.yaml');
  const args = [...SHOP, '--base-url', `${mock.url}/v9`, '--write-baseline', baseline];
  const { exitCode, stdout, stderr } = await verify(args);
  expect({ exitCode, hasReport: stdout.includes('VIOLATIONS: ') }).toEqual({ exitCode: 2, hasReport: true });
  expect(stderr).toContain('CONFIG_INVALID');
});

test('a report on stdout has it for itself', async () => {
  const { stdout, stderr } = await verify([...SHOP, '--base-url', mock.url, '--report', 'json=-']);
  expect(JSON.parse(stdout)).toMatchObject({ format: 'result/1' });
  expect(stderr).toContain('CONFORMS');
});

test('shards are joined to one result', async () => {
  const parts = [1, 2].map((index) => join(folder.path, `shard-${index}.json`));
  for (const [index, part] of parts.entries()) {
    const args = [...SHOP, '--base-url', mock.url, '--shard', `${index + 1}/2`, '--report', `json=${part}`];
    expect((await verify(args)).exitCode).toBe(0);
  }
  const { exitCode, stdout } = await runMain('merge-reports', ...parts);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`✓ Shop, pets ${pets}`);
  expect(stdout).toContain(`✓ Shop, orders ${join(dirname(pets), 'orders.yaml')}`);
  expect((await runMain('merge-reports', parts[0] ?? '')).exitCode).toBe(2);
});

describe('a threshold of coverage', () => {
  const verifyShop = (...args: string[]): Promise<Ended> => verify([...SHOP, '--base-url', mock.url, ...args]);

  test('that is met changes nothing', async () => {
    const { exitCode, stdout } = await verifyShop(
      '--min-coverage',
      'operations=50',
      '--min-coverage',
      'properties=10.5',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\nCOVERAGE\n {2}operations 9\/18 \(50 %\) · statuses \d+\/137 \(\d+ %\) · parameters /);
    expect(stdout).not.toContain('--min-coverage');
  });

  test('that is missed: exit code 1, with what was not seen', async () => {
    const { exitCode, stdout } = await verifyShop('--min-coverage', 'operations=51');
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      '  Coverage of operations is 50 % (9 of 18), below the 51 % of --min-coverage. Not seen: createPet POST /pets, ',
    );
    expect(stdout).toMatch(/\nVIOLATIONS: \d+ passed, too little coverage of operations\n/);
  });

  test('of shards is judged where they are joined', async () => {
    const parts = [1, 2].map((index) => join(folder.path, `covered-${index}.json`));
    for (const [index, part] of parts.entries()) {
      const args = ['--shard', `${index + 1}/2`, '--min-coverage', 'statuses=90', '--report', `json=${part}`];
      const { exitCode, stdout } = await verifyShop(...args);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('  --min-coverage was not judged: this is a shard; merge-reports judges all of them');
    }
    const merged = await runMain('merge-reports', ...parts);
    expect(merged.exitCode).toBe(1);
    const whole = await verifyShop();
    const figures = /\n {2}operations .*\n/.exec(whole.stdout)?.[0];
    expect(merged.stdout).toContain(figures);
  });

  test.each([
    { value: 'operation=90', says: 'knows no dimension "operation"\n  hint: Did you mean "operations"? There are ' },
    { value: 'lines=90', says: 'knows no dimension "lines"\n  hint: There are operations, statuses, parameters, ' },
    { value: 'words=all', says: 'words must be a number from 0 to 100, got "all"' },
    { value: 'words=101', says: 'words must be a number from 0 to 100, got "101"' },
    { value: 'words', says: 'words must be a number from 0 to 100, got ""' },
  ])('$value: exit code 2, nothing sent', async ({ value, says }) => {
    const { exitCode, stdout, stderr } = await verify(['--base-url', 'http://127.0.0.1:1', '--min-coverage', value]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`CONFIG_INVALID: --min-coverage ${says}`);
  });

  test('stands in the configuration as well', async () => {
    const config = folder.write(
      'standin.config.yaml',
      'standin: config/1\nverify:\n  minCoverage: { operations: 51, words: 1 }\n',
    );
    expect((await verifyShop('--config', config)).exitCode).toBe(1);
  });
});

test('a baseline accepts what is known, and nothing else', async () => {
  const broken = await startBroken({
    answer: (response, { target }) => (target === '/pets' ? withHeader(response, 'ETag', 'bare') : response),
  });
  const contract = folder.write(
    'listed.yaml',
    'standin: contract/1\nname: Listed\nsteps:\n  - operation: listPets\n    expect: { status: 200 }\n',
  );
  const baseline = join(folder.path, 'baseline.yaml');
  const args = [contract, '--base-url', broken.url, '--no-auth-probes'];
  expect((await verify([...args, '--write-baseline', baseline])).exitCode).toBe(1);
  const accepted = await verify([...args, '--baseline', baseline]);
  await broken.close();
  expect(accepted.exitCode).toBe(0);
  expect(accepted.stderr).toContain('Baseline: 1 finding accepted by 1 entry');
});
