import type { RunResult } from '../../runner/result/run-result';
import type { Comparison } from '../causes/comparison';
import { areaOf } from '../causes/fingerprint';
import type { RootCause } from '../causes/root-cause';
import { warningGroups } from '../causes/run-summary';
import { reproductionOf } from '../text/reproduction';
import type { KeyInShell } from '../text/shell-commands';
import { causeDetails, escapeMarkup as text, evidenceLines, isFirstOf } from '../text/step-text';
import { causeAnchor, foldedElement, linesElement, type Section, tableElement } from './markup';

/** Each cause once, with how to see it again and its evidence folded; its address is `#finding-FINGERPRINT`. */
export function causeSection(
  causes: readonly RootCause[],
  key: KeyInShell,
  comparison: Comparison | undefined,
): Section {
  const heading = `Findings (${causes.length})`;
  if (causes.length === 0) return { id: 'causes', heading, content: '' };
  const items = causes.map((cause, index) => causeElement(cause, causes.slice(0, index), key, comparison));
  return { id: 'causes', heading, content: `${filterElement()}\n${items.join('\n')}` };
}

function filterElement(): string {
  return `<form id="find" hidden><label>Find <input type="search" name="text" placeholder="operation, check, text"></label> <output></output></form>`;
}

function causeElement(
  cause: RootCause,
  before: readonly RootCause[],
  key: KeyInShell,
  comparison: Comparison | undefined,
): string {
  const [owned] = cause.steps;
  const anchor = causeAnchor(cause.fingerprint);
  const commands = reproductionOf(owned, key)?.commands;
  const evidence = isFirstOf(cause, before) ? evidenceLines(owned.step) : [];
  const age =
    comparison === undefined
      ? ''
      : comparison.fresh.has(cause.fingerprint)
        ? '<span class="mark new">new</span> '
        : '<span class="mark">as before</span> ';
  const area = cause.kind === 'finding' ? areaOf(cause) : cause.kind;
  return `<article data-cause="${text(cause.kind)}" id="${anchor}" data-area="${area}" data-count="${cause.count}">
<h3>${age}${text(cause.message)} <a class="anchor" href="#${anchor}" aria-label="Link to this finding">#</a></h3>
<p class="quiet"><code>${text(cause.check)}</code></p>
<dl>${causeDetails(cause).map(pair).join('')}</dl>
${commands === undefined ? '' : foldedElement('How to see it again', linesElement(commands), 'reproduce')}
${evidence.length === 0 ? '' : foldedElement('Request and response', linesElement(evidence), 'evidence')}
</article>`;
}

function pair([label, description]: readonly [string, string]): string {
  return `<dt>${text(label.charAt(0).toUpperCase() + label.slice(1))}</dt><dd>${text(description)}</dd>`;
}

/** Causes of the earlier run that are gone, or of which nobody knows. */
export function comparisonSection(comparison: Comparison | undefined): Section {
  const rows = (causes: readonly RootCause[], word: string): string[] =>
    causes.map(
      ({ fingerprint, check, message, operations }) =>
        `<tr><td>${word}</td><td><code>${text(check)}</code></td><td>${text(message)}</td><td>${text(operations.join(', '))}</td><td><code>${fingerprint}</code></td></tr>`,
    );
  const all =
    comparison === undefined
      ? []
      : [...rows(comparison.fixed, 'fixed'), ...rows(comparison.notTried, 'not tried again')];
  const content =
    all.length === 0
      ? ''
      : tableElement('Findings of the earlier run', ['Now', 'Check', 'Message', 'Operations', 'Fingerprint'], all);
  return { id: 'gone', heading: 'Not in this run any more', content };
}

export function warningSection(result: RunResult): Section {
  const groups = warningGroups(result);
  const rows = groups.map((group) => {
    const [{ step, finding }] = group;
    return `<tr><td><code>${text(finding.check)}</code></td><td>${text(finding.message)}</td><td>${text(step.name)}</td><td>${text(finding.place ?? '')}</td><td>${group.length}</td></tr>`;
  });
  const columns = ['Check', 'Message', 'First in', 'See', 'Count'];
  const content = rows.length === 0 ? '' : tableElement('Findings that do not fail the run', columns, rows);
  return { id: 'warnings', heading: `Warnings (${groups.length})`, content };
}
