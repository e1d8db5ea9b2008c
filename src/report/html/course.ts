import type { RunResult, StepResult } from '../../runner/result/run-result';
import { VERDICT_WORDS } from '../causes/run-summary';
import type { KeyInShell } from '../text/shell-commands';
import { escapeMarkup as text, headline, type ReportCase, reportCases, stepLines } from '../text/step-text';
import { foldedElement, linesElement, type Section, tableElement } from './markup';

const WIDTH = 1000;
const ROW = 14;
/** More bars than these are no picture any more, and slow to draw: then only what did not pass is drawn. */
const MOST_BARS = 3000;

/** When each step was sent: a line for each contract, a bar for each step. */
export function timelineSection(result: RunResult): Section {
  const lanes = [
    ...result.contracts.map(({ name, steps }) => ({ name, steps })),
    { name: 'auth behaviour', steps: result.probes },
  ]
    .map(({ name, steps }) => ({ name, steps: steps.filter(({ startMs }) => startMs !== undefined) }))
    .filter(({ steps }) => steps.length > 0);
  const heading = 'Timeline';
  if (lanes.length === 0) return { id: 'timeline', heading, content: '' };
  const end = Math.max(1, ...lanes.flatMap(({ steps }) => steps.map(endOf)));
  const isCrowded = lanes.reduce((sum, { steps }) => sum + steps.length, 0) > MOST_BARS;
  const rows = lanes.map(({ name, steps }, index) => {
    const shown = isCrowded ? steps.filter(({ verdict }) => verdict.kind !== 'pass') : steps;
    const from = Math.min(...steps.map(({ startMs = 0 }) => startMs));
    const to = Math.max(...steps.map(endOf));
    const whole = `<rect class="lane" x="${scaled(from, end)}" y="${index * ROW + 6}" width="${scaled(to - from, end)}" height="2"/>`;
    const bars = shown.map((step) => barElement(step, index, end)).join('');
    return `<g><title>${text(name)}</title>${whole}${bars}</g>`;
  });
  const height = lanes.length * ROW;
  const seconds = (end / 1000).toFixed(1);
  const label = `${lanes.length} contracts and probes in ${seconds} seconds; each bar is a step`;
  const note = isCrowded ? ' Steps that passed are left out.' : '';
  const content = `<p class="quiet">From 0 to ${seconds} s; each line is a contract, each bar a step.${note}</p>
<svg class="timeline" role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${height}" preserveAspectRatio="none" height="${height}">${rows.join('')}</svg>`;
  return { id: 'timeline', heading, content };
}

function endOf({ startMs = 0, durationMs = 0 }: StepResult): number {
  return startMs + durationMs;
}

function scaled(ms: number, end: number): string {
  return ((ms / end) * WIDTH).toFixed(1);
}

function barElement(step: StepResult, lane: number, end: number): string {
  const { startMs = 0, durationMs = 0, name, verdict } = step;
  const width = Math.max(1.5, Number(scaled(durationMs, end)));
  const told = `${name}: ${VERDICT_WORDS[verdict.kind]}, ${Math.round(durationMs)} ms`;
  return `<rect class="${verdict.kind}" x="${scaled(startMs, end)}" y="${lane * ROW + 2}" width="${width}" height="10"><title>${text(told)}</title></rect>`;
}

/** What the run made and whether it is gone, with what is left and why. */
export function createdSection({ created = [], leftBehind }: RunResult): Section {
  const left = new Map(leftBehind.map((residue) => [residue.url, residue]));
  const known = new Set(created.map(({ url }) => url));
  const all = [
    ...created.map(({ url, operation, isRemoved }) => ({ url, operation, isRemoved, residue: left.get(url) })),
    ...leftBehind
      .filter(({ url }) => !known.has(url))
      .map((residue) => ({ url: residue.url, operation: residue.operation, isRemoved: false, residue })),
  ];
  const there = all.filter(({ isRemoved }) => !isRemoved);
  const rows = [...there, ...all.filter(({ isRemoved }) => isRemoved)].map(({ url, operation, isRemoved, residue }) => {
    const state = isRemoved ? 'removed' : residue?.isAccepted === true ? 'stays, as expected' : 'still there';
    const kind = isRemoved ? 'pass' : residue?.isAccepted === true ? 'skipped' : 'fail';
    return `<tr><td class="${kind}">${state}</td><td><code>${text(url)}</code></td><td>${text(operation)}</td><td>${text(residue?.reason ?? '')}</td></tr>`;
  });
  const table = tableElement('What the run made', ['Now', 'Where', 'Made by', 'Reason'], rows);
  const heading = `Made and removed (${all.length}, ${there.length} still there)`;
  const content =
    all.length === 0 ? '' : there.length === 0 ? foldedElement('Everything was removed', table, 'made') : table;
  return { id: 'made', heading, content };
}

/** Rows of others that changed while the run went on. */
export function othersSection({ othersChanged = [] }: RunResult): Section {
  const rows = othersChanged.map(
    ({ url, properties }) =>
      `<tr><td><code>${text(url)}</code></td><td>${text(properties?.join(', ') ?? 'is gone')}</td></tr>`,
  );
  const heading = `Rows of others that changed while the run went on (${rows.length})`;
  const content = rows.length === 0 ? '' : tableElement(heading, ['Where', 'What changed'], rows);
  return { id: 'others', heading, content };
}

export function stepSection(result: RunResult, key: KeyInShell): Section {
  const cases = reportCases(result);
  const filters = (['fail', 'error', 'pass', 'skipped'] as const).map(
    (kind) => `<label><input type="checkbox" value="${kind}" checked> ${VERDICT_WORDS[kind]}</label>`,
  );
  const rows = cases.map((each) => stepRow(each, key));
  const columns = ['Verdict', 'Contract', 'Step', 'Operation', 'Status', 'Time'];
  const form = `<form id="filter" hidden><fieldset><legend>Show</legend>${filters.join(' ')}</fieldset></form>`;
  const content = `${form}\n${tableElement('Every step and probe of the run', columns, rows)}`;
  return { id: 'steps', heading: `Steps (${cases.length})`, content };
}

function stepRow(each: ReportCase, key: KeyInShell): string {
  if (each.kind === 'problem') {
    const { message, hint, id } = each.problem;
    return `<tr data-verdict="error" data-problem="${id}"><td class="error">${VERDICT_WORDS.error}</td><td>${text(each.suite)}</td><td>${text(message)}. ${text(hint)}</td><td></td><td></td><td></td></tr>`;
  }
  const { step, suite, name } = each;
  const { kind } = step.verdict;
  const why = headline(step, each.cause) ?? '';
  const details =
    kind === 'pass'
      ? ''
      : kind === 'skipped'
        ? `<br>${text(why)}`
        : foldedElement(why, linesElement(stepLines(each, key)), 'step');
  const time = step.durationMs === undefined ? '' : `${Math.round(step.durationMs)} ms`;
  return `<tr data-verdict="${kind}"><td class="${kind}">${VERDICT_WORDS[kind]}</td><td>${text(suite)}</td><td>${text(name)}${details}</td><td>${text(step.operation ?? '')}</td><td>${step.status ?? ''}</td><td>${time}</td></tr>`;
}
