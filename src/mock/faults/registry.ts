import { dribble, empty, latency, malformedJson, reset, truncate, wrongContentType } from './delivery-faults';
import { commitThenFail, errorRate, fail, outage, rateLimit, status } from './error-faults';
import type { Fault } from './fault';
import type { FaultKind } from './fault-kind';
import { violate } from './violate';

/** Every kind of fault, in the order in which messages list them. */
const FAULT_KINDS: readonly FaultKind[] = [
  latency,
  dribble,
  reset,
  empty,
  truncate,
  malformedJson,
  wrongContentType,
  status,
  errorRate,
  outage,
  fail,
  rateLimit,
  commitThenFail,
  violate,
];

/** By the name with which its text begins. */
export const FAULT_REGISTRY: ReadonlyMap<string, FaultKind> = new Map(FAULT_KINDS.map((each) => [each.kind, each]));

export function kindOf({ action }: Fault): FaultKind {
  const found = FAULT_REGISTRY.get(action.kind);
  if (found === undefined) throw new Error(`There is no fault ${action.kind}`);
  return found;
}
