import type { Contract, Step } from '../../formats/contract/contract';
import type { JsonValue } from '../../core/json/json-value';
import type { LearntFact, StepResult } from '../result/run-result';
import type { Run } from '../exchange/run-state';

/** Contracts that are run before it is known which ones come next. */
export interface Round {
  readonly contracts: readonly Contract[];
  /** One after the other, so that nothing depends on which one was quicker. */
  readonly isSequential?: boolean;
}

/** What a step was answered with. */
export interface Answer {
  readonly contract: Contract;
  readonly step: Step;
  readonly status: number;
  /** JSON that was sent; `undefined` for none. */
  readonly sent: JsonValue | undefined;
  /** Of JSON its value, else the begin of its text; `undefined` for none. */
  readonly body: JsonValue | undefined;
}

/** Makes contracts while a run goes on: each round knows the answers to the one before. Returns what was learnt of them. */
export type Rounds = Generator<Round, readonly LearntFact[], readonly Answer[]>;

/** What the steps of a contract were answered with, by what the log of the run has of them. */
export function answersOf(run: Run, contract: Contract, ended: ReadonlyMap<Step, StepResult> = new Map()): Answer[] {
  return [...ended].flatMap(([step, result]) => {
    const exchange = run.log.exchangeOf(result);
    if (exchange?.status === undefined) return [];
    const text = exchange.other === undefined ? undefined : new TextDecoder().decode(exchange.other.beginning);
    return [{ contract, step, status: exchange.status, sent: exchange.requestBody, body: exchange.body ?? text }];
  });
}
