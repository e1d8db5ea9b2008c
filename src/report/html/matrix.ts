import { CHECK_AREAS, type CheckArea } from '../../core/errors/finding';
import { counted } from '../../core/text/printable';
import type { RunResult } from '../../runner/result/run-result';
import { checkMatrix, type MatrixCell, type MatrixRow } from '../causes/check-matrix';
import { escapeMarkup as text } from '../text/step-text';
import { causeAnchor, type Section, tableElement } from './markup';

const AREA_WORDS: Readonly<Record<CheckArea, string>> = {
  status: 'Status',
  schema: 'Schema',
  errors: 'Errors',
  auth: 'Auth',
  state: 'State',
  http: 'HTTP',
};

/** A cell is never told by its colour alone. */
const STATES: Readonly<Record<MatrixCell['state'], readonly [mark: string, word: string]>> = {
  fail: ['✗', 'failed'],
  error: ['!', 'could not be checked'],
  pass: ['✓', 'passed'],
  open: ['·', 'not looked at'],
};

/** Operations × what checks look at: the first thing to be read after the verdict. */
export function matrixSection(result: RunResult): Section {
  const rows = checkMatrix(result);
  const isKnown = [...result.contracts.flatMap(({ steps }) => steps), ...result.probes].some(
    ({ areas }) => areas !== undefined,
  );
  if (rows.length === 0 || !isKnown) return { id: 'matrix', heading: 'Operations', content: coverageTable(rows) };
  const called = rows.filter(({ statuses }) => statuses.length > 0).length;
  const legend = Object.values(STATES)
    .map(([mark, word]) => `<span aria-hidden="true">${mark}</span> ${word}`)
    .join(', ');
  const content = `<p class="quiet">${called} of ${counted(rows.length, 'operation')} answered. Signs: ${legend}.</p>\n${tableElement(
    'What was looked at, by operation',
    ['Operation', ...CHECK_AREAS.map((area) => AREA_WORDS[area]), 'Statuses seen'],
    rows.map(rowElement),
  )}`;
  return { id: 'matrix', heading: 'Operations', content };
}

function rowElement(row: MatrixRow): string {
  const { operation, statuses, cells } = row;
  const state = CHECK_AREAS.some((area) => cells[area].state === 'fail') ? 'fail' : 'other';
  const cellElements = CHECK_AREAS.map((area) => cellElement(cells[area])).join('');
  return `<tr data-operation="${text(operation)}" data-state="${state}"><th scope="row">${operationElement(row)}</th>${cellElements}<td>${statuses.length === 0 ? 'none' : statuses.join(', ')}</td></tr>`;
}

function operationElement({ operation, method, path }: MatrixRow): string {
  const request = `${method} ${path}`;
  const name = operation === request ? '' : ` <span class="quiet">${text(operation)}</span>`;
  return `<code>${text(request)}</code>${name}`;
}

function cellElement({ state, steps, cause }: MatrixCell): string {
  const [mark, word] = STATES[state];
  const told = state === 'open' ? word : `${word} in ${counted(steps, 'step')}`;
  const label = `<span aria-hidden="true">${mark}</span><span class="unseen">${told}</span>`;
  const content = cause === undefined ? label : `<a href="#${causeAnchor(cause)}">${label}</a>`;
  return `<td class="cell ${state}" title="${told}">${content}</td>`;
}

/** Of results that do not say what was looked at. */
function coverageTable(rows: readonly MatrixRow[]): string {
  if (rows.length === 0) return '';
  return tableElement(
    'Statuses that each operation returned',
    ['Operation', 'Statuses seen'],
    rows.map(
      (row) =>
        `<tr><th scope="row">${operationElement(row)}</th><td>${row.statuses.length === 0 ? 'none' : row.statuses.join(', ')}</td></tr>`,
    ),
  );
}
