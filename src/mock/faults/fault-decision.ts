import { toHeaderText } from '../../core/http/headers';
import type { HttpResponse } from '../../core/http/message';
import type { Problem } from '../../core/http/problem';
import type { Operation } from '../../openapi/model/operation';
import { type ActiveFault, isSpent, MAX_DELAY_MS } from './fault';
import { deliver, type FaultMoment, type ForcedError } from './fault-kind';
import { kindOf } from './registry';

/** The header that names what goes wrong with a response, and asks for it in a request. */
export const FAULT_HEADER = 'X-Standin-Fault';

export interface FaultPlan {
  /** The error response in place of the operation; the state is unchanged. */
  forced: Problem | undefined;
  /** The operation is done, and this comes in place of its response; `reset` ends the connection. */
  lost: Problem | 'reset' | undefined;
  delayMs: number;
  /** Everything that is done to the response or to the way it is sent. */
  readonly deformations: ActiveFault[];
  /** Texts of those that happen whatever the response is. */
  readonly names: string[];
}

/** @returns `undefined` where nothing goes wrong */
export function decideFaults(faults: readonly ActiveFault[], moment: FaultMoment): FaultPlan | undefined {
  const plan: FaultPlan = { forced: undefined, lost: undefined, delayMs: 0, deformations: [], names: [] };
  for (const each of faults) {
    each.seen += 1;
    if (!decide(each, plan, moment)) continue;
    each.happened += 1;
    plan.names.push(each.fault.text);
  }
  return plan.names.length + plan.deformations.length === 0 ? undefined : plan;
}

/** @returns whether it happens; for a deformation the response decides that */
function decide(each: ActiveFault, plan: FaultPlan, moment: FaultMoment): boolean {
  const { action } = each.fault;
  const kind = kindOf(each.fault);
  if (kind.deform !== undefined) {
    plan.deformations.push(each);
    return false;
  }
  if (kind.delay !== undefined) plan.delayMs = Math.min(MAX_DELAY_MS, plan.delayMs + kind.delay(action, moment));
  if (kind.lose !== undefined) {
    const lost = kind.lose(action);
    plan.lost = lost === 'reset' ? lost : toProblem(lost, each);
  }
  if (kind.force === undefined) return true;
  const forced = kind.force(action, each, moment);
  if (forced === undefined || plan.forced !== undefined) return false;
  plan.forced = toProblem(forced, each);
  return true;
}

function toProblem({ status, retryMs }: ForcedError, { fault }: ActiveFault): Problem {
  const mayRetry = (status === 503 || status === 429) && retryMs !== undefined;
  return {
    status,
    code: 'fault_injected',
    message: `The fault ${fault.text} was asked for`,
    ...(mayRetry ? { headers: ['Retry-After', String(Math.max(1, Math.ceil(retryMs / 1000)))] } : {}),
  };
}

/** Does to a response what was decided, and says so in a header: also what did not apply to it. */
export function deformResponse(
  response: HttpResponse,
  plan: FaultPlan,
  operation: Operation | undefined,
): HttpResponse {
  const reported = [...plan.names];
  let current = response;
  for (const each of plan.deformations) {
    // Another request may have been the last one meanwhile.
    if (isSpent(each)) continue;
    const { fault } = each;
    const deformed = kindOf(fault).deform?.(current, fault.action, operation);
    if (deformed?.kind === 'deformed') {
      each.happened += 1;
      current = deformed.response;
      reported.push(fault.text);
    } else {
      each.missed += 1;
      reported.push(`${fault.text};missed="${deformed?.reason ?? ''}"`);
    }
  }
  if (plan.lost === 'reset') current = deliver(current, { end: 'reset' });
  if (plan.delayMs > 0) current = deliver(current, { delayMs: plan.delayMs });
  if (reported.length === 0) return response;
  return { ...current, headers: [...current.headers, FAULT_HEADER, reported.map(toHeaderText).join(', ')] };
}
