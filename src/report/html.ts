import type { RunResult } from '../runner/run-result';
import { evidenceLines, isFirstOf, requestIdText } from './evidence-text';
import { HTML_SCRIPT, HTML_STYLE } from './html-assets';
import { escapeMarkup as text } from './plain-text';
import { reportCases, type ReportCase } from './report-case';
import { headline, stepLines } from './report-text';
import { reproductionOf } from './reproduction';
import type { RootCause } from './root-cause';
import { rootCauses } from './root-causes';
import type { KeyInShell } from './shell-command';
import { warningGroups } from './warning-groups';
import { scopeText, summaryText } from './summary';
import { counted, extentText, otherViews, OUTCOME_WORDS, VERDICT_WORDS } from './wording';

/** A result as one page that needs nothing else: no network, no script to be read, light or dark as the reader likes. */
export function formatHtml(result: RunResult, key: KeyInShell): string {
  const { api, outcome, baseUrl, startedAt, runId, version } = result;
  const title = `${OUTCOME_WORDS[outcome]}: ${api}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${text(title)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header>
<h1><span class="outcome ${outcome === 'conforms' ? 'pass' : 'fail'}">${OUTCOME_WORDS[outcome]}</span> ${text(api)}</h1>
<p>${text(summaryText(result))} at <code>${text(baseUrl)}</code>. ${text(scopeText(result))}.</p>
<p class="quiet">Run ${text(runId)}, ${text(startedAt)}, ${text((result.durationMs / 1000).toFixed(1))} s, standin ${text(version)}</p>
</header>
<main>
${[causeSection(rootCauses(result), key), warningSection(result), leftBehindSection(result), stepSection(result, key), coverageSection(result)].filter((section) => section !== '').join('\n')}
</main>
<script>${HTML_SCRIPT}</script>
</body>
</html>
`;
}

function causeSection(causes: readonly RootCause[], key: KeyInShell): string {
  if (causes.length === 0) return '';
  const items = causes.map((cause, index) => {
    const [owned] = cause.steps;
    const { step } = owned;
    const commands = reproductionOf(owned, key)?.commands;
    const request =
      step.request === undefined
        ? undefined
        : `${step.request.method} ${step.request.url} → ${step.status ?? 'no answer'}`;
    return `<article data-cause="${text(cause.kind)}" data-count="${cause.count}">
<h3><code>${text(cause.check)}</code> ${text(cause.message)}</h3>
<dl>${[
      pair('First in', step.name),
      pair('Step', step.place),
      pair('Request', request),
      pair('Request id', requestIdText(step)),
      pair('At', cause.at),
      pair('Expected', cause.expected),
      pair('Actual', cause.actual),
      pair('See', cause.place),
      pair('Suspect', `the ${cause.suspect}`),
      pair('Hint', cause.hint),
      pair('Operations', cause.operations.length > 1 ? cause.operations.join(', ') : undefined),
      ...otherViews(cause).map((view) => pair('As well', view)),
      pair('In all', cause.count > 1 ? extentText(cause) : undefined),
      pair('Skipped because of it', cause.consequences > 0 ? counted(cause.consequences, 'step') : undefined),
      pair('Fingerprint', cause.fingerprint),
    ].join('')}</dl>
${commands === undefined ? '' : `<pre tabindex="0"><code>${text(commands.join('\n'))}</code></pre>`}
${evidenceElement(isFirstOf(cause, causes.slice(0, index)) ? evidenceLines(step) : [])}
</article>`;
  });
  return section('causes', `Causes (${causes.length})`, items.join('\n'));
}

/** Folded: it can be long. */
function evidenceElement(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `<details class="evidence"><summary>Request and response</summary><pre tabindex="0">${text(lines.join('\n'))}</pre></details>`;
}

