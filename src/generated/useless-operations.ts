import { type Contract, placeholdersOf, RUN_ID, type Step } from '../formats/contract/contract';
import type { Answer } from '../runner/run/rounds';
import type { LearntFact } from '../runner/result/run-result';

/** So many requests have to be answered so, and none in another way. */
const ENOUGH = 3;

/** Not implemented, not allowed, nothing there, or broken: nothing is learnt of the next one. */
function isUseless(status: number): boolean {
  return status === 404 || status === 405 || status >= 500;
}

/** Operations that answer nothing useful: they get no more of the requests of a run. */
export class UselessOperations {
  /** What was answered where a success was expected, by operation. */
  private readonly answered = new Map<string, number[]>();
  private readonly told = new Set<string>();

  note(answers: readonly Answer[]): void {
    for (const { step, status } of answers) {
      // Where a refusal is expected, it is the answer.
      if (step.request.kind !== 'operation' || !step.expect.statuses.every((each) => each < 400)) continue;
      const { operationId } = step.request;
      this.answered.set(operationId, [...(this.answered.get(operationId) ?? []), status]);
    }
  }

  has(operation: string): boolean {
    const statuses = this.answered.get(operation) ?? [];
    return statuses.length >= ENOUGH && statuses.every(isUseless);
  }

  /** The steps that are still worth sending; `undefined` where none is left. What removes things stays. */
  without(contract: Contract): Contract | undefined {
    if (![...contract.setup, ...contract.steps].some((step) => this.isOf(step))) return contract;
    const missing = new Set<string>();
    const keep = (step: Step): boolean => {
      const isKept =
        !this.isOf(step) && placeholdersOf(step).every(({ name }) => name === RUN_ID || !missing.has(name));
      if (!isKept) for (const { name } of step.captures) missing.add(name);
      return isKept;
    };
    const setup = contract.setup.filter(keep);
    const steps = contract.steps.filter(keep);
    const cleanup = contract.cleanup.filter((step) => placeholdersOf(step).every(({ name }) => !missing.has(name)));
    return steps.length === 0 ? undefined : { ...contract, setup, steps, cleanup };
  }

  private isOf({ request }: Step): boolean {
    return request.kind === 'operation' && this.has(request.operationId);
  }

  /** Each is told once. */
  facts(): LearntFact[] {
    return [...this.answered.keys()]
      .filter((operation) => this.has(operation) && !this.told.has(operation))
      .map((operation) => {
        this.told.add(operation);
        const statuses = this.answered.get(operation) ?? [];
        const all = [...new Set(statuses)].join(', ');
        const message = `answered ${all} to each of ${statuses.length} requests: it is asked no more in what is generated`;
        return { operation, message };
      });
  }
}
