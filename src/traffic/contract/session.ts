import { isSafe } from '../../core/http/message';
import { isJsonObject, valueAlong } from '../../core/json/json-value';
import type { Schema } from '../../openapi/model/operation';
import { type Call, isSuccess, placedAt } from '../flow/call';
import { nameByRun, nameOfOneOfMany, type RunName } from './run-names';

/** Requests that were on their way at the same time come in the order of the description, as another recording has them. */
export function inSteadyOrder(calls: readonly Call[]): Call[] {
  const sorted = [...calls];
  for (let end = 1; end < sorted.length; end++) {
    for (let at = end; at > 0 && mayGoBefore(sorted[at], sorted[at - 1]); at--)
      [sorted[at - 1], sorted[at]] = [sorted[at] as Call, sorted[at - 1] as Call];
  }
  return sorted.map((call, index) => (call.index === index ? call : placedAt(call, index)));
}

function mayGoBefore(later: Call | undefined, earlier: Call | undefined): boolean {
  if (later === undefined || earlier === undefined || !isSafe(later.method) || !isSafe(earlier.method)) return false;
  const [end, start] = [earlier.exchange.endedAt, later.exchange.startedAt];
  if (end === undefined || start === undefined || start >= end) return false;
  return placeOf(later) < placeOf(earlier);
}

function placeOf({ operation, exchange }: Call): string {
  return `${operation?.pointer ?? '~'} ${exchange.request.target}`;
}

/** Names of what the recording made: each run has its own. By what was recorded, with the placeholder. */
export function findRunNames(calls: readonly Call[]): Map<string, string> {
  const names = new Map<string, string>();
  const texts = new Map<string, number>();
  for (const call of calls) {
    for (const { recorded, text } of namesOfNew(call)) {
      if (names.has(recorded)) continue;
      // Two names that begin alike stay two.
      const seen = texts.get(text) ?? 0;
      texts.set(text, seen + 1);
      names.set(recorded, seen === 0 ? text : `${text}-${seen + 1}`);
    }
  }
  return names;
}

function namesOfNew(call: Call): RunName[] {
  const { binding } = call;
  if (binding === undefined || !isSuccess(call)) return [];
  const path = binding.request?.path ?? [];
  const sent = valueAlong(call.requestBody, path);
  if (binding.behaviour === 'create-many' && Array.isArray(sent))
    return sent.filter(isJsonObject).flatMap((item) => nameOfOneOfMany(item) ?? []);
  if (binding.behaviour !== 'create' || !isJsonObject(sent)) return [];
  return [nameByRun(schemaSent(call), path, sent)].flatMap((named) => named ?? []);
}

function schemaSent({ operation }: Call): Schema | undefined {
  return operation?.requestBody?.content.find(({ schema }) => schema !== undefined)?.schema;
}
