import fc from 'fast-check';
import { exitCodeOf, OUTCOME_WORDS, runProblems, summaryText } from '../../src/report/causes/run-summary';
import { formatReport, REPORT_KINDS, type ReportKind } from '../../src/report/registry';
import { rootCauses } from '../../src/report/causes/root-causes';
import { formatTextReport } from '../../src/report/kinds/text-report';
import { type RunResult } from '../../src/runner/result/run-result';
import { allSteps, isKeyRefused, tallyOf } from '../../src/runner/result/outcome';
import { elements, parseXml } from './markup';
import { arbitraryResult } from './results';

const KEY = { kind: 'set' } as const;
const formatted = new WeakMap<RunResult, Map<ReportKind, string>>();
/** The report of a result, formatted once. */
function text(kind: ReportKind, result: RunResult): string {
  const reports = formatted.get(result) ?? new Map<ReportKind, string>();
  formatted.set(result, reports);
  const report = reports.get(kind) ?? formatReport(kind, result, KEY);
  reports.set(kind, report);
  return report;
}
const json = (kind: ReportKind, result: RunResult) => JSON.parse(text(kind, result));
const count = (haystack: string, needle: RegExp): number => [...haystack.matchAll(needle)].length;

interface Located {
  readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
}

/** What every report has to say, from the result itself. */
function facts(result: RunResult) {
  const steps = allSteps(result);
  const findings = steps.flatMap(({ verdict }) => (verdict.kind === 'fail' ? verdict.findings : [])).length;
  return {
    ...tallyOf(steps),
    findings,
    pending: steps.filter(({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'pending').length,
    problems: runProblems(result).length,
    causes: rootCauses(result).length,
    exitCode: exitCodeOf(result.outcome),
    isKeyRefused: isKeyRefused(steps),
  };
}

/** One law for one kind of report: what it counts is what the result holds. */
const LAWS: Readonly<Record<ReportKind, (result: RunResult, want: ReturnType<typeof facts>) => void>> = {
  json(result, { pass, fail, error, skipped, causes, problems, exitCode }) {
    const report = json('json', result);
    expect(report.tally).toEqual({ pass, fail, error, skipped });
    expect([report.causes.length, report.problems.length, report.exitCode]).toEqual([causes, problems, exitCode]);
  },
  junit(result, { pass, fail, error, skipped, problems }) {
    const root = parseXml(text('junit', result));
    const cases = elements(root, 'testcase');
    const counts = { tests: cases.length, failures: fail, errors: error + problems, skipped };
    expect(cases).toHaveLength(pass + fail + error + skipped + problems);
    for (const [name, want] of Object.entries(counts)) {
      expect([name, Number(root.attributes[name])]).toEqual([name, want]);
      const sum = root.children.reduce((total, suite) => total + Number(suite.attributes[name]), 0);
      expect([name, sum]).toEqual([name, want]);
    }
    expect(elements(root, 'failure')).toHaveLength(fail);
    expect(elements(root, 'error')).toHaveLength(error + problems);
    expect(elements(root, 'skipped')).toHaveLength(skipped);
  },
  ctrf(result, { pass, fail, error, skipped, pending, problems, exitCode }) {
    const { summary, tests } = json('ctrf', result).results;
    const counts = { passed: pass, failed: fail + error + problems, skipped: skipped - pending, pending, other: 0 };
    expect(summary).toMatchObject({ ...counts, tests: tests.length, extra: { exitCode } });
    for (const [status, want] of Object.entries(counts)) {
      expect(tests.filter((each: { status: string }) => each.status === status)).toHaveLength(want);
    }
  },
  sarif(result, { findings, fail, error, problems, exitCode }) {
    const [{ results, invocations }] = json('sarif', result).runs;
    const errors = results.filter(({ level }: { level: string }) => level === 'error');
    expect(
      errors.reduce((sum: number, { occurrenceCount }: { occurrenceCount: number }) => sum + occurrenceCount, 0),
    ).toBe(findings);
    expect(errors.length > 0).toBe(fail > 0);
    const notifications = invocations[0].toolExecutionNotifications ?? [];
    expect(notifications.length > 0).toBe(error + problems > 0);
    expect(invocations[0].exitCode).toBe(exitCode);
  },
  markdown(result, { causes }) {
    const report = text('markdown', result);
    expect(report).toContain(OUTCOME_WORDS[result.outcome]);
    expect(report).toContain(summaryText(result));
    expect(count(report, /^\| \d+ \| /gm)).toBe(causes);
    expect(report.startsWith('## ✅')).toBe(result.outcome === 'conforms');
  },
  github(result, { causes, problems }) {
    const report = text('github', result);
    expect(count(report, /^::error /gm)).toBe(Math.min(causes + problems, 10));
    expect(report).toContain(`::${OUTCOME_WORDS[result.outcome]}: ${summaryText(result)}\n`);
  },
  html(result, { pass, fail, error, skipped, problems, causes }) {
    const report = text('html', result);
    const rows = (kind: string): number => count(report, new RegExp(`<tr data-verdict="${kind}"`, 'g'));
    expect([rows('pass'), rows('fail'), rows('error'), rows('skipped')]).toEqual([
      pass,
      fail,
      error + problems,
      skipped,
    ]);
    expect(count(report, /<article data-cause=/g)).toBe(causes);
    expect(report).toContain(`</span> `);
  },
  text(result) {
    expect(text('text', result).trimEnd().split('\n').at(-1)).toBe(
      `${OUTCOME_WORDS[result.outcome]}: ${summaryText(result)}`,
    );
  },
};

function expectExitCode({ fail, error, problems, exitCode, isKeyRefused: isRefused }: ReturnType<typeof facts>): void {
  expect(exitCode === 0).toBe(fail + error + problems === 0);
  expect(exitCode === 1).toBe(fail > 0 && !isRefused);
}

function expectRelativePaths(result: RunResult): void {
  const paths = [
    ...elements(parseXml(text('junit', result)), 'testcase').map(({ attributes }) => attributes['file'] ?? ''),
    ...json('ctrf', result).results.tests.map(({ filePath = '' }) => filePath),
    ...json('sarif', result).runs[0].results.map(
      ({ locations: [location] }: { locations: Located[] }) => location!.physicalLocation.artifactLocation.uri,
    ),
  ];
  for (const path of paths) expect(path).not.toMatch(/\\|^\/|%5C/);
}

function expectNoControlCharacters(result: RunResult): void {
  expect(formatTextReport(result, false)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
}

test('all reports of a result have its counts, relative paths, and no control characters', () => {
  fc.assert(
    fc.property(arbitraryResult, (result) => {
      const want = facts(result);
      for (const kind of REPORT_KINDS) LAWS[kind](result, want);
      expectExitCode(want);
      expectRelativePaths(result);
      expectNoControlCharacters(result);
    }),
    { numRuns: 20 },
  );
});

test('the report of the same result is the same, byte by byte', () => {
  fc.assert(
    fc.property(arbitraryResult, fc.constantFrom(...REPORT_KINDS), (result, kind) => {
      expect(formatReport(kind, structuredClone(result), KEY)).toBe(formatReport(kind, result, KEY));
    }),
    { numRuns: 20 },
  );
});
