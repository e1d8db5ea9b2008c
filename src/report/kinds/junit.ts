import { type RunResult, type StepResult } from '../../runner/result/run-result';
import { coverageProperties } from '../causes/coverage-text';
import { othersChanged } from '../causes/run-summary';
import { tallyOf } from '../../runner/result/outcome';
import { type Group, groupBy } from '../../core/text/group-by';
import {
  escapeAttribute,
  escapeMarkup,
  evidenceLines,
  findingLines,
  headline,
  type ReportCase,
  reportCases,
  type ReportDefinition,
  reportPath,
  stepLines,
} from '../text/step-text';
import type { KeyInShell } from '../text/shell-commands';

export const report: ReportDefinition = {
  about: 'The test reports of GitLab, Jenkins, Azure and others: a suite for each contract, a case for each step',
  format: formatJunit,
};

/**
 * A result as JUnit XML: the core that all readers take, flat suites of cases. A failure is a violation; an error is
 * what could not be checked, or what is wrong with the run as a whole.
 *
 * Written here: none of the packages at hand writes XML, and what it takes is one function for an element.
 */
export function formatJunit(result: RunResult, key: KeyInShell): string {
  const cases = reportCases(result);
  const attributes = { name: `standin verify: ${result.api}`, ...counts(cases), time: seconds(result.durationMs) };
  // The format has properties of suites alone: the first one has those of the run.
  const suites = groupBy(cases, ({ suite }) => suite).map((group, index) =>
    suiteElement(group, result, key, index === 0 ? propertyElements(result) : []),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, suites)}\n`;
}

/** `coverage.operations` and the like, in percent. */
function propertyElements(result: RunResult): string[] {
  const properties = Object.entries(coverageProperties(result)).flatMap(([name, value]) =>
    value === null ? [] : [element('property', { name: `coverage.${name}`, value }, [])],
  );
  const changed = othersChanged(result);
  if (changed !== undefined)
    properties.push(
      element('property', { name: 'rows.of.others', value: [changed.title, ...changed.lines].join('; ') }, []),
    );
  return properties.length === 0 ? [] : [element('properties', {}, properties)];
}

function suiteElement(
  cases: Group<ReportCase>,
  { startedAt }: RunResult,
  key: KeyInShell,
  properties: readonly string[],
): string {
  const durations = cases.map((each) => (each.kind === 'step' ? (each.step.durationMs ?? 0) : 0));
  const time = seconds(durations.reduce((sum, next) => sum + next, 0));
  // Readers of the format know neither fractions nor a zone.
  const timestamp = startedAt.slice(0, 19);
  const attributes = { name: cases[0].suite, ...counts(cases), time, timestamp };
  return element('testsuite', attributes, [...properties, ...cases.map((each) => caseElement(each, key))]);
}

function counts(cases: readonly ReportCase[]): Record<'tests' | 'failures' | 'errors' | 'skipped', number> {
  const tally = tallyOf(cases.flatMap((each) => (each.kind === 'step' ? [each.step] : [])));
  const problems = cases.filter(({ kind }) => kind === 'problem').length;
  return { tests: cases.length, failures: tally.fail, errors: tally.error + problems, skipped: tally.skipped };
}

function caseElement(each: ReportCase, key: KeyInShell): string {
  if (each.kind === 'problem') {
    const { id, message, hint } = each.problem;
    const error = element('error', { message, type: id }, [escapeMarkup(`${message}\n${hint}`)]);
    return element('testcase', { classname: each.suite, name: each.name, time: seconds(0) }, [error]);
  }
  const { step, contract, suite, name } = each;
  const file = contract === undefined ? {} : { file: reportPath(contract.file) };
  const attributes = { classname: suite, name, time: seconds(step.durationMs ?? 0), ...file };
  return element('testcase', attributes, [...verdictElements(each, key), ...outputElements(step)]);
}

function verdictElements(each: Extract<ReportCase, { kind: 'step' }>, key: KeyInShell): string[] {
  const { step } = each;
  const { verdict } = step;
  const message = headline(step, each.cause) ?? '';
  // Some readers show the text and not the message: it is in both.
  const text = (): string[] => [escapeMarkup([message, ...stepLines(each, key)].join('\n'))];
  if (verdict.kind === 'pass') return [];
  if (verdict.kind === 'skipped') return [element('skipped', { message }, [])];
  if (verdict.kind === 'error') return [element('error', { message, type: verdict.error.code }, text())];
  return [element('failure', { message, type: each.cause?.check ?? 'finding' }, text())];
}

/** What was sent and came back where it failed, and what fails nothing. */
function outputElements(step: StepResult): string[] {
  const warnings = step.warnings.flatMap((finding) => ['warning', ...findingLines(finding)]);
  const lines = [...evidenceLines(step), ...warnings];
  return lines.length === 0 ? [] : [element('system-out', {}, [escapeMarkup(lines.join('\n'))])];
}

/** @param children - markup, each on lines of its own unless it is text */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[],
): string {
  const head = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  const open = `<${name}${head.join('')}`;
  if (children.length === 0) return `${open}/>`;
  const isText = children.length === 1 && !children[0]?.startsWith('<');
  const inside = isText ? children.join('') : `\n${children.join('\n')}\n`;
  return `${open}>${inside}</${name}>`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
