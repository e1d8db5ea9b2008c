import type { RunResult } from '../../runner/result/run-result';
import type { RootCause } from '../causes/root-cause';
import { rootCauses } from '../causes/root-causes';
import { OUTCOME_WORDS, scopeText, summaryText, VERDICT_WORDS, warningGroups } from '../causes/run-summary';
import { reproductionOf } from '../text/reproduction';
import type { KeyInShell } from '../text/shell-commands';
import {
  causeDetails,
  escapeMarkup as text,
  evidenceLines,
  headline,
  isFirstOf,
  type ReportCase,
  reportCases,
  type ReportDefinition,
  stepLines,
} from '../text/step-text';

export const report: ReportDefinition = {
  about: 'A page for a browser that needs no network: causes, every step with a filter, coverage',
  format: formatHtml,
};

/** Style of the page: colours of the system, light or dark. */
const HTML_STYLE = `
:root { color-scheme: light dark; --quiet: #59636e; --line: #d1d9e0; --pass: #1a7f37; --fail: #cf222e; --error: #8250df; --skipped: #59636e; --soft: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  :root { --quiet: #9198a1; --line: #3d444d; --pass: #3fb950; --fail: #f85149; --error: #ab7df8; --skipped: #9198a1; --soft: #151b23; }
}
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem; }
h1, h2, h3 { line-height: 1.25; }
h3 { font-size: 1rem; }
code, pre { font: 0.875em/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--soft); border-radius: 6px; overflow-x: auto; padding: 0.75rem; white-space: pre-wrap; }
article { border: 1px solid var(--line); border-left: 4px solid var(--fail); border-radius: 6px; margin: 1rem 0; padding: 0 1rem; }
article[data-cause="error"] { border-left-color: var(--error); }
dl { display: grid; gap: 0 1rem; grid-template-columns: max-content 1fr; }
dt, .quiet, caption { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; overflow-wrap: break-word; }
th { white-space: nowrap; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .error { color: var(--error); } .skipped { color: var(--skipped); }
fieldset { border: 0; padding: 0; }
label { margin-right: 1rem; }
`;

/** Shows the steps of the chosen verdicts; without it all of them are there. */
const HTML_SCRIPT = `
const form = document.getElementById('filter');
form.hidden = false;
form.addEventListener('change', () => {
  const chosen = new Set([...form.querySelectorAll('input:checked')].map((input) => input.value));
  for (const row of document.querySelectorAll('tr[data-verdict]')) row.hidden = !chosen.has(row.dataset.verdict);
});
`;

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
    return `<article data-cause="${text(cause.kind)}" data-count="${cause.count}">
<h3><code>${text(cause.check)}</code> ${text(cause.message)}</h3>
<dl>${causeDetails(cause).map(pair).join('')}</dl>
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
    table('Findings that do not fail the run', ['Check', 'Message', 'First in', 'See', 'Count'], rows),
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
    table('What the run created and did not remove', ['Where', 'Created by', 'Reason', 'Expected'], rows),
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
    table('Statuses that each operation returned', ['Operation', 'Request', 'Steps', 'Statuses seen'], rows),
  );
}

function section(id: string, heading: string, content: string): string {
  return `<section aria-labelledby="${id}-heading" id="${id}">\n<h2 id="${id}-heading">${text(heading)}</h2>\n${content}\n</section>`;
}

function table(caption: string, columns: readonly string[], rows: readonly string[]): string {
  const heads = columns.map((column) => `<th scope="col">${text(column)}</th>`).join('');
  return `<div class="wide"><table><caption>${text(caption)}</caption><thead><tr>${heads}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
}

function pair([label, description]: readonly [string, string]): string {
  return `<dt>${text(label.charAt(0).toUpperCase() + label.slice(1))}</dt><dd>${text(description)}</dd>`;
}
