/** How many steps were compared with a mock beside the target, and why the others were not. */
export interface LockStepSummary {
  readonly compared: number;
  /** By reason, the most frequent first. */
  readonly omitted: readonly { readonly reason: string; readonly steps: number }[];
}

/** Counts while a run goes on. */
export class LockStepTally {
  private compared = 0;
  private readonly omitted = new Map<string, number>();

  noteCompared(): void {
    this.compared += 1;
  }

  noteOmitted(reason: string): void {
    this.omitted.set(reason, (this.omitted.get(reason) ?? 0) + 1);
  }

  summary(): LockStepSummary {
    return summaryOf(this.compared, this.omitted);
  }
}

/** The summary of several runs that are parts of one. */
export function joinSummaries(summaries: readonly LockStepSummary[]): LockStepSummary {
  const omitted = new Map<string, number>();
  for (const { reason, steps } of summaries.flatMap((each) => each.omitted))
    omitted.set(reason, (omitted.get(reason) ?? 0) + steps);
  return summaryOf(
    summaries.reduce((sum, { compared }) => sum + compared, 0),
    omitted,
  );
}

function summaryOf(compared: number, omitted: ReadonlyMap<string, number>): LockStepSummary {
  const reasons = [...omitted].map(([reason, steps]) => ({ reason, steps }));
  return {
    compared,
    omitted: reasons.sort((left, right) => right.steps - left.steps || (left.reason < right.reason ? -1 : 1)),
  };
}
