import { failuresOf } from '../../runner/result/outcome';
import type { ReceivedResponse, StepResult } from '../../runner/result/run-result';
import { findingKey } from '../../runner/run/response-excerpts';

/** Kinds of what one operation answered with one status: more are counted with the last one. */
const MOST_KINDS = 20;
/** Of all responses that are shown, in characters. */
const MOST_EVIDENCE = 8 * 1024 * 1024;

interface Group {
  readonly step: StepResult;
  times: number;
}

/**
 * Results of exchanges, those that say the same once: traffic has thousands of them, and a report as many lines as there
 * are things to say. What stays is bounded, however long the traffic goes on.
 */
export class StepGroups {
  private readonly groups = new Map<string, Group>();
  private readonly kinds = new Map<string, string[]>();
  private evidence = 0;

  /** @param from - what is already there */
  constructor(from?: StepGroups) {
    if (from === undefined) return;
    for (const [key, group] of from.groups) this.groups.set(key, { ...group });
    for (const [key, keys] of from.kinds) this.kinds.set(key, [...keys]);
    this.evidence = from.evidence;
  }

  /** @param received - what came back, asked for where a report shows it */
  add(step: StepResult, received: () => Pick<StepResult, 'response' | 'requestIds'>): void {
    const key = this.keyOf(step);
    const group = this.groups.get(key);
    if (group !== undefined) group.times += 1;
    else this.groups.set(key, { step: this.withEvidence(step, received), times: 1 });
  }

  /** Takes one away again that was added before. */
  remove(step: StepResult): void {
    const key = this.keyOf(step);
    const group = this.groups.get(key);
    if (group === undefined) return;
    group.times -= 1;
    if (group.times === 0) this.groups.delete(key);
  }

  /** In the order met, with how often each was. */
  steps(): StepResult[] {
    return [...this.groups.values()].map(({ step, times }) => (times === 1 ? step : { ...step, times }));
  }

  private keyOf(step: StepResult): string {
    const all = [...failuresOf(step), ...step.warnings];
    const checks = [...new Set(all.map(({ check }) => check))].sort();
    const coarse = JSON.stringify([step.operation, step.name, step.verdict.kind, checks]);
    const fine = JSON.stringify([coarse, ...new Set(all.map((finding) => findingKey(step, finding)).sort())]);
    const known = this.kinds.get(coarse) ?? [];
    if (known.includes(fine)) return fine;
    if (known.length >= MOST_KINDS) return known.at(-1) ?? fine;
    this.kinds.set(coarse, [...known, fine]);
    return fine;
  }

  private withEvidence(step: StepResult, received: () => Pick<StepResult, 'response' | 'requestIds'>): StepResult {
    if (step.verdict.kind !== 'fail' && step.verdict.kind !== 'error') return step;
    if (this.evidence > MOST_EVIDENCE) return step;
    const { response, requestIds } = received();
    this.evidence += sizeOf(response);
    return { ...step, response, ...(requestIds === undefined ? {} : { requestIds }) };
  }
}

function sizeOf(response: ReceivedResponse | undefined): number {
  return (response?.body?.length ?? 0) + (response?.headers.join('').length ?? 0);
}
