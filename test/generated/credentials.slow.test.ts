import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { TARGETS } from '../mutants/kill-rate/targets';
import { Archive, archiveDescription, type Manner } from '../support/archive';
import { ask, findings, OPTIONS } from '../support/ask-archive';
import { temporaryFolder } from '../support/temporary-folder';
import { expectHoleFound, expectNoFindings, HOLES, warnings } from './caller-cases';

const folder = temporaryFolder();

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
  test.each(MANNERS)('a service without a hole has no findings, whoever may do what: %s', (manner) =>
    expectNoFindings(manner, mode),
  );
});

test.each(HOLES)('where things are %s, a hole is found: %s', expectHoleFound);

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

test('that a key may list and read nothing is told, and that it may write any and read none is no finding', async () => {
  expect(warnings(await ask(new Archive('writer')), 'other-caller')).toEqual([]);
  expect(warnings(await ask(new Archive('lister')), 'other-caller')).toEqual([
    'list as other: Another caller may not read /files/{fileId}, and the list shows it to him',
  ]);
});
