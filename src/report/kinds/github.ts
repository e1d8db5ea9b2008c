import type { RunResult } from '../../runner/result/run-result';
import { parseLocation, type ReportDefinition, reportPath, requestIdText, responseLine } from '../text/step-text';
import { rootCauses } from '../causes/root-causes';
import { coverageText } from '../causes/coverage-text';
import {
  extentText,
  othersChanged,
  otherViews,
  OUTCOME_WORDS,
  runProblems,
  summaryText,
  warningGroups,
} from '../causes/run-summary';
import { printableLines, withoutCiCommands } from '../../core/text/printable';

export const report: ReportDefinition = {
  about: 'Annotations in GitHub Actions',
  format: formatGithub,
};

/** GitHub shows this many of each kind for one step of a workflow, and drops the others in silence. */
const MOST_SHOWN = 10;

interface Annotation {
  /** A file with line and column; `undefined` for what is about no file. */
  readonly place: string | undefined;
  readonly title: string;
  readonly message: string;
}

/** A result as workflow commands of GitHub Actions: an annotation for each cause and each warning, and the outcome. */
export function formatGithub(result: RunResult): string {
  const errors = [
    ...rootCauses(result).map((cause): Annotation => {
      const { check, message, expected, actual, hint, count, steps } = cause;
      const [{ step }] = steps;
      const lines = [
        message,
        ...labelled('expected', expected),
        ...labelled('actual', actual),
        ...labelled('response', responseLine(step)),
        ...labelled('request id', requestIdText(step)),
        ...otherViews(cause).map((view) => `as well: ${view}`),
        ...labelled('hint', hint),
      ];
      const often = count > 1 ? ` (${extentText(cause)})` : '';
      return { place: cause.place ?? step.place, title: `${check}: ${step.name}${often}`, message: lines.join('\n') };
    }),
    ...runProblems(result).map(({ id, message, hint }) => ({
      place: undefined,
      title: id,
      message: `${message}\n${hint}`,
    })),
  ];
  const changed = othersChanged(result);
  const first = changed && {
    place: undefined,
    title: 'rows of others',
    message: [changed.title, ...changed.lines].join('\n'),
  };
  // What is told for information alone annotates nothing.
  const found = warningGroups(result).flatMap((group): Annotation[] => {
    const [{ step, finding }] = group;
    if (finding.severity === 'info') return [];
    return [{ place: finding.place ?? step.place, title: `${finding.check}: ${step.name}`, message: finding.message }];
  });
  const warnings = first === undefined ? found : [first, ...found];
  const outcome = `${OUTCOME_WORDS[result.outcome]}: ${summaryText(result)}`;
  const notice = command('notice', { place: undefined, title: 'standin verify', message: outcome });
  const coverage = coverageText(result);
  const notices =
    coverage === undefined
      ? [notice]
      : [command('notice', { place: undefined, title: 'coverage', message: coverage }), notice];
  return `${[...shown('error', errors), ...shown('warning', warnings), ...notices].join('\n')}\n`;
}

function shown(kind: 'error' | 'warning', annotations: readonly Annotation[]): string[] {
  if (annotations.length <= MOST_SHOWN) return annotations.map((each) => command(kind, each));
  const rest = annotations.length - (MOST_SHOWN - 1);
  const last = {
    place: undefined,
    title: 'standin verify',
    message: `… and ${rest} more; the other reports have them all`,
  };
  return [...annotations.slice(0, MOST_SHOWN - 1), last].map((each) => command(kind, each));
}

function labelled(label: string, text: string | undefined): string[] {
  return text === undefined ? [] : [`${label}: ${text}`];
}

function command(kind: string, { place, title, message }: Annotation): string {
  const at = place === undefined ? [] : placeProperties(place);
  return `::${kind} ${[...at, `title=${property(title)}`].join(',')}::${data(message)}`;
}

function placeProperties(place: string): string[] {
  const { file, line, column } = parseLocation(place);
  return [`file=${property(reportPath(file))}`, `line=${line}`, `col=${column}`];
}

/** As the runner of GitHub reads it: these three are all that is escaped, in this order. No text begins a line. */
function data(text: string): string {
  const quiet = withoutCiCommands(text, ':');
  return printableLines(quiet.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
