import { toHeaderText, withoutHeaders } from '../../core/http/headers';
import type { HttpResponse, RawHeaders } from '../../core/http/message';
import type { Problem } from '../../core/http/problem';
import type { Operation } from '../../openapi/model/operation';
import { type ActiveFault, type Fault, isSpent, MAX_DELAY_MS } from './fault';
import { deliver, type FaultMoment, type ForcedError } from './fault-kind';
import { type ForcedAnswer, isResponseAction, type ResponseAction } from './forced-response-queue';
import { kindOf } from './registry';

/** The header that names what goes wrong with a response, and asks for it in a request. */
export const FAULT_HEADER = 'X-Standin-Fault';

export interface FaultPlan {
  /** What comes in place of the operation; the state is unchanged. */
  forced: Problem | ForcedAnswer | undefined;
  /** The operation is done, and this comes in place of its response; `reset` ends the connection. */
  lost: Problem | 'reset' | undefined;
  delayMs: number;
  /** In place of those of the response that have these names. */
  headers: RawHeaders;
  /** Everything that is done to the response or to the way it is sent. */
  readonly deformations: Deformation[];
  /** Texts of those that happen whatever the response is. */
  readonly names: string[];
}

interface Deformation {
  readonly fault: Fault;
  /** Counted when the response shows whether it happens; `undefined` where it is a part of what is counted already. */
  readonly counted: ActiveFault | undefined;
}

const NO_HEADERS: RawHeaders = [];

/** @returns `undefined` where nothing goes wrong */
export function decideFaults(faults: readonly ActiveFault[], moment: FaultMoment): FaultPlan | undefined {
  const plan: FaultPlan = {
    forced: undefined,
    lost: undefined,
    delayMs: 0,
    headers: NO_HEADERS,
    deformations: [],
    names: [],
  };
  for (const each of faults) {
    each.seen += 1;
    if (!decide(each, each.fault, plan, moment)) continue;
    each.happened += 1;
    plan.names.push(each.fault.text);
  }
  return plan.names.length + plan.deformations.length === 0 ? undefined : plan;
}

/**
 * @param each - what is counted: the fault itself, or the forced response that it is a part of
 * @returns whether it happens; for a deformation the response decides that
 */
function decide(each: ActiveFault, fault: Fault, plan: FaultPlan, moment: FaultMoment): boolean {
  const { action } = fault;
  if (isResponseAction(action)) return decideResponse(each, action, plan, moment);
  const kind = kindOf(fault);
  if (kind.deform !== undefined) {
    const isPart = each.fault !== fault;
    plan.deformations.push({ fault, counted: isPart ? undefined : each });
    return isPart;
  }
  if (kind.delay !== undefined) addDelay(plan, kind.delay(action, moment));
  if (kind.lose !== undefined) {
    // What is not done cannot be lost.
    if (plan.forced !== undefined) return false;
    const lost = kind.lose(action);
    plan.lost = lost === 'reset' ? lost : toProblem(lost, fault);
  }
  if (kind.force === undefined) return true;
  const forced = kind.force(action, each, moment);
  if (forced === undefined || plan.forced !== undefined) return false;
  plan.forced = toProblem(forced, fault);
  return true;
}

/** All its parts, or none: what answers in its place by the header of the request comes without them. */
function decideResponse(each: ActiveFault, action: ResponseAction, plan: FaultPlan, moment: FaultMoment): boolean {
  const { answer, fault, headers, delayMs } = action;
  if (plan.forced !== undefined) return false;
  if (fault !== undefined && !decide(each, fault, plan, moment)) return false;
  if (answer !== undefined) plan.forced = answer;
  plan.headers = headers;
  addDelay(plan, delayMs);
  return true;
}

function addDelay(plan: FaultPlan, ms: number): void {
  plan.delayMs = Math.min(MAX_DELAY_MS, plan.delayMs + ms);
}

/** The error that comes for a fault. @param fault - named in its message */
export function toProblem({ status, retryMs }: ForcedError, fault: Pick<Fault, 'text'>): Problem {
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
  let current = withHeaders(response, plan.headers);
  for (const deformation of plan.deformations) current = applyTo(current, deformation, operation, reported);
  if (plan.lost === 'reset') current = deliver(current, { end: 'reset' });
  if (plan.delayMs > 0) current = deliver(current, { delayMs: plan.delayMs });
  if (reported.length === 0) return response;
  return { ...current, headers: [...current.headers, FAULT_HEADER, reported.map(toHeaderText).join(', ')] };
}

function withHeaders(response: HttpResponse, headers: RawHeaders): HttpResponse {
  if (headers.length === 0) return response;
  const names = new Set(headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
  return { ...response, headers: [...withoutHeaders(response.headers, names), ...headers] };
}

/** @param reported - gets what is said of it in the header */
function applyTo(
  response: HttpResponse,
  { fault, counted }: Deformation,
  operation: Operation | undefined,
  reported: string[],
): HttpResponse {
  // Another request may have been the last one meanwhile.
  if (counted !== undefined && isSpent(counted)) return response;
  const deformed = kindOf(fault).deform?.(response, fault.action, operation);
  if (deformed?.kind !== 'deformed') {
    if (counted !== undefined) counted.missed += 1;
    reported.push(`${fault.text};missed="${deformed?.reason ?? ''}"`);
    return response;
  }
  if (counted === undefined) return deformed.response;
  counted.happened += 1;
  reported.push(fault.text);
  return deformed.response;
}
