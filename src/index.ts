export { HarnessError, SpecError, ContractError, TransportError, ConfigError } from './errors/harness-error';
export type { ErrorCode } from './errors/codes';
export type { SourceFinding } from './errors/source-finding';
export type { ApiModel, Operation } from './openapi/model';
export type {
  BrokenInvariant,
  FilterEvent,
  FilterRule,
  Reference,
  RuleEvent,
  RuleReader,
  Rules,
  RuleStore,
} from './mock/rules';
export type { Item, ItemDraft } from './mock/item';
export type { JsonObject, JsonValue } from './json/json-value';
export { runContract, type RunContractOptions, type RunResult } from './adapters/run-contract';
export { cleanUp, type CleanUpOptions, type CleanUpResult } from './adapters/clean-up';
export { formatTextReport } from './report/text-report';
export type { StepResult, Verdict } from './runner/run-result';
