export { StandinError, SpecError, ContractError, TransportError, ConfigError } from './core/errors/standin-error';
export type { ErrorCode, SourceFinding } from './core/errors/standin-error';
export type { ApiModel } from './openapi/model/api-model';
export type { Operation } from './openapi/model/operation';
export type {
  BrokenInvariant,
  FilterEvent,
  FilterRule,
  Reference,
  RuleEvent,
  RuleReader,
  Rules,
  RuleStore,
} from './mock/rules/rules';
export type { Item, ItemDraft } from './mock/state/item';
export type { JsonObject, JsonValue } from './core/json/json-value';
export { gradeContracts } from './library/grade';
export type { GradeOptions } from './library/grade-options';
export type { GradedDefect, GradeResult } from './grade/grade-result';
export { runContract } from './library/run-contract';
export type { CleanUpOptions } from './library/clean-up-options';
export type { RunContractOptions } from './library/run-options';
export { cleanUp, type CleanUpResult } from './library/clean-up';
export { formatTextReport } from './report/kinds/text-report';
export type { RunProgress, RunResult, StepResult, Verdict } from './runner/result/run-result';
