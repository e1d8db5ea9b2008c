import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { Archive } from '../support/archive';
import { ask, findings, OPTIONS } from '../support/ask-archive';
import { pickSample } from '../support/sample';
import { expectHoleFound, expectNoFindings, HOLES, warnings } from './caller-cases';

/** Everything that fake timers replace, but for `Date`. */
const REAL_TIMERS = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

// All manners in both modes, and all holes, are in credentials.slow.test.ts.
test.each([
  ['hidden', 'own'],
  ['reader', 'own'],
  ['spaces', 'full'],
] as const)('a service without a hole has no findings: %s, in mode %s', expectNoFindings);

test.each(HOLES.filter(([, hole]) => ['tells', 'replays', 'does-all-the-same'].includes(hole)))(
  'where things are %s, a hole is found: %s',
  expectHoleFound,
);

test('what a caller is shown only some time later he is not said to be kept from', async () => {
  const result = await ask(new Archive('late'));
  expect(findings(result)).toEqual([]);
  expect(warnings(result, 'other-caller').length).toBeGreaterThan(0);
  const hints = allSteps(result).flatMap(({ warnings: all }) => all.map(({ hint = '' }) => hint));
  expect(hints).toContain(
    'Sent again, it did not show where the caller had waited: what is new he may be shown some time later.',
  );
});

test('a key that nobody knows is told: it shows nothing', async () => {
  const result = await ask(new Archive('shared'), { identities: { other: 'key-of-expired' } });
  expect(findings(result)).toEqual([]);
  expect(warnings(result, 'other-caller')).toEqual([
    'read the file as other: The key of "other" was rejected with 401 everywhere, so that nothing is known of other callers',
  ]);
});

// One of the modes, the other one with another commit.
test.each(pickSample(['full', 'own'] as const, 1, process.env['STANDIN_TEST_SEED'] ?? ''))(
  'what stands at the same path in the space of another caller is left alone, in mode %s',
  async (mode) => {
    const archive = new Archive('spaces');
    const theirs = { id: 1, owner: 'other', title: 'Mine', note: '', otherReads: 0 };
    archive.files.set('other 1', theirs);
    const result = await ask(archive, { mode });
    expect(findings(result)).toEqual([]);
    expect([...archive.files.values()]).toEqual([{ ...theirs, title: 'Mine' }]);
    expect(archive.log.filter((line) => /^other (?:PUT|PATCH|DELETE) \/files\/1 /.test(line))).toEqual([]);
  },
);

test('a shared service has no findings, and the same seed asks it again although it remembers the keys of repetitions', async () => {
  const archive = new Archive('shared');
  const { url, close } = await archive.listen();
  for (const time of ['2031-01-01T00:00:00Z', '2031-01-01T00:00:01Z']) {
    // The time that tells two runs apart is in seconds.
    jest.useFakeTimers({ now: new Date(time), doNotFake: [...REAL_TIMERS] });
    const result = await runContract({ ...OPTIONS, baseUrl: url });
    expect(findings(result)).toEqual([]);
    expect(result.outcome).toBe('conforms');
    expect(result.leftBehind).toEqual([]);
    expect([...archive.files.values()]).toEqual([]);
    expect(archive.log.splice(0).filter((line) => line.startsWith('other')).length).toBeGreaterThan(8);
  }
  jest.useRealTimers();
  await close();
});

test('nothing is generated where there is no other caller', async () => {
  const { contracts } = await ask(new Archive('shared'), { identities: {} });
  expect(contracts.map(({ name }) => name).filter((name) => name.startsWith('Generated'))).toEqual([]);
});
