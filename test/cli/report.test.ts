import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockServer } from '../../src/express';
import { type Peer, startBroken, startPeer, withHeader } from '../runner/peer';
import { temporaryFolder } from '../support/temporary-folder';
import { type Ended, endedHere } from './standin-process';

const folder = temporaryFolder();
const contract = folder.write(
  'one.yaml',
  'standin: contract/1\nname: One\nsteps:\n  - operation: listPets\n    parameters: { limit: 2 }\n    expect: { status: 200 }\n',
);
const [bad, good, page] = ['bad.json', 'good.json', 'out.html'].map((name) => join(folder.path, name)) as [
  string,
  string,
  string,
];

const standin = (args: readonly string[]): Promise<Ended> => endedHere(args);

let broken: Peer;
let mock: Peer;
beforeAll(async () => {
  mock = await startPeer(await createMockServer());
  broken = await startBroken({
    answer: (response, { target }) =>
      target === '/pets?limit=2' ? withHeader(response, 'Content-Type', 'text/plain') : response,
  });
  await standin(['verify', contract, '--base-url', broken.url, '--report', `json=${bad}`]);
  await standin(['verify', contract, '--base-url', mock.url, '--report', `json=${good}`]);
});
afterAll(() => Promise.all([mock.close(), broken.close()]));

test('a result is reported once more, with the exit code that the run had', async () => {
  const { exitCode, stdout } = await standin(['report', bad, '--html', page]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('FAIL listPets');
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('listPets');
  // Nothing of it is asked from elsewhere.
  expect(html).not.toMatch(/<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)=/);
  expect((await standin(['report', good])).exitCode).toBe(0);
});

test.each([
  ['new', (): string[] => ['report', bad, '--compare', good], '1 new, 0 fixed, 0 as before'],
  ['fixed', (): string[] => ['report', good, '--compare', bad], '0 new, 1 fixed, 0 as before'],
  ['as before', (): string[] => ['report', bad, '--compare', bad], '0 new, 0 fixed, 1 as before'],
  [
    'new in a run',
    (): string[] => ['verify', contract, '--base-url', broken.url, '--compare', good],
    '1 new, 0 fixed, 0 as before',
  ],
])('what is %s since an earlier run is told', async (_, args, said) => {
  expect((await standin(args())).stdout).toContain(said);
});

test('what is no result is told', async () => {
  const { exitCode, stderr } = await standin(['report', contract]);
  expect([exitCode, stderr.includes('is not a result of standin')]).toStrictEqual([2, true]);
});