function warningSection(result: RunResult): string {
  const groups = warningGroups(result);
  if (groups.length === 0) return '';
  const rows = groups.map((group) => {
    const [{ step, finding }] = group;
    return `<tr><td><code>${text(finding.check)}</code></td><td>${text(finding.message)}</td><td>${text(step.name)}</td><td>${text(finding.place ?? '')}</td><td>${group.length}</td></tr>`;
  });
  return section(
    'warnings',
    `Warnings (${groups.length})`,
    table('Findings that fail nothing', ['Check', 'Message', 'First in', 'See', 'Count'], rows),
  );
}

function leftBehindSection({ leftBehind }: RunResult): string {
  if (leftBehind.length === 0) return '';
  const rows = leftBehind.map(
    ({ url, operation, reason, isAccepted }) =>
      `<tr><td><code>${text(url)}</code></td><td>${text(operation)}</td><td>${text(reason)}</td><td>${isAccepted ? 'yes' : 'no'}</td></tr>`,
  );
  return section(
    'left-behind',
    `Left behind (${leftBehind.length})`,
    table('What the run made and did not remove', ['Where', 'Made by', 'Reason', 'Cannot be removed'], rows),
  );
}

function stepSection(result: RunResult, key: KeyInShell): string {
  const cases = reportCases(result);
  const filters = (['fail', 'error', 'pass', 'skipped'] as const).map(
    (kind) => `<label><input type="checkbox" value="${kind}" checked> ${VERDICT_WORDS[kind]}</label>`,
  );
  const rows = cases.map((each) => stepRow(each, key));
  const columns = ['Verdict', 'Contract', 'Step', 'Operation', 'Status', 'Time'];
  return section(
    'steps',
    `Steps (${cases.length})`,
    `<form id="filter" hidden><fieldset><legend>Show</legend>${filters.join(' ')}</fieldset></form>\n${table('Every step and probe of the run', columns, rows)}`,
  );
}

function stepRow(each: ReportCase, key: KeyInShell): string {
  if (each.kind === 'problem') {
    const { message, hint } = each.problem;
    return `<tr data-verdict="error" data-problem="${each.problem.id}"><td class="error">${VERDICT_WORDS.error}</td><td>${text(each.suite)}</td><td>${text(message)}. ${text(hint)}</td><td></td><td></td><td></td></tr>`;
  }
  const { step, suite, name } = each;
  const { kind } = step.verdict;
  const why = headline(step, each.cause);
  const details =
    kind === 'pass'
      ? ''
      : kind === 'skipped'
        ? `<br>${text(why ?? '')}`
        : `<details><summary>${text(why ?? '')}</summary><pre tabindex="0">${text(stepLines(each, key).join('\n'))}</pre></details>`;
  const time = step.durationMs === undefined ? '' : `${Math.round(step.durationMs)} ms`;
  return `<tr data-verdict="${kind}"><td class="${kind}">${VERDICT_WORDS[kind]}</td><td>${text(suite)}</td><td>${text(name)}${details}</td><td>${text(step.operation ?? '')}</td><td>${step.status ?? ''}</td><td>${time}</td></tr>`;
}

function coverageSection({ coverage }: RunResult): string {
  if (coverage.length === 0) return '';
  const rows = coverage.map(
    ({ operation, method, path, steps, statuses }) =>
      `<tr><td>${text(operation)}</td><td><code>${text(method)} ${text(path)}</code></td><td>${steps}</td><td>${statuses.length === 0 ? 'none' : statuses.join(', ')}</td></tr>`,
  );
  return section(
    'coverage',
    'Coverage',
    table('What each operation answered with', ['Operation', 'Request', 'Steps', 'Statuses seen'], rows),
  );
}

function section(id: string, heading: string, content: string): string {
  return `<section aria-labelledby="${id}-heading" id="${id}">\n<h2 id="${id}-heading">${text(heading)}</h2>\n${content}\n</section>`;
}

function table(caption: string, columns: readonly string[], rows: readonly string[]): string {
  const heads = columns.map((column) => `<th scope="col">${text(column)}</th>`).join('');
  return `<div class="wide"><table><caption>${text(caption)}</caption><thead><tr>${heads}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
}

function pair(term: string, description: string | undefined): string {
  return description === undefined ? '' : `<dt>${text(term)}</dt><dd>${text(description)}</dd>`;
}
