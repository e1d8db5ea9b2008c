import type pc from 'picocolors';
import { formatHarnessError } from '../errors/harness-error';
import { printable } from '../errors/printable';
import type { StepResult } from '../runner/run-result';
import type { Group } from './group-by';
import { reproductionOf } from './reproduction';
import { evidenceLines, requestIdText } from './evidence-text';
import type { RootCause } from './root-cause';
import type { KeyInShell } from './shell-command';
import { counted, extentText, otherViews } from './wording';

export type Colours = ReturnType<typeof pc.createColors>;

/** Names of steps in one line; the rest is counted. */
const MOST_NAMES = 5;
const LONGEST_NAME = 50;

/** Causes that first showed in one step: the step once, each cause, and commands that bring it about again. */
export function formatCauses(causes: Group<RootCause>, colours: Colours, key: KeyInShell, isVerbose = false): string {
  const [cause] = causes;
  const [owned] = cause.steps;
  const lines = [
    `${owned.step.verdict.kind === 'error' ? colours.magenta('ERROR') : colours.red('FAIL')} ${stepTitle(owned.step, colours)}`,
    ...formatExchange(owned.step, colours),
    ...causes.flatMap((each) => [...formatCause(each, colours), ...formatExtent(each, colours)]),
    ...formatCommands(reproductionOf(owned, key), colours),
    ...(isVerbose ? evidenceLines(owned.step).map((line) => `    ${line}`) : []),
  ];
  return lines.join('\n');
}

/** Name, operation and place of a step. */
export function stepTitle({ name, operation, place }: StepResult, colours: Colours): string {
  const about = operation === undefined || name.startsWith(operation) ? '' : ` (${operation})`;
  return `${colours.bold(printable(name))}${about}${place === undefined ? '' : `  ${colours.dim(printable(place))}`}`;
}

function formatExchange(step: StepResult, colours: Colours): string[] {
  const { request, status, attempts } = step;
  if (request === undefined) return [];
  const ids = requestIdText(step);
  const answer = status === undefined ? 'no answer' : String(status);
  const often = attempts > 1 ? ` (sent ${attempts} times)` : '';
  return [
    `  ${request.method} ${printable(request.url)} → ${answer}${often}`,
    ...(ids === undefined ? [] : [`  ${colours.dim(printable(ids))}`]),
  ];
}

/** What a check, or a warning, says; with the members that are there. */
export function formatCause(
  { check, message, at, expected, actual, place, hint, ...cause }: Details & Partial<RootCause>,
  colours: Colours,
): string[] {
  const detail = (label: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`    ${colours.dim(label.padEnd(9))} ${printable(text)}`];
  const isElsewhere = cause.suspect !== undefined && cause.suspect !== 'service';
  const [first] = cause.steps ?? [];
  if (first?.step.verdict.kind === 'error') {
    const lines = formatHarnessError(first.step.verdict.error).split('\n');
    return [
      ...lines.map((line) => `  ${printable(line)}`),
      ...detail('suspect', isElsewhere ? `the ${cause.suspect}` : undefined),
    ];
  }
  return [
    `  ${colours.yellow(check)} ${printable(message)}`,
    ...detail('at', at),
    ...detail('expected', expected),
    ...detail('actual', actual),
    ...detail('see', place),
    ...detail('suspect', isElsewhere ? `the ${cause.suspect}` : undefined),
    ...detail('hint', hint),
  ];
}

type Details = Pick<RootCause, 'check' | 'message'> &
  Partial<Pick<RootCause, 'at' | 'expected' | 'actual' | 'place' | 'hint'>>;

/** How far a cause reaches, where that is beyond one finding. */
function formatExtent(cause: RootCause, colours: Colours): string[] {
  const { steps, count, operations, consequences } = cause;
  const detail = (label: string, text: string): string => `    ${colours.dim(label.padEnd(9))} ${text}`;
  const lines = otherViews(cause).map((view) => detail('as well', printable(view)));
  if (count > 1) {
    const where = operations.length > 1 ? `, ${counted(operations.length, 'operation')}: ${shortList(operations)}` : '';
    lines.push(detail('in all', `${extentText(cause)}${where}`));
  }
  if (steps.length > 1) lines.push(detail('also', shortList(steps.slice(1).map(({ step }) => step.name))));
  if (consequences > 0) lines.push(detail('so', `${counted(consequences, 'step')} could not be tried`));
  return lines;
}

/** Some names, and how many more there are. */
export function shortList(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  const shown = names.slice(0, MOST_NAMES).map((name) => {
    const characters = Array.from(printable(name));
    return characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME).join('')}…` : characters.join('');
  });
  return `${shown.join(', ')}${more}`;
}

function formatCommands(reproduction: ReturnType<typeof reproductionOf>, colours: Colours): string[] {
  if (reproduction === undefined) return [];
  if (reproduction.isSequence) {
    return [`  ${colours.dim('again, in one shell:')}`, ...reproduction.commands.map((command) => `    ${command}`)];
  }
  const last = reproduction.commands.length - 1;
  return reproduction.commands.map(
    (command, index) => `  ${colours.dim(index === last ? 'again' : 'first')}     ${command}`,
  );
}
