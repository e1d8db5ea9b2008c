import type { Contract } from '../../formats/contract';
import type { Operation } from '../../openapi/model';
import type { Interaction } from '../interaction';
import { operationOf } from '../prepare-step';
import type { Run } from '../run';
import { NOTHING_NAMED, withinOf, type Within } from '../within';
import { templateUpTo, type KnownParents } from './known-parents';

/** What contracts and the tester say that holds for generated probes as well. */
export interface ProbeClaims {
  /** What is there, below which something may be made. */
  readonly within: Within;
  /** Operations of which every step says that it asks a question and touches nothing. */
  readonly asking: ReadonlySet<Operation>;
}

export const NO_CLAIMS: ProbeClaims = { within: NOTHING_NAMED, asking: new Set() };

export function probeClaims(run: Pick<Run, 'api' | 'within'>, contracts: readonly Contract[]): ProbeClaims {
  const within = withinOf(run.within ?? [], ...contracts.map((contract) => contract.within));
  const steps = contracts.flatMap(({ setup, steps: own, cleanup }) => [...setup, ...own, ...cleanup]);
  const acting = new Set(steps.filter(({ touches }) => touches !== 'nothing').map((step) => operationOf(run, step)));
  const asked = steps.flatMap((step) => operationOf(run, step) ?? []);
  return { within, asking: new Set(asked.filter((operation) => !acting.has(operation))) };
}

/** The same of one operation, as an interaction says it. */
export function claimsOn(
  operation: Operation,
  { within, asking }: ProbeClaims,
): Pick<Interaction, 'within' | 'touches'> {
  return { within, touches: asking.has(operation) ? 'nothing' : undefined };
}

/** What a run saw, and where it saw nothing what the tester named. */
export function parentsFor({ path }: Operation, seen: KnownParents, { within }: ProbeClaims): KnownParents {
  const known = new Map(seen);
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    const [named] = within.get(name) ?? [];
    const template = templateUpTo({ path }, name);
    if (named !== undefined && !known.has(template)) known.set(template, encodeURIComponent(named));
  }
  return known;
}
