import type { RunResult, StepResult } from '../../runner/result/run-result';
import { coverageProperties } from '../causes/coverage-text';
import { exitCodeOf, othersChanged } from '../causes/run-summary';
import {
  evidenceLines,
  headline,
  parseLocation,
  type ReportCase,
  reportCases,
  type ReportDefinition,
  reportPath,
  stepLines,
  writable,
} from '../text/step-text';
import type { KeyInShell } from '../text/shell-commands';
import { printableJson } from '../../core/text/printable';

export const report: ReportDefinition = {
  about: 'Tools that read the Common Test Report Format',
  format: formatCtrf,
};

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/**
 * A result as CTRF. What could not be checked and what is wrong with the run as a whole count as failed: a reader that
 * looks at no other number must not take the run for green.
 */
export function formatCtrf(result: RunResult, key: KeyInShell): string {
  const start = Date.parse(result.startedAt);
  const tests = reportCases(result).map((each) => testOf(each, key));
  const changed = othersChanged(result);
  const count = (status: Status): number => tests.filter((test) => test.status === status).length;
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: `standin ${result.version}`,
    timestamp: result.startedAt,
    results: {
      tool: { name: 'standin', version: result.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: count('pending'),
        other: count('other'),
        suites: new Set(tests.map(({ suite }) => suite[0])).size,
        start,
        stop: start + Math.round(result.durationMs),
        extra: {
          outcome: result.outcome,
          exitCode: exitCodeOf(result.outcome),
          mode: result.mode,
          coverage: coverageProperties(result),
          ...(changed === undefined ? {} : { othersChanged: changed }),
        },
      },
      tests,
      environment: { appName: result.api, testEnvironment: result.baseUrl },
    },
  };
  return `${printableJson(JSON.stringify(report, null, 2))}\n`;
}

function testOf(each: ReportCase, key: KeyInShell): CtrfTest {
  // The schema wants a name of at least one character.
  const about = { name: writable(each.name) || 'step', suite: [writable(each.suite) || 'contract'] };
  if (each.kind === 'problem') {
    const { message, hint, id } = each.problem;
    return { ...about, status: 'failed', duration: 0, message: writable(message), trace: hint, rawStatus: id };
  }
  const { step } = each;
  const message = headline(step, each.cause);
  const evidence = evidenceLines(step);
  const isTrouble = step.verdict.kind === 'fail' || step.verdict.kind === 'error';
  return {
    ...about,
    status: statusOf(step),
    duration: Math.round(step.durationMs ?? 0),
    ...(message === undefined ? {} : { message: writable(message) }),
    ...(isTrouble ? { trace: writable(stepLines(each, key).join('\n')) } : {}),
    ...(evidence.length === 0 ? {} : { stdout: evidence.map(writable) }),
    ...locationProperties(step),
    rawStatus: step.verdict.kind,
    ...(step.attempts > 1 ? { retries: step.attempts - 1 } : {}),
    ...(step.operation === undefined ? {} : { extra: { operation: step.operation } }),
  };
}

interface CtrfTest {
  readonly name: string;
  readonly suite: readonly string[];
  readonly status: Status;
  /** Milliseconds. */
  readonly duration: number;
  readonly message?: string;
  readonly trace?: string;
  readonly stdout?: readonly string[];
  readonly rawStatus: string;
}

function statusOf({ verdict }: StepResult): Status {
  if (verdict.kind === 'pass') return 'passed';
  if (verdict.kind !== 'skipped') return 'failed';
  return verdict.cause === 'pending' ? 'pending' : 'skipped';
}

function locationProperties({ place }: StepResult): object {
  if (place === undefined) return {};
  const { file, line } = parseLocation(place);
  return { line, filePath: reportPath(file) };
}
