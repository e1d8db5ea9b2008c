import type { ContractResult, RunResult, StepResult } from '../runner/run-result';

/** A step with the contract that it stands in. */
export interface OwnedStep {
  readonly step: StepResult;
  /** `undefined` for a probe that the runner added. */
  readonly contract: ContractResult | undefined;
}

/** Every step and probe of a run, in the order of the report. */
export function ownedSteps({ contracts, probes }: Pick<RunResult, 'contracts' | 'probes'>): OwnedStep[] {
  return [
    ...contracts.flatMap((contract) => contract.steps.map((step) => ({ step, contract }))),
    ...probes.map((step) => ({ step, contract: undefined })),
  ];
}
