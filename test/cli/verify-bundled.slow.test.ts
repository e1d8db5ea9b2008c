import { createMockServer } from '../../src/express';
import { startPeer, type Peer } from '../runner/peer';
import { endedHere, endedRun } from './standin-process';

let mock: Peer;
beforeAll(async () => {
  mock = await startPeer(await createMockServer());
});
afterAll(() => mock.close());

// All of them as a command, with each commit: npm run measure -- own-mock.
test('bundled contracts at a mock: exit code 0, the plan on stderr, the report on stdout', async () => {
  const { exitCode, stdout, stderr } = await endedRun(['verify', 'contracts/core', '--base-url', mock.url]);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^Plan for http:\/\/127\.0\.0\.1:\d+, run [0-9a-f]{8}\n {2}mode {8}full/);
  expect(stdout).toMatch(/^Petstore API 1\.0\.0 at http:\/\/127\.0\.0\.1:\d+\n/);
  expect(stdout).toMatch(/\n✓ Core, categories contracts\/core\/categories\.yaml: \d+ passed\n/);
  expect(stdout).toMatch(/\nCONFORMS: \d+ passed\n$/);
});

describe('the key', () => {
  const KEY = 'sk-live/Ab+9==';
  const FORMS = [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64'), 'sk-live'];

  /** Answers everything with a 400 that repeats what was sent, in several forms. */
  async function startParrot(keys: string[]): Promise<Peer> {
    return startPeer(({ headers }, response) => {
      const key = (headers.authorization ?? '').replace('Bearer ', '');
      keys.push(key);
      const message = `${key} ${encodeURIComponent(key)} ${Buffer.from(key).toString('base64')} ${'x'.repeat(100)}${key}`;
      response.writeHead(400, { 'Content-Type': 'application/json', ETag: key, Location: key });
      response.end(JSON.stringify({ code: key, message, status: key }));
    });
  }

  test.each([
    {
      from: '--api-key',
      args: ['--api-key', KEY],
      env: {},
      first: '  first     export STANDIN_API_KEY=…  # the key that --api-key gave\n  reproduce curl ',
    },
    {
      from: '--api-key-env',
      args: ['--api-key-env', 'PET_KEY'],
      env: { PET_KEY: KEY },
      first: '  first     export STANDIN_API_KEY="$PET_KEY"\n  reproduce curl ',
    },
    { from: 'STANDIN_API_KEY', args: [], env: { STANDIN_API_KEY: KEY }, first: undefined },
  ])('from $from is sent, appears in no output, and the commands say how to set it', async ({ args, env, first }) => {
    const keys: string[] = [];
    const parrot = await startParrot(keys);
    const { exitCode, stdout, stderr } = await endedHere(['verify', '--base-url', parrot.url, ...args], { env });
    await parrot.close();
    expect(exitCode).toBe(1);
    expect(keys).toContain(KEY);
    for (const form of FORMS) expect(stdout + stderr).not.toContain(form);
    expect(stdout).toContain('Bearer $STANDIN_API_KEY');
    if (first === undefined) expect(stdout).not.toContain('export');
    else expect(stdout).toContain(first);
  });

  test('for this machine is test-key, when there is no other, and the commands work as they are', async () => {
    const keys: string[] = [];
    const parrot = await startParrot(keys);
    const { stdout } = await endedHere(['verify', '--base-url', parrot.url]);
    await parrot.close();
    expect(keys).toContain('test-key');
    expect(stdout).toContain('-H "Authorization: Bearer test-key"');
    expect(stdout).not.toContain('export');
    for (const line of stdout.split('\n').filter((each) => each.startsWith('  again')))
      expect(line).not.toContain('STANDIN_API_KEY');
  });
});
