import { formatHarnessError } from '../errors/harness-error';
import { printable } from '../errors/printable';
import type { LocatedFinding, StepResult } from '../runner/run-result';
import type { OwnedStep } from './owned-step';
import { reproductionOf } from './reproduction';
import type { KeyInShell } from './shell-command';

/** A finding as lines of plain text. */
export function findingLines({ check, message, at, expected, actual, place, hint }: LocatedFinding): string[] {
  const detail = (label: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`  ${label}: ${text}`];
  return [
    `${check}: ${message}`,
    ...detail('at', at),
    ...detail('expected', expected),
    ...detail('actual', actual),
    ...detail('see', place),
    ...detail('hint', hint),
  ].map(printable);
}

/** What a step sent and got, why it is not green, and how to see it again, as lines of plain text. */
export function stepLines(owned: OwnedStep, key: KeyInShell): string[] {
  const { step } = owned;
  const reproduction = isTrouble(step) ? reproductionOf(owned, key) : undefined;
  return [
    ...exchangeLines(step),
    ...verdictLines(step),
    ...(reproduction === undefined ? [] : ['again:', ...reproduction.commands]),
  ];
}

/** One line that says why a step did not pass; `undefined` for one that did. */
export function headline({ verdict }: StepResult): string | undefined {
  switch (verdict.kind) {
    case 'pass':
      return undefined;
    case 'fail': {
      const [first] = verdict.findings;
      const more = verdict.findings.length > 1 ? ` (and ${verdict.findings.length - 1} more)` : '';
      return printable(`${first?.check ?? 'unknown'}: ${first?.message ?? 'a check found an error'}${more}`);
    }
    case 'error':
      return printable(`${verdict.error.code}: ${verdict.error.message}`);
    case 'skipped':
      return printable(verdict.reason);
  }
}

function isTrouble({ verdict }: StepResult): boolean {
  return verdict.kind === 'fail' || verdict.kind === 'error';
}

function exchangeLines({ request, status, place }: StepResult): string[] {
  const where = place === undefined ? [] : [`step: ${place}`];
  if (request === undefined) return where.map(printable);
  return [...where, `${request.method} ${request.url} -> ${status ?? 'no answer'}`].map(printable);
}

function verdictLines({ verdict }: StepResult): string[] {
  if (verdict.kind === 'fail') return verdict.findings.flatMap(findingLines);
  if (verdict.kind === 'error') return formatHarnessError(verdict.error).split('\n').map(printable);
  return verdict.kind === 'skipped' ? [printable(`skipped (${verdict.cause}): ${verdict.reason}`)] : [];
}
