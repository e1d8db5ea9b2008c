import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import type { RunResult } from '../../src/runner/result/run-result';
import { Archive, archiveDescription, type Hole, type Manner } from '../support/archive';
import { TARGETS } from '../mutants/kill-rate/targets';
import { ask, findings, OPTIONS } from '../support/ask-archive';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const warnings = (result: RunResult, wanted: string): string[] =>
  allSteps(result).flatMap(({ name, warnings: all }) =>
    all.filter(({ check }) => check === wanted).map(({ message }) => `${name}: ${message}`),
  );

const MANNERS: readonly Manner[] = [
  'shared',
  'reader',
  'mixed',
  'hidden',
  'forbidden',
  'hidden-no-op',
  'spaces',
  'late',
  'writer',
  'hidden-writer',
  'hidden-changer',
  'lister',
  'creator',
  'nothing',
];

describe.each(['full', 'own'] as const)('in mode %s', (mode) => {
  test.each(MANNERS)('a service without a hole has no findings, whoever may do what: %s', async (manner) => {
    const archive = new Archive(manner);
    const result = await ask(archive, { mode });
    expect(findings(result)).toEqual([]);
    expect(result.outcome).toBe('conforms');
    expect(result.leftBehind).toEqual([]);
    expect([...archive.files.values()]).toEqual([]);
    expect(archive.log.filter((line) => line.startsWith('other')).length).toBeGreaterThan(8);
  });
});

test.each(['shared', 'hidden', 'hidden-no-op', 'spaces'] as const)(
  'a mock beside it knows nothing of whom it lets do what: %s',
  async (manner) => {
    const result = await ask(new Archive(manner), { lockStep: true });
    expect(findings(result)).toEqual([]);
    expect(warnings(result, 'lock-step')).toEqual([]);
    expect(result.lockStep?.compared).toBeGreaterThan(0);
  },
);

test.each(['mock', 'second'] as const)('the %s Petstore lets every key do everything', async (name) => {
  const target = await TARGETS[name](false);
  const more = { description: undefined, apiKey: 'test-key', identities: { other: 'test-key', nobody: 'no-such-key' } };
  const result = await runContract({ ...OPTIONS, ...more, baseUrl: target.url });
  await target.close();
  expect(findings(result)).toEqual([]);
  expect(result.outcome).toBe('conforms');
  expect(result.leftBehind).toEqual([]);
  expect(warnings(result, 'other-caller').every((text) => text.includes('"nobody" was rejected'))).toBe(true);
});

const TOKENS = folder.write(
  'tokens.yaml',
  `standin: tokens/1
tokens:
  owner: { key: key-of-owner, scopes: ['*'] }
  other: { key: key-of-other, scopes: ['files:read'] }
  writer: { key: key-of-writer, scopes: ['files:write'] }
  old: { key: key-of-old, scopes: ['*'], expires: '2001-01-01T00:00:00Z' }
`,
);

test('the mock knows callers with scopes', async () => {
  const scoped = folder.write('scoped.json', archiveDescription(true));
  for (const lockStep of [false, true]) {
    const app = await createMockServer({ description: scoped, tokens: TOKENS });
    const identities = { other: 'key-of-other', writer: 'key-of-writer' };
    const lockStepped = lockStep ? { lockStep, tokens: TOKENS } : {};
    const result = await runContract({ ...OPTIONS, description: scoped, app, identities, ...lockStepped });
    expect(findings(result)).toEqual([]);
    expect(result.outcome).toBe('conforms');
    expect(result.leftBehind).toEqual([]);
    expect(warnings(result, 'other-caller')).toEqual([]);
    expect(allSteps(result).filter(({ status }) => status === 403).length).toBeGreaterThan(5);
  }
});

