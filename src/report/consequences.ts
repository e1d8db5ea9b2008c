import type { OwnedStep } from './owned-step';

/**
 * The step because of which a step was skipped: the one of its contract that the reason names, through others that
 * were skipped themselves, else the first of its contract that failed; for a lost target the step that lost it.
 *
 * @returns `undefined` for a step that was sent, or left out on purpose
 */
export function sourceOf(owned: OwnedStep, all: readonly OwnedStep[]): OwnedStep | undefined {
  const { verdict } = owned.step;
  if (verdict.kind !== 'skipped') return undefined;
  if (verdict.cause === 'target-lost') return all.find(isLoss);
  if (verdict.cause !== 'missing-value' && verdict.cause !== 'setup-failed') return undefined;
  const before = all.slice(0, all.indexOf(owned)).filter(({ contract }) => contract === owned.contract);
  const named = before.findLast(({ step }) => verdict.reason.includes(`"${step.name}"`));
  if (named !== undefined && isTrouble(named)) return named;
  return (named === undefined ? undefined : sourceOf(named, all)) ?? before.find(isTrouble);
}

function isTrouble({ step: { verdict } }: OwnedStep): boolean {
  return verdict.kind === 'fail' || verdict.kind === 'error';
}

function isLoss({ step: { verdict } }: OwnedStep): boolean {
  return verdict.kind === 'error' && verdict.error.code.startsWith('TRANSPORT_');
}
