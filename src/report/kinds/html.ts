import { createHash } from 'node:crypto';
import type { RunResult } from '../../runner/result/run-result';
import { type Comparison, compareResults, comparisonText } from '../causes/comparison';
import { rootCauses } from '../causes/root-causes';
import { OUTCOME_WORDS, scopeText, summaryText } from '../causes/run-summary';
import { coverageSection } from '../html/coverage';
import { createdSection, othersSection, stepSection, timelineSection } from '../html/course';
import { causeSection, comparisonSection, warningSection } from '../html/findings';
import { type Section, sectionElement } from '../html/markup';
import { matrixSection } from '../html/matrix';
import type { KeyInShell } from '../text/shell-commands';
import { escapeMarkup as text, type ReportDefinition } from '../text/step-text';

export const report: ReportDefinition = {
  about:
    'A page for a browser, one file that needs no network: operations × what was looked at, findings with evidence, coverage, timeline, what was made',
  format: formatHtml,
};

/** Style and script of the page, in the look of the window of the mock: made by the build from src/window. */
interface PageAssets {
  readonly style: string;
  readonly script: string;
}

/**
 * A result as one page that needs nothing else: no network, no script to be read, light or dark as the reader likes.
 *
 * @param before - an earlier run to compare with
 */
export function formatHtml(result: RunResult, key: KeyInShell, before?: RunResult): string {
  // oxlint-disable-next-line typescript/no-require-imports -- read by who writes such a page alone
  const { style, script } = require('#generated/report-page.js') as PageAssets;
  const comparison = before === undefined ? undefined : compareResults(before, result);
  const sections = [
    othersSection(result),
    matrixSection(result),
    causeSection(rootCauses(result), key, comparison),
    comparisonSection(comparison),
    warningSection(result),
    coverageSection(result),
    createdSection(result),
    timelineSection(result),
    stepSection(result, key),
  ].filter(({ content }) => content !== '');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${sourceHash(style)}'; script-src '${sourceHash(script)}'">
<title>${text(`${OUTCOME_WORDS[result.outcome]}: ${result.api}`)}</title>
<style>${style}</style>
</head>
<body>
${headerElement(result, comparison, sections)}
<main>
${sections.map(sectionElement).join('\n')}
</main>
<script>${script}</script>
</body>
</html>
`;
}

function headerElement(result: RunResult, comparison: Comparison | undefined, sections: readonly Section[]): string {
  const { api, outcome, baseUrl, startedAt, runId, version } = result;
  const compared =
    comparison === undefined
      ? ''
      : `\n<p>${text(comparisonText(comparison))}, beside run ${text(comparison.runId)} of ${text(comparison.startedAt)}.</p>`;
  const links = sections.map(({ id, heading }) => `<a href="#${id}">${text(heading)}</a>`);
  return `<header>
<h1><span class="outcome ${outcome === 'conforms' ? 'pass' : 'fail'}">${OUTCOME_WORDS[outcome]}</span> ${text(api)}</h1>
<p>${text(summaryText(result))} at <code>${text(baseUrl)}</code>. ${text(scopeText(result))}.</p>${compared}
<p class="quiet">Run ${text(runId)}, ${text(startedAt)}, ${text((result.durationMs / 1000).toFixed(1))} s, standin ${text(version)}</p>
<nav aria-label="Parts of the report">${links.join(' ')}</nav>
</header>`;
}

/** By which a page allows its own style and script, and no other (CSP 3 §2.3.1). */
function sourceHash(source: string): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`;
}
