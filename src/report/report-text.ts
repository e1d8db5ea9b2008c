import { formatHarnessError } from '../errors/harness-error';
import { printable } from '../errors/printable';
import type { LocatedFinding, StepResult } from '../runner/run-result';
import type { OwnedStep } from './owned-step';
import { reproductionOf } from './reproduction';
import { requestIdText } from './evidence-text';
import type { RootCause } from './root-cause';
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

/**
 * One line that says why a step did not pass; `undefined` for one that did.
 *
 * @param cause - why, by its name in the other reports
 */
export function headline({ verdict }: StepResult, cause: RootCause | undefined): string | undefined {
  switch (verdict.kind) {
    case 'pass':
      return undefined;
    case 'fail':
      return printable(cause?.kind === 'run' ? titleOf(cause) : findingsTitle(verdict.findings, cause));
    case 'error':
      return printable(`${verdict.error.code}: ${verdict.error.message}`);
    case 'skipped':
      return printable(verdict.reason);
  }
}

function findingsTitle(findings: readonly LocatedFinding[], cause: RootCause | undefined): string {
  const named = findings.find(({ check }) => check === cause?.check) ?? findings[0];
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return `${titleOf(named ?? { check: 'unknown', message: 'a check found an error' })}${more}`;
}

function titleOf({ check, message }: Pick<LocatedFinding, 'check' | 'message'>): string {
  return `${check}: ${message}`;
}

function isTrouble({ verdict }: StepResult): boolean {
  return verdict.kind === 'fail' || verdict.kind === 'error';
}

function exchangeLines(step: StepResult): string[] {
  const { request, status, place } = step;
  const ids = requestIdText(step);
  const where = place === undefined ? [] : [`step: ${place}`];
  if (request === undefined) return where.map(printable);
  const exchange = `${request.method} ${request.url} -> ${status ?? 'no answer'}`;
  return [...where, exchange, ...(ids === undefined ? [] : [ids])].map(printable);
}

function verdictLines({ verdict }: StepResult): string[] {
  if (verdict.kind === 'fail') return verdict.findings.flatMap(findingLines);
  if (verdict.kind === 'error') return formatHarnessError(verdict.error).split('\n').map(printable);
  return verdict.kind === 'skipped' ? [printable(`skipped (${verdict.cause}): ${verdict.reason}`)] : [];
}
