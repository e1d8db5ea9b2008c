import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import { type CleanExchange, SECRET_MARK } from '../exchange/recorded-exchange';
import type { Call } from '../flow/call';
import type { Consumer } from '../flow/trace-flow';
import type { BodyFiles } from './body-files';
import type { ContractPlan } from './plan';
import { literal, renameWithin } from './run-names';
import type { Secrets } from './secret-sources';

/** What steps are written by. */
export interface StepContext {
  readonly api: ApiModel;
  readonly plan: ContractPlan;
  readonly secrets: Secrets;
  /** Names that got the id of the run: by what was recorded, with the placeholder. */
  readonly runNames: ReadonlyMap<string, string>;
  /** Times that count from the beginning of a run: by what was recorded, with the placeholder. */
  readonly times: ReadonlyMap<string, string>;
  /** By recorded value of an `Idempotency-Key`: what stands for it, new in each run. */
  readonly idempotencyKeys: Map<string, string>;
  /** By exchange that the session waited for: all requests up to it. */
  readonly waits: ReadonlyMap<CleanExchange, readonly CleanExchange[]>;
  /** By call that makes something: why that stays. */
  readonly staying: ReadonlyMap<Call, string>;
  /** What stands in files beside the contract; `undefined` where it has to do without. */
  readonly files: BodyFiles | undefined;
}

/** A value without secrets, and with the names of this run. */
export function rewrite(context: StepContext, value: JsonValue): JsonValue {
  if (typeof value === 'string') return rewriteText(context, value);
  if (Array.isArray(value)) return value.map((item) => rewrite(context, item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, rewrite(context, property)]));
}

/**
 * A value of a request, with what earlier responses gave of it.
 *
 * @param pointer - its place in the body; of a parameter its name, and behind that its place in a list or an object
 */
export function rewriteSent(
  context: StepContext,
  call: Call,
  place: Consumer['in'],
  value: JsonValue,
  pointer: string,
): JsonValue {
  const placeholder = context.plan.placeholderOf(call, place, pointer);
  if (placeholder !== undefined) return placeholder;
  const inner = (item: JsonValue, name: string | number): JsonValue =>
    rewriteSent(context, call, place, item, joinPointer(pointer, name));
  if (Array.isArray(value)) return value.map(inner);
  if (!isJsonObject(value)) return rewrite(context, value);
  const written: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(value)) setProperty(written, name, inner(property, name));
  return written;
}

/** The same of a text. */
export function rewriteText({ plan, runNames, times }: StepContext, text: string): string {
  const named = runNames.get(text) ?? times.get(text);
  if (named !== undefined) return named;
  const renamed = renameWithin(scalarText(literal(text)), runNames);
  return renamed.replace(SECRET_MARK, (_, name: string) => plan.secretPlaceholder(name));
}
