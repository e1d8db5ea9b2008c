import { formatReport, type ReportKind } from '../../src/report/registry';
import type { RunResult, StepResult } from '../../src/runner/result/run-result';
import { elements, parseXml } from './markup';
import { failed, findingOf, resultOfSteps, statusFinding } from './results';

const json = (kind: ReportKind, result: RunResult) => JSON.parse(formatReport(kind, result));

/** What each report calls the first fault. */
const NAMES: Readonly<Record<ReportKind, (result: RunResult) => string | undefined>> = {
  json: (result) => json('json', result).causes[0].check,
  junit: (result) => elements(parseXml(formatReport('junit', result)), 'failure')[0]?.attributes['type'],
  ctrf: (result) => /^[\w-]+/.exec(json('ctrf', result).results.tests[0].message)?.[0],
  sarif: (result) => json('sarif', result).runs[0].results[0].ruleId,
  markdown: (result) => /^\| 1 \| ([\w-]+):/m.exec(formatReport('markdown', result))?.[1],
  github: (result) => /^::error .*?title=([\w-]+)%3A/m.exec(formatReport('github', result))?.[1],
  html: (result) => /<article[^]*?<code>([\w-]+)<\/code>/.exec(formatReport('html', result))?.[1],
  text: (result) => /^ {2}([a-z]+-[a-z-]+) /m.exec(formatReport('text', result))?.[1],
};
const KINDS = Object.keys(NAMES) as ReportKind[];

const lost = (name: string): StepResult =>
  failed([findingOf('content-type', '/response/headers/content-type'), statusFinding(404, 200)], {
    name,
    operation: name,
    status: 404,
  });

test.each(KINDS)('%s gives what explains the whole run its name', (kind) => {
  const result = resultOfSteps(lost('getBook'), lost('addBook'), lost('listBooks'));
  expect(NAMES[kind](result)).toBe('wrong-base-path');
});

test.each(KINDS)('%s gives what two checks found the name of the one with more to go on', (kind) => {
  const result = resultOfSteps(failed([findingOf('status-documented', '/response/status'), statusFinding(206, 200)]));
  expect(NAMES[kind](result)).toBe('status-expected');
});

test.each(['text', 'html', 'markdown', 'github', 'sarif'] as const)('%s tells what was merged', (kind) => {
  const expecting = (expected: string): StepResult =>
    failed([findingOf('body-expected', '/response/body/size', { expected, message: 'another size' })], {
      name: `with ${expected}`,
    });
  const report = formatReport(kind, resultOfSteps(expecting('3'), expecting('5'), expecting('5')));
  expect(report).toMatch(/body-expected another size.*expected 5.*with 5/);
});
