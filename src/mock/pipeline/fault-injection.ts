import { problem, type Problem } from '../../core/http/problem';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { type Fault, unknownFilter } from '../faults/fault';
import { isResponseAction } from '../faults/forced-response-queue';
import { parseFaults } from '../faults/fault-syntax';
import { decideFaults, FAULT_HEADER } from '../faults/fault-plan';
import { kindOf } from '../faults/registry';
import { forcedResponse } from './forced-response-rendering';
import type { RequestContext, Result } from './request-context';

const HEADER = FAULT_HEADER.toLowerCase();

/**
 * Decides which faults a request meets. One that meets any materialises its sandbox: faults may depend on how often
 * they happened.
 *
 * @returns what a fault or a forced response answers, or why the header of the request cannot be used
 */
export function injectFaults(request: RequestContext): Result | undefined {
  const { sandbox, context, head, operation } = request;
  if (operation === undefined || !mayBeFaulty(request)) return undefined;
  const { flags } = context.options.faults;
  const text = head.headers[HEADER];
  const inHeader = typeof text === 'string' ? readHeader(text, context.api) : undefined;
  if (inHeader !== undefined && 'code' in inHeader) return inHeader;
  const nowMs = sandbox.clock.now();
  const matching = sandbox.faults.matching(inHeader, flags, operation, nowMs);
  const unavailable = request.canDeliver ? undefined : matching.find(({ fault }) => needsConnection(fault));
  if (unavailable !== undefined)
    return problem(
      'fault_not_available',
      `The fault ${unavailable.fault.text} needs a connection; this request came without one, straight to the engine`,
    );
  request.faults = decideFaults(matching, { nowMs, random: sandbox.random });
  if (request.faults !== undefined) request.sandboxes.materialise(sandbox);
  return writeForced(request, operation);
}

function writeForced({ context, head, faults }: RequestContext, operation: Operation): Result | undefined {
  const forced = faults?.forced;
  if (forced === undefined || 'code' in forced) return forced;
  const { accept } = head.headers;
  return forcedResponse(context, operation, forced, typeof accept === 'string' ? accept : undefined);
}

function needsConnection(fault: Fault): boolean {
  const { action } = fault;
  if (!isResponseAction(action)) return kindOf(fault).needsConnection?.(action) === true;
  return action.delayMs > 0 || (action.fault !== undefined && needsConnection(action.fault));
}

/** The whole cost of a mock without faults. */
function mayBeFaulty({ sandbox, context, head }: RequestContext): boolean {
  const { isOff, flags } = context.options.faults;
  return !isOff && (head.headers[HEADER] !== undefined || flags.length > 0 || !sandbox.faults.isEmpty);
}

function readHeader(
  text: string,
  api: ApiModel,
): { readonly text: string; readonly faults: readonly Fault[] } | Problem {
  const parsed = parseFaults(text);
  const reason = parsed.kind === 'malformed' ? parsed.message : unknownFilter(parsed.faults, api);
  if (reason !== undefined) return problem('invalid_fault', `${FAULT_HEADER}: ${reason}`);
  return { text, faults: parsed.kind === 'malformed' ? [] : parsed.faults };
}
