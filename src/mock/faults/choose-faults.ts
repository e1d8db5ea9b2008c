import { problem, type Problem } from '../../checks/problem';
import type { RequestHead } from '../../http/message';
import type { Operation } from '../../openapi/model';
import type { Place } from '../place';
import { unknownFilter } from './check-filters';
import { decideFaults, type FaultPlan } from './decide-faults';
import { FAULT_HEADER } from './deform-response';
import type { Fault } from './fault';
import type { SetFault } from './fault-book';
import { parseFaults } from './parse-faults';

/** Which faults a mock has from the start, and whether there may be any. */
export interface FaultOptions {
  readonly isOff: boolean;
  /** Of every sandbox. */
  readonly flags: readonly Fault[];
}

const HEADER = FAULT_HEADER.toLowerCase();

/** May anything go wrong with a request? The whole cost of a mock without faults. */
export function mayBeFaulty({ sandbox, context }: Place, head: RequestHead): boolean {
  const { isOff, flags } = context.options.faults;
  return !isOff && (head.headers[HEADER] !== undefined || flags.length > 0 || !sandbox.faults.isEmpty);
}

/**
 * What goes wrong with a request.
 *
 * @param canDeliver - there is a connection that can be slow, cut or reset
 * @returns a problem when the header cannot be read, or asks for what cannot be had here
 */
export function chooseFaults(
  { sandbox, context }: Place,
  head: RequestHead,
  operation: Operation,
  canDeliver: boolean,
): FaultPlan | Problem | undefined {
  const text = head.headers[HEADER];
  const parsed = typeof text === 'string' ? parseFaults(text) : undefined;
  if (parsed?.kind === 'malformed') return problem('invalid_fault', `${FAULT_HEADER}: ${parsed.message}`);
  const unknown = parsed === undefined ? undefined : unknownFilter(parsed.faults, context.api);
  if (unknown !== undefined) return problem('invalid_fault', `${FAULT_HEADER}: ${unknown}`);
  const inHeader = parsed === undefined ? undefined : { text: String(text), faults: parsed.faults };
  const nowMs = sandbox.clock.now();
  const matching = sandbox.faults.matching(inHeader, context.options.faults.flags, operation, nowMs);
  if (matching.length === 0) return undefined;
  const stuck = canDeliver ? undefined : matching.find(needsConnection);
  if (stuck !== undefined)
    return problem(
      'fault_not_available',
      `The fault ${stuck.fault.text} needs a connection; this request came without one, straight to the engine`,
    );
  return decideFaults(matching, nowMs, sandbox.random);
}

function needsConnection({ fault: { action } }: SetFault): boolean {
  return NEEDS_CONNECTION.has(action.kind) || (action.kind === 'commit-then-fail' && action.status === undefined);
}

const NEEDS_CONNECTION: ReadonlySet<string> = new Set(['latency', 'dribble', 'reset', 'truncate']);
