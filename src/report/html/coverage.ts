import { DIMENSIONS, type DimensionCoverage, type UnseenUnit } from '../../runner/coverage/dimensions';
import type { RunResult } from '../../runner/result/run-result';
import { openCoverageText, percentText } from '../causes/coverage-text';
import { escapeMarkup as text } from '../text/step-text';
import { foldedElement, type Section, tableElement } from './markup';

/** Of each dimension; the JSON report has all. */
const MOST_ROWS = 500;

/** How much of the description was seen, by dimension, and what was not. */
export function coverageSection(result: RunResult): Section {
  const { dimensions = [], minCoverage = {} } = result;
  const about = { id: 'coverage', heading: 'Coverage' };
  if (dimensions.length === 0) return { ...about, content: '' };
  const open = openCoverageText(result);
  const rows = dimensions.map((each) => {
    const { dimension, seen, total } = each;
    const limit = minCoverage[dimension];
    const isMissed = open === undefined && limit !== undefined && seen * 100 < limit * total;
    const asked =
      limit === undefined ? '–' : `${limit} %${isMissed ? ' <span aria-hidden="true">✗</span> missed' : ''}`;
    return `<tr data-dimension="${dimension}"><th scope="row" title="${text(DIMENSIONS[dimension].unit)}">${dimension}</th><td>${percentText(each)}</td><td>${seen} of ${total}</td><td>${asked}</td></tr>`;
  });
  const table = tableElement('What was seen of the description', ['Of', 'Seen', 'Units', 'Asked for'], rows);
  const remark = open === undefined ? '' : `<p class="quiet">${text(open)}</p>\n`;
  return { ...about, content: [`${remark}${table}`, ...dimensions.flatMap(unseenElement)].join('\n') };
}

function unseenElement({ dimension, seen, total, unseen }: DimensionCoverage): string[] {
  if (unseen.length === 0) return [];
  const caption = `${dimension} not seen: ${total - seen}`;
  const rest = unseen.length - MOST_ROWS;
  const more = rest > 0 ? `<p class="quiet">… and ${rest} more; the JSON report has them all.</p>` : '';
  const table = tableElement(
    caption,
    ['Operation', 'Not seen', 'In the description'],
    unseen.slice(0, MOST_ROWS).map(unseenRow),
  );
  return [foldedElement(caption, `${table}${more}`, 'uncovered')];
}

function unseenRow({ operation, name, pointer, units }: UnseenUnit): string {
  const what = units === undefined ? name : `${name} (${units})`;
  return `<tr><th scope="row">${text(operation)}</th><td>${text(what)}</td><td><code>${text(pointer)}</code></td></tr>`;
}
