import { splitPath } from '../../core/http/request-target';
import type { Operation } from '../../openapi/model/operation';
import { exchange } from '../exchange/exchange';
import type { Creation } from '../ownership/creation';
import { pathOf, modeViolation } from '../exchange/request-guard';
import { acceptOf, makeRequest } from '../exchange/request';
import { ANY_RESPONSE, type Interaction } from '../exchange/interaction';
import { isCreation, routeOf } from '../ownership/item-routes';
import type { KnownParents, Run } from '../exchange/run-state';
import type { StepResult } from '../result/run-result';
import { harmlessTarget, templateUpTo } from './probe-target';
import { expectationFor } from './authentication-probes';

/** A server that looks who is there before anything else; that 403 is the wrong one of the two is reported elsewhere. */
const REJECTED_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/** Why a write must not be sent without its key. */
export interface UnprotectedWrite {
  /** A sentence for people. */
  readonly reason: string;
  /** What the harmless request found, where the mode holds back the other probes of the operation. */
  readonly result: StepResult | undefined;
}

/**
 * Asks without a key for something that nobody has, or with a body that nothing can be made of. Only where that is
 * rejected does the operation look at credentials at all: elsewhere a write without them would be done, and take from
 * the contract what it needs.
 *
 * @param interaction - the write that is to be sent without its key
 * @returns `undefined` when it may be sent
 */
export async function sendHarmlessRequest(run: Run, interaction: Interaction): Promise<UnprotectedWrite | undefined> {
  const { operation, request: write } = interaction;
  if (operation === undefined) return { reason: 'the description has no operation for it', result: undefined };
  const target = harmlessTarget(operation, run.runId, parentsOf(run, operation, pathOf(run, write)));
  if (typeof target === 'string') {
    return { reason: `whether a key is asked for cannot be seen before: ${target}`, result: undefined };
  }
  const type = target.contentType === undefined ? [] : ['Content-Type', target.contentType];
  const headers = ['Accept', acceptOf(run.api, operation), ...type];
  const request = makeRequest(run, operation.method, target.path, headers, target.body);
  // Elsewhere the other probes judge the same.
  const isValidated = modeViolation(run, { operation, request }) !== undefined;
  const { response, creation, result } = await exchange(run, {
    name: `${operation.id} without a key`,
    phase: 'auth',
    place: undefined,
    operation,
    request,
    auth: 'none',
    recipe: undefined,
    expected: isValidated ? expectationFor(operation, 'refused') : ANY_RESPONSE,
    captures: [],
    ...annotationsOf(interaction),
  });
  if (response === undefined) {
    const ended = await result;
    const reason = 'a harmless request without a key got no response, or could not be sent';
    // That the service cannot be reached may be met here first.
    return { reason, result: ended.verdict.kind === 'error' ? ended : undefined };
  }
  if (REJECTED_STATUSES.has(response.status)) return undefined;
  const made = creation?.state === 'there' ? ` and made ${describeLocation(creation)}` : ' and not rejected';
  const reason = `a harmless request without a key got ${response.status}${made}, so that this one might be done`;
  return { reason, result: isValidated ? await result : undefined };
}

/** Where what was made stands, for people. */
export function describeLocation({ item, path }: Creation): string {
  return item ?? `something at ${path}`;
}

/** What a contract says of a write is as true of it without a key; but it is another thing that it makes. */
export function annotationsOf({
  within,
  creates,
  touches,
  leaves,
  removes,
}: Interaction): Pick<Interaction, 'within' | 'creates' | 'touches' | 'leaves' | 'removes'> {
  return { within, creates, touches, leaves, removes };
}

/**
 * What stands above the thing that a write names, which is named as it is. Only a creation may be sent to where the
 * write itself goes: what an action acts on it must not reach, whatever its body.
 */
function parentsOf(run: Run, operation: Operation, path: string): KnownParents {
  const names = splitPath(operation.path);
  const values = splitPath(path);
  const variables = routeOf(run.api, path)?.route.variables ?? [];
  const stored = isCreation(run.api, operation) ? variables : variables.slice(0, -1);
  return new Map(
    stored.flatMap((name) => {
      const value = values[names.indexOf(`{${name}}`)];
      return value === undefined ? [] : [[templateUpTo(operation, name), value] as const];
    }),
  );
}
