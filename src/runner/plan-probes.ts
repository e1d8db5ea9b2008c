import type { Step } from '../formats/contract';
import type { ApiModel, Operation } from '../openapi/model';
import { HEAD_KINDS, hasUndescribedHead } from './auth/head-probes';
import { harmlessTarget, invalidQuery } from './auth/probe-target';
import { chooseScheme } from './auth/schemes';
import { plannedBrowserCalls, type Caller } from './browser-callers';
import { isSafe } from './run';
import type { Mode } from './run-result';

/** A step, and the operation that it calls. */
export interface PlannedCall {
  readonly step: Step;
  readonly operation: Operation | undefined;
  readonly method: string;
}

/** Looks at what a rejected write may have done: before it and after it. */
const LOOKS = ['GET', 'GET'];

/**
 * Methods of the requests that probe operations without a good key, one for each. Rather too many than too few: some
 * probes need a key of a certain form, and a write is probed only where its effect can be seen.
 */
export function plannedProbes(
  api: ApiModel,
  mode: Mode,
  operations: readonly Operation[],
  calls: readonly PlannedCall[],
  callers: ReadonlyMap<Operation, Caller> = new Map(),
): ReadonlyMap<Operation, readonly string[]> {
  const probes = new Map<Operation, readonly string[]>();
  for (const operation of api.operations) {
    const isSent = mode !== 'observe' || isSafe(operation.method);
    const isUsed = operations.includes(operation);
    const generated = isSent && isUsed ? generatedProbes(api, mode, operation) : [];
    const isRejected = isSent && calls.some((call) => call.operation === operation && isProbedWrite(api, call));
    const browsed = isUsed && callers.has(operation) ? plannedBrowserCalls(operation) : [];
    const all = [...generated, ...(isRejected ? [operation.method, operation.method, ...LOOKS] : []), ...browsed];
    if (all.length > 0) probes.set(operation, all);
  }
  return probes;
}

function generatedProbes(api: ApiModel, mode: Mode, operation: Operation): readonly string[] {
  const choice = chooseScheme(api, operation);
  if (choice.kind !== 'known' || typeof harmlessTarget(operation) === 'string') return [];
  const isRead = isSafe(operation.method);
  const sent = choice.scheme.kinds.filter(
    ({ isInUrl, isOnce }) => (mode === 'full' || isInUrl !== true) && isOnce !== true,
  );
  const kinds = sent.filter(({ expects }) => isRead || expects !== 'accepted').length;
  const more = isRead && invalidQuery(operation) !== undefined ? 1 : 0;
  const heads = hasUndescribedHead(api, operation)
    ? choice.scheme.kinds.filter(({ title }) => HEAD_KINDS.includes(title))
    : [];
  return [...Array.from({ length: kinds + more }, () => operation.method), ...heads.map(() => 'HEAD')];
}

/** A write that is to succeed is sent without its key once before, after a harmless one. */
function isProbedWrite(api: ApiModel, { step, operation, method }: PlannedCall): boolean {
  if (isSafe(method) || step.auth !== 'valid' || step.phase === 'cleanup') return false;
  const { statuses } = step.expect;
  const isToSucceed = statuses.length > 0 && statuses.every((status) => status >= 200 && status < 300);
  return isToSucceed && operation !== undefined && chooseScheme(api, operation).kind === 'known';
}
