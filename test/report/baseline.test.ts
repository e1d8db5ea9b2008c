import { ConfigError, type SourceFinding } from '../../src/core/errors/standin-error';
import { formatBaseline, readBaseline, type Baseline } from '../../src/formats/baseline';
import { readSource } from '../../src/openapi/read/read-source';
import { applyBaseline, formatBaselineEffect, makeBaseline } from '../../src/report/causes/baseline';
import { runProblems } from '../../src/report/causes/run-summary';
import { failed, findingOf, PASSED, resultOfSteps, skipped, statusFinding } from './results';

const ABOUT = { owner: 'team-books', reason: 'see issue 12', expires: '2026-12-31' };
const TODAY = '2026-11-20';
const known = failed([statusFinding(500, 200)]);
const other = failed([findingOf('body-schema', '/response/body/id')]);

function read(text: string): { baseline: Baseline; findings: string[] } {
  const findings: SourceFinding[] = [];
  const baseline = readBaseline(readSource(text, 'b.yaml'), findings);
  return {
    baseline,
    findings: findings.map(({ line, message, expected, hint }) =>
      [`${line ?? '?'}: ${message}`, expected, hint].filter(Boolean).join(' | '),
    ),
  };
}

test('what was written as a baseline is read back, and makes the same run green, with warnings', () => {
  const result = resultOfSteps(PASSED, known, { ...known, name: 'again' }, other);
  const made = makeBaseline(result, ABOUT);
  const { baseline, findings } = read(formatBaseline(made));
  expect(findings).toEqual([]);
  expect(baseline.entries.map((entry) => ({ ...entry, place: undefined }))).toEqual(made.entries);
  const { result: seen, accepted, expired, unused } = applyBaseline(result, baseline, TODAY);
  expect(seen.outcome).toBe('conforms');
  expect([accepted.map(({ count }) => count), expired, unused]).toEqual([[2, 1], [], []]);
  const [, step] = seen.contracts[0]!.steps;
  expect(step!.verdict).toEqual({ kind: 'pass', checksRun: 1 });
  expect(step!.warnings).toMatchObject([
    {
      severity: 'warning',
      message: 'Expected status 200, got 500 (accepted until 2026-12-31)',
      hint: 'team-books: see issue 12',
    },
  ]);
});

test('a new finding fails, beside a known one of the same answer', () => {
  const baseline = makeBaseline(resultOfSteps(known), ABOUT);
  const both = failed([statusFinding(500, 200), findingOf('body-json', '/response/body')]);
  const { result } = applyBaseline(resultOfSteps(both), baseline, TODAY);
  expect(result.outcome).toBe('violations');
  const [step] = result.contracts[0]!.steps;
  expect(step!.verdict).toMatchObject({ kind: 'fail', findings: [{ check: 'body-json' }] });
  expect(step!.warnings).toHaveLength(1);
});

test.each([
  { today: '2026-12-31', outcome: 'conforms' },
  { today: '2027-01-01', outcome: 'violations' },
])('an entry until 2026-12-31 on $today: $outcome', ({ today, outcome }) => {
  const result = resultOfSteps(PASSED, known);
  const seen = applyBaseline(result, makeBaseline(result, ABOUT), today);
  expect(seen.result.outcome).toBe(outcome);
  expect([seen.accepted.length, seen.expired.length]).toEqual(outcome === 'conforms' ? [1, 0] : [0, 1]);
  if (outcome === 'violations') {
    expect(seen.result.contracts[0]!.steps[1]!.verdict).toMatchObject({
      findings: [{ hint: 'It was accepted until 2026-12-31 by team-books: see issue 12.' }],
    });
  }
});

test('an entry for one operation accepts nothing of another', () => {
  const shared = (operation: string) => failed([findingOf('error-contract', '/response/body')], { operation });
  const baseline = makeBaseline(resultOfSteps(shared('getBook')), ABOUT);
  expect(baseline.entries[0]!.operation).toBe('getBook');
  const { result } = applyBaseline(resultOfSteps(shared('getBook'), shared('addBook')), baseline, TODAY);
  expect(result.contracts[0]!.steps.map(({ verdict }) => verdict.kind)).toEqual(['pass', 'fail']);
});

test('at which step a check over the whole run spoke is no part of its entry', () => {
  const lost = (operation: string) => failed([findingOf('echo', '/response/body/name')], { operation });
  const baseline = makeBaseline(resultOfSteps(lost('getBook')), ABOUT);
  expect(baseline.entries).toMatchObject([{ check: 'echo', operation: undefined }]);
  expect(applyBaseline(resultOfSteps(lost('addBook')), baseline, TODAY).result.outcome).toBe('conforms');
});

test('an entry that nothing was found of is told', () => {
  const baseline = makeBaseline(resultOfSteps(known), ABOUT);
  expect(applyBaseline(resultOfSteps(PASSED), baseline, TODAY).unused).toEqual(baseline.entries);
});