const HOLES: readonly (readonly [manner: Manner, hole: Hole, found: readonly string[]])[] = [
  [
    'hidden',
    'removes',
    [
      'remove the file as other: other-caller: Another caller may not read /files/{fileId}, and DELETE removed it all the same',
    ],
  ],
  [
    'forbidden',
    'removes',
    [
      'remove the file as other: other-caller: Another caller may not read /files/{fileId}, and DELETE removed it all the same',
    ],
  ],
  [
    'forbidden',
    'changes',
    [
      'change the file as other: other-caller: Another caller may not read /files/{fileId}, and PATCH changed it all the same',
    ],
  ],
  [
    'hidden',
    'replaces',
    [
      'replace the file as other: other-caller: Another caller may not read /files/{fileId}, and PUT changed it all the same',
    ],
  ],
  [
    'hidden',
    'lists',
    ['list as other: other-caller: Another caller may not read /files/{fileId}, and the list shows it to him'],
  ],
  [
    'forbidden',
    'tells',
    [
      'read the file as other: other-caller: Another caller may not read /files/{fileId}, and the response to GET shows what is in it',
    ],
  ],
  [
    'hidden',
    'replays',
    [
      'add the same file with the same Idempotency-Key as other: other-caller: Another caller may not read /files/{fileId}, and got it by sending its creation once more',
    ],
  ],
  [
    'reader',
    'does-all-the-same',
    [
      'replace the file as other: rejected-write-changed: The PUT of another caller was rejected with 403, and done all the same',
      'change the file as other: rejected-write-changed: The PATCH of another caller was rejected with 403, and done all the same',
      'remove the file as other: rejected-write-changed: The DELETE of another caller was rejected with 403, and done all the same',
    ],
  ],
  [
    'hidden',
    'does-all-the-same',
    [
      'replace the file as other: rejected-write-changed: The PUT of another caller was rejected with 404, and done all the same',
      'change the file as other: rejected-write-changed: The PATCH of another caller was rejected with 404, and done all the same',
      'remove the file as other: rejected-write-changed: The DELETE of another caller was rejected with 404, and done all the same',
    ],
  ],
];

test.each(HOLES)('where things are %s, a hole is found: %s', async (manner, hole, found) => {
  const archive = new Archive(manner, hole);
  const result = await ask(archive, { mode: 'own' });
  expect([...new Set(findings(result))]).toEqual(expect.arrayContaining([...found]));
  expect(result.outcome).toBe('violations');
  expect(result.leftBehind).toEqual([]);
  expect([...archive.files.values()]).toEqual([]);
});

test('what a caller is shown only some time later he is not said to be kept from', async () => {
  const result = await ask(new Archive('late'));
  expect(findings(result)).toEqual([]);
  expect(warnings(result, 'other-caller').length).toBeGreaterThan(0);
  const hints = allSteps(result).flatMap(({ warnings: all }) => all.map(({ hint = '' }) => hint));
  expect(hints).toContain(
    'Sent again, it did not show where the caller had waited: what is new he may be shown some time later.',
  );
});

test('that a key may list and read nothing is told, and that it may write any and read none is no finding', async () => {
  expect(warnings(await ask(new Archive('writer')), 'other-caller')).toEqual([]);
  expect(warnings(await ask(new Archive('lister')), 'other-caller')).toEqual([
    'list as other: Another caller may not read /files/{fileId}, and the list shows it to him',
  ]);
});

test('a key that nobody knows is told: it shows nothing', async () => {
  const result = await ask(new Archive('shared'), { identities: { other: 'key-of-expired' } });
  expect(findings(result)).toEqual([]);
  expect(warnings(result, 'other-caller')).toEqual([
    'read the file as other: The key of "other" was rejected with 401 everywhere, so that nothing is known of other callers',
  ]);
});

test('what stands at the same path in the space of another caller is left alone', async () => {
  for (const mode of ['full', 'own'] as const) {
    const archive = new Archive('spaces');
    const theirs = { id: 1, owner: 'other', title: 'Mine', note: '', madeAt: 0 };
    archive.files.set('other 1', theirs);
    const result = await ask(archive, { mode });
    expect(findings(result)).toEqual([]);
    expect([...archive.files.values()]).toEqual([{ ...theirs, title: 'Mine' }]);
    expect(archive.log.filter((line) => /^other (?:PUT|PATCH|DELETE) \/files\/1 /.test(line))).toEqual([]);
  }
});

test('the same seed asks a service again that remembers the keys of repetitions', async () => {
  const { url, close } = await new Archive('shared').listen();
  for (const more of [{}, { wait: true }]) {
    // The time that tells the two apart is in seconds.
    if ('wait' in more) await new Promise((resolve) => setTimeout(resolve, 1100));
    const result = await runContract({ ...OPTIONS, baseUrl: url });
    expect(findings(result)).toEqual([]);
    expect(result.outcome).toBe('conforms');
  }
  await close();
});

test('nothing is generated where there is no other caller', async () => {
  const { contracts } = await ask(new Archive('shared'), { identities: {} });
  expect(contracts.map(({ name }) => name).filter((name) => name.startsWith('Generated'))).toEqual([]);
});
