import type { ContractResult, LocatedFinding, RunResult, StepResult } from '../../runner/result/run-result';

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

/** On whose side the cause is to be looked for first. */
export const SUSPECTS = ['service', 'description', 'gateway', 'runner settings'] as const;
export type Suspect = (typeof SUSPECTS)[number];

/** What another check says of the same cause, or the same check with another expectation, and where it first did. */
export interface OtherView {
  readonly finding: LocatedFinding;
  readonly owned: OwnedStep;
}

/** One reason for something that failed or could not be checked, however often it showed. */
export interface RootCause {
  /** Stable between runs: twelve hexadecimal digits. */
  readonly fingerprint: string;
  /** `run`: what explains practically every response; `finding`: what a check found; `error`: nothing could be checked. */
  readonly kind: 'run' | 'finding' | 'error';
  readonly suspect: Suspect;
  /** Id of the check, code of the error, or the name of a cause of kind `run`. */
  readonly check: string;
  /** One sentence for people. */
  readonly message: string;
  /** Where in the exchange, in the first step; as the other properties below. */
  readonly at: string | undefined;
  readonly expected: string | undefined;
  readonly actual: string | undefined;
  /** The line of the description that it is about. */
  readonly place: string | undefined;
  readonly hint: string | undefined;
  /** Ids of the operations, in the order met; steps that call none add nothing. */
  readonly operations: readonly string[];
  /** The steps that it shows in, each once; never empty. */
  readonly steps: readonly [OwnedStep, ...OwnedStep[]];
  /** Findings that it stands for and that say something else than it does, each once. */
  readonly others: readonly OtherView[];
  /** How many findings, or steps without a judgement, it stands for. */
  readonly count: number;
  /** Steps that were skipped because of it. */
  readonly consequences: number;
}