test('what could not be judged is never accepted', () => {
  const error = { code: 'TRANSPORT_TIMEOUT', message: 'no response', hint: undefined, findings: [] } as const;
  const result = resultOfSteps(PASSED, { ...PASSED, status: undefined, verdict: { kind: 'error', error } });
  const baseline = makeBaseline(result, ABOUT);
  expect(baseline.entries).toEqual([]);
  expect(applyBaseline(result, baseline, TODAY).result.outcome).toBe('inconclusive');
});

test('nothing is accepted where one cause explains everything', () => {
  const steps = ['a', 'b', 'c'].map((operation) => failed([statusFinding(404, 200)], { operation, status: 404 }));
  expect(() => makeBaseline(resultOfSteps(...steps), ABOUT)).toThrow(ConfigError);
});

test('a baseline that is written again keeps what people wrote, and drops what is mended', () => {
  const first = makeBaseline(resultOfSteps(known, other), ABOUT);
  const again = makeBaseline(
    resultOfSteps(known, failed([findingOf('new', '/response/body')])),
    { ...ABOUT, owner: 'x' },
    first,
  );
  expect(again.entries.map(({ check, owner }) => [check, owner])).toEqual([
    ['status-expected', 'team-books'],
    ['new', 'x'],
  ]);
});

test('what a baseline did is told in lines', () => {
  const baseline = makeBaseline(resultOfSteps(known, other), ABOUT);
  const effect = applyBaseline(resultOfSteps(PASSED, known), baseline, TODAY);
  const { fingerprint } = baseline.entries[1]!;
  expect(formatBaselineEffect(effect)).toBe(
    'Baseline: 1 finding accepted by 1 entry\n' +
      `  not found, remove the entry if it is fixed: body-schema getBook (${fingerprint}), team-books: see issue 12\n`,
  );
  const late = applyBaseline(resultOfSteps(known), baseline, '2030-01-01');
  expect(formatBaselineEffect(late)).toContain('  expired on 2026-12-31, fails again: status-expected getBook (');
});

test('every fault of a file is told with its line', () => {
  const { findings } = read(`standin: baseline/1
accepted:
  - fingerprint: "0123456789ab"
    check: body-schema
    reason: known
    ownr: me
    expires: 2026-02-30
  - fingerprint: short
    check: a
    reason: b
    owner: c
    expires: 2026-12-31
`);
  expect(findings).toEqual([
    '6: Unknown key "ownr" | one of fingerprint, operation, check, message, reason, owner, expires | Did you mean "owner"?',
    '3: The property "owner" is missing | who is responsible for it',
    '7: "expires" must be a date such as 2030-12-31, got the string "2026-02-30" | Nothing is accepted for ever: choose a day to look again.',
    '8: "fingerprint" must be twelve digits and letters from a to f, got the string "short" | Copy it from a report, and quote it.',
  ]);
});

test.each([
  {
    what: 'another format',
    text: 'standin: baseline/2\naccepted: []',
    says: '1: "standin" must be "baseline/1", got the string "baseline/2"',
  },
  { what: 'a list', text: '- a', says: '1: The document must be an object, got an array' },
  {
    what: 'no list of findings',
    text: 'standin: baseline/1',
    says: '1: The property "accepted" is missing | an array of findings, or []',
  },
])('$what is refused', ({ text, says }) => {
  expect(read(text).findings).toEqual([says]);
});

test('one finding cannot be accepted twice', () => {
  const entry = makeBaseline(resultOfSteps(known), ABOUT).entries[0]!;
  const { findings } = read(formatBaseline({ entries: [entry, entry] }));
  expect(findings).toEqual(['11: The finding is accepted twice | one entry; the other is b.yaml:4']);
});

test('what was never sent because of an accepted failure is not judged by accepting it', () => {
  const setUp = { ...known, phase: 'setup' as const };
  const later = skipped('later', 'setup-failed', 'the setup step "read a book" did not do what it is for');
  const tidy = { ...skipped('tidy', 'missing-value', 'it needs ${id}'), phase: 'cleanup' as const };
  const baseline = makeBaseline(resultOfSteps(setUp), ABOUT);
  const { result } = applyBaseline(resultOfSteps(PASSED, setUp, later, tidy), baseline, TODAY);
  expect(result.outcome).toBe('inconclusive');
  expect(runProblems(result)).toMatchObject([
    {
      id: 'not-judged',
      subject: 'Books',
      message: expect.stringMatching(/^Books: 1 step could not be sent/) as string,
    },
  ]);
  expect(applyBaseline(resultOfSteps(PASSED, setUp, tidy), baseline, TODAY).result.outcome).toBe('conforms');
});

test.each(['interrupted', 'target-lost'] as const)('a run with a step that was skipped as %s is not green', (cause) => {
  const result = resultOfSteps(PASSED, skipped('later', cause, 'the run was stopped'));
  expect(result.outcome).toBe('inconclusive');
  expect(runProblems(result)).toMatchObject([
    { id: 'stopped', message: 'The run ended early, 1 step not sent: the run was stopped' },
  ]);
});
